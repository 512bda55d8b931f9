package dev.rocport.buildsystem.command;

import java.util.Set;
import java.util.regex.Pattern;

/** Tells from the words of a compiler call whether it links. */
final class LinkStep {
  static final Pattern LIBRARY = Pattern.compile("-l(cuda|cudart|cudart_static|cudadevrt)");

  private LinkStep() {}

  /** Flags that mean that nothing is linked. */
  private static final Set<String> NO_LINK =
      Set.of(
          "-c",
          "--compile",
          "-dc",
          "--device-c",
          "-dw",
          "--device-w",
          "-M",
          "-MM",
          "-E",
          "--preprocess",
          "--generate-dependencies",
          "--generate-nonsystem-dependencies",
          "-S",
          "-ptx",
          "--ptx",
          "-cubin",
          "--cubin",
          "-fatbin",
          "--fatbin",
          "-dlink",
          "--device-link",
          "-lib",
          "--lib",
          "--version",
          "-V",
          "--help",
          "-h",
          "--genco");

  /** Returns true if a compiler call with these words links. */
  static boolean links(Set<String> words) {
    return words.stream().noneMatch(NO_LINK::contains);
  }

  /** Returns true if a compiler call with these words links CUDA. */
  static boolean linksCuda(Set<String> words) {
    return words.stream()
        .anyMatch(
            w -> LIBRARY.matcher(w).matches() || w.matches(".*/libcudart(_static)?\\.(so|a)"));
  }
}
