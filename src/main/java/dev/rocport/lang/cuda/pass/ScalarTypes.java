package dev.rocport.lang.cuda.pass;

import java.util.Set;

/** The words that the types of numbers consist of, and {@code bool}: zero is all bytes zero. */
final class ScalarTypes {
  static final Set<String> WORDS =
      Set.of(
          "bool",
          "char",
          "short",
          "int",
          "long",
          "signed",
          "unsigned",
          "float",
          "double",
          "size_t",
          "int8_t",
          "int16_t",
          "int32_t",
          "int64_t",
          "uint8_t",
          "uint16_t",
          "uint32_t",
          "uint64_t");

  private ScalarTypes() {}
}
