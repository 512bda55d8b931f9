package dev.rocport.buildsystem.other;

import dev.rocport.commandline.NvccWords;
import dev.rocport.rules.BuiltInText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds CUDA in a line of a build file: {@code build/other-words.tsv}, libraries, flags. */
public final class OtherWords {
  private record Row(Pattern word, String what, String advice, boolean build) {}

  private static final List<Row> ROWS =
      BuiltInText.table("build/other-words.tsv", "word\twhat\tadvice\tkind").rows().stream()
          .map(
              r ->
                  new Row(
                      Pattern.compile(r.cell(0)), r.cell(1), r.cell(2), r.cell(3).equals("build")))
          .toList();

  /** The name of a library in linker flags and build files. */
  private static final Pattern LIBRARY =
      Pattern.compile(
          "(?<![\\w./-])(?:-l|lib|[\"'])?((?:cu|nv|npp|nccl)[A-Za-z0-9_-]*?)"
              + "(\\.lib|\\.so[\\d.]*|\\.a|[\"'])?(?![\\w./-])");

  /** Separator of words in a command or list. */
  private static final Pattern WORD_END = Pattern.compile("[\\s\"',;()\\[\\]{}]+");

  private static final Pattern COMMAND =
      Pattern.compile("(?<![\\w.-])nvcc(\\.exe)?[\"']?\\)?\\s+(?!-?-(version|V)\\b).*(-\\w|\\.cu)");

  private OtherWords() {}

  /**
   * CUDA in a line.
   *
   * @param start offset in the line
   * @param end offset after it
   * @param build true if it does not build on ROCm, false for information only
   */
  public record Found(int start, int end, String message, boolean build) {}

  /**
   * Returns the first use of CUDA in a line, with replacements for all flags and libraries in it.
   *
   * @param script true for a script, which counts as a build only if it calls nvcc
   */
  public static Optional<Found> of(String line, boolean script) {
    Optional<Found> first = Optional.empty();
    for (Row r : ROWS) {
      Matcher m = r.word().matcher(line);
      if (m.find() && (first.isEmpty() || m.start() < first.get().start())) {
        String message = "%s is %s: %s".formatted(m.group().strip(), r.what(), r.advice());
        boolean build = script ? COMMAND.matcher(line).find() : r.build();
        first = Optional.of(new Found(m.start(), m.end(), message, build));
      }
    }
    List<String> more = new ArrayList<>();
    Matcher l = LIBRARY.matcher(line);
    while (l.find()) {
      Optional<String> hip = library(l.group(1));
      boolean quoted = l.group().startsWith("\"") || l.group().startsWith("'");
      boolean linked = l.group().startsWith("-l") || (l.group(2) != null && !quoted);
      if (hip.isPresent() && (linked || !l.group(1).equals("cuda"))) {
        more.add(l.group(1) + ": " + hip.get());
        if (first.isEmpty()) {
          String message = "%s is a CUDA library".formatted(l.group(1));
          first = Optional.of(new Found(l.start(1), l.end(1), message, !script));
        }
      }
    }
    if (first.isEmpty()) {
      return first;
    }
    boolean compiles = ROWS.stream().anyMatch(r -> r.build() && r.word().matcher(line).find());
    if (compiles || !more.isEmpty()) { // -v belongs to the shell in: command -v nvidia-smi
      more.addAll(flags(line));
    }
    Found f = first.get();
    String rest =
        more.isEmpty() ? "" : "; for ROCm: " + String.join(", ", more.stream().distinct().toList());
    return Optional.of(new Found(f.start(), f.end(), f.message() + rest, f.build()));
  }

  /** Returns what to link instead of a library; empty if it is not a CUDA library. */
  private static Optional<String> library(String name) {
    List<NvccWords.Change> changes = NvccWords.changes(List.of("-l" + name));
    boolean linked =
        !changes.isEmpty() && changes.getFirst().words().stream().allMatch(w -> w.startsWith("-l"));
    if (!linked) {
      return Optional.empty();
    }
    NvccWords.Change c = changes.getFirst();
    return Optional.of(
        !c.problem().isEmpty()
            ? c.problem()
            : c.words().isEmpty() ? "left out" : String.join(" ", c.words()));
  }

  /** Returns the nvcc flags in a line with their hipcc replacements. */
  private static List<String> flags(String line) {
    List<String> words = WORD_END.splitAsStream(line).filter(w -> !w.isEmpty()).toList();
    List<String> found = new ArrayList<>();
    for (NvccWords.Change c : NvccWords.changes(words)) {
      String was = String.join(" ", words.subList(c.first(), c.first() + c.count()));
      String now = c.words().isEmpty() ? "left out" : String.join(" ", c.words());
      boolean linked = was.startsWith("-l") && library(was.substring(2)).isPresent();
      if (was.startsWith("-") && !linked && !c.arch()) {
        found.add(was + ": " + (c.problem().isEmpty() ? now : c.problem()));
      }
    }
    return found;
  }
}
