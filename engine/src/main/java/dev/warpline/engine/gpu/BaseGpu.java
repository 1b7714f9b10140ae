package dev.warpline.engine.gpu;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A description that many others are made from: read once, and of each of those only the sections
 * are bound that it changes. Any number of threads may ask.
 */
public final class BaseGpu {
  private final Yaml.Mapping tree;
  private final Binder binder = new Binder();

  /** What is said of a section, by the section. */
  private final Map<Record, List<ExplainedField>> explained;

  BaseGpu(Yaml.Mapping tree) {
    this.tree = resolved(tree);
    Explanation explanation = new Explanation(Map.of());
    binder
        .remember(GpuDescription.class, this.tree)
        .ifPresent(gpu -> explanation.of(gpu, this.tree));
    explained = explanation.sections();
  }

  /** A reference that leads nowhere may be set otherwise, and is refused later if it is not. */
  private static Yaml.Mapping resolved(Yaml.Mapping tree) {
    try {
      return References.resolved(tree);
    } catch (IOException e) {
      return tree;
    }
  }

  /** The GPU with some fields changed, as {@link Gpus#load(String, List)} gives it. */
  public Described with(List<String> overrides) throws IOException {
    Yaml.Mapping changed = Gpus.overridden(tree, overrides);
    GpuDescription gpu = binder.again(GpuDescription.class, changed);
    return new Described(gpu, new Explanation(explained).of(gpu, changed));
  }

  /** A GPU and the same field by field. */
  public record Described(GpuDescription gpu, List<ExplainedField> fields) {}
}
