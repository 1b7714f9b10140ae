package dev.warpline.web.report;

import dev.warpline.engine.WholeFile;
import dev.warpline.study.store.ResultStore;
import java.io.IOException;
import java.nio.file.Path;

/** A study as one HTML file that needs nothing else: no server, no network. */
public final class StudyPage {
  private StudyPage() {}

  /**
   * Writes the page of a study.
   *
   * @param study null for the only one of the store
   */
  public static void write(ResultStore store, String study, Path file) throws IOException {
    WholeFile.writeText(file, html(StudyView.of(store, study), store.file().getFileName() + ""));
  }

  static String html(String view, String title) {
    return Report.page(title, Pages.studyScript(), view);
  }
}
