package dev.rocport.commandline;

import dev.rocport.commandline.NvccTables.Flag;
import dev.rocport.commandline.NvccTables.Library;
import dev.rocport.commandline.NvccTables.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Translates the words of an nvcc command line to hipcc one by one, for build files: make and shell
 * variables stay in place.
 */
public final class NvccWords {
  private static final Set<String> DEVICE_CODE =
      Set.of("-ptx", "--ptx", "-cubin", "--cubin", "-fatbin", "--fatbin");

  private static final Pattern FOR_ALL =
      Pattern.compile(
          "--(?!help|version|param).*|-(X(compiler|ptxas|cudafe|fatbin|nvlink|archive).*|arch=?.*"
              + "|ptx|cubin|fatbin"
              + "|gencode=?.*|code=.*|lineinfo|use_fast_math|rdc=.*|dc|maxrregcount=?.*|ccbin=?.*"
              + "|expt-.*|extended-lambda|default-stream=?.*|ftz=.*|prec-.*|fmad=.*|G|res-usage"
              + "|allow-unsupported-compiler|extra-device-vectorization|device-debug"
              + "|generate-(code|line-info).*|gpu-(architecture|code)=?.*|diag-suppress=?.*"
              + "|(compiler|ptxas)-options=?.*|compiler-bindir=?.*|relocatable-device-code=.*"
              + "|cudart=?.*|Wno-deprecated-gpu-targets"
              + "|std=(c|gnu)\\+\\+(11|0x))");

  private NvccWords() {}

  /** Returns whether a flag requests a file with device code alone. */
  public static boolean isDeviceCode(String word) {
    return DEVICE_CODE.contains(word);
  }

  /**
   * Returns whether a flag that a host compiler may get too is ported: only nvcc has it, or it is a
   * standard that the headers of ROCm no longer accept.
   */
  public static boolean isForAll(String word) {
    return FOR_ALL.matcher(word).matches();
  }

  /**
   * A group of words and its translation.
   *
   * @param first index of the first
   * @param count number of words
   * @param words their replacement; empty if there is none
   * @param arch whether they select GPUs
   * @param note reason if they are left out
   * @param problem why they have no translation; empty if they have one
   */
  public record Change(
      int first, int count, List<String> words, boolean arch, String note, String problem) {
    public Change {
      words = List.copyOf(words);
    }
  }

  /** Returns the changes, in order of place; words without one stay. */
  public static List<Change> changes(List<String> words) {
    List<Change> changes = new ArrayList<>();
    int i = 0;
    while (i < words.size()) {
      Change change = change(words, i);
      if (!change.words().equals(words.subList(i, i + change.count()))
          || !change.problem().isEmpty()) {
        changes.add(change);
      }
      i += change.count();
    }
    return changes;
  }

  /** Returns true for a word that looks like a flag but is not an nvcc flag. */
  public static boolean isUnknown(String word) {
    if (!word.startsWith("-") || word.equals("-") || word.startsWith("-l")) {
      return false;
    }
    return NvccArgument.of(word, null).flag().isEmpty();
  }

  private static Change change(List<String> words, int i) {
    NvccArgument a = NvccArgument.of(words.get(i), i + 1 < words.size() ? words.get(i + 1) : null);
    if (a.flag().isEmpty()) {
      return same(words, i, 1);
    }
    Flag flag = a.flag().get();
    String value = unquoted(a.value());
    int count = a.words();
    return switch (flag.action()) {
      case "drop" -> new Change(i, count, List.of(), isArch(flag), "", "");
      case "note" -> new Change(i, count, List.of(), false, flag.reason(), "");
      case "refuse" -> new Change(i, count, List.of(), false, "", flag.reason());
      case "include", "library-path", "optimize", "pass" ->
          isClangFlag(a) ? same(words, i, count) : to(i, count, HipWords.of(flag, value));
      case "link", "switch", "stream", "standard" -> to(i, count, HipWords.of(flag, value));
      case "host" -> host(words, i, count, HipWords.of(flag, value));
      case "library" -> libraries(a, words, i);
      case "mode" -> mode(flag, i);
      case "relocatable" -> to(i, count, value.equals("false") ? List.of() : List.of("-fgpu-rdc"));
      case "language" -> to(i, count, List.of("-x", value.equals("cu") ? "hip" : value));
      case "forward" -> to(i, count, List.of());
      case "output", "depend" ->
          // The value may be in another list.
          to(i, count, shortly(flag, a.value()).stream().filter(w -> !w.isEmpty()).toList());
      default -> new Change(i, count, List.of(), false, "", "hipcc has no such flag");
    };
  }

  /** Returns whether clang accepts it unchanged, including make variables. */
  private static boolean isClangFlag(NvccArgument a) {
    Flag flag = a.flag().orElseThrow();
    if (flag.action().equals("optimize") && !a.value().matches("[0-3]?")) {
      return false;
    }
    boolean known = flag.value() == Value.JOINED || flag.action().equals("include");
    return known
        && (a.words() == 1 || !flag.action().equals("optimize"))
        && a.spelled().equals("-" + flag.shortName())
        && a.plain()
        && HipWords.commas(a.value()).size() <= 1;
  }

  /** Returns the flag with the short name that clang shares. */
  private static List<String> shortly(Flag flag, String value) {
    String name = "-" + flag.shortName();
    return flag.value() == Value.NONE ? List.of(name) : List.of(name, value);
  }

  private static boolean isArch(Flag flag) {
    return flag.name().startsWith("gpu-") || flag.name().equals("generate-code");
  }

  private static Change libraries(NvccArgument a, List<String> words, int i) {
    List<String> to = new ArrayList<>();
    boolean gnu = false;
    for (String name : HipWords.split(unquoted(a.value()))) {
      Optional<Library> library = NvccTables.library(name);
      if (name.equals(GnuOpenMp.NAME) && GnuOpenMp.isAsked(words)) {
        gnu = true;
      } else if (library.isEmpty()) {
        to.add("-l" + name);
      } else if (library.get().reason().startsWith("no counterpart")) {
        return new Change(i, a.words(), List.of(), false, "", library.get().reason());
      } else {
        String hip = hip(library.get());
        to.addAll(hip.isEmpty() ? List.of() : List.of("-l" + hip));
      }
    }
    boolean same = to.equals(List.of("-l" + a.value())) && a.plain() && a.spelled().equals("-l");
    if (same) {
      return same(words, i, a.words());
    }
    String note = gnu && to.isEmpty() ? GnuOpenMp.LEFT_OUT : "";
    return new Change(i, a.words(), to, false, note, "");
  }

  private static Change host(List<String> words, int i, int count, List<String> flags) {
    if (!flags.contains(GnuOpenMp.FLAG) || !GnuOpenMp.isAsked(words)) {
      return to(i, count, flags);
    }
    return to(i, count, flags.stream().filter(f -> !f.equals(GnuOpenMp.FLAG)).toList());
  }

  private static String hip(Library library) {
    return library.name().startsWith("cudart") || library.name().equals("cuda")
        ? "amdhip64"
        : library.hip();
  }

  private static Change mode(Flag flag, int i) {
    return switch (flag.detail()) {
      case "compile-relocatable" -> to(i, 1, List.of("-fgpu-rdc", "-c"));
      case "compile" -> to(i, 1, List.of("-c"));
      case "link" -> to(i, 1, List.of());
      case "preprocess", "dependencies", "dependencies-own" -> to(i, 1, shortly(flag, ""));
      case "device-only" ->
          flag.name().equals("ptx")
              ? new Change(i, 1, List.of(), false, "", flag.reason() + " (--cuda-device-only)")
              : to(i, 1, List.of("--cuda-device-only"));
      default ->
          new Change(
              i, 1, List.of(), false, "", "hipcc has a different option for this; see its manual");
    };
  }

  private static String unquoted(String value) {
    return value.replaceFirst("^([\"'])(.*)\\1$", "$2");
  }

  private static Change same(List<String> words, int i, int count) {
    return new Change(i, count, words.subList(i, i + count), false, "", "");
  }

  private static Change to(int i, int count, List<String> words) {
    return new Change(i, count, words, false, "", "");
  }
}
