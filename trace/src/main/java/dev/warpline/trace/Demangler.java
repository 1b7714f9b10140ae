package dev.warpline.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Kernel names as their authors wrote them: the part of the Itanium C++ ABI's mangling that kernels
 * use (namespaces, templates with types and literals, pointers, lambdas). A name beyond that stays
 * mangled.
 */
public final class Demangler {
  /** A name whose parts nest deeper than this is no name. */
  private static final int DEEPEST = 200;

  private static final Map<Character, String> BUILTIN =
      Map.ofEntries(
          Map.entry('v', "void"),
          Map.entry('w', "wchar_t"),
          Map.entry('b', "bool"),
          Map.entry('c', "char"),
          Map.entry('a', "signed char"),
          Map.entry('h', "unsigned char"),
          Map.entry('s', "short"),
          Map.entry('t', "unsigned short"),
          Map.entry('i', "int"),
          Map.entry('j', "unsigned int"),
          Map.entry('l', "long"),
          Map.entry('m', "unsigned long"),
          Map.entry('x', "long long"),
          Map.entry('y', "unsigned long long"),
          Map.entry('n', "__int128"),
          Map.entry('o', "unsigned __int128"),
          Map.entry('f', "float"),
          Map.entry('d', "double"),
          Map.entry('e', "long double"),
          Map.entry('g', "__float128"),
          Map.entry('z', "..."));

  private static final Map<Character, String> STANDARD =
      Map.of(
          't', "std",
          'a', "std::allocator",
          'b', "std::basic_string",
          's', "std::string",
          'i', "std::istream",
          'o', "std::ostream");

  private final String text;
  private int at;
  private int depth;
  private final List<String> substitutions = new ArrayList<>();
  private List<String> templateArguments = List.of();

  /** Whether the name read last ended in template arguments, so that a return type follows. */
  private boolean endsInArguments;

  private Demangler(String text) {
    this.text = text;
  }

  /** The name in C++, or the given name where it is not a mangled one. */
  public static String demangle(String name) {
    if (!name.startsWith("_Z")) {
      return name;
    }
    try {
      Demangler demangler = new Demangler(name);
      demangler.at = 2;
      return demangler.encoding();
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return name;
    }
  }

  private String encoding() {
    String name = name();
    if (at == text.length() || peek() == 'E' || peek() == '.') {
      return name;
    }
    String result = endsInArguments ? type() + " " : "";
    StringBuilder parameters = new StringBuilder();
    while (at < text.length() && peek() != 'E' && peek() != '.') {
      String parameter = type();
      if (!parameter.equals("void")) {
        parameters.append(parameters.isEmpty() ? "" : ", ").append(parameter);
      }
    }
    return result + name + "(" + parameters + ")";
  }

  private String name() {
    enter();
    endsInArguments = false;
    String name;
    if (take('N')) {
      name = nested();
    } else if (take('Z')) {
      String function = encoding();
      expect('E');
      if (take('s')) {
        name = function + "::string literal";
      } else {
        take('d');
        name = function + "::" + name();
      }
    } else if (peek() == 'S' && charAt(1) != 't') {
      name = substitution();
      expectArguments();
      name += arguments();
    } else {
      boolean standard = peek() == 'S';
      if (standard) {
        at += 2;
      }
      name = (standard ? "std::" : "") + unqualified();
      if (peekIs('I')) {
        substitutions.add(name);
        name += arguments();
        endsInArguments = true;
      }
    }
    depth--;
    return name;
  }

  private void expectArguments() {
    if (!peekIs('I')) {
      throw new IllegalArgumentException();
    }
    endsInArguments = true;
  }

  private String nested() {
    while (take('K') || take('V') || take('r')) {
      // Qualifiers of a member function do not show in the name of a kernel.
    }
    String prefix = "";
    while (!take('E')) {
      if (peek() == 'S') {
        prefix = substitution();
        endsInArguments = false;
        continue;
      }
      if (peek() == 'I') {
        prefix += arguments();
        endsInArguments = true;
      } else if (peek() == 'T') {
        prefix = templateParameter();
      } else {
        prefix = (prefix.isEmpty() ? "" : prefix + "::") + unqualified();
        endsInArguments = false;
      }
      if (!peekIs('E')) {
        substitutions.add(prefix);
      }
    }
    return prefix;
  }

  private String unqualified() {
    if (take('L')) {
      return unqualified();
    }
    if (Character.isDigit(peek())) {
      int length = decimal();
      String name = text.substring(at, at + length);
      at += length;
      return name.startsWith("_GLOBAL__N") || name.contains("_INTERNAL_")
          ? "(anonymous namespace)"
          : name;
    }
    if (text.startsWith("Ul", at)) {
      at += 2;
      StringBuilder parameters = new StringBuilder();
      while (!take('E')) {
        String parameter = type();
        if (!parameter.equals("void")) {
          parameters.append(parameters.isEmpty() ? "" : ", ").append(parameter);
        }
      }
      return "{lambda(" + parameters + ")#" + sequence() + "}";
    }
    if (text.startsWith("Ut", at)) {
      at += 2;
      return "{unnamed type#" + sequence() + "}";
    }
    if (text.startsWith("cl", at)) {
      at += 2;
      return "operator()";
    }
    throw new IllegalArgumentException();
  }

  private int sequence() {
    int number = peekIs('_') ? 1 : decimal() + 2;
    expect('_');
    return number;
  }

  private String arguments() {
    expect('I');
    List<String> arguments = new ArrayList<>();
    while (!take('E')) {
      argument(arguments);
    }
    templateArguments = arguments;
    String joined = String.join(", ", arguments);
    return "<" + joined + (joined.endsWith(">") ? " >" : ">");
  }

  private void argument(List<String> arguments) {
    if (take('J')) {
      while (!take('E')) {
        argument(arguments);
      }
    } else if (take('L')) {
      arguments.add(literal());
    } else {
      arguments.add(type());
    }
  }

  private String literal() {
    if (text.startsWith("_Z", at)) {
      at += 2;
      String entity = encoding();
      expect('E');
      return entity;
    }
    char kind = peek();
    String type = type();
    int from = at;
    while (peek() != 'E') {
      at++;
    }
    String digits = text.substring(from, at++);
    String value = digits.startsWith("n") ? "-" + digits.substring(1) : digits;
    return switch (kind) {
      case 'b' -> value.equals("0") ? "false" : "true";
      case 'i' -> value;
      case 'j' -> value + "u";
      case 'l' -> value + "l";
      case 'm' -> value + "ul";
      default -> "(" + type + ")" + value;
    };
  }

  private String type() {
    enter();
    String type;
    boolean substitutable = true;
    char c = peek();
    if (take('P')) {
      type = pointer(type(), "*");
    } else if (take('R')) {
      type = pointer(type(), "&");
    } else if (take('O')) {
      type = pointer(type(), "&&");
    } else if (take('K')) {
      type = type() + " const";
    } else if (take('V')) {
      type = type() + " volatile";
    } else if (take('r')) {
      type = type() + " restrict";
    } else if (take('A')) {
      String size = peekIs('_') ? "" : String.valueOf(decimal());
      expect('_');
      type = type() + " [" + size + "]";
    } else if (take('F')) {
      take('Y');
      String result = type();
      StringBuilder parameters = new StringBuilder();
      while (!take('E')) {
        String parameter = type();
        if (!parameter.equals("void")) {
          parameters.append(parameters.isEmpty() ? "" : ", ").append(parameter);
        }
      }
      type = result + " (" + parameters + ")";
    } else if (c == 'T') {
      type = templateParameter();
      if (peekIs('I')) {
        substitutions.add(type);
        type += arguments();
      }
    } else if (c == 'S' && charAt(1) != 't') {
      type = substitution();
      substitutable = peekIs('I');
      if (substitutable) {
        type += arguments();
      }
    } else if (c == 'D') {
      type = special();
      substitutable = false;
    } else if (BUILTIN.containsKey(c)) {
      at++;
      type = BUILTIN.get(c);
      substitutable = false;
    } else if (c == 'u') {
      at++;
      type = unqualified();
    } else {
      List<String> outer = templateArguments;
      boolean outerEnd = endsInArguments;
      type = name();
      templateArguments = outer;
      endsInArguments = outerEnd;
    }
    if (substitutable) {
      substitutions.add(type);
    }
    depth--;
    return type;
  }

  /** A pointer or reference to a type; that of a function goes inside. */
  private static String pointer(String type, String mark) {
    int function = type.endsWith(")") ? type.indexOf(" (") : -1;
    return function < 0
        ? type + mark
        : type.substring(0, function) + " (" + mark + ")" + type.substring(function + 1);
  }

  private String special() {
    if (text.startsWith("Dn", at)) {
      at += 2;
      return "decltype(nullptr)";
    }
    if (text.startsWith("Dp", at)) {
      at += 2;
      return type();
    }
    if (text.startsWith("Dh", at)) {
      at += 2;
      return "half";
    }
    if (text.startsWith("DF16_", at)) {
      at += 5;
      return "_Float16";
    }
    if (text.startsWith("DF16b", at)) {
      at += 5;
      return "__bf16";
    }
    throw new IllegalArgumentException();
  }

  private String templateParameter() {
    expect('T');
    int index = peekIs('_') ? 0 : decimal() + 1;
    expect('_');
    return templateArguments.get(index);
  }

  private String substitution() {
    expect('S');
    String standard = STANDARD.get(peek());
    if (standard != null) {
      at++;
      return standard;
    }
    int index = 0;
    if (!peekIs('_')) {
      int value = 0;
      while (!peekIs('_')) {
        value = value * 36 + Character.digit(text.charAt(at++), 36);
      }
      index = value + 1;
    }
    expect('_');
    return substitutions.get(index);
  }

  private int decimal() {
    int value = 0;
    int from = at;
    while (at < text.length() && Character.isDigit(text.charAt(at)) && at - from < 8) {
      value = value * 10 + text.charAt(at++) - '0';
    }
    if (at == from) {
      throw new IllegalArgumentException();
    }
    return value;
  }

  private void enter() {
    if (++depth > DEEPEST) {
      throw new IllegalArgumentException();
    }
  }

  private char peek() {
    return text.charAt(at);
  }

  private char charAt(int offset) {
    return text.charAt(at + offset);
  }

  private boolean peekIs(char c) {
    return at < text.length() && text.charAt(at) == c;
  }

  private boolean take(char c) {
    if (peekIs(c)) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(char c) {
    if (!take(c)) {
      throw new IllegalArgumentException();
    }
  }
}
