package dev.rocport.buildsystem.autotools;

import dev.rocport.buildsystem.shared.LibraryCopies.Use;
import dev.rocport.commandline.NvccWords;
import dev.rocport.core.source.SourceFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Computes the ROCm counterparts of the words of a makefile. Makes no edits itself. */
final class Renaming {
  private static final Pattern REFERENCE =
      Pattern.compile("\\$\\((\\w+)\\)|\\$\\{(\\w+)\\}|@(\\w+)@");

  /** Variables whose words are passed to nvcc, and to hipcc in the port. */
  private static final String ARCH_FLAGS = "$(ROCM_ARCHFLAGS)";

  private final Set<String> own;
  private final Map<String, String> renamed = new TreeMap<>();
  private final Scripts scripts;
  private final AutotoolsCopies copies;

  /** CUDA names with a twin to which variables and rules of the project refer. */
  final Set<String> used = new TreeSet<>();

  /** Names that follow -I or -L. */
  final Set<String> paths = new TreeSet<>();

  /**
   * @param own variables that the makefile sets itself
   * @param copies include folders of copies of libraries
   */
  Renaming(Set<String> own, Scripts scripts, AutotoolsCopies copies) {
    this.copies = copies;
    this.own = own;
    this.scripts = scripts;
  }

  /** A replacement of bytes of the file. */
  record Change(int start, int end, String text) {}

  /** A problem with a span, or a note about it. */
  record Remark(int start, int end, String message) {}

  /** An include folder that leads to a copy of a library. */
  record Folder(int start, int end, String text, Use use) {}

  /** The ported form of a span of the file. */
  record Outcome(
      List<Change> changes, List<Remark> problems, List<Remark> notes, List<Folder> folders) {
    boolean isClear() {
      return problems.isEmpty();
    }

    boolean isSame() {
      return changes.isEmpty();
    }

    /** Returns the new text of a span. */
    String text(SourceFile file, int from, int to) {
      StringBuilder s = new StringBuilder();
      int at = from;
      for (Change c : changes) {
        if (c.start() >= at && c.end() <= to) {
          s.append(file.text(at, c.start())).append(c.text());
          at = c.end();
        }
      }
      return s.append(file.text(at, to)).toString();
    }
  }

  /** Renames a variable of the makefile. */
  void rename(String name) {
    renamed.put(name, Names.twin(name));
  }

  boolean isRenamed(String name) {
    return renamed.containsKey(name);
  }

  /** Ports parts of a makefile. */
  Outcome of(AutomakeFile made, List<AutomakeFile.Part> parts) {
    List<Change> changes = new ArrayList<>();
    List<Remark> problems = new ArrayList<>();
    List<Remark> notes = new ArrayList<>();
    List<Folder> folders = new ArrayList<>();
    for (AutomakeFile.Part part : parts) {
      Outcome o =
          switch (part) {
            case AutomakeFile.Assignment a -> assignment(made, a);
            case AutomakeFile.Rule r -> rule(made, r);
            case AutomakeFile.Other o2 -> new Outcome(List.of(), List.of(), List.of(), List.of());
            case AutomakeFile.Conditional c -> conditional(made, c);
          };
      changes.addAll(o.changes());
      problems.addAll(o.problems());
      notes.addAll(o.notes());
      folders.addAll(o.folders());
    }
    changes.sort(Comparator.comparingInt(Change::start));
    return new Outcome(changes, problems, notes, folders);
  }

  private Outcome conditional(AutomakeFile made, AutomakeFile.Conditional c) {
    List<AutomakeFile.Part> inside = new ArrayList<>(c.then());
    inside.addAll(c.other());
    Outcome o = of(made, inside);
    List<Change> changes = new ArrayList<>(o.changes());
    if (Names.isSwitch(c.name())) {
      for (int line : new int[] {c.first(), c.otherwise(), c.last()}) {
        if (line > 0) {
          replaceWord(made, line, c.name(), changes);
        }
      }
    }
    changes.sort(Comparator.comparingInt(Change::start));
    return new Outcome(changes, o.problems(), o.notes(), o.folders());
  }

  private static void replaceWord(AutomakeFile made, int line, String name, List<Change> changes) {
    Matcher m = Pattern.compile("\\b" + name + "\\b").matcher(made.text(line));
    if (m.find()) {
      int start = made.file().lineStart(line) + m.start();
      changes.add(new Change(start, start + name.length(), Names.twin(name)));
    }
  }

  Outcome assignment(AutomakeFile made, AutomakeFile.Assignment a) {
    Stretch s = new Stretch(made.file(), a.value(), made.file().lineEnd(a.last()));
    boolean scripted = a.name().equals("EXTRA_DIST") || a.name().endsWith("_SCRIPTS");
    s.words(scripted, a.name().contains("NVCC") ? 0 : -1);
    String name = renamed.get(a.name());
    if (name != null) {
      int start = made.file().lineStart(a.first()) + made.text(a.first()).indexOf(a.name());
      s.changes.addFirst(new Change(start, start + a.name().length(), name));
    }
    return s.outcome();
  }

  Outcome rule(AutomakeFile made, AutomakeFile.Rule rule) {
    List<Change> changes = new ArrayList<>();
    List<Remark> problems = new ArrayList<>();
    List<Remark> notes = new ArrayList<>();
    List<Folder> folders = new ArrayList<>();
    int line = rule.first();
    while (line <= rule.last()) {
      int last = line;
      while (last < rule.last() && made.text(last).endsWith("\\")) {
        last++;
      }
      SourceFile file = made.file();
      Stretch s = new Stretch(file, file.lineStart(line), file.lineEnd(last));
      if (!made.text(line).startsWith("#")) {
        s.words(false, -1);
      }
      Outcome o = s.outcome();
      changes.addAll(o.changes());
      problems.addAll(o.problems());
      notes.addAll(o.notes());
      folders.addAll(o.folders());
      line = last + 1;
    }
    return new Outcome(changes, problems, notes, folders);
  }

  /** Ports one logical line. */
  private final class Stretch {
    private final SourceFile file;
    private final int from;
    private final String text;
    private final List<Words.Word> words;
    private final List<Change> changes = new ArrayList<>();
    private final List<Remark> problems = new ArrayList<>();
    private final List<Remark> notes = new ArrayList<>();
    private final List<Folder> folders = new ArrayList<>();

    Stretch(SourceFile file, int from, int to) {
      this.file = file;
      this.from = from;
      // One character a byte, so that offsets are those of the file.
      this.text =
          new String(file.bytes(), from, to - from, java.nio.charset.StandardCharsets.ISO_8859_1);
      this.words = Words.of(text);
    }

    Outcome outcome() {
      changes.sort(Comparator.comparingInt(Change::start));
      return new Outcome(changes, problems, notes, folders);
    }

    /**
     * @param listsFiles whether the words are file names and not commands
     * @param flags index of the first nvcc flag; -1 if the words contain the call of nvcc
     */
    void words(boolean listsFiles, int flags) {
      int first = flags;
      boolean hasFlags = false;
      for (int i = 0; i < words.size(); i++) {
        Words.Word w = words.get(i);
        hasFlags |= w.text().matches("\\$[({]\\w*NVCC\\w*FLAGS\\w*[)}]");
        if (first < 0 && isNvcc(w.text())) {
          first = i + 1;
        }
      }
      boolean[] done = new boolean[words.size()];
      if (!listsFiles) {
        copies(done);
        flags(first, hasFlags, done);
      }
      for (int i = 0; i < words.size(); i++) {
        if (!done[i]) {
          word(words.get(i), listsFiles);
        }
      }
    }

    /** Leaves out the include folders of copies of libraries. */
    private void copies(boolean[] done) {
      for (int i = 0; i < words.size(); i++) {
        int count = copies.words(words, i);
        if (count == 0) {
          continue;
        }
        Words.Word last = words.get(i + count - 1);
        String flag = words.get(i).text() + (count == 2 ? last.text() : "");
        Use use = copies.use(file.path(), flag);
        int start = words.get(i).start();
        if (use.kind() != Use.Kind.NONE) {
          String all = text.substring(start, last.end());
          folders.add(new Folder(from + start, from + last.end(), all, use));
        }
        if (use.kind() == Use.Kind.LEFT_OUT) {
          changes.add(new Change(from + spaced(i, start, last.end()), from + last.end(), ""));
          for (int k = i; k < i + count; k++) {
            done[k] = true;
          }
        }
      }
    }

    /**
     * Returns where to begin to delete words: with the space before them, or with the end of the
     * line before if they are alone on theirs, because automake refuses blank lines after a
     * backslash.
     */
    private int spaced(int i, int start, int end) {
      int open = i > 0 ? words.get(i - 1).end() : start;
      boolean first = text.substring(open, start).contains("\\");
      boolean last = text.substring(end).matches("(?s)[ \\t]*(?:\\\\?\\R.*)?");
      return first && !last ? start : open;
    }

    private boolean isNvcc(String word) {
      String bare = word.replaceAll("^[@+-]*[\"']?|[\"']$", "");
      return bare.matches("\\$[({]NVCC[)}]|@NVCC@|nvcc|.*/nvcc");
    }

    private void flags(int first, boolean hasFlags, boolean[] done) {
      boolean arch = hasFlags;
      List<String> texts = words.stream().map(Words.Word::text).toList();
      for (NvccWords.Change c : NvccWords.changes(texts)) {
        int end = commandEnd(first, texts);
        boolean isNvccs = first >= 0 && c.first() >= first && c.first() < end;
        if (done[c.first()] || (!isNvccs && !texts.get(c.first()).startsWith("-l"))) {
          continue;
        }
        int start = words.get(c.first()).start();
        int last = words.get(c.first() + c.count() - 1).end();
        if (!c.problem().isEmpty()) {
          problems.add(
              new Remark(from + start, from + last, texts.get(c.first()) + ": " + c.problem()));
          continue;
        }
        if (!c.note().isEmpty()) {
          notes.add(
              new Remark(
                  from + start, from + last, texts.get(c.first()) + " is left out: " + c.note()));
        }
        String now = String.join(" ", c.words());
        if (c.arch() && !arch) {
          now = ARCH_FLAGS;
          arch = true;
        }
        for (int i = c.first(); i < c.first() + c.count(); i++) {
          done[i] = true;
        }
        now = references(now, from + start, from + last);
        int open = now.isEmpty() ? spaced(c.first(), start, last) : start;
        changes.add(new Change(from + open, from + last, now));
      }
    }

    private static int commandEnd(int first, List<String> texts) {
      for (int i = Math.max(0, first); i < texts.size(); i++) {
        if (texts.get(i).matches("&&|\\|\\||;|\\||.*;")) {
          return i + (texts.get(i).endsWith(";") ? 1 : 0);
        }
      }
      return texts.size();
    }

    private void word(Words.Word w, boolean listsFiles) {
      int start = from + w.start();
      int end = from + w.end();
      String now = references(w.text(), start, end);
      if (!listsFiles && w.text().matches("[@+-]*(nvcc|[^=\\s]*/nvcc)")) {
        now = w.text().replaceFirst("[^@+-].*", Matcher.quoteReplacement("$(HIPCC)"));
      }
      Optional<String> script = scripts.find(file.path(), w.text());
      if (script.isPresent()) {
        String problem = scripts.problem(script.get());
        if (!problem.isEmpty()) {
          problems.add(new Remark(start, end, problem));
        } else {
          String name = name(script.get());
          String twin = name(Names.file(script.get()));
          now = listsFiles ? now + " " + now.replace(name, twin) : now.replace(name, twin);
          if (listsFiles && listed(twin)) {
            now = w.text();
          }
        }
      }
      if (!now.equals(w.text())) {
        changes.add(new Change(start, end, now));
      }
    }

    private boolean listed(String name) {
      return words.stream().anyMatch(w -> w.text().equals(name) || w.text().endsWith("/" + name));
    }

    private static String name(String path) {
      return path.substring(path.lastIndexOf('/') + 1);
    }

    private String references(String word, int start, int end) {
      Matcher m = REFERENCE.matcher(word);
      StringBuilder s = new StringBuilder();
      while (m.find()) {
        String name =
            m.group(1) != null ? m.group(1) : m.group(2) != null ? m.group(2) : m.group(3);
        boolean path = word.substring(0, m.start()).matches("-[IL]");
        String twin = twin(name, path, start, end);
        String now = twin == null ? m.group() : m.group().replace(name, twin);
        m.appendReplacement(s, Matcher.quoteReplacement(now));
      }
      return m.appendTail(s).toString();
    }

    private @Nullable String twin(String name, boolean path, int start, int end) {
      if (renamed.containsKey(name)) {
        return renamed.get(name);
      }
      if (own.contains(name)) {
        return null;
      }
      Optional<Names.Variable> known = Names.variable(name);
      if (known.isPresent()) {
        used.add(name);
        if (path) {
          paths.add(name);
        }
        return known.get().name();
      }
      if (name.contains("CUDA") || name.contains("NVCC")) {
        problems.add(new Remark(start, end, name + " has no known ROCm counterpart"));
      }
      return null;
    }
  }
}
