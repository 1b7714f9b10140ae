package dev.warpline.policy;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a description calls a policy, and what it does in one line. On the interface of a kind, or
 * an enum that is one: what people call it, and what it decides.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD})
public @interface Named {
  /** Lower case; words of a policy joined by hyphens. */
  String value();

  /** One line for people who choose. */
  String about();
}
