package dev.warpline.cli;

import dev.warpline.engine.Sampling;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * What numbers options take. Every option with a number names one of these as its converter, so
 * that none is without bounds (a test looks at all commands).
 */
final class Numbers {
  static final int MOST_THREADS = 1024;

  private Numbers() {}

  /** How many of something: 1 or more. */
  static final class Count implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) within(text, 1, 1_000_000);
    }
  }

  /** Host threads. */
  static final class Threads implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) within(text, 1, MOST_THREADS);
    }
  }

  /** Where to stop: 1 or more. */
  static final class Limit implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return within(text, 1, Long.MAX_VALUE);
    }
  }

  /** A TCP port; 0 lets the system choose. */
  static final class Port implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) within(text, 0, 65_535);
    }
  }

  /** A size in MiB, up to a pebibyte. */
  static final class Mebibytes implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return within(text, 1, 1L << 30);
    }
  }

  /** A time in seconds, up to some months. */
  static final class Seconds implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return within(text, 1, 10_000_000);
    }
  }

  /** A relative error, e.g. 2%. */
  static final class Error implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      try {
        return Sampling.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  private static long within(String text, long least, long most) {
    try {
      long value = Long.parseLong(text.strip());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Said below, with what is expected.
    }
    throw new TypeConversionException(
        "found "
            + text
            + ", expected a whole number"
            + (most == Long.MAX_VALUE
                ? ", " + least + " or more"
                : " from " + least + " to " + most));
  }
}
