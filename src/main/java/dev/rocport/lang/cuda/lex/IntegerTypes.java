package dev.rocport.lang.cuda.lex;

import java.util.Set;

/** Names of C++ integer types, as far as tokens identify them. */
public final class IntegerTypes {
  private static final Set<String> WORDS =
      Set.of(
          "int",
          "long",
          "short",
          "unsigned",
          "signed",
          "char",
          "size_t",
          "ssize_t",
          "ptrdiff_t",
          "intptr_t",
          "uintptr_t",
          "int32_t",
          "uint32_t",
          "int64_t",
          "uint64_t",
          "u64",
          "i64");

  private IntegerTypes() {}

  /** {@code unsigned long long}, {@code std::size_t}, and what ends like one. */
  public static boolean isInteger(String type) {
    String last = type.replaceAll("^const\\s+|^std\\s*::\\s*", "");
    for (String word : last.split("\\s+")) {
      if (!WORDS.contains(word)) {
        return false;
      }
    }
    return !last.isEmpty();
  }

  public static boolean looksLikeType(String name) {
    return isInteger(name)
        || name.endsWith("_t")
        || name.startsWith("CU")
        || name.equals("float")
        || name.equals("double")
        || name.equals("void")
        || name.equals("bool");
  }
}
