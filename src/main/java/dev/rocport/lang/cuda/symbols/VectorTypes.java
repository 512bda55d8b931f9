package dev.rocport.lang.cuda.symbols;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The vector types of CUDA, such as {@code float4} and {@code uchar2}. */
public final class VectorTypes {
  private static final List<String> ELEMENTS =
      List.of(
          "char",
          "uchar",
          "short",
          "ushort",
          "int",
          "uint",
          "long",
          "ulong",
          "longlong",
          "ulonglong",
          "float",
          "double");

  private static final Map<String, Integer> COMPONENTS = new HashMap<>();

  /** The names of the types. */
  public static final List<String> NAMES;

  /** The functions that make them: {@code make_float4}. */
  public static final List<String> MAKERS;

  static {
    List<String> names = new ArrayList<>();
    for (String element : ELEMENTS) {
      for (int n = 1; n <= 4; n++) {
        names.add(element + n);
        COMPONENTS.put(element + n, n);
      }
    }
    NAMES = List.copyOf(names);
    MAKERS = names.stream().map(name -> "make_" + name).toList();
  }

  private VectorTypes() {}

  /** Returns the number of components of a vector type; 0 for other types. */
  public static int components(String type) {
    return COMPONENTS.getOrDefault(type, 0);
  }
}
