package dev.rocport.commandline;

import dev.rocport.commandline.NvccTables.Flag;
import dev.rocport.commandline.NvccTables.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The spellings of nvcc flags, including dashes, for code that distinguishes them. */
public final class NvccFlags {
  private NvccFlags() {}

  /**
   * The translation of a flag.
   *
   * @param name with two dashes
   * @param shortName with one
   * @param hip its hipcc form; empty if there is none
   * @param outcome description
   * @param reason reason or remark; may be empty
   */
  public record Fate(String name, String shortName, String hip, String outcome, String reason) {}

  /** Returns the translation of the flag with this spelling, ignoring a value after {@code =}. */
  public static Optional<Fate> fate(String spelling) {
    return NvccTables.flag(spelling.replaceFirst("=.*", "")).map(NvccFlags::fate);
  }

  private static Fate fate(Flag flag) {
    String value = "VALUE";
    String hip =
        switch (flag.action()) {
          case "pass", "link" -> flag.detail().replace("{}", value);
          case "include" -> flag.detail().equals("-I") ? "-I" + value : "-isystem " + value;
          case "library-path" -> "-L" + value;
          case "library" -> "-l" + value;
          case "standard" -> "-std=" + value;
          case "optimize" -> "-O" + value;
          case "host" -> value;
          case "relocatable" -> "-fgpu-rdc";
          case "language" -> "-x hip";
          case "stream" -> "-fgpu-default-stream=per-thread";
          case "output" -> "-o " + value;
          case "depend" -> "-" + flag.shortName();
          case "mode" -> mode(flag);
          default -> "";
        };
    String outcome =
        switch (flag.action()) {
          case "drop" -> "left out";
          case "note" -> "left out, with a warning";
          case "refuse" -> "an error";
          case "switch" -> toggled(flag);
          case "host" ->
              "its flags are passed to clang, which compiles both sides; those that"
                  + " begin with -m apply to the host side, and -Werror is left out";
          case "library" -> "NVIDIA libraries become AMD libraries";
          case "stream" -> "if the value is per-thread; otherwise nothing";
          case "relocatable" -> "if the value is not false";
          case "output-folder", "options-file" ->
              "handled when rocport build runs nvcc; hipcc" + " has no such flag";
          case "query" -> "answered";
          case "standard" -> "c++11 becomes c++14, which the headers of rocPRIM require";
          case "forward" -> "left out: clang is also the host compiler";
          case "mode" -> hip.isEmpty() ? "handled when rocport build runs nvcc" : "";
          default -> "";
        };
    return new Fate("--" + flag.name(), "-" + flag.shortName(), hip, outcome, flag.reason());
  }

  private static String mode(Flag flag) {
    return switch (flag.detail()) {
      case "compile" -> "-c";
      case "compile-relocatable" -> "-fgpu-rdc -c";
      case "device-only" -> "--cuda-device-only";
      case "preprocess", "dependencies", "dependencies-own" -> "-" + flag.shortName();
      default -> "";
    };
  }

  private static String toggled(Flag flag) {
    int bar = flag.detail().indexOf('|');
    List<String> values = new ArrayList<>();
    for (boolean on : List.of(true, false)) {
      String hip = on ? flag.detail().substring(0, bar) : flag.detail().substring(bar + 1);
      values.add((on ? "true: " : "false: ") + (hip.isEmpty() ? "nothing" : hip));
    }
    return String.join("; ", values);
  }

  /** Returns all spellings, including dashes, in table order. */
  public static List<String> names() {
    return NvccTables.flags().stream().map(f -> "--" + f.name()).toList();
  }

  /** Returns spellings with a value, in the same word after {@code =} or in the next word. */
  public static SortedSet<String> withValue() {
    return spellings(f -> f.value() != Value.NONE);
  }

  /** Returns spellings without a value. */
  public static SortedSet<String> alone() {
    return spellings(f -> f.value() == Value.NONE);
  }

  private static SortedSet<String> spellings(Predicate<Flag> which) {
    SortedSet<String> all = new TreeSet<>();
    NvccTables.flags().stream()
        .filter(which)
        .map(f -> List.of("--" + f.name(), "-" + f.name(), "-" + f.shortName()))
        .forEach((Collection<String> s) -> all.addAll(s));
    return all;
  }
}
