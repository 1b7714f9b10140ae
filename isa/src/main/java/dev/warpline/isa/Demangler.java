package dev.warpline.isa;

import java.util.ArrayList;
import java.util.List;

/**
 * Turns the mangled C++ name of a kernel (Itanium ABI, as nvcc and clang write them) into what the
 * program says. Understands what occurs in names of kernels: namespaces, templates, pointers,
 * literals, lambdas, packs. A name with more than that, or one that is not mangled, stays as it is.
 */
public final class Demangler {
  private static final String BUILTINS = "vwbcahstijlmxynofdegz";
  private static final String[] BUILTIN_NAMES = {
    "void",
    "wchar_t",
    "bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "__int128",
    "unsigned __int128",
    "float",
    "double",
    "long double",
    "__float128",
    "..."
  };
  private static final String OPERATORS =
      "nw new na new[] dl delete da delete[] co ~ pl + mi - ml * dv / rm % an & or | eo ^ aS ="
          + " pL += mI -= mL *= dV /= rM %= aN &= oR |= eO ^= ls << rs >> lS <<= rS >>= eq == ne !="
          + " lt < gt > le <= ge >= nt ! aa && oo || pp ++ mm -- cm , pm ->* pt -> cl () ix []";

  private final String text;
  private int at;
  private final List<Type> substitutions = new ArrayList<>();
  private List<String> templateArguments = List.of();
  private Type lastSubstitution;

  /** A type in two parts, so that a pointer to a function can be put in the middle. */
  private record Type(String left, String right, boolean wrapPointer) {
    Type(String name) {
      this(name, "", false);
    }

    String all() {
      return left + right;
    }
  }

  /** The mangling uses something that this class does not know. */
  private static final class Unknown extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unknown() {
      super(null, null, false, false);
    }
  }

  private Demangler(String text) {
    this.text = text;
  }

  /** The whole declaration, e.g. {@code void scale<4>(float*, int)}. */
  public static String demangle(String name) {
    return demangle(name, true);
  }

  /** The qualified name with its template arguments, e.g. {@code scale<4>}. */
  public static String shortName(String name) {
    return demangle(name, false);
  }

  private static String demangle(String name, boolean whole) {
    if (!name.startsWith("_Z")) {
      return name;
    }
    Demangler demangler = new Demangler(name);
    try {
      demangler.at = 2;
      String readable = demangler.encoding(whole);
      return demangler.at == name.length() || name.charAt(demangler.at) == '.' ? readable : name;
    } catch (Unknown | StackOverflowError e) {
      return name;
    }
  }

  private String encoding(boolean whole) {
    Name name = name(true);
    if (!whole) {
      at = text.length();
      return name.text;
    }
    if (end() || peek() == 'E' || peek() == '.') {
      return name.text + name.qualifiers;
    }
    String returned = "";
    if (name.isTemplate) {
      Type type = type();
      returned = type.right.isEmpty() ? type.left + " " : type.all() + " ";
    }
    String parameters = parameters();
    return returned + name.text + parameters + name.qualifiers;
  }

  /** A name, whether it ends in template arguments, and qualifiers of a member function. */
  private record Name(String text, boolean isTemplate, String qualifiers) {}

  private Name name(boolean ofEncoding) {
    if (peek() == 'N') {
      return nestedName(ofEncoding);
    }
    if (peek() == 'Z') {
      return new Name(localName(), false, "");
    }
    String plain;
    boolean substituted = peek() == 'S' && !text.startsWith("St", at);
    if (substituted) {
      plain = substitution().all();
    } else if (text.startsWith("St", at)) {
      at += 2;
      plain = "std::" + unqualified("");
    } else {
      plain = unqualified("");
    }
    if (!end() && peek() == 'I') {
      if (!substituted) {
        substitutions.add(new Type(plain));
      }
      return new Name(withArguments(plain, ofEncoding), true, "");
    }
    return new Name(plain, false, "");
  }

  private Name nestedName(boolean ofEncoding) {
    expect('N');
    String qualifiers = "";
    while ("rVK".indexOf(peek()) >= 0) {
      qualifiers += qualifier(take());
    }
    if (peek() == 'R' || peek() == 'O') {
      qualifiers += take() == 'R' ? " &" : " &&";
    }
    String prefix = "";
    String last = "";
    boolean template = false;
    while (peek() != 'E') {
      char c = peek();
      boolean substituted = false;
      if (c == 'I') {
        prefix = withArguments(prefix, ofEncoding);
        template = true;
      } else {
        String component;
        if (c == 'S') {
          component = substitution().all();
          substituted = true;
        } else if (c == 'T') {
          component = templateParameter().all();
        } else {
          component = unqualified(last);
        }
        prefix = prefix.isEmpty() ? component : prefix + "::" + component;
        last = component;
        template = false;
      }
      if (!substituted && peek() != 'E') {
        substitutions.add(new Type(prefix));
      }
    }
    expect('E');
    return new Name(prefix, template, qualifiers);
  }

  private String localName() {
    expect('Z');
    String function = encoding(true);
    expect('E');
    if (peek() == 's') {
      at++;
      discriminator();
      return function + "::string literal";
    }
    String entity = name(false).text;
    discriminator();
    return function + "::" + entity;
  }

  private void discriminator() {
    if (!end() && peek() == '_') {
      at++;
      if (!end() && peek() == '_') {
        at++;
        number();
        expect('_');
      } else {
        number();
      }
    }
  }

  private String unqualified(String enclosing) {
    char c = peek();
    if (c == 'L') {
      at++;
      return unqualified(enclosing);
    }
    String name;
    if (Character.isDigit(c)) {
      name = sourceName();
    } else if (c == 'C' || c == 'D' && at + 1 < text.length() && isDigit(text.charAt(at + 1))) {
      take();
      take();
      int arguments = enclosing.indexOf('<');
      String plain = arguments < 0 ? enclosing : enclosing.substring(0, arguments);
      name = (c == 'D' ? "~" : "") + plain.substring(plain.lastIndexOf(':') + 1);
    } else if (c == 'U') {
      name = unnamed();
    } else {
      name = operator();
    }
    while (!end() && peek() == 'B') {
      at++;
      name += "[abi:" + sourceName() + "]";
    }
    return name;
  }

  private String sourceName() {
    int length = number();
    if (length <= 0 || at + length > text.length()) {
      throw new Unknown();
    }
    String name = text.substring(at, at + length);
    at += length;
    return name.startsWith("_GLOBAL__N_") ? "(anonymous namespace)" : name;
  }

  private String unnamed() {
    expect('U');
    char kind = take();
    String parameters = "";
    if (kind == 'l') {
      List<String> types = new ArrayList<>();
      while (peek() != 'E') {
        types.add(type().all());
      }
      expect('E');
      parameters = list(types, "(", ")");
    } else if (kind != 't') {
      throw new Unknown();
    }
    int index = isDigit(peek()) ? number() + 2 : 1;
    expect('_');
    return kind == 'l'
        ? "{lambda" + parameters + "#" + index + "}"
        : "{unnamed type#" + index + "}";
  }

  private String operator() {
    if (at + 2 > text.length()) {
      throw new Unknown();
    }
    String code = text.substring(at, at + 2);
    if (code.equals("cv")) {
      at += 2;
      return "operator " + type().all();
    }
    String[] operators = OPERATORS.split(" ");
    for (int i = 0; i < operators.length; i += 2) {
      if (operators[i].equals(code)) {
        at += 2;
        String sign = operators[i + 1];
        return "operator" + (Character.isLetter(sign.charAt(0)) ? " " : "") + sign;
      }
    }
    throw new Unknown();
  }

  private String withArguments(String name, boolean ofEncoding) {
    List<String> arguments = arguments();
    if (ofEncoding) {
      templateArguments = arguments;
    }
    String joined = list(arguments, "<", "");
    return name + joined + (joined.endsWith(">") ? " >" : ">");
  }

  private List<String> arguments() {
    expect('I');
    List<String> arguments = new ArrayList<>();
    while (peek() != 'E') {
      arguments.add(argument());
    }
    expect('E');
    return arguments;
  }

  private String argument() {
    switch (peek()) {
      case 'L' -> {
        return literal();
      }
      case 'J' -> {
        at++;
        List<String> pack = new ArrayList<>();
        while (peek() != 'E') {
          pack.add(argument());
        }
        expect('E');
        return list(pack, "", "");
      }
      case 'X' -> {
        at++;
        String expression = peek() == 'L' ? literal() : expression();
        expect('E');
        return expression;
      }
      default -> {
        return type().all();
      }
    }
  }

  private String expression() {
    if (peek() == 'T') {
      return templateParameter().all();
    }
    if (text.startsWith("ad", at) && text.startsWith("L_Z", at + 2)) {
      at += 2;
      return "&(" + literal() + ")";
    }
    throw new Unknown();
  }

  private String literal() {
    expect('L');
    if (text.startsWith("_Z", at)) {
      at += 2;
      String function = encoding(true);
      expect('E');
      return function;
    }
    char kind = peek();
    String type = type().all();
    String sign = "";
    if (peek() == 'n') {
      sign = "-";
      at++;
    }
    int start = at;
    while (peek() != 'E') {
      at++;
    }
    String value = sign + text.substring(start, at);
    expect('E');
    return switch (kind) {
      case 'b' -> value.equals("0") ? "false" : value.equals("1") ? "true" : "(bool)" + value;
      case 'i' -> value;
      case 'j' -> value + "u";
      case 'l' -> value + "l";
      case 'm' -> value + "ul";
      case 'x' -> value + "ll";
      case 'y' -> value + "ull";
      default -> "(" + type + ")" + value;
    };
  }

  private String parameters() {
    List<String> types = new ArrayList<>();
    while (!end() && peek() != 'E' && peek() != '.') {
      types.add(type().all());
    }
    return list(types, "(", ")");
  }

  /** Joins what is not empty: an empty pack leaves no trace. A lone void is no parameter. */
  private static String list(List<String> items, String open, String close) {
    List<String> shown = new ArrayList<>();
    for (String item : items) {
      if (!item.isEmpty()) {
        shown.add(item);
      }
    }
    if (open.equals("(") && shown.equals(List.of("void"))) {
      shown.clear();
    }
    return open + String.join(", ", shown) + close;
  }

  private Type type() {
    char c = peek();
    int builtin = BUILTINS.indexOf(c);
    if (builtin >= 0) {
      at++;
      return new Type(BUILTIN_NAMES[builtin]);
    }
    Type type =
        switch (c) {
          case 'P' -> pointer("*");
          case 'R' -> pointer("&");
          case 'O' -> pointer("&&");
          case 'r', 'V', 'K' -> {
            at++;
            Type inner = type();
            yield new Type(inner.left + qualifier(c), inner.right, inner.wrapPointer);
          }
          case 'F' -> function();
          case 'A' -> array();
          case 'S' -> {
            if (text.startsWith("St", at)) {
              yield new Type(name(false).text);
            }
            Type known = substitution();
            if (!end() && peek() == 'I') {
              yield new Type(withArguments(known.all(), false));
            }
            // Already in the table.
            yield null;
          }
          case 'T' -> {
            Type parameter = templateParameter();
            if (!end() && peek() == 'I') {
              substitutions.add(parameter);
              yield new Type(withArguments(parameter.all(), false));
            }
            yield parameter;
          }
          case 'D' -> special();
          case 'u' -> {
            at++;
            yield new Type(sourceName());
          }
          case 'U' -> {
            at++;
            String vendor = sourceName();
            Type inner = type();
            yield new Type(inner.left + " " + vendor, inner.right, inner.wrapPointer);
          }
          default -> new Type(name(false).text);
        };
    if (type == null) {
      return lastSubstitution;
    }
    if (!isBuiltinSpecial(type)) {
      substitutions.add(type);
    }
    return type;
  }

  private static boolean isBuiltinSpecial(Type type) {
    return switch (type.left) {
      case "decltype(nullptr)", "char32_t", "char16_t", "char8_t", "auto", "half", "_Float16" ->
          true;
      default -> false;
    };
  }

  private Type special() {
    expect('D');
    char kind = take();
    return switch (kind) {
      case 'n' -> new Type("decltype(nullptr)");
      case 'i' -> new Type("char32_t");
      case 's' -> new Type("char16_t");
      case 'u' -> new Type("char8_t");
      case 'a' -> new Type("auto");
      case 'h' -> new Type("half");
      case 'p' -> type();
      case 'F' -> {
        int bits = number();
        boolean brain = peek() == 'b';
        if (!brain && peek() != '_') {
          throw new Unknown();
        }
        at++;
        yield new Type(brain ? "std::bfloat" + bits + "_t" : "_Float" + bits);
      }
      case 'v' -> {
        int size = number();
        expect('_');
        yield new Type(type().all() + " __vector(" + size + ")");
      }
      default -> throw new Unknown();
    };
  }

  private Type pointer(String sign) {
    at++;
    Type inner = type();
    if (inner.wrapPointer) {
      String gap = inner.right.startsWith("[") ? " " : "";
      return new Type(inner.left + "(" + sign, ")" + gap + inner.right, false);
    }
    // A pointer to a pointer to a function goes inside the same brackets.
    return new Type(inner.left + sign, inner.right, false);
  }

  private Type function() {
    expect('F');
    if (peek() == 'Y') {
      at++;
    }
    Type returned = type();
    List<String> types = new ArrayList<>();
    while (peek() != 'E') {
      types.add(type().all());
    }
    expect('E');
    return new Type(returned.all() + " ", list(types, "(", ")"), true);
  }

  private Type array() {
    expect('A');
    String size = peek() == '_' ? "" : Integer.toString(number());
    expect('_');
    Type element = type();
    return new Type(element.left + " ", "[" + size + "]" + element.right, true);
  }

  private Type substitution() {
    expect('S');
    char c = peek();
    String standard =
        switch (c) {
          case 't' -> "std";
          case 'a' -> "std::allocator";
          case 'b' -> "std::basic_string";
          case 's' -> "std::string";
          case 'i' -> "std::istream";
          case 'o' -> "std::ostream";
          case 'd' -> "std::iostream";
          default -> null;
        };
    if (standard != null) {
      at++;
      lastSubstitution = new Type(standard);
      return lastSubstitution;
    }
    int index = sequence(36);
    if (index >= substitutions.size()) {
      throw new Unknown();
    }
    lastSubstitution = substitutions.get(index);
    return lastSubstitution;
  }

  private Type templateParameter() {
    expect('T');
    int index = sequence(10);
    if (index >= templateArguments.size()) {
      throw new Unknown();
    }
    return new Type(templateArguments.get(index));
  }

  /** {@code _} is 0, {@code 0_} is 1 and so on. */
  private int sequence(int radix) {
    int end = text.indexOf('_', at);
    if (end < 0 || end - at > 6) {
      throw new Unknown();
    }
    String digits = text.substring(at, end);
    at = end + 1;
    try {
      return digits.isEmpty() ? 0 : Integer.parseInt(digits, radix) + 1;
    } catch (NumberFormatException e) {
      throw new Unknown();
    }
  }

  private static String qualifier(char c) {
    return c == 'K' ? " const" : c == 'V' ? " volatile" : " restrict";
  }

  private int number() {
    int start = at;
    while (!end() && isDigit(text.charAt(at))) {
      at++;
    }
    if (start == at || at - start > 8) {
      throw new Unknown();
    }
    return Integer.parseInt(text.substring(start, at));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private boolean end() {
    return at >= text.length();
  }

  private char peek() {
    if (end()) {
      throw new Unknown();
    }
    return text.charAt(at);
  }

  private char take() {
    char c = peek();
    at++;
    return c;
  }

  private void expect(char c) {
    if (peek() != c) {
      throw new Unknown();
    }
    at++;
  }
}
