package dev.warpline.study.sweep;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A formula over named values, e.g. {@code sm.count * flowMemory.l2MiB <= 6000 and trace !=
 * 'reduce'}. Numbers, text in quotes and names; {@code + - * / %}, {@code < <= > >= == != ~}
 * (matches a regular expression), {@code and or not}, {@code min max round floor ceil sqrt log2}. A
 * name with other characters than letters, digits, points and underscores stands in backquotes.
 */
public final class Expression {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:([0-9]+(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|\\.[0-9]+)"
              + "|([A-Za-z_][\\w.]*)|`([^`]+)`|'([^']*)'|\"([^\"]*)\""
              + "|(<=|>=|==|!=|[-+*/%<>=~(),]))");

  /** Gives a name's value: a number, text, or null where there is none. */
  @FunctionalInterface
  public interface Names extends Function<String, Object> {}

  /** A part of the formula. */
  private interface Part {
    Object value(Names names);
  }

  private record Token(char kind, String text) {}

  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private final Set<String> names = new LinkedHashSet<>();
  private final Part root;
  private int next;

  /**
   * Reads a formula.
   *
   * @throws IllegalArgumentException saying what was expected where
   */
  public Expression(String text) {
    this.text = text;
    Matcher matcher = TOKEN.matcher(text);
    int at = 0;
    while (!text.substring(at).isBlank()) {
      if (!matcher.find(at) || matcher.start() != at) {
        throw problem("found \"" + text.substring(at).strip() + "\", expected a value or operator");
      }
      at = matcher.end();
      tokens.add(token(matcher));
    }
    root = or();
    if (next < tokens.size()) {
      throw problem("found \"" + tokens.get(next).text + "\", expected an operator or the end");
    }
  }

  private static Token token(Matcher matcher) {
    char[] kinds = {'1', 'n', 'n', 't', 't', 'o'};
    for (int i = 0; i < kinds.length; i++) {
      if (matcher.group(i + 1) != null) {
        boolean word = i == 1 && matcher.group(2).matches("and|or|not");
        return new Token(word ? 'o' : kinds[i], matcher.group(i + 1));
      }
    }
    throw new IllegalStateException("a token is one of its kinds");
  }

  /** The names that it uses. */
  public Set<String> names() {
    return Set.copyOf(names);
  }

  /** Its value as a number; NaN where a name has none. */
  public double number(Names given) {
    Object value = root.value(given);
    if (value instanceof Boolean flag) {
      return flag ? 1 : 0;
    }
    return number(value);
  }

  /** Whether it holds. */
  public boolean holds(Names given) {
    Object value = root.value(given);
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw problem("found the value " + value + ", expected a comparison");
  }

  private double number(Object value) {
    if (value == null) {
      return Double.NaN;
    }
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    throw problem("found \"" + value + "\", expected a number");
  }

  private boolean flag(Object value) {
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw problem("found \"" + value + "\" beside and, or, not; expected a comparison");
  }

  private IllegalArgumentException problem(String what) {
    return new IllegalArgumentException("\"" + text + "\": " + what);
  }

  private boolean take(String operator) {
    boolean found =
        next < tokens.size()
            && tokens.get(next).kind == 'o'
            && tokens.get(next).text.equals(operator);
    next += found ? 1 : 0;
    return found;
  }

  private String takeOne(String... operators) {
    for (String operator : operators) {
      if (take(operator)) {
        return operator;
      }
    }
    return null;
  }

  private Part or() {
    Part left = and();
    while (take("or")) {
      Part a = left;
      Part b = and();
      left = given -> flag(a.value(given)) || flag(b.value(given));
    }
    return left;
  }

  private Part and() {
    Part left = not();
    while (take("and")) {
      Part a = left;
      Part b = not();
      left = given -> flag(a.value(given)) && flag(b.value(given));
    }
    return left;
  }

  private Part not() {
    if (take("not")) {
      Part inner = not();
      return given -> !flag(inner.value(given));
    }
    return comparison();
  }

  private Part comparison() {
    Part left = sum();
    String operator = takeOne("<=", ">=", "==", "!=", "<", ">", "=", "~");
    if (operator == null) {
      return left;
    }
    Part right = sum();
    return given -> compare(left.value(given), operator, right.value(given));
  }

  private boolean compare(Object a, String operator, Object b) {
    if (operator.equals("~")) {
      try {
        return a != null && Pattern.compile(String.valueOf(b)).matcher(a.toString()).find();
      } catch (PatternSyntaxException e) {
        throw problem("found \"" + b + "\", expected a regular expression");
      }
    }
    if (operator.matches("==|=|!=")) {
      boolean equal =
          a instanceof Number x && b instanceof Number y
              ? x.doubleValue() == y.doubleValue()
              : a != null && b != null && a.toString().equals(b.toString());
      return operator.equals("!=") != equal;
    }
    double x = number(a);
    double y = number(b);
    return switch (operator) {
      case "<" -> x < y;
      case "<=" -> x <= y;
      case ">" -> x > y;
      default -> x >= y;
    };
  }

  private Part sum() {
    Part left = product();
    for (String operator = takeOne("+", "-"); operator != null; operator = takeOne("+", "-")) {
      left = arithmetic(left, operator, product());
    }
    return left;
  }

  private Part product() {
    Part left = unary();
    for (String operator = takeOne("*", "/", "%");
        operator != null;
        operator = takeOne("*", "/", "%")) {
      left = arithmetic(left, operator, unary());
    }
    return left;
  }

  private Part arithmetic(Part left, String operator, Part right) {
    return given -> {
      double a = number(left.value(given));
      double b = number(right.value(given));
      return switch (operator) {
        case "+" -> a + b;
        case "-" -> a - b;
        case "*" -> a * b;
        case "/" -> a / b;
        default -> a % b;
      };
    };
  }

  private Part unary() {
    if (take("-")) {
      Part inner = unary();
      return given -> -number(inner.value(given));
    }
    return primary();
  }

  private Part primary() {
    if (take("(")) {
      Part inner = or();
      if (!take(")")) {
        throw problem("expected a closing bracket");
      }
      return inner;
    }
    if (next == tokens.size() || tokens.get(next).kind == 'o') {
      String found = next == tokens.size() ? "the end" : "\"" + tokens.get(next).text + "\"";
      throw problem("found " + found + ", expected a number, a name or text in quotes");
    }
    Token token = tokens.get(next++);
    if (token.kind == '1') {
      double number = Double.parseDouble(token.text);
      return given -> number;
    }
    if (token.kind == 't') {
      return given -> token.text;
    }
    if (take("(")) {
      return call(token.text);
    }
    names.add(token.text);
    return given -> given.apply(token.text);
  }

  private Part call(String function) {
    List<Part> arguments = new ArrayList<>();
    do {
      arguments.add(or());
    } while (take(","));
    if (!take(")")) {
      throw problem("expected a closing bracket");
    }
    boolean two = function.equals("min") || function.equals("max");
    if (!two && !function.matches("round|floor|ceil|sqrt|log2")) {
      throw problem(
          "found the function "
              + function
              + ", expected min, max, round, floor, ceil, sqrt or log2");
    }
    if (arguments.size() != (two ? 2 : 1)) {
      throw problem(
          String.format(
              Locale.ROOT,
              "found %d arguments of %s, expected %d",
              arguments.size(),
              function,
              two ? 2 : 1));
    }
    return given -> {
      double a = number(arguments.get(0).value(given));
      return switch (function) {
        case "min" -> Math.min(a, number(arguments.get(1).value(given)));
        case "max" -> Math.max(a, number(arguments.get(1).value(given)));
        case "round" -> Math.rint(a);
        case "floor" -> Math.floor(a);
        case "ceil" -> Math.ceil(a);
        case "sqrt" -> Math.sqrt(a);
        default -> Math.log(a) / Math.log(2);
      };
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
