package dev.warpline.web.report;

import dev.warpline.engine.WholeFile;
import dev.warpline.study.validate.KernelComparison;
import dev.warpline.study.validate.ValidationJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A validation as one HTML file that needs nothing else: no server, no network. */
public final class ValidationPage {
  private ValidationPage() {}

  /**
   * Writes the page.
   *
   * @param gpu name of the simulated GPU and its core
   */
  public static void write(List<KernelComparison> all, String gpu, Path file) throws IOException {
    WholeFile.writeText(file, Report.page(gpu, Pages.validationScript(), ValidationJson.text(all)));
  }
}
