package dev.rocport.lang.ptx;

import java.util.Set;

/** Identifiers that a C++ variable cannot have. */
final class CppWords {
  static final Set<String> ALL =
      Set.of(
          "alignas",
          "alignof",
          "bitand",
          "bitor",
          "char16_t",
          "char32_t",
          "compl",
          "const_cast",
          "decltype",
          "dynamic_cast",
          "noexcept",
          "not_eq",
          "nullptr",
          "reinterpret_cast",
          "size_t",
          "static_assert",
          "static_cast",
          "thread_local",
          "typeid",
          "wchar_t",
          "and_eq",
          "or_eq",
          "xor_eq",
          "concept",
          "requires",
          "and",
          "asm",
          "auto",
          "bool",
          "break",
          "case",
          "catch",
          "char",
          "class",
          "const",
          "constexpr",
          "continue",
          "default",
          "delete",
          "do",
          "double",
          "else",
          "enum",
          "explicit",
          "extern",
          "false",
          "float",
          "for",
          "friend",
          "goto",
          "if",
          "inline",
          "int",
          "long",
          "mutable",
          "namespace",
          "new",
          "not",
          "operator",
          "or",
          "private",
          "protected",
          "public",
          "register",
          "return",
          "short",
          "signed",
          "sizeof",
          "static",
          "struct",
          "switch",
          "template",
          "this",
          "throw",
          "true",
          "try",
          "typedef",
          "typename",
          "union",
          "unsigned",
          "using",
          "virtual",
          "void",
          "volatile",
          "while",
          "xor",
          "rocport",
          "threadIdx",
          "blockIdx",
          "blockDim",
          "gridDim",
          "warpSize");

  private CppWords() {}

  /**
   * Takes a name.
   *
   * @param taken the names that are not free
   * @return false if it is not free
   */
  static boolean take(String name, Set<String> taken) {
    return !ALL.contains(name) && taken.add(name);
  }
}
