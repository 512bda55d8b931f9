package dev.rocport.singlesource;

import dev.rocport.rules.ApiName;
import dev.rocport.rules.ApiName.Kind;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The header that maps CUDA names to HIP in an AMD build, so that code that differs only in names
 * needs no gate.
 */
public final class CompatHeader {
  /** Its name in the folder {@code rocport} of a ported tree. */
  public static final String NAME = "cuda_compat.h";

  private CompatHeader() {}

  /** True if the header can map a name: one identifier to another, or a namespace to another. */
  static boolean maps(ApiName name, String target) {
    return !target.isEmpty()
        && !target.equals(name.cuda())
        && isIdentifier(name.cuda())
        && isIdentifier(target)
        && switch (name.kind()) {
          case FUNCTION, TYPE, ENUM, MACRO, DEVICE, NAMESPACE -> true;
          case HEADER, QUALIFIED, MEMBER, PREFIX, TYPEDEF -> false;
        };
  }

  private static boolean isIdentifier(String s) {
    return !s.isEmpty()
        && !Character.isDigit(s.charAt(0))
        && s.chars().allMatch(c -> c == '_' || (c < 128 && Character.isLetterOrDigit(c)));
  }

  /**
   * The header's text, LF line ends.
   *
   * @param names CUDA names
   * @param api looks up a name
   * @param target what it becomes
   */
  static String text(
      Collection<String> names,
      Function<String, @Nullable ApiName> api,
      Function<ApiName, String> target) {
    SortedMap<String, String> macros = new TreeMap<>();
    SortedMap<String, String> namespaces = new TreeMap<>();
    for (String n : names) {
      ApiName name = api.apply(n);
      if (name != null && maps(name, target.apply(name))) {
        (name.kind() == Kind.NAMESPACE ? namespaces : macros).put(n, target.apply(name));
      }
    }
    return text(macros, namespaces);
  }

  /** The header with the names of two. */
  public static String merge(String one, String other) {
    SortedMap<String, String> macros = new TreeMap<>();
    SortedMap<String, String> namespaces = new TreeMap<>();
    for (String line : (one + '\n' + other).lines().toList()) {
      String[] words = line.replace(";", "").split(" ", -1);
      if (words.length == 3 && words[0].equals("#define")) {
        macros.put(words[1], words[2]);
      } else if (words.length == 4 && words[0].equals("namespace") && words[2].equals("=")) {
        namespaces.put(words[1], words[3]);
      }
    }
    return text(macros, namespaces);
  }

  private static String text(
      SortedMap<String, String> macros, SortedMap<String, String> namespaces) {
    StringBuilder s = new StringBuilder();
    s.append(GateLine.GUARD.text()).append('\n');
    s.append(
        """
        #ifndef ROCPORT_CUDA_COMPAT_H
        #define ROCPORT_CUDA_COMPAT_H

        // CUDA's names as HIP's, for compiles for AMD. Written by rocport port --style single-source
        // from the names that this tree uses; porting the tree again writes it anew. It includes
        // nothing: the headers of HIP are included by the files themselves, behind gates.

        """);
    macros.forEach((k, v) -> s.append("#define ").append(k).append(' ').append(v).append('\n'));
    if (!namespaces.isEmpty()) {
      s.append("\n#ifdef __cplusplus\n");
      namespaces.forEach(
          (k, v) ->
              s.append("namespace ")
                  .append(v)
                  .append(" {}\n")
                  .append("namespace ")
                  .append(k)
                  .append(" = ")
                  .append(v)
                  .append(";\n"));
      s.append("#endif\n");
    }
    s.append("\n#endif\n").append(GateLine.CLOSE.text()).append('\n');
    return s.toString();
  }
}
