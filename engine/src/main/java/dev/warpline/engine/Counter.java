package dev.warpline.engine;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a {@code long} or {@code double} field of a component as a statistic, beside the thing
 * it counts. The hot path increments a plain field; {@link Counters} reads it when somebody asks.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Counter {
  /** What is counted, in words, for the documentation. */
  String value();

  /** Unit, e.g. {@code cycles}, {@code sectors}; empty for a plain count. */
  String unit() default "";
}
