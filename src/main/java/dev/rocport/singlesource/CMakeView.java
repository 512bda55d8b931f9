package dev.rocport.singlesource;

import dev.rocport.buildsystem.cmake.CMakeCommand;
import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import dev.rocport.core.source.SourceFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A CMake file with all gates off: without branches that only AMD builds take, without conditionals
 * that are then constant, and without the definitions of the gates. Code that depends on more than
 * gates is kept.
 */
final class CMakeView {
  /** Variables that are set only in builds for AMD GPUs. */
  static final Set<String> GATES =
      Set.of("HIP_PLATFORM_AMD", "USE_ROCM", "USE_HIP", "ROCPORT_AMD", "hip_FOUND");

  private static final Set<String> FALSE = Set.of("OFF", "0", "NO", "FALSE", "N", "IGNORE", "");

  private static final Set<String> SETS_FIRST =
      Set.of("set", "option", "cmake_dependent_option", "foreach");
  private static final Set<String> SETS_ANY = Set.of("list", "string", "math");

  private final SourceFile file;
  private final String text;
  private final List<CMakeCommand> commands;
  private final Set<String> off;
  private final boolean[] cut;

  /** Offsets of deleted letters: an elseif that becomes an if. */
  private final Map<Integer, Integer> shortened = new HashMap<>();

  /** The blocks of the original in gates, innermost last. */
  private final List<Block> blocks = new ArrayList<>();

  private int gates;

  /** One branch of a conditional. */
  private record Branch(int command, int until) {}

  /** Lines that a gate may have indented. */
  private record Block(int from, int to, int added) {}

  /**
   * A remaining line.
   *
   * @param number 1-based line of the file
   * @param text with its line end
   * @param blocks gates around it that may have indented it
   */
  private record Line(int number, String text, List<Integer> blocks) {}

  /**
   * The remaining file.
   *
   * @param numbers line number in the file of each line
   */
  record View(List<String> lines, List<Integer> numbers, int gates) {
    byte[] bytes() {
      return String.join("", lines).getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  private CMakeView(SourceFile file, List<CMakeCommand> commands, Set<String> off) {
    this.file = file;
    this.text = latin(file);
    this.commands = commands;
    this.off = off;
    this.cut = new boolean[file.lines() + 2];
  }

  private static String latin(SourceFile file) {
    return new String(file.bytes(), StandardCharsets.ISO_8859_1);
  }

  /**
   * Returns the remaining file; empty if it is not valid CMake.
   *
   * @param macros gates in addition to the default ones
   * @param like lines of the old file: indentation that a gate added is removed if the lines are
   *     then equal
   */
  static Optional<View> of(SourceFile file, Set<String> macros, List<String> like) {
    Optional<List<CMakeCommand>> commands = CMakeCommand.of(latin(file));
    if (commands.isEmpty()) {
      return Optional.empty();
    }
    Set<String> off = new HashSet<>(GATES);
    off.addAll(macros);
    while (true) {
      CMakeView view = new CMakeView(file, commands.get(), Set.copyOf(off));
      if (!view.resolve()) {
        return Optional.empty();
      }
      // A variable that is on in all builds is not a gate.
      Set<String> on = view.switchedOn();
      if (!off.removeAll(on)) {
        return Optional.of(view.view(like));
      }
    }
  }

  /** Returns false if the conditionals do not nest. */
  private boolean resolve() {
    Deque<List<Integer>> open = new ArrayDeque<>();
    List<List<Integer>> chains = new ArrayList<>();
    for (int i = 0; i < commands.size(); i++) {
      switch (commands.get(i).name()) {
        case "if" -> open.push(new ArrayList<>(List.of(i)));
        case "elseif", "else" -> {
          if (open.isEmpty()) {
            return false;
          }
          open.getFirst().add(i);
        }
        case "endif" -> {
          if (open.isEmpty()) {
            return false;
          }
          List<Integer> chain = open.pop();
          chain.add(i);
          chains.add(chain);
        }
        default -> {}
      }
    }
    if (!open.isEmpty()) {
      return false;
    }
    chains.forEach(this::resolve);
    commands.stream().filter(this::isDefinition).filter(this::hasLines).forEach(this::define);
    return true;
  }

  /**
   * @param chain the commands from if to endif
   */
  private void resolve(List<Integer> chain) {
    if (!chain.stream().allMatch(i -> hasLines(commands.get(i)))) {
      return;
    }
    List<Branch> branches = new ArrayList<>();
    for (int k = 0; k + 1 < chain.size(); k++) {
      branches.add(new Branch(chain.get(k), chain.get(k + 1)));
    }
    DecidedBranches<Branch> decided =
        DecidedBranches.of(branches, (b, first) -> truth(commands.get(b.command), first));
    if (decided.isUnchanged()) {
      return;
    }
    gates++;
    List<Branch> open = decided.open();
    for (Branch b : decided.dead()) {
      cut(firstLine(b.command), firstLine(b.until) - 1);
    }
    CMakeCommand end = commands.get(chain.getLast());
    if (open.isEmpty() || decided.bare()) {
      cut(file.line(end.start()), lastLine(end));
      for (Branch b : open) {
        CMakeCommand opens = commands.get(b.command);
        cut(file.line(opens.start()), lastLine(opens));
        block(commands.get(chain.getFirst()), lastLine(opens) + 1, firstLine(b.until) - 1);
      }
    } else if (open.getFirst().command != chain.getFirst()) {
      // The former elseif is now the first condition.
      shortened.put(commands.get(open.getFirst().command).start(), 4);
    }
  }

  /**
   * Returns the value of a condition. An else is decided only if no undecided condition precedes
   * it.
   */
  private @Nullable Boolean truth(CMakeCommand c, boolean first) {
    if (c.name().equals("else")) {
      return first ? Boolean.TRUE : null;
    }
    return CMakeCondition.evaluate(c.arguments(), off);
  }

  private void block(CMakeCommand gate, int from, int to) {
    int outer = indentation(file.line(gate.start()));
    for (int line = from; line <= to; line++) {
      if (!cut[line] && !content(line).isBlank()) {
        int added = indentation(line) - outer;
        if (added > 0) {
          blocks.add(new Block(from, to, added));
        }
        return;
      }
    }
  }

  private int indentation(int line) {
    String content = content(line);
    return content.length() - content.stripLeading().length();
  }

  private String content(int line) {
    return text.substring(file.lineStart(line), file.lineEnd(line));
  }

  private int firstLine(int command) {
    return file.line(commands.get(command).start());
  }

  private int lastLine(CMakeCommand c) {
    return file.line(c.end() - 1);
  }

  private void cut(int from, int to) {
    for (int line = from; line <= to; line++) {
      cut[line] = true;
    }
  }

  /** Returns true if the lines of a command contain nothing else except a comment after it. */
  private boolean hasLines(CMakeCommand c) {
    int line = file.line(c.start());
    String before = text.substring(file.lineStart(line), c.start());
    String after = text.substring(c.end(), file.lineEnd(lastLine(c))).strip();
    boolean mark = line == 1 && before.equals("\u00ef\u00bb\u00bf");
    return before.isBlank() && !mark && (after.isEmpty() || isLineComment(after));
  }

  private static boolean isLineComment(String s) {
    return s.startsWith("#") && !s.matches("(?s)#\\[=*\\[.*");
  }

  /** Returns true for {@code option(GATE "..." OFF)} and {@code set(GATE OFF ...)}. */
  private boolean isDefinition(CMakeCommand c) {
    List<Argument> a = c.arguments();
    if (a.isEmpty() || !off.contains(a.getFirst().text())) {
      return false;
    }
    return switch (c.name()) {
      case "option" -> a.size() == 2 || (a.size() == 3 && isFalse(a.get(2)));
      case "set" -> a.size() >= 2 && isFalse(a.get(1)) && (a.size() == 2 || a.get(2).is("CACHE"));
      default -> false;
    };
  }

  private static boolean isFalse(Argument a) {
    return FALSE.contains(a.text().toUpperCase(Locale.ROOT));
  }

  private void define(CMakeCommand c) {
    int from = file.line(c.start());
    if (!cut[from]) {
      gates++;
      cut(from, lastLine(c));
    }
  }

  /** Returns gates that the file sets in an NVIDIA build. */
  private Set<String> switchedOn() {
    Set<String> on = new HashSet<>();
    for (CMakeCommand c : commands) {
      if (cut[file.line(c.start())]) {
        continue;
      }
      List<Argument> a = c.arguments();
      if (SETS_ANY.contains(c.name())) {
        a.forEach(word -> on.add(word.text()));
      } else if (!a.isEmpty() && (SETS_FIRST.contains(c.name()) || c.name().startsWith("find_"))) {
        on.add(a.getFirst().text());
      }
      if (c.name().equals("find_package") && !a.isEmpty()) {
        on.add(a.getFirst().text() + "_FOUND");
      }
    }
    on.retainAll(off);
    return on;
  }

  private View view(List<String> like) {
    boolean[] fixed = fixed();
    List<Line> lines = new ArrayList<>();
    for (int n = 1; n <= file.lines(); n++) {
      if (cut[n]) {
        continue;
      }
      int start = file.lineStart(n);
      int end = n < file.lines() ? file.lineStart(n + 1) : file.length();
      String line = text.substring(start, end);
      for (Map.Entry<Integer, Integer> e : shortened.entrySet()) {
        if (e.getKey() >= start && e.getKey() < end) {
          int at = e.getKey() - start;
          line = line.substring(0, at) + line.substring(at + e.getValue());
        }
      }
      List<Integer> around = new ArrayList<>();
      for (int b = 0; b < blocks.size(); b++) {
        if (!fixed[n] && blocks.get(b).from <= n && n <= blocks.get(b).to) {
          around.add(b);
        }
      }
      lines.add(new Line(n, line, around));
    }
    int[] taken = indentations(lines, like);
    return new View(
        lines.stream().map(l -> shifted(l.text, sum(l.blocks, taken))).toList(),
        lines.stream().map(Line::number).toList(),
        gates);
  }

  /** Returns for each block the indentation that its gate added. */
  private int[] indentations(List<Line> lines, List<String> like) {
    int[] taken = new int[blocks.size()];
    boolean[] known = new boolean[blocks.size()];
    for (int i = 0; i < Math.min(lines.size(), like.size()); i++) {
      Line line = lines.get(i);
      List<Integer> free = line.blocks.stream().filter(b -> !known[b]).toList();
      if (free.isEmpty() || free.size() > 8 || line.text.isBlank()) {
        continue;
      }
      for (int choice = 0; choice < 1 << free.size(); choice++) {
        int[] tried = taken.clone();
        for (int k = 0; k < free.size(); k++) {
          int b = free.get(k);
          tried[b] = (choice >> k & 1) == 1 ? blocks.get(b).added : 0;
        }
        if (shifted(line.text, sum(line.blocks, tried)).equals(like.get(i))) {
          taken = tried;
          free.forEach(b -> known[b] = true);
          break;
        }
      }
    }
    return taken;
  }

  private static int sum(List<Integer> blocks, int[] taken) {
    return blocks.stream().mapToInt(b -> taken[b]).sum();
  }

  private static String shifted(String line, int by) {
    int blank = 0;
    while (blank < line.length() && (line.charAt(blank) == ' ' || line.charAt(blank) == '\t')) {
      blank++;
    }
    return blank < by ? line : line.substring(by);
  }

  /** Returns the lines that begin inside a string or bracket, where white space is text. */
  private boolean[] fixed() {
    boolean[] fixed = new boolean[file.lines() + 2];
    for (CMakeCommand c : commands) {
      for (Argument a : c.arguments()) {
        if (a.quoted() || a.text().indexOf('\n') >= 0) {
          Arrays.fill(fixed, file.line(a.start()) + 1, file.line(a.end() - 1) + 1, true);
        }
      }
    }
    return fixed;
  }
}
