package dev.rocport.build.check;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the names of the HIP headers that are most like a CUDA name without a rule. */
final class NearNames {
  private static final Pattern FOLDER = Pattern.compile("(?:hip|roc|rccl|miopen).*");
  private static final Pattern HIP_NAME =
      Pattern.compile("\\b(?:hip|HIP|roc|nccl|rccl|miopen|__hip_|__HIP_)\\w{3,}\\b");
  private static final Pattern CUDA_NAME =
      Pattern.compile("(?:__)?(?:cuda|CUDA|nvrtc|NVRTC|nv|NV|cu(?=[a-z]*[A-Z_])|CU)\\w{3,}");
  private static final Pattern WORD = Pattern.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\\d+");

  /** Smallest share of common words; lower ones are names for something else. */
  private static final double ALIKE = 0.7;

  private final Set<String> names;

  NearNames(Set<String> names) {
    this.names = new TreeSet<>(names);
  }

  /**
   * Reads the names in the headers of the HIP libraries.
   *
   * @param include the folder with the headers
   */
  static NearNames of(Path include) throws IOException {
    Set<String> names = new HashSet<>();
    List<Path> folders;
    try (Stream<Path> children = Files.list(include)) {
      folders = children.filter(f -> FOLDER.matcher(f.getFileName() + "").matches()).toList();
    }
    for (Path folder : folders) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".h")).toList()) {
          Matcher name = HIP_NAME.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
          while (name.find()) {
            names.add(name.group());
          }
        }
      }
    }
    return new NearNames(names);
  }

  /** Returns whether a name looks like one of CUDA and not of the project. */
  static boolean isCuda(String name) {
    return CUDA_NAME.matcher(name).matches();
  }

  /** Returns the name that is most like the HIP spelling of a CUDA name, if one is like it. */
  Optional<String> nearest(String cuda) {
    String expected = spelled(cuda);
    if (names.contains(expected)) {
      return Optional.of(expected);
    }
    List<String> words = words(expected);
    String best = "";
    double most = ALIKE;
    for (String name : names) {
      double alike = alike(words, words(name));
      if (alike > most) {
        most = alike;
        best = name;
      }
    }
    return best.isEmpty() ? Optional.empty() : Optional.of(best);
  }

  private static String spelled(String cuda) {
    return cuda.replaceFirst("^(__)?cuda", "$1hip")
        .replaceFirst("^(__)?CUDA", "$1HIP")
        .replaceFirst("^nvrtc", "hiprtc")
        .replaceFirst("^NVRTC", "HIPRTC")
        .replaceFirst("^cu(?=blas|fft|rand|sparse|solver|tensor)", "hip")
        .replaceFirst("^CU(?=BLAS|FFT|RAND|SPARSE|SOLVER|TENSOR)", "HIP")
        .replaceFirst("^cu(?=[A-Z])", "hip")
        .replaceFirst("^CU(?=[_A-Z])", "HIP");
  }

  private static List<String> words(String name) {
    List<String> all = new ArrayList<>();
    Matcher word = WORD.matcher(name);
    while (word.find()) {
      all.add(word.group().toLowerCase(Locale.ROOT));
    }
    return all;
  }

  /** Returns the share of common words; 0 if the first words, which name the library, differ. */
  private static double alike(List<String> a, List<String> b) {
    if (a.isEmpty() || b.isEmpty() || !a.getFirst().equals(b.getFirst())) {
      return 0;
    }
    List<String> left = new ArrayList<>(b);
    long common = a.stream().filter(left::remove).count();
    return 2.0 * common / (a.size() + b.size());
  }
}
