package dev.warpline.amd.code;

import dev.warpline.isa.Demangler;
import java.util.ArrayList;
import java.util.List;

/**
 * Types of arguments from the mangled name of a C++ kernel, for compilers that write none into the
 * metadata (HIP).
 */
final class Signature {
  private Signature() {}

  /** Gives arguments without a type the one that the kernel's name has. */
  static void addTypes(String kernel, List<KernelArgument> arguments) {
    List<String> types = types(Demangler.demangle(kernel));
    long explicit = arguments.stream().filter(a -> !a.isHidden()).count();
    if (types.size() != explicit) {
      return;
    }
    int position = 0;
    for (int i = 0; i < arguments.size(); i++) {
      KernelArgument argument = arguments.get(i);
      if (!argument.isHidden()) {
        if (argument.type().isEmpty()) {
          arguments.set(i, argument.withType(types.get(position)));
        }
        position++;
      }
    }
  }

  /** The parameters of a demangled function: what its last parentheses hold, by outer commas. */
  private static List<String> types(String text) {
    int open = parameters(text);
    List<String> types = new ArrayList<>();
    if (open < 0) {
      return types;
    }
    String inside = text.substring(open + 1, text.length() - 1);
    int depth = 0;
    int start = 0;
    for (int i = 0; i <= inside.length(); i++) {
      char c = i == inside.length() ? ',' : inside.charAt(i);
      if (c == '<' || c == '(' || c == '[' || c == '{') {
        depth++;
      } else if (c == '>' || c == ')' || c == ']' || c == '}') {
        depth--;
      } else if (c == ',' && (depth == 0 || i == inside.length())) {
        String type = inside.substring(start, i).strip();
        if (!type.isEmpty() && !type.equals("void")) {
          types.add(type);
        }
        start = i + 1;
      }
    }
    return types;
  }

  /** Where the parentheses that end the text begin, or -1. */
  private static int parameters(String text) {
    if (!text.endsWith(")")) {
      return -1;
    }
    int depth = 0;
    for (int i = text.length() - 1; i >= 0; i--) {
      depth += text.charAt(i) == ')' ? 1 : text.charAt(i) == '(' ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
    return -1;
  }
}
