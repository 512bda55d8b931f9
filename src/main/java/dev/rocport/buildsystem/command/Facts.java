package dev.rocport.buildsystem.command;

import dev.rocport.buildsystem.command.FlagUses.Use;
import dev.rocport.buildsystem.shared.LibraryCopies;
import dev.rocport.commandline.GnuOpenMp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Facts from all build files of a project: the roles of variables. */
public final class Facts {
  /** A literal CUDA folder. */
  public static final String LITERAL =
      "/usr/local/cuda(?:-[\\d.]+)?(?![\\w.-])|/opt/cuda(?:-[\\d.]+)?(?![\\w.-])"
          + "|/usr/lib/cuda(?![\\w.-])";

  private static final Set<String> TOOLS =
      Set.of(
          "echo", "printf", "rm", "mkdir", "cp", "mv", "touch", "cd", "test", "[", "ln", "install",
          "tar", "sed", "awk", "cat", "chmod", "which", "if", "for", "command", "type", "exit",
          "true", "false", "@echo", "export", "set", "rmdir", "find", "grep", "diff", "make");

  /** The CUDA folder, or its default value. */
  private static final Pattern ROOT =
      Pattern.compile(LITERAL + "|(?s)\\$\\{\\w+:?[-=](" + LITERAL + ")\\}");

  private static final Pattern FINDS =
      Pattern.compile(
          "(?s).*\\b(which|command -v|type -p|wildcard|realpath|readlink)\\b.*nvcc\\b.*");

  private static final Pattern CUDA =
      Pattern.compile(LinkStep.LIBRARY + "|" + LITERAL + "|(?<![\\w.-])nvcc(?![\\w.-])");

  private static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w*");

  private final Syntax syntax;
  private final LibraryCopies copies;
  private final Map<String, List<String>> values = new TreeMap<>();
  private final Set<String> mentioned = new TreeSet<>();
  private final Set<String> compilers = new TreeSet<>();
  private final Set<String> mixed = new TreeSet<>();
  private final Set<String> roots = new TreeSet<>();
  private final Set<String> includes = new TreeSet<>();
  private final List<String> commands = new ArrayList<>();
  private final Archives archives = new Archives();
  private final FlagUses uses;
  private final VariableNames names;
  private boolean relocatable;
  private boolean openMp;
  private boolean cuda;
  private boolean finds;

  /**
   * @param copies copies of libraries in the tree
   */
  public Facts(Syntax syntax, LibraryCopies copies) {
    this.syntax = syntax;
    this.copies = copies;
    this.uses = new FlagUses(syntax, values);
    this.names = new VariableNames(syntax);
  }

  Syntax syntax() {
    return syntax;
  }

  /** Records that a variable is set or appended to. */
  public void assign(String name, String value) {
    values.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
    mention(value);
  }

  /** Records commands of a recipe or script. */
  public void command(String text) {
    commands.add(text);
    mention(text);
  }

  /** Records other text that may contain names. */
  public void mention(String text) {
    Matcher m = NAME.matcher(text);
    while (m.find()) {
      mentioned.add(m.group());
    }
  }

  /** Archives of the project. */
  public Archives archives() {
    return archives;
  }

  FlagUses uses() {
    return uses;
  }

  /** Names that variables get in the port. */
  VariableNames names() {
    return names;
  }

  /** Derives the roles; call it after all facts are recorded. */
  public void close() {
    mentioned.addAll(values.keySet());
    findCompilers();
    findRoots();
    for (String text : commands) {
      for (List<Word> command : commandsOf(text)) {
        note(command);
      }
    }
    for (String name : compilers) {
      for (String value : valuesOf(name)) {
        uses.note(value, Use.NVCC);
      }
    }
    RocmNames.FLAGS.keySet().forEach(n -> uses.add(n, Use.NVCC));
    boolean host = !compilers.contains("CXX") && !compilers.contains("CC");
    for (String name : List.of("CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "LDLIBS")) {
      boolean both = mixed.contains("CXX") || mixed.contains("CC");
      if (!host) {
        uses.add(name, Use.NVCC);
      }
      if (host || both) {
        uses.add(name, Use.HOST);
      }
    }
    uses.spread(compilers);
    values.forEach(
        (name, all) -> {
          if (isCompiler(name) || uses.isUsed(name, Use.NVCC)) {
            openMp |= all.stream().anyMatch(GnuOpenMp::isAsked);
          }
        });
    names.choose(mentioned, commands);
    for (List<String> all : values.values()) {
      cuda |= all.stream().anyMatch(CUDA.asPredicate());
    }
    cuda |= commands.stream().anyMatch(CUDA.asPredicate());
    cuda |= finds || roots.stream().anyMatch(mentioned::contains);
  }

  private List<String> valuesOf(String name) {
    return values.getOrDefault(name, List.of());
  }

  private List<List<Word>> commandsOf(String text) {
    return Word.commands(Word.of(syntax, text, 0, text.length(), true));
  }

  // Roles

  private void findCompilers() {
    RocmNames.COMPILERS.keySet().stream().filter(mentioned::contains).forEach(compilers::add);
    Map<String, Set<String>> calling = new TreeMap<>();
    values.forEach(
        (name, all) -> {
          for (Word w : all.stream().flatMap(v -> called(v).stream()).toList()) {
            syntax
                .variable(w.program())
                .ifPresent(v -> calling.computeIfAbsent(v, n -> new TreeSet<>()).add(name));
            if (isCompiler(w)) {
              compilers.add(name);
            }
          }
        });
    follow(compilers, calling);
    for (String name : compilers) {
      if (!RocmNames.COMPILERS.containsKey(name)
          && valuesOf(name).stream().anyMatch(v -> !v.isBlank() && !holdsCompiler(v))) {
        mixed.add(name);
      }
    }
  }

  private boolean holdsCompiler(String value) {
    return called(value).stream().anyMatch(this::isCompiler);
  }

  /** Returns the word of a value that is called, and the words that call it. */
  private List<Word> called(String value) {
    String text = unquoted(value);
    List<Word> called = new ArrayList<>();
    for (Word w : Word.of(syntax, text, 0, text.length())) {
      called.add(w);
      if (!w.text().matches("(?i).*ccache.*|env|time")) {
        break;
      }
    }
    return called;
  }

  /** Adds variables that are derived from known ones, transitively. */
  private static void follow(Set<String> known, Map<String, Set<String>> derivedFrom) {
    Deque<String> open = new ArrayDeque<>(known);
    while (!open.isEmpty()) {
      for (String name : derivedFrom.getOrDefault(open.pop(), Set.of())) {
        if (known.add(name)) {
          open.push(name);
        }
      }
    }
  }

  /** Returns true for a word that calls nvcc. */
  boolean isCompiler(Word word) {
    String bare = word.program();
    if (bare.matches("(\\S*/)?nvcc")) {
      return true;
    }
    Optional<String> name = syntax.variable(bare);
    if (name.isPresent()) {
      return compilers.contains(name.get());
    }
    if (syntax == Syntax.SHELL && bare.matches("\\$\\{\\w+:?[-=]([^}]*/)?nvcc\\}")) {
      return true;
    }
    return syntax.reference(bare + " ", 0) == bare.length()
        && FINDS.matcher(bare).matches()
        && !bare.contains("dirname")
        && !bare.contains("%/")
        && !bare.contains("dir ");
  }

  private void findRoots() {
    RocmNames.ROOTS.keySet().stream().filter(mentioned::contains).forEach(roots::add);
    Map<String, Set<String>> same = new TreeMap<>();
    values.forEach(
        (name, all) -> {
          for (String v : all.stream().map(Facts::unquoted).toList()) {
            syntax
                .variable(v)
                .ifPresent(r -> same.computeIfAbsent(r, n -> new TreeSet<>()).add(name));
            if (ROOT.matcher(v).matches()
                || (FINDS.matcher(v).matches() && v.matches("(?s).*(dir|%/).*"))) {
              roots.add(name);
            }
          }
        });
    follow(roots, same);
    Pattern include = Pattern.compile(root() + "/include");
    for (Map.Entry<String, List<String>> e : values.entrySet()) {
      if (e.getValue().stream().allMatch(v -> include.matcher(unquoted(v)).matches())) {
        includes.add(e.getKey());
      }
    }
  }

  /** Returns a pattern of references to the CUDA folder. */
  String root() {
    String known = roots.isEmpty() ? LITERAL : named();
    if (syntax != Syntax.SHELL || compilers.isEmpty()) {
      return "(?:" + known + ")";
    }
    // The folder two levels above a program in a variable.
    String compiler = "\\$\\{?(?:" + String.join("|", compilers) + ")\\}?";
    String quote = "[\"']?";
    String bin = "\\$\\(dirname " + quote + compiler + quote + "\\)";
    return "(?:" + known + "|\\$\\(dirname " + quote + bin + quote + "\\))";
  }

  private String named() {
    String names = String.join("|", roots);
    return syntax == Syntax.MAKE
        ? "(?:\\$\\((?:%1$s)\\)|\\$\\{(?:%1$s)\\}|\\$\\$\\{?(?:%1$s)\\b\\}?|%2$s)"
            .formatted(names, LITERAL)
        : "(?:\\$(?:%1$s)\\b|\\$\\{(?:%1$s)(?::?[-=][^}]*)?\\}|%2$s)".formatted(names, LITERAL);
  }

  /** Returns the index of the word that is the compiler; -1 if nvcc is not called. */
  int compiler(List<Word> command) {
    if (command.isEmpty() || isTool(command.getFirst())) {
      return -1;
    }
    for (int i = 0; i < command.size(); i++) {
      if (isCompiler(command.get(i))) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isTool(Word first) {
    return TOOLS.contains(first.program()) || first.program().matches("\\$[({]MAKE[)}]");
  }

  private void note(List<Word> command) {
    int at = compiler(command);
    String text =
        String.join(" ", command.subList(at + 1, command.size()).stream().map(Word::text).toList());
    if (at >= 0) {
      finds = true;
      uses.note(text, Use.NVCC);
      if (isMixed(command.get(at))) {
        uses.note(text, Use.HOST);
      }
      Set<String> all = reach(text);
      openMp |= all.stream().anyMatch(GnuOpenMp::isAsked);
      relocatable |=
          all.contains("-dc")
              || all.contains("--device-c")
              || all.contains("-dlink")
              || all.contains("--device-link")
              || all.stream().anyMatch(w -> w.matches("--?(rdc|relocatable-device-code)(=true)?"));
    } else if (!isTool(command.getFirst())) {
      uses.note(text, Use.HOST);
    }
  }

  // Queries

  /** Returns true if nvcc is called, CUDA libraries are linked, or the CUDA folder is named. */
  public boolean isCuda() {
    return cuda;
  }

  /** Returns true if the ROCm compiler is named. */
  public boolean isForRocm() {
    return mentioned.contains("hipcc") || mentioned.contains("HIPCC");
  }

  /** Returns the ported name of a variable. */
  public String renamed(String variable) {
    return names.renames().getOrDefault(variable, variable);
  }

  /**
   * Returns the variables that must be set before the ported lines of a file, with their values.
   *
   * @param ported the ported lines
   * @param isSet whether the file sets a variable
   */
  public List<String[]> needs(String ported, Predicate<String> isSet) {
    Set<String> used = syntax.names(ported);
    List<String[]> needs = new ArrayList<>();
    if (used.contains(CommandPort.ROCM_PATH) && !isSet.test(CommandPort.ROCM_PATH)) {
      needs.add(new String[] {CommandPort.ROCM_PATH, "/opt/rocm"});
    }
    for (String name : compilers) {
      String now = renamed(name);
      if (!now.equals(name) && used.contains(now) && !isSet.test(now)) {
        needs.add(new String[] {now, "hipcc"});
      }
    }
    if (used.contains(CommandPort.ARCH_FLAGS)) {
      needs.add(new String[] {CommandPort.ARCH, "native"});
    }
    return needs;
  }

  /** Returns true if a variable with this ported name is set. */
  public boolean isSet(String ported) {
    return values.keySet().stream().anyMatch(n -> renamed(n).equals(ported));
  }

  /** Returns how the build uses the headers of copies of libraries by an include folder. */
  LibraryCopies.Use copies(String folder) {
    if (copies.isEmpty()) {
      return LibraryCopies.Use.of(List.of(), false);
    }
    String path = folder;
    for (Map.Entry<String, List<String>> v : values.entrySet()) {
      if (v.getValue().size() == 1 && path.contains(v.getKey())) {
        path = path.replace(syntax.reference(v.getKey()), v.getValue().getFirst().strip());
      }
    }
    boolean onHost = mentioned.stream().anyMatch(LibraryCopies::selectsHost);
    return LibraryCopies.Use.of(copies.at("", path), onHost);
  }

  boolean isRelocatable() {
    return relocatable;
  }

  /** Returns true if nvcc passes {@code -fopenmp} to the host compiler. */
  boolean isOpenMp() {
    return openMp;
  }

  /** Returns true for a variable that holds the CUDA folder. */
  public boolean isRoot(String variable) {
    return roots.contains(variable);
  }

  /** Returns true for a variable that holds nvcc. */
  public boolean isCompiler(String variable) {
    return compilers.contains(variable);
  }

  /** Returns true for a compiler variable that holds nvcc only in some cases. */
  boolean isMixed(Word compiler) {
    return syntax.variable(compiler.program()).map(mixed::contains).orElse(false);
  }

  /** Returns true for a variable with the CUDA include folder. */
  boolean isInclude(String variable) {
    return includes.contains(variable);
  }

  /** Returns whether a recipe or script calls nvcc. */
  public boolean callsCompiler(String text) {
    return commandsOf(text).stream().anyMatch(c -> compiler(c) >= 0);
  }

  /** Returns the names in a text, and those in the values of the variables among them. */
  public Set<String> variables(String text) {
    Set<String> all = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(text));
    while (!open.isEmpty()) {
      for (String name : syntax.names(open.pop())) {
        if (all.add(name)) {
          valuesOf(name).forEach(open::push);
        }
      }
    }
    return all;
  }

  /** Returns whether some build file sets a variable of this name. */
  public boolean assigns(String name) {
    return values.containsKey(name);
  }

  /** Returns the words of a text and of the variables that it refers to. */
  Set<String> reach(String text) {
    Set<String> words = new HashSet<>();
    Set<String> seen = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(text));
    while (!open.isEmpty()) {
      String plain = unquoted(open.pop());
      Word.of(syntax, plain, 0, plain.length()).forEach(w -> words.add(w.bare()));
      for (String name : syntax.names(plain)) {
        if (seen.add(name)) {
          valuesOf(name).forEach(open::push);
        }
      }
    }
    return words;
  }

  static String unquoted(String value) {
    String v = value.strip();
    boolean quoted =
        v.length() > 1
            && (v.charAt(0) == '"' || v.charAt(0) == '\'')
            && v.indexOf(v.charAt(0), 1) == v.length() - 1;
    boolean array = v.length() > 1 && v.charAt(0) == '(' && v.endsWith(")");
    return quoted || array ? v.substring(1, v.length() - 1).strip() : v;
  }
}
