package dev.warpline.engine;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a {@code long} or {@code double} field of a component as a statistic, beside the thing
 * it counts; of a {@code long[]} each element is one, its number behind the field's name. The hot
 * path increments a plain field; {@link Counters}, where the component's owner registered it, reads
 * it when somebody asks and sets it to zero with the rest.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Counter {
  /** What is counted, in words, for the documentation. */
  String value();

  /** Unit, e.g. {@code cycles}, {@code sectors}; empty for a plain count. */
  String unit() default "";
}
