package dev.warpline.engine.accelsim;

import dev.warpline.engine.gpu.CacheSpec;
import dev.warpline.engine.gpu.CacheSpec.Allocate;
import dev.warpline.engine.gpu.CacheSpec.Write;
import dev.warpline.engine.gpu.CacheSpec.WriteAllocate;
import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Chosen;
import dev.warpline.policy.Replacement;
import java.util.ArrayList;
import java.util.List;

/**
 * GPGPU-Sim's one-line description of a cache: {@code
 * type:sets:line:ways,replacement:write:allocate:write-allocate:index,mshr:entries:merge,miss
 * queue[:result queue][,data port]}.
 */
final class CacheString {
  private static final String FORM =
      "<N|S>:<sets>:<line>:<ways>,<L|F>:<R|B|T|E|L>:<m|f|s>:<N|W|F|L>:<L|X|P|H|C>,"
          + "<A|S|F|T>:<entries>:<merge>,<miss queue>[:<result queue>][,<port>] or none";

  /** The letters of the single-letter fields, by position; null for a number. */
  private static final String[] LETTERS = {
    "NS", null, null, null, "LF", "RBTEL", "mfs", "NWFL", "LXPHC", "ASFT", null, null, null, null,
    null
  };

  private static final String[] NAMES = {
    "type",
    "sets",
    "line size",
    "ways",
    "replacement",
    "write policy",
    "allocation",
    "write allocation",
    "set index",
    "MSHR type",
    "MSHR entries",
    "merged requests",
    "miss queue",
    "result queue",
    "data port"
  };

  private static final int MSHR = 9;
  private static final int REQUIRED = 13;

  private CacheString() {}

  /**
   * What would be right, if the string is not; null if it is.
   *
   * @param kind cache, datacache or instructioncache
   */
  static String problem(String text, String kind) {
    if (text.equals("none")) {
      return null;
    }
    List<String> fields = fields(text);
    if (fields.size() < REQUIRED || fields.size() > LETTERS.length) {
      return FORM;
    }
    for (int i = 0; i < fields.size(); i++) {
      String field = fields.get(i);
      if (LETTERS[i] != null) {
        if (field.length() != 1 || LETTERS[i].indexOf(field.charAt(0)) < 0) {
          return NAMES[i] + " one of " + String.join(" ", LETTERS[i].split("")) + " in " + FORM;
        }
      } else {
        Long number = OptionType.wholeNumber(field);
        long least = i >= 1 && i <= 3 ? 1 : 0;
        if (number == null || number < least || number > Integer.MAX_VALUE) {
          return NAMES[i] + " a whole number, at least " + least + ", in " + FORM;
        }
      }
    }
    CacheSpec cache;
    try {
      cache = spec(fields);
    } catch (IllegalArgumentException e) {
      return "numbers that make a cache: " + e.getMessage();
    }
    String problem =
        switch (kind) {
          case "datacache" -> cache.problemAsDataCache();
          case "instructioncache" -> cache.problemAsInstructionCache();
          default -> null;
        };
    boolean queues = "FT".contains(fields.get(MSHR));
    if (problem == null && queues && !kind.equals("cache")) {
      problem = "found MSHR type " + fields.get(MSHR) + " (texture queues), expected A or S";
    }
    return problem == null ? null : "a cache that can work: " + problem;
  }

  /** The cache that a correct string describes; null for {@code none}. */
  static CacheSpec parse(String text) {
    return text.equals("none") ? null : spec(fields(text));
  }

  private static List<String> fields(String text) {
    List<String> fields = new ArrayList<>();
    String[] groups = text.split(",", -1);
    for (int group = 0; group < groups.length; group++) {
      if (group == 4 && fields.size() == REQUIRED) {
        // The miss queue came without a result queue, but a data port follows.
        fields.add("0");
      }
      for (String field : groups[group].split(":", -1)) {
        fields.add(field.strip());
      }
    }
    return fields;
  }

  private static CacheSpec spec(List<String> fields) {
    return new CacheSpec(
        fields.get(0).equals("S"),
        number(fields, 1),
        number(fields, 2),
        number(fields, 3),
        Chosen.of(Replacement.class, fields.get(4).equals("L") ? "lru" : "fifo"),
        choose(fields, 5, Write.values()),
        choose(fields, 6, Allocate.values()),
        choose(fields, 7, WriteAllocate.values()),
        Chosen.of(
            AddressHash.class, choose(fields, 8, "linear", "xor", "ipoly", "fermi", "custom")),
        number(fields, 10),
        number(fields, 11),
        number(fields, 12),
        number(fields, 14));
  }

  /** The letters stand in the order of the constants. */
  @SafeVarargs
  private static <E> E choose(List<String> fields, int index, E... constants) {
    return constants[LETTERS[index].indexOf(fields.get(index).charAt(0))];
  }

  private static int number(List<String> fields, int index) {
    return index < fields.size() ? Long.decode(fields.get(index)).intValue() : 0;
  }
}
