package dev.warpline.amd.launch;

import java.util.Map;

/**
 * Whole numbers as a launch file writes them: decimal or hexadecimal, names of loop variables, +,
 * -, *, /, %, shifts, &amp;, | and parentheses, with the precedence of C.
 */
final class WholeNumber {
  private static final String[][] LEVELS = {
    {"|"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}
  };

  private final String text;
  private final Map<String, Long> variables;
  private int at;

  private WholeNumber(String text, Map<String, Long> variables) {
    this.text = text;
    this.variables = variables;
  }

  /**
   * @throws IllegalArgumentException saying what was found and expected
   */
  static long evaluate(String text, Map<String, Long> variables) {
    WholeNumber expression = new WholeNumber(text, variables);
    try {
      long value = expression.level(0);
      expression.skipSpace();
      if (expression.at < text.length()) {
        throw expression.unexpected();
      }
      return value;
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(e.getMessage() + " in \"" + text + "\"", e);
    }
  }

  private long level(int level) {
    if (level == LEVELS.length) {
      return operand();
    }
    long value = level(level + 1);
    while (true) {
      String operator = operator(LEVELS[level]);
      if (operator == null) {
        return value;
      }
      long right = level(level + 1);
      value =
          switch (operator) {
            case "|" -> value | right;
            case "&" -> value & right;
            case "<<" -> value << right;
            case ">>" -> value >> right;
            case "+" -> Math.addExact(value, right);
            case "-" -> Math.subtractExact(value, right);
            case "*" -> Math.multiplyExact(value, right);
            case "/" -> value / right;
            default -> value % right;
          };
    }
  }

  private String operator(String[] choices) {
    skipSpace();
    for (String choice : choices) {
      if (text.startsWith(choice, at)) {
        at += choice.length();
        return choice;
      }
    }
    return null;
  }

  private long operand() {
    skipSpace();
    if (at == text.length()) {
      throw unexpected();
    }
    char first = text.charAt(at);
    if (first == '(') {
      at++;
      long value = level(0);
      skipSpace();
      if (at == text.length() || text.charAt(at) != ')') {
        throw new IllegalArgumentException("expected ) in \"" + text + "\"");
      }
      at++;
      return value;
    }
    if (first == '-' || first == '+') {
      at++;
      return first == '-' ? -operand() : operand();
    }
    int start = at;
    while (at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
      at++;
    }
    String word = text.substring(start, at);
    if (word.isEmpty()) {
      throw unexpected();
    }
    if (!Character.isDigit(first)) {
      Long value = variables.get(word);
      if (value == null) {
        throw new IllegalArgumentException(
            "found "
                + word
                + ", expected a whole number"
                + (variables.isEmpty()
                    ? ""
                    : " or a variable of a loop around ("
                        + String.join(", ", variables.keySet())
                        + ")"));
      }
      return value;
    }
    try {
      String digits = word.replace("_", "");
      return digits.startsWith("0x") || digits.startsWith("0X")
          ? Long.parseUnsignedLong(digits.substring(2), 16)
          : Long.parseLong(digits);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("found " + word + ", expected a whole number", e);
    }
  }

  private void skipSpace() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }

  private IllegalArgumentException unexpected() {
    String rest = text.substring(at);
    return new IllegalArgumentException(
        "found " + (rest.isEmpty() ? "nothing" : "\"" + rest + "\"") + ", expected a whole number");
  }
}
