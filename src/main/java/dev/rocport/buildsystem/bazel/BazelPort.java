package dev.rocport.buildsystem.bazel;

import dev.rocport.buildsystem.calls.Call;
import dev.rocport.buildsystem.calls.CallDraft;
import dev.rocport.buildsystem.calls.FlagList;
import dev.rocport.buildsystem.calls.Group;
import dev.rocport.buildsystem.calls.Item;
import dev.rocport.buildsystem.calls.Part;
import dev.rocport.buildsystem.calls.Statement;
import dev.rocport.buildsystem.calls.Token;
import dev.rocport.commandline.NvccWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ports one Starlark file: the arguments that rules and commands of the project pass to nvcc. */
final class BazelPort {
  /** CUDA names in strings: programs, folders, variables, libraries. */
  private static final Pattern WORD =
      Pattern.compile(
          "(?<root>/usr/local/cuda(?:-[\\d.]+)?(?![\\w-]))(?<sub>/lib64)?"
              + "|(?<![\\w.$-])(?<nvcc>nvcc)(?![\\w.-])"
              + "|(?<![\\w.])(?<variable>CUDA_PATH|CUDA_HOME|CUDA_ROOT|CUDA_TOOLKIT_PATH)(?!\\w)"
              + "|(?<![\\w-])(?<link>-l)(?<library>\\w+)"
              + "|(?<![\\w])lib(?<file>\\w+)\\.so(?![\\w])"
              + "|(?<=[}/]|^|\")(?<folder>lib64)(?=[/\"']|\\s|$)");

  private static final Pattern NAMES =
      Pattern.compile(
          "if_cuda\\w*|cuda_default_copts|cuda_header_library|tf_cuda_\\w+|tf_gpu_\\w+|cuda_py_test"
              + "|requires_cuda\\w*|if_cuda_is_configured");

  private static final Pattern SHELL = Pattern.compile("\\s+|\\\\\\n");

  private final BazelFile file;
  private final BazelFacts facts;
  private final CallDraft draft;
  private final FlagList flags;
  private final BazelCopies copies;

  /**
   * @param root the folder of the workspace, with a slash at the end; empty for that of the tree
   */
  BazelPort(BazelFile file, BazelFacts facts, CallDraft draft, String root) {
    this.copies = new BazelCopies(file, facts, draft, root);
    this.file = file;
    this.facts = facts;
    this.draft = draft;
    this.flags = new FlagList(file.text(), draft, BazelBuild.FLAGS);
  }

  void port() {
    copies.port();
    for (Statement s : file.statements()) {
      for (Call c : Call.in(s.parts())) {
        call(s, c);
      }
      if (facts.isFlags(s.assigned())) {
        flags.port(s.value());
      }
    }
    if (Pattern.compile("(?i)cuda|nvcc").matcher(file.text()).find()) {
      file.strings().forEach(this::words);
    }
  }

  private void call(Statement s, Call c) {
    String name = c.name().text();
    if (!c.method() && name.equals("load")) {
      load(c);
    } else if (!c.method() && NAMES.matcher(name).matches() && !facts.isOwn(name)) {
      draft.problem(
          c.start(),
          c.end(),
          name + "() belongs to another project's CUDA rules; call its ROCm counterpart");
    } else if (facts.isAdd(file, c)) {
      add(s, c);
    } else if (facts.isRule(c)) {
      c.arguments().items().stream().filter(facts::isFlags).forEach(i -> flags.port(i.parts()));
    }
    for (Item i : c.arguments().items()) {
      boolean shell = i.keyword().matches("cmd|cmd_bash|command") && facts.isShell(i);
      if (shell) {
        i.terms().forEach(this::shell);
      } else if (i.keyword().equals("arguments") && BazelFacts.runsNvcc(c.arguments())) {
        flags.port(i.parts());
      }
    }
  }

  private void load(Call c) {
    Optional<Token> from = c.arguments().positional().stream().findFirst().flatMap(Item::string);
    String label = from.map(Token::value).orElse("");
    if (isOther(label)) {
      draft.problem(
          c.start(),
          c.end(),
          label
              + " belongs to another project's CUDA rules; write rules of your own that call"
              + " hipcc");
    }
  }

  /** Returns whether a label belongs to CUDA rules of another project. */
  private boolean isOther(String label) {
    Matcher m = Pattern.compile("@(local_config_cuda|rules_cuda|cuda)//.*").matcher(label);
    return m.matches() && !facts.isRepository(m.group(1));
  }

  /**
   * Ports {@code args.add("-Xcompiler", "-Wall")}. If nothing is left, {@code pass} replaces it.
   */
  private void add(Statement s, Call c) {
    List<Item> words = c.arguments().positional();
    if (words.size() == 1 && words.getFirst().string().isEmpty()) {
      flags.port(words.getFirst().parts());
      return;
    }
    SortedSet<Integer> deleted = flags.port(c.arguments(), words);
    if (!words.isEmpty() && deleted.size() == words.size()) {
      boolean whole = s.start() == c.start() && s.end() == c.end();
      if (whole) {
        draft.replaceAll(c.start(), c.end(), "pass", BazelBuild.FLAG);
      } else {
        draft.problem(
            c.start(),
            c.end(),
            "this expression only adds flags that hipcc does not need; remove it by hand");
      }
    } else if (c.name().text().equals("add") && words.size() == 2) {
      // add(a, b) accepts only a flag and its value.
      String now = draft.render(c.arguments().start(), c.arguments().end());
      if (now.chars().filter(x -> x == ',').count() > 1) {
        draft.replaceAll(
            c.arguments().start(),
            c.arguments().end(),
            "([" + now.substring(1, now.length() - 1) + "])",
            BazelBuild.FLAG);
        draft.replace(c.name().start(), c.name().end(), "add_all", BazelBuild.FLAG);
      }
    }
  }

  /** Ports the nvcc flags in a part of a shell command. */
  private void shell(Item term) {
    List<Token> strings = new ArrayList<>();
    for (Part p : term.parts()) {
      if (p instanceof Token t && t.isString()) {
        strings.add(t);
      }
    }
    for (Token t : strings) {
      List<int[]> spans = spans(t);
      List<String> words = spans.stream().map(x -> file.text().substring(x[0], x[1])).toList();
      copies.shell(spans, words);
      for (NvccWords.Change c : NvccWords.changes(words)) {
        int start = spans.get(c.first())[0];
        int end = spans.get(c.first() + c.count() - 1)[1];
        String was = file.text().substring(start, end);
        if (!c.problem().isEmpty()) {
          draft.problem(start, end, was + ": " + c.problem());
          continue;
        }
        if (c.arch()) {
          draft.note(
              BazelBuild.ARCH, start, end, was + " is left out: " + BazelBuild.FLAGS.archAdvice());
        }
        boolean blank = c.words().isEmpty() && c.first() + c.count() < spans.size();
        int to = blank ? spans.get(c.first() + c.count())[0] : end;
        draft.replace(start, to, String.join(" ", c.words()), BazelBuild.FLAG);
      }
    }
    for (Part p : term.parts()) {
      if (p instanceof Group g) {
        g.items().forEach(i -> flags.port(i.parts()));
      }
    }
  }

  /** Returns the spans of the words in a string; {@code $(...)} belongs to one word. */
  private static List<int[]> spans(Token t) {
    List<int[]> spans = new ArrayList<>();
    String text = t.text();
    int quotes = text.startsWith("\"\"\"") ? 3 : 1;
    int i = quotes;
    int end = text.length() - quotes;
    while (i < end) {
      Matcher blank = SHELL.matcher(text).region(i, end);
      if (blank.lookingAt()) {
        i = blank.end();
        continue;
      }
      int from = i;
      int depth = 0;
      boolean quoted = false;
      while (i < end && (quoted || depth > 0 || !SHELL.matcher(text).region(i, end).lookingAt())) {
        char c = text.charAt(i);
        quoted = (c == '\'') != quoted;
        depth += c == '(' ? 1 : c == ')' && depth > 0 ? -1 : 0;
        i++;
      }
      spans.add(new int[] {t.start() + from, t.start() + i});
    }
    return spans;
  }

  /** Ports programs, folders, variables and libraries of CUDA in a string. */
  private void words(Token t) {
    if (t.value().matches("(?s).*(--cuda-gpu-arch|--cuda-path|\"-x\", \"cuda\").*")) {
      draft.problem(
          t.start(),
          t.end(),
          "these are clang's CUDA flags; use its HIP flags, -x hip --offload-arch");
    }
    if (isOther(t.value())) {
      draft.problem(
          t.start(),
          t.end(),
          t.value() + " belongs to another project's CUDA rules; name the ROCm counterpart");
      return;
    }
    Matcher m = WORD.matcher(t.text());
    while (m.find()) {
      String text = null;
      if (m.group("root") != null) {
        text = "/opt/rocm" + (m.group("sub") == null ? "" : "/lib");
      } else if (m.group("nvcc") != null && isProgram(t)) {
        text = "hipcc";
      } else if (m.group("variable") != null) {
        text = "ROCM_PATH";
      } else if (m.group("folder") != null) {
        text = "lib";
      } else if (m.group("library") != null) {
        text = library(t, m, m.group("library")).map(l -> "-l" + l).orElse(null);
      } else if (m.group("file") != null) {
        text = library(t, m, m.group("file")).map(l -> "lib" + l + ".so").orElse(null);
      }
      if (text != null) {
        String rule = m.group("nvcc") != null ? BazelBuild.COMMAND : BazelBuild.PACKAGE;
        draft.replace(t.start() + m.start(), t.start() + m.end(), text, rule);
      }
    }
  }

  /** Returns whether nvcc is named as a program and not in prose. */
  private static boolean isProgram(Token t) {
    String value = t.value();
    return value.equals("nvcc")
        || value.endsWith("/nvcc")
        || value.startsWith("nvcc ")
        || value.matches("(?s).*(&&|;|\\|)\\s*nvcc\\s.*")
        || value.contains("/bin/nvcc")
        || value.matches("(?s).*\\n\\s*nvcc .*");
  }

  private Optional<String> library(Token t, Matcher m, String name) {
    List<NvccWords.Change> changes = NvccWords.changes(List.of("-l" + name));
    if (changes.isEmpty()) {
      return Optional.empty();
    }
    NvccWords.Change c = changes.getFirst();
    if (!c.problem().isEmpty()) {
      draft.problem(t.start() + m.start(), t.start() + m.end(), name + ": " + c.problem());
      return Optional.empty();
    }
    if (c.words().isEmpty()) {
      return Optional.of("amdhip64");
    }
    String word = c.words().getFirst();
    return word.startsWith("-l") ? Optional.of(word.substring(2)) : Optional.empty();
  }
}
