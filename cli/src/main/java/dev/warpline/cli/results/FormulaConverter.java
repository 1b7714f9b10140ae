package dev.warpline.cli.results;

import dev.warpline.study.sweep.Expression;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a formula. */
final class FormulaConverter implements ITypeConverter<Expression> {
  @Override
  public Expression convert(String text) {
    try {
      return new Expression(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
