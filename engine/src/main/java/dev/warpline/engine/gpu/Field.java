package dev.warpline.engine.gpu;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes a component of a GPU description record. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Field {
  /** What the field is, in a few words. */
  String value();

  /** Unit, e.g. {@code cycles}, {@code KiB}; empty for a plain count, name or flag. */
  String unit() default "";

  /** Value, as YAML, when the file does not say; empty: the field must be given. */
  String standard() default "";

  /** Whether the field may be absent; it is null then. For sections, names and lists only. */
  boolean optional() default false;

  /** What the field was called before, in the same section: refused by the new name. */
  String was() default "";

  /** Least number allowed. */
  double least() default 0;

  /**
   * Largest number allowed. Only times may leave it out, which then have the bound of {@link
   * Bounds}: every other number says for itself what the simulators can bear.
   */
  double most() default Double.NaN;
}
