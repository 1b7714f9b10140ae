package dev.warpline.nvidia.capture;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warpline.trace.Dim3;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** The fields of one line, each of which must be there and of its kind. */
final class CaptureLine {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private final String file;
  private final long line;
  private final JsonNode node;

  CaptureLine(String file, long line, String text) throws CaptureException {
    this.file = file;
    this.line = line;
    try {
      node = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw bad("no JSON (" + e.getOriginalMessage() + ")", "a JSON object per line");
    }
    if (!node.isObject()) {
      throw bad("no JSON object", "a JSON object per line");
    }
  }

  private CaptureLine(String file, long line, JsonNode node) {
    this.file = file;
    this.line = line;
    this.node = node;
  }

  long line() {
    return line;
  }

  CaptureException bad(String found, String expected) {
    return new CaptureException(file, line, found, expected);
  }

  boolean has(String name) {
    return node.has(name);
  }

  private JsonNode field(String name) throws CaptureException {
    JsonNode value = node.get(name);
    if (value == null) {
      throw bad("no field \"" + name + "\"", "one");
    }
    return value;
  }

  String text(String name) throws CaptureException {
    JsonNode value = field(name);
    if (!value.isTextual()) {
      throw bad(name + ": " + cut(value), "text");
    }
    return value.textValue();
  }

  List<String> texts(String name) throws CaptureException {
    List<String> found = new ArrayList<>();
    for (JsonNode one : field(name)) {
      if (!one.isTextual()) {
        throw bad(name + ": " + cut(one), "a list of texts");
      }
      found.add(one.textValue());
    }
    return List.copyOf(found);
  }

  boolean truth(String name) throws CaptureException {
    JsonNode value = field(name);
    if (!value.isBoolean()) {
      throw bad(name + ": " + cut(value), "true or false");
    }
    return value.booleanValue();
  }

  long number(String name, long least, long most) throws CaptureException {
    return number(name, field(name), least, most);
  }

  long number(String name, long otherwise, long least, long most) throws CaptureException {
    return has(name) ? number(name, least, most) : otherwise;
  }

  int integer(String name, int least, int most) throws CaptureException {
    return (int) number(name, least, most);
  }

  private long number(String name, JsonNode value, long least, long most) throws CaptureException {
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.longValue() < least
        || value.longValue() > most) {
      throw bad(name + ": " + cut(value), "an integer from " + least + " to " + most);
    }
    return value.longValue();
  }

  /** A hexadecimal number of up to 64 bits. */
  long hex(String name) throws CaptureException {
    String digits = text(name);
    if (!digits.matches("0x[0-9a-fA-F]{1,16}")) {
      throw bad(name + ": \"" + cut(digits) + "\"", "a number such as \"0x7f00\"");
    }
    return Long.parseUnsignedLong(digits.substring(2), 16);
  }

  byte[] bytes(String name, int most) throws CaptureException {
    String digits = text(name);
    if (digits.length() > 2 * most) {
      throw bad(name + ": " + digits.length() / 2 + " bytes", "at most " + most);
    }
    try {
      return HexFormat.of().parseHex(digits);
    } catch (IllegalArgumentException e) {
      throw bad(name + ": \"" + cut(digits) + "\"", "pairs of hexadecimal digits");
    }
  }

  Dim3 size(String name, int most) throws CaptureException {
    JsonNode value = field(name);
    if (!value.isArray() || value.size() != 3) {
      throw bad(name + ": " + cut(value), "three numbers");
    }
    int[] sizes = new int[3];
    for (int i = 0; i < 3; i++) {
      sizes[i] = (int) number(name, value.get(i), 1, most);
    }
    return new Dim3(sizes[0], sizes[1], sizes[2]);
  }

  List<Integer> integers(String name, int most) throws CaptureException {
    List<Integer> found = new ArrayList<>();
    JsonNode value = field(name);
    if (!value.isArray()) {
      throw bad(name + ": " + cut(value), "a list of numbers");
    }
    for (JsonNode one : value) {
      found.add((int) number(name, one, 0, most));
    }
    return List.copyOf(found);
  }

  /** Pairs of numbers. */
  List<long[]> pairs(String name) throws CaptureException {
    List<long[]> found = new ArrayList<>();
    JsonNode value = field(name);
    for (JsonNode one : value) {
      if (!one.isArray() || one.size() != 2) {
        throw bad(name + ": " + cut(one), "pairs [first, count]");
      }
      found.add(
          new long[] {
            number(name, one.get(0), 0, 1L << 46), number(name, one.get(1), 1, 1L << 46)
          });
    }
    return found;
  }

  /** The objects of a list. */
  List<CaptureLine> objects(String name) throws CaptureException {
    List<CaptureLine> found = new ArrayList<>();
    JsonNode value = field(name);
    if (!value.isArray()) {
      throw bad(name + ": " + cut(value), "a list");
    }
    for (JsonNode one : value) {
      if (!one.isObject()) {
        throw bad(name + ": " + cut(one), "a list of objects");
      }
      found.add(new CaptureLine(file, line, one));
    }
    return found;
  }

  private static String cut(Object value) {
    String text = value.toString();
    return text.length() <= 60 ? text : text.substring(0, 60) + "...";
  }
}
