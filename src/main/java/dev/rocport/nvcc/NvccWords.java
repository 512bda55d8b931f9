package dev.rocport.nvcc;

import dev.rocport.nvcc.NvccTables.Flag;
import dev.rocport.nvcc.NvccTables.Library;
import dev.rocport.nvcc.NvccTables.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Words of an nvcc command line as hipcc's, one after the other, for build files: variables of make
 * and of the shell stay where they are.
 */
public final class NvccWords {
  private NvccWords() {}

  /**
   * Some words that belong together, and what becomes of them.
   *
   * @param first index of the first
   * @param count number of words
   * @param words what stands for them; empty if nothing does
   * @param arch they name GPUs to compile for
   * @param note what to know, if they are left out
   * @param problem why they cannot be told to hipcc; empty if they can
   */
  public record Change(
      int first, int count, List<String> words, boolean arch, String note, String problem) {
    public Change {
      words = List.copyOf(words);
    }
  }

  /** The changes, in order of place; words without one stay. */
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

  /** True for a word that looks like a flag and is none of nvcc's. */
  public static boolean isUnknown(String word) {
    if (!word.startsWith("-") || word.equals("-") || word.startsWith("-l")) {
      return false;
    }
    int equals = word.indexOf('=');
    String name = equals < 0 ? word : word.substring(0, equals);
    return NvccTables.flag(name).isEmpty()
        && NvccTables.flags().stream()
            .noneMatch(f -> f.value() == Value.JOINED && word.startsWith("-" + f.shortName()));
  }

  private static Change change(List<String> words, int i) {
    String word = words.get(i);
    Optional<Library> library =
        word.startsWith("-l") ? NvccTables.library(word.substring(2)) : Optional.empty();
    if (library.isPresent()) {
      return library(library.get(), i);
    }
    int equals = word.indexOf('=');
    String name = equals < 0 ? word : word.substring(0, equals);
    Optional<Flag> found = word.startsWith("-") ? NvccTables.flag(name) : Optional.empty();
    if (found.isEmpty() || (equals >= 0 && found.get().value() == Value.NONE)) {
      return same(words, i, 1);
    }
    Flag flag = found.get();
    boolean apart = equals < 0 && flag.value() != Value.NONE && takesNext(flag, words, i);
    String value = equals >= 0 ? word.substring(equals + 1) : apart ? words.get(i + 1) : "";
    int count = apart ? 2 : 1;
    return switch (flag.action()) {
      case "drop" -> new Change(i, count, List.of(), isArch(flag), "", "");
      case "note" -> new Change(i, count, List.of(), false, flag.reason(), "");
      case "refuse" -> new Change(i, count, List.of(), false, "", flag.reason());
      case "pass", "link" -> pass(flag, value, words, i, count);
      case "mode" -> mode(flag, words, i);
      case "host" -> to(i, count, NvccParser.split(unquoted(value)));
      case "relocatable" -> to(i, count, value.equals("false") ? List.of() : List.of("-fgpu-rdc"));
      case "standard" -> to(i, count, List.of("-std=" + value));
      case "language" ->
          value.equals("cu") ? to(i, count, List.of("-x", "hip")) : same(words, i, count);
      case "switch" -> {
        int bar = flag.detail().indexOf('|');
        String text =
            value.equals("false")
                ? flag.detail().substring(bar + 1)
                : flag.detail().substring(0, bar);
        yield to(i, count, text.isEmpty() ? List.of() : List.of(text));
      }
      case "stream" ->
          to(
              i,
              count,
              value.equals("per-thread") ? List.of("-fgpu-default-stream=per-thread") : List.of());
      case "forward" -> to(i, count, List.of());
      case "output-folder", "options-file", "query" ->
          new Change(i, count, List.of(), false, "", "hipcc has no such flag");
      default -> same(words, i, count);
    };
  }

  private static boolean takesNext(Flag flag, List<String> words, int i) {
    if (i + 1 >= words.size()) {
      return false;
    }
    String next = words.get(i + 1);
    return switch (flag.value()) {
      case NONE -> false;
      case BOOL -> next.equals("true") || next.equals("false");
      default -> !flag.action().equals("optimize") || next.matches("[0-3s]|max|min|fast");
    };
  }

  private static boolean isArch(Flag flag) {
    return flag.name().startsWith("gpu-") || flag.name().equals("generate-code");
  }

  private static Change library(Library library, int i) {
    if (library.reason().startsWith("no counterpart")) {
      return new Change(i, 1, List.of(), false, "", library.reason());
    }
    String name =
        library.name().startsWith("cudart") || library.name().equals("cuda")
            ? "amdhip64"
            : library.hip();
    return to(i, 1, name.isEmpty() ? List.of() : List.of("-l" + name));
  }

  private static Change pass(Flag flag, String value, List<String> words, int i, int count) {
    if (flag.value() == Value.JOINED || flag.detail().isEmpty()) {
      return same(words, i, count);
    }
    List<String> list =
        flag.value() == Value.LIST ? NvccParser.split(unquoted(value)) : List.of(value);
    List<String> to = new ArrayList<>();
    for (String one : flag.value() == Value.NONE ? List.of("") : list) {
      for (String word : flag.detail().split(" ")) {
        to.add(word.replace("{}", one));
      }
    }
    return to(i, count, to);
  }

  private static Change mode(Flag flag, List<String> words, int i) {
    return switch (flag.detail()) {
      case "compile-relocatable" -> to(i, 1, List.of("-fgpu-rdc", "-c"));
      case "compile" -> to(i, 1, List.of("-c"));
      case "link" -> to(i, 1, List.of());
      case "preprocess", "dependencies", "dependencies-own" -> same(words, i, 1);
      default ->
          new Change(i, 1, List.of(), false, "", "hipcc does this in another way: see its manual");
    };
  }

  private static String unquoted(String value) {
    return value.replaceAll("^[\"']|[\"']$", "");
  }

  private static Change same(List<String> words, int i, int count) {
    return new Change(i, count, words.subList(i, i + count), false, "", "");
  }

  private static Change to(int i, int count, List<String> words) {
    return new Change(i, count, words, false, "", "");
  }
}
