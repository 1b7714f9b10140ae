package dev.warpline.engine.gpu;

import java.io.IOException;
import java.util.List;

/** A description (of a GPU, a launch) that cannot be used; the message has one line per problem. */
public final class DescriptionException extends IOException {
  private static final long serialVersionUID = 1L;

  public DescriptionException(List<String> problems) {
    super(String.join("\n", problems));
  }

  public DescriptionException(String problem) {
    super(problem);
  }
}
