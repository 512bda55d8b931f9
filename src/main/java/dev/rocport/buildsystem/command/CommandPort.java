package dev.rocport.buildsystem.command;

import dev.rocport.buildsystem.command.Facts.Use;
import dev.rocport.buildsystem.command.Outcome.Level;
import dev.rocport.commandline.NvccWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ports spans of a makefile or shell script: commands, values of variables, other text. */
public final class CommandPort {
  private static final Set<String> DEVICE_ONLY =
      Set.of("-ptx", "--ptx", "-cubin", "--cubin", "-fatbin", "--fatbin");
  private static final Set<String> DEVICE_LINK = Set.of("-dlink", "--device-link");
  private static final Set<String> ARCHIVE = Set.of("-lib", "--lib");
  private static final Set<String> QUERY = Set.of("--version", "-V");
  private static final Set<String> DEPENDENCIES =
      Set.of("-M", "-MM", "--generate-dependencies", "--generate-nonsystem-dependencies");

  /** Flags that only nvcc has. */
  private static final Pattern OF_NVCC =
      Pattern.compile(
          "--(?!help|version|param).*|-(X(compiler|ptxas|cudafe|fatbin|nvlink|archive).*|arch=?.*"
              + "|gencode=?.*|code=.*|lineinfo|use_fast_math|rdc=.*|dc|maxrregcount=?.*|ccbin=?.*"
              + "|expt-.*|extended-lambda|default-stream=?.*|ftz=.*|prec-.*|fmad=.*|G|res-usage)");

  /** A host compiler, or the variable that holds it. */
  private static final Pattern HOST_COMPILER =
      Pattern.compile(
          "(?:\\S*[/-])?(?:[gc]\\+\\+|gcc|cc|clang(?:\\+\\+)?|mpi(?:cc|cxx|c\\+\\+|CC)|icp?[cx]|"
              + "gfortran|mpif(?:ort|90|77))(?:-[\\d.]+)?|(?:\\w+_)?(?:CXX|CC|LD|FC|LINKER|LINK)");

  /** The end of a continued line. */
  private static final Pattern SPLICE = Pattern.compile("[ \\t]*\\\\\r?\\n");

  private static final Pattern ARCH_TEXT =
      Pattern.compile("(?s).*--?(gencode|arch|gpu-architecture|generate-code)\\b.*");
  static final String ROCM_PATH = "ROCM_PATH";
  public static final String ARCH = "ROCM_ARCH";
  public static final String ARCH_FLAGS = "ROCM_ARCHFLAGS";
  private static final String FOR_HOST = "-D__HIP_PLATFORM_AMD__";

  /** How the words of a span are interpreted. */
  private enum Mode {
    COMMANDS,
    /** Flags of nvcc. */
    NVCC,
    /** Flags of nvcc and of a host compiler. */
    BOTH,
    HOST,
    OTHER
  }

  private final Facts facts;
  private final Syntax syntax;
  private final String text;
  private final Outcome outcome;
  private final Optional<int[]> anchor;
  private boolean arch;

  /** The span determines the location of the compiler, from which ROCM_PATH is derived. */
  private boolean finds;

  /**
   * @param text text of the file
   */
  public CommandPort(Facts facts, String text) {
    this(facts, text, new Outcome(), Optional.empty());
  }

  private CommandPort(Facts facts, String text, Outcome outcome, Optional<int[]> anchor) {
    this.facts = facts;
    this.syntax = facts.syntax();
    this.text = text;
    this.outcome = outcome;
    this.anchor = anchor;
  }

  public Outcome outcome() {
    return outcome;
  }

  /** Ports commands of a recipe or script. */
  public void commands(int from, int to) {
    arch = false;
    stretch(from, to, Mode.COMMANDS);
  }

  /** Ports the value of a variable. */
  public void value(String name, int from, int to) {
    arch = false;
    if (facts.isRoot(name)) {
      folder(name, from, to);
    } else {
      finds = facts.isCompiler(name) && facts.isSet(ROCM_PATH);
      stretch(from, to, mode(name));
      finds = false;
    }
  }

  /** Ports text that is not a command: targets, conditions. */
  public void other(int from, int to) {
    arch = false;
    stretch(from, to, Mode.OTHER);
  }

  /** Ports comments and names of variables. */
  public void names(int from, int to) {
    String now = renamed(text.substring(from, to));
    if (!now.equals(text.substring(from, to))) {
      outcome.change(from, to, now, Topic.PATH);
    }
  }

  /** Replaces a span. */
  public void replace(int from, int to, String now, Topic topic) {
    outcome.change(from, to, now, topic);
  }

  private Mode mode(String name) {
    if (facts.isCompiler(name)) {
      return Mode.COMMANDS;
    }
    boolean host = facts.isUsed(name, Use.HOST);
    return facts.isUsed(name, Use.NVCC)
        ? host ? Mode.BOTH : Mode.NVCC
        : host ? Mode.HOST : Mode.OTHER;
  }

  private void stretch(int from, int to, Mode mode) {
    List<Word> words = Word.of(syntax, text, from, to, mode == Mode.COMMANDS);
    if (mode == Mode.COMMANDS) {
      Word.commands(words).forEach(this::command);
    } else {
      flags(words, mode);
    }
  }

  /** Ports an assignment of the CUDA folder. */
  private void folder(String name, int from, int to) {
    String value = text.substring(from, to);
    boolean first = facts.renamed(name).equals(ROCM_PATH);
    String rocm = first ? "/opt/rocm" : syntax.reference(ROCM_PATH);
    boolean plain = from == 0 || text.charAt(from - 1) != '\'';
    if (first && plain && syntax == Syntax.SHELL && value.matches(Facts.LITERAL)) {
      rocm = "${" + ROCM_PATH + ":-/opt/rocm}"; // the user can override it
    }
    String now = value.replaceAll(Facts.LITERAL, Matcher.quoteReplacement(rocm));
    now = renamed(now.replaceAll("(?<![\\w.-])nvcc(?![\\w.-])", "hipcc"));
    if (!now.equals(value)) {
      outcome.change(from, to, now, Topic.PATH);
    }
  }

  // Commands

  private void command(List<Word> command) {
    int at = facts.compiler(command);
    if (at < 0) {
      host(command);
      return;
    }
    flags(command.subList(0, at), Mode.OTHER);
    List<Word> rest = command.subList(at + 1, command.size());
    List<String> own = rest.stream().map(Word::bare).toList();
    if (own.stream().anyMatch(DEVICE_LINK::contains)) {
      emptyObject(command.get(at), rest);
      return;
    }
    if (own.stream().anyMatch(ARCHIVE::contains)) {
      archive(command.get(at), rest);
      return;
    }
    if (own.stream().anyMatch(QUERY::contains)) {
      remark(
          command.get(at),
          rest.getLast(),
          "hipcc prints its version in another format, and its numbers are not CUDA versions",
          Topic.UNKNOWN,
          Level.PROBLEM);
      return;
    }
    word(command.get(at), Mode.OTHER);
    if (facts.isMixed(command.get(at))) {
      flags(rest, Mode.BOTH);
      return;
    }
    Set<String> words = facts.reach(joined(rest));
    if (!rest.isEmpty() && facts.isRelocatable() && Facts.links(words)) {
      insert(command.get(at).end(), link(words), Topic.RDC);
    }
    if (own.stream().anyMatch(DEPENDENCIES::contains)) {
      insert(command.get(at).end(), " --cuda-host-only", Topic.FLAG);
    }
    flags(rest, Mode.NVCC);
  }

  /** Returns the flags to link relocatable device code. */
  private String link(Set<String> words) {
    boolean rdc =
        words.stream().anyMatch(w -> w.matches("--?(rdc|relocatable-device-code)(=true)?"));
    boolean hasArch = words.stream().anyMatch(w -> ARCH_TEXT.matcher(w).matches());
    return (rdc ? "" : " -fgpu-rdc")
        + " --hip-link"
        + (hasArch ? "" : " " + syntax.reference(ARCH_FLAGS));
  }

  private void host(List<Word> command) {
    if (command.getFirst().program().matches("echo|printf")) {
      command.forEach(w -> names(w.start(), w.end())); // printed text is not a command
      return;
    }
    for (Word word : command) {
      if (command.getFirst().program().matches("module|ml")
          && word.text().matches("(?i)(cuda|nvhpc).*")) {
        remark(
            word,
            word,
            word.text()
                + " is an environment module for CUDA; load the ROCm module of this machine",
            Topic.UNKNOWN,
            Level.DOUBT);
      }
    }
    Set<String> words = facts.reach(joined(command));
    boolean links =
        facts.isRelocatable()
            && Facts.links(words)
            && Facts.linksCuda(words)
            && words.contains("-o")
            && command.stream().anyMatch(w -> w.text().equals("-o"));
    if (links) {
      int at = hostCompiler(command);
      if (at < 0) {
        remark(
            command.getFirst(),
            command.getLast(),
            "this command links relocatable device code; link with hipcc -fgpu-rdc --hip-link",
            Topic.UNKNOWN,
            Level.PROBLEM);
        return;
      }
      Word compiler = command.get(at);
      String flags = hipcc() + " -fgpu-rdc --hip-link " + syntax.reference(ARCH_FLAGS);
      String prefix = compiler.text().replaceAll("^([@+-]*).*", "$1");
      outcome.change(compiler.start(), compiler.end(), prefix + flags, Topic.RDC);
      flags(command.subList(0, at), Mode.OTHER);
      flags(command.subList(at + 1, command.size()), Mode.HOST);
      return;
    }
    if (!command.isEmpty()) {
      String tool = command.getFirst().program();
      String reason = RocmNames.TOOLS.get(tool.substring(tool.lastIndexOf('/') + 1));
      if (reason != null) {
        Word word = command.getFirst();
        remark(word, word, tool + " is an NVIDIA program: " + reason, Topic.UNKNOWN, Level.DOUBT);
      }
    }
    flags(command, Mode.HOST);
  }

  /**
   * Returns the index of the word that is the host compiler, which a program or function of the
   * project may start; -1 if it is unknown.
   */
  private int hostCompiler(List<Word> command) {
    for (int i = 0; i < command.size() && !command.get(i).text().startsWith("-"); i++) {
      String program = command.get(i).program();
      if (HOST_COMPILER.matcher(facts.variable(program).orElse(program)).matches()) {
        return i;
      }
    }
    return command.getFirst().program().matches("[\\w.-]+") ? -1 : 0;
  }

  /** Returns the compiler as other ported commands call it. */
  private String hipcc() {
    for (Map.Entry<String, String> e : facts.renames().entrySet()) {
      if (facts.isCompiler(e.getKey()) && facts.isSet(e.getValue())) {
        return syntax.reference(e.getValue());
      }
    }
    return facts.isCompiler("NVCC") ? syntax.reference(renamed("NVCC")) : "hipcc";
  }

  /**
   * Replaces a device link of nvcc. clang links device code with the program, so the object is
   * empty.
   */
  private void emptyObject(Word compiler, List<Word> rest) {
    Optional<String> output = output(rest);
    if (output.isEmpty()) {
      remark(
          compiler,
          rest.getLast(),
          "this step links device code separately; remove it, because hipcc -fgpu-rdc --hip-link"
              + " links device code with the program",
          Topic.UNKNOWN,
          Level.PROBLEM);
      return;
    }
    String cxx = syntax == Syntax.MAKE ? "$(CXX)" : "${CXX:-g++}";
    outcome.change(
        startOf(compiler),
        rest.getLast().end(),
        cxx + " -x c++ -c /dev/null -o " + renamed(output.get()),
        Topic.RDC);
    remark(
        compiler,
        rest.getLast(),
        "this step now makes an empty object, because clang links device code with the program",
        Topic.RDC,
        Level.NOTE);
  }

  private void archive(Word compiler, List<Word> rest) {
    Optional<String> output = output(rest);
    List<String> files = new ArrayList<>();
    for (int i = 0; i < rest.size(); i++) {
      String word = rest.get(i).text();
      boolean flags =
          word.startsWith("-")
              || (facts.variable(word).isPresent()
                  && facts.reach(word).stream().anyMatch(w -> w.startsWith("-")));
      if (word.equals("-o")) {
        i++;
      } else if (!flags) {
        files.add(renamed(word));
      }
    }
    if (output.isEmpty() || files.isEmpty()) {
      remark(
          compiler,
          rest.getLast(),
          "hipcc cannot make archives; use ar rcs",
          Topic.UNKNOWN,
          Level.PROBLEM);
      return;
    }
    String ar = syntax == Syntax.MAKE ? "$(AR)" : "ar";
    outcome.change(
        startOf(compiler),
        rest.getLast().end(),
        ar + " rcs " + renamed(output.get()) + " " + String.join(" ", files),
        Topic.COMPILER);
  }

  private static int startOf(Word compiler) {
    return compiler.start()
        + compiler.text().length()
        - compiler.text().replaceAll("^[@+-]+", "").length();
  }

  private static Optional<String> output(List<Word> words) {
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i).text();
      if ((word.equals("-o") || word.equals("--output-file")) && i + 1 < words.size()) {
        return Optional.of(words.get(i + 1).text());
      }
      if (word.startsWith("-o") && word.length() > 2 && !word.startsWith("-odir")) {
        return Optional.of(word.substring(2));
      }
    }
    return Optional.empty();
  }

  private static String joined(List<Word> words) {
    return String.join(" ", words.stream().map(Word::text).toList());
  }

  // Flags

  private void flags(List<Word> words, Mode mode) {
    Opaque opaque = new Opaque(syntax);
    List<String> texts = words.stream().map(w -> opaque.hide(w.text())).toList();
    boolean[] done = new boolean[words.size()];
    boolean hasOutput = output(words).isPresent();
    if (mode == Mode.NVCC || mode == Mode.BOTH) {
      for (NvccWords.Change c : NvccWords.changes(texts)) {
        if (mode == Mode.NVCC || OF_NVCC.matcher(texts.get(c.first())).matches()) {
          flag(words, c, opaque, done, hasOutput);
        }
      }
    }
    for (int i = 0; i < words.size(); i++) {
      if (!done[i]) {
        word(words.get(i), mode);
        boolean apart = i > 0 && words.get(i - 1).text().equals("-I");
        if (apart && isForHost(mode) && isHeaders(words.get(i).text())) {
          insert(words.get(i).end(), " " + FOR_HOST, Topic.PATH);
        }
      }
    }
  }

  private void flag(
      List<Word> words, NvccWords.Change c, Opaque opaque, boolean[] done, boolean hasOutput) {
    Word first = words.get(c.first());
    Word last = words.get(c.first() + c.count() - 1);
    for (int i = c.first(); i < c.first() + c.count(); i++) {
      done[i] = true;
    }
    String flag = text.substring(first.start(), last.end());
    if (DEVICE_ONLY.contains(first.text())) {
      if (hasOutput) {
        outcome.change(first.start(), first.end(), "--genco", Topic.FLAG);
        remark(
            first,
            last,
            flag
                + " becomes --genco, which makes a bundle for all selected GPUs; load it with"
                + " hipModuleLoad",
            Topic.FLAG,
            Level.NOTE);
      } else {
        remark(
            first,
            last,
            flag + ": hipcc --genco needs an output file; add -o FILE",
            Topic.UNKNOWN,
            Level.PROBLEM);
      }
      return;
    }
    if (!c.problem().isEmpty()) {
      remark(first, last, flag + ": " + c.problem(), Topic.UNKNOWN, Level.PROBLEM);
      return;
    }
    List<String> now = new ArrayList<>();
    if (c.arch()) {
      if (!arch) {
        now.add(syntax.reference(ARCH_FLAGS));
        arch = true;
      }
    } else {
      if (flag.matches("(?s)--?(ccbin|compiler-bindir)[=\\s].*mpi.*")) {
        remark(
            first,
            last,
            flag + " provided the MPI headers; pass their folder to hipcc (see mpicxx -show)",
            Topic.UNKNOWN,
            Level.DOUBT);
      }
      boolean forHost = first.text().matches("--?(Xcompiler|compiler-options)(=.*)?");
      for (String word : c.words()) {
        String shown = opaque.show(word);
        Optional<String> list = forHost ? hostList(shown) : Optional.of(shown);
        if (list.isEmpty()) {
          remark(
              first,
              last,
              flag
                  + ": its value has commas, and clang does not split values at commas; pass"
                  + " separate flags",
              Topic.UNKNOWN,
              Level.PROBLEM);
          return;
        }
        now.add(neutral(list.get(), Mode.NVCC, first));
      }
      if (!c.note().isEmpty()) {
        remark(first, last, flag + " is left out: " + c.note(), Topic.FLAG, Level.NOTE);
      }
    }
    Topic topic =
        c.arch()
            ? Topic.ARCH
            : now.contains("-fgpu-rdc")
                ? Topic.RDC
                : first.text().startsWith("-l") ? Topic.LIBRARY : Topic.FLAG;
    replace(first, last, String.join(" ", now), topic);
  }

  /** Returns words for the host compiler without the make function that joins them with commas. */
  private Optional<String> hostList(String word) {
    Matcher m =
        Pattern.compile("(?s)\\$\\(subst\\s+\\$\\(\\w*\\),(?:\\$\\(\\w+\\)|\\$\\{\\w+\\}),(.*)\\)")
            .matcher(word);
    if (m.matches()) {
      String inner = m.group(1).strip();
      Matcher strip = Pattern.compile("(?s)\\$\\(strip\\s+(.*)\\)").matcher(inner);
      return Optional.of(strip.matches() ? strip.group(1) : inner);
    }
    Optional<String> name = facts.variable(word);
    boolean commas =
        name.isPresent()
            && facts.reach(word).stream()
                .anyMatch(w -> w.startsWith("-") && w.contains(",") && !w.startsWith("-Wl,"));
    return commas ? Optional.empty() : Optional.of(word);
  }

  /** Replaces words; if the replacement is empty, also deletes the blanks before them. */
  private void replace(Word first, Word last, String now, Topic topic) {
    int start = first.start();
    if (now.isEmpty()) {
      while (start > 0 && (text.charAt(start - 1) == ' ' || text.charAt(start - 1) == '\t')) {
        start--;
      }
      if (start > 0 && text.charAt(start - 1) == '\n') {
        Matcher rest = SPLICE.matcher(text).region(last.end(), text.length());
        boolean alone = rest.lookingAt();
        outcome.change(alone ? start : first.start(), alone ? rest.end() : last.end(), "", topic);
        return;
      }
    }
    outcome.change(start, last.end(), now, topic);
  }

  private void insert(int at, String now, Topic topic) {
    outcome.change(at, at, now, topic);
  }

  private void word(Word word, Mode mode) {
    String now = neutral(word.text(), mode, word);
    if (!now.equals(word.text())) {
      Topic topic =
          word.text().startsWith("-l")
              ? Topic.LIBRARY
              : now.contains("hipcc") && word.text().contains("nvcc") ? Topic.COMPILER : Topic.PATH;
      if (now.contains(ARCH_FLAGS)) {
        topic = Topic.ARCH;
      }
      replace(word, word, now, topic);
    }
  }

  // Words

  private String neutral(String word, Mode mode, Word place) {
    String now = references(word, mode, place);
    if (now.startsWith("-l") && !now.matches("-(lineinfo|link|lib|lto|ldir)\\b.*")) {
      List<NvccWords.Change> changes = NvccWords.changes(List.of(now));
      if (!changes.isEmpty()) {
        NvccWords.Change c = changes.getFirst();
        if (!c.problem().isEmpty()) {
          remark(place, place, now + ": " + c.problem(), Topic.UNKNOWN, Level.PROBLEM);
        } else {
          now = String.join(" ", c.words());
        }
      }
      now = now.startsWith("-l") ? archive(now, place) : now;
    }
    String before = now;
    now = paths(now, place);
    if (now.matches("[\"']?-I.+") && isForHost(mode) && isHeaders(before)) {
      now = now + " " + FOR_HOST;
    }
    if (now.matches("[@+-]*[\"']?(\\w+=)?[\"']?nvcc[\"']?")) {
      now = now.replaceFirst("nvcc(?=[\"']?$)", "hipcc");
    }
    now = now.replaceFirst("/nvcc(?=[\"']?$)", "/hipcc");
    if (syntax == Syntax.SHELL) {
      now = now.replaceAll("(:?[-=])nvcc\\}", "$1hipcc}");
    }
    return renamed(now);
  }

  /**
   * Returns the path of an archive with device code. clang finds no device code in {@code -l}
   * libraries.
   */
  private String archive(String word, Word place) {
    Optional<String> path =
        facts.isRelocatable() ? facts.archive(word.substring(2)) : Optional.empty();
    if (path.isPresent() && path.get().isEmpty()) {
      remark(
          place,
          place,
          word
              + ": clang links device code only from archives that are named by path; replace -l"
              + " with the path",
          Topic.RDC,
          Level.DOUBT);
    }
    return path.filter(p -> !p.isEmpty()).orElse(word);
  }

  private static boolean isForHost(Mode mode) {
    return mode != Mode.NVCC && mode != Mode.OTHER;
  }

  /** Returns whether it is an include folder of CUDA. */
  private boolean isHeaders(String word) {
    String folder = word.replaceFirst("^[\"']?-I", "").replaceAll("[\"']", "");
    return folder.matches(facts.root() + "/(targets/[\\w-]+/)?include/?")
        || facts.variable(folder).map(facts::isInclude).orElse(false);
  }

  private String paths(String word, Word place) {
    String root = facts.root();
    String now =
        word.replaceAll("(" + root + ")/bin/nvcc(?![\\w.-])", "$1/bin/hipcc")
            .replaceAll("(" + root + ")/targets/[\\w-]+/(lib|include)", "$1/$2")
            .replaceAll("(" + root + ")/lib(64|\\$[({]\\w+[)}])?/stubs", "$1/lib")
            .replaceAll("(" + root + ")/lib(64|\\$[({]\\w+[)}])(?![\\w.-])", "$1/lib");
    Matcher left =
        Pattern.compile(
                root
                    + "/(samples|extras|nvvm|nvml|common/inc|src|tools|compat|bin/(?!hipcc)[\\w-]+)")
            .matcher(now);
    if (left.find()) {
      String tool = left.group(1).replaceFirst("^bin/", "");
      String reason = RocmNames.TOOLS.getOrDefault(tool, "ROCm has no such folder or program");
      remark(place, place, left.group() + ": " + reason, Topic.UNKNOWN, Level.PROBLEM);
      return word;
    }
    Matcher library =
        Pattern.compile("(" + root + "/lib/)lib(\\w+)(\\.so|\\.a)(?=[\\s\"')]|$)").matcher(now);
    StringBuilder s = new StringBuilder();
    while (library.find()) {
      List<NvccWords.Change> c = NvccWords.changes(List.of("-l" + library.group(2)));
      boolean known = !c.isEmpty() && c.getFirst().words().size() == 1;
      String name = known ? c.getFirst().words().getFirst().substring(2) : library.group(2);
      library.appendReplacement(
          s, Matcher.quoteReplacement(library.group(1) + "lib" + name + ".so"));
    }
    now = library.appendTail(s).toString();
    // The shell expands nothing between such quotes.
    boolean quoted = syntax == Syntax.SHELL && word.startsWith("'");
    String rocm = quoted || finds ? "/opt/rocm" : syntax.reference(ROCM_PATH);
    return now.replaceAll(Facts.LITERAL, Matcher.quoteReplacement(rocm));
  }

  private String renamed(String word) {
    String now = word;
    for (Map.Entry<String, String> e : facts.renames().entrySet()) {
      now = now.replaceAll("(?<![\\w.-])" + e.getKey() + "(?![\\w])", e.getValue());
    }
    return now;
  }

  // References

  private String references(String word, Mode mode, Word place) {
    if (syntax == Syntax.SHELL && !word.startsWith("$(") && !word.startsWith("`")) {
      return word;
    }
    StringBuilder s = new StringBuilder();
    int i = 0;
    while (i < word.length()) {
      int end = syntax.reference(word, i);
      if (end > i) {
        s.append(reference(word.substring(i, end), mode, place));
        i = end;
      } else {
        s.append(word.charAt(i++));
      }
    }
    return s.toString();
  }

  private String reference(String reference, Mode mode, Word place) {
    if (syntax == Syntax.SHELL) {
      int from = reference.startsWith("$(") ? 2 : 1;
      return reference.charAt(0) == '$' && from == 1
          ? reference
          : reference.substring(0, from)
              + inside(reference.substring(from, reference.length() - 1), Mode.COMMANDS, place)
              + reference.substring(reference.length() - 1);
    }
    Matcher of = Pattern.compile("(?s)(\\$[({]\\s*)([\\w-]+)\\s+(.*)[)}]").matcher(reference);
    if (!of.matches()) {
      Matcher each = Pattern.compile("(?s)\\$[({]([\\w.-]+):%=(.*)%(.*)[)}]").matcher(reference);
      if (each.matches() && isForHost(each.group(2))) {
        return "$(" + each.group(1) + ")";
      }
      return isArch(reference, mode) ? archOnce() : reference;
    }
    String function = of.group(2);
    List<String> arguments = arguments(of.group(3), limit(function));
    switch (function) {
      case "addprefix" -> {
        if (arguments.size() == 2 && isForHost(arguments.getFirst())) {
          return inside(arguments.get(1).strip(), Mode.OTHER, place);
        }
        if (arguments.size() == 2 && isLeftOut(arguments.getFirst())) {
          return "";
        }
      }
      case "patsubst" -> {
        if (arguments.size() == 3
            && arguments.getFirst().equals("%")
            && isForHost(arguments.get(1).replaceFirst("%.*", ""))) {
          return arguments.get(2).strip();
        }
      }
      case "foreach" -> {
        if (arguments.size() == 3
            && arguments.get(2).strip().matches("-Xcompiler[ =]?\\$[({]?\\w+[)}]?")) {
          return arguments.get(1).strip();
        }
        if (arguments.size() == 3 && (mode == Mode.NVCC || mode == Mode.BOTH)) {
          String body = inside(arguments.get(2), mode, place);
          boolean same = !syntax.names(body).contains(arguments.getFirst().strip());
          return same && !body.equals(arguments.get(2))
              ? body.strip()
              : with(of, arguments, 2, body);
        }
        if (arguments.size() == 3) {
          String body = inside(arguments.get(2), mode, place);
          Matcher added =
              Pattern.compile("(?s)\\s*\\$\\(eval\\s+([\\w.-]+)\\s*\\+=\\s*(.*)\\)\\s*")
                  .matcher(body);
          boolean once =
              added.matches()
                  && !body.equals(arguments.get(2))
                  && added.group(2).strip().equals(syntax.reference(ARCH_FLAGS));
          return once
              ? "$(eval %s += %s)".formatted(added.group(1), added.group(2).strip())
              : with(of, arguments, 2, body);
        }
      }
      case "eval" -> {
        String statement = arguments.getFirst();
        Matcher a =
            Pattern.compile("(?s)(\\s*)([\\w.-]+)(\\s*[:+?]?:?=\\s*)(.*)").matcher(statement);
        if (a.matches()) {
          String value = inside(a.group(4), mode(a.group(2)), place);
          return of.group(1)
              + "eval "
              + a.group(1)
              + a.group(2)
              + a.group(3)
              + value
              + close(reference);
        }
      }
      case "shell" -> {
        return of.group(1)
            + "shell "
            + inside(arguments.getFirst(), Mode.COMMANDS, place)
            + close(reference);
      }
      case "if", "or", "and" -> {
        List<String> now = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
          boolean test = function.equals("if") && i == 0;
          now.add(inside(arguments.get(i), test ? Mode.OTHER : mode, place));
        }
        return of.group(1) + function + " " + String.join(",", now) + close(reference);
      }
      default -> {}
    }
    if (isArch(reference, mode)) {
      return archOnce();
    }
    List<String> now = new ArrayList<>();
    boolean keeps = Set.of("strip", "sort", "filter-out", "filter").contains(function);
    for (String argument : arguments) {
      now.add(inside(argument, keeps ? mode : Mode.OTHER, place));
    }
    String between = reference.substring(0, of.start(3));
    return between + String.join(",", now) + close(reference);
  }

  private static String with(Matcher of, List<String> arguments, int n, String text) {
    List<String> now = new ArrayList<>(arguments);
    now.set(n, text);
    String whole = of.group();
    return whole.substring(0, of.start(3))
        + String.join(",", now)
        + whole.substring(whole.length() - 1);
  }

  private static String close(String reference) {
    return reference.substring(reference.length() - 1);
  }

  private String archOnce() {
    if (arch) {
      return "";
    }
    arch = true;
    return syntax.reference(ARCH_FLAGS);
  }

  /** Returns whether a function only makes GPU names for nvcc. */
  private static boolean isArch(String reference, Mode mode) {
    return (mode == Mode.NVCC || mode == Mode.BOTH)
        && ARCH_TEXT.matcher(reference).matches()
        && !Pattern.compile("(?<![\\w-])-(?!-?(gencode|arch|code|gpu|generate))[A-Za-z]")
            .matcher(reference)
            .find();
  }

  private static boolean isForHost(String prefix) {
    return prefix.strip().matches("--?(Xcompiler|compiler-options)[= ]?");
  }

  private static boolean isLeftOut(String prefix) {
    String flag = prefix.strip().replaceFirst("=$", "");
    List<NvccWords.Change> c = NvccWords.changes(List.of(flag, "x"));
    return flag.startsWith("-X")
        && !c.isEmpty()
        && c.getFirst().words().isEmpty()
        && c.getFirst().problem().isEmpty();
  }

  private static int limit(String function) {
    return switch (function) {
      case "shell", "eval", "strip", "sort", "info", "warning", "error", "words", "dir", "notdir" ->
          1;
      case "addprefix", "addsuffix", "filter", "filter-out", "findstring", "word", "join" -> 2;
      case "foreach", "patsubst", "subst", "if", "wordlist" -> 3;
      default -> Integer.MAX_VALUE;
    };
  }

  private List<String> arguments(String list, int limit) {
    List<String> found = new ArrayList<>();
    int start = 0;
    int i = 0;
    while (i < list.length()) {
      int end = syntax.reference(list, i);
      if (end > i) {
        i = end;
        continue;
      }
      if (list.charAt(i) == ',' && found.size() + 1 < limit) {
        found.add(list.substring(start, i));
        start = i + 1;
      }
      i++;
    }
    found.add(list.substring(start));
    return found;
  }

  /** Ports a part of a word. */
  private String inside(String part, Mode mode, Word place) {
    int[] at = anchor.orElse(new int[] {place.start(), place.end()});
    CommandPort port = new CommandPort(facts, part, new Outcome(), Optional.of(at));
    port.arch = arch;
    port.finds = finds;
    port.stretch(0, part.length(), mode);
    arch = port.arch;
    outcome.remarks().addAll(port.outcome.remarks());
    return port.outcome.applied(part, 0, part.length());
  }

  private void remark(Word first, Word last, String message, Topic topic, Level level) {
    int start = anchor.map(a -> a[0]).orElse(first.start());
    int end = anchor.map(a -> a[1]).orElse(last.end());
    outcome.remark(start, end, message, topic, level);
  }
}
