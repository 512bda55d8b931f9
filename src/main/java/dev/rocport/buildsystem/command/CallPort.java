package dev.rocport.buildsystem.command;

import dev.rocport.buildsystem.command.Outcome.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Ports calls: of nvcc, of host compilers that link its objects, and of other programs. */
final class CallPort {
  static final Set<String> DEVICE_LINK = Set.of("-dlink", "--device-link");
  private static final Set<String> ARCHIVE = Set.of("-lib", "--lib");
  private static final Set<String> QUERY = Set.of("--version", "-V");

  private static final Set<String> DEPENDENCIES =
      Set.of("-M", "-MM", "--generate-dependencies", "--generate-nonsystem-dependencies");

  /** A compiler that adds the MPI libraries, or the variable that holds it. */
  private static final Pattern MPI_WRAPPER =
      Pattern.compile("(?:\\S*/)?mpi(?:cc|cxx|c\\+\\+|CC)|(?:\\w+_)?MPI_?(?:CC|CXX)");

  /** Variables of Open MPI and MPICH that name the compiler of a wrapper. */
  private static final List<String> MPI_COMPILERS =
      List.of("OMPI_CC", "OMPI_CXX", "MPICH_CC", "MPICH_CXX");

  /** A host compiler, or the variable that holds it. */
  private static final Pattern HOST_COMPILER =
      Pattern.compile(
          "(?:\\S*[/-])?(?:[gc]\\+\\+|gcc|cc|clang(?:\\+\\+)?|mpi(?:cc|cxx|c\\+\\+|CC)|icp?[cx]|"
              + "gfortran|mpif(?:ort|90|77))(?:-[\\d.]+)?|(?:\\w+_)?(?:CXX|CC|LD|FC|LINKER|LINK)");

  private final Facts facts;
  private final Syntax syntax;
  private final Passage passage;

  private final FlagPort flags;
  private final WordPort words;

  CallPort(Passage passage) {
    this.facts = passage.facts();
    this.syntax = facts.syntax();
    this.passage = passage;
    this.flags = new FlagPort(passage);
    this.words = new WordPort(passage);
  }

  /** Ports a command. */
  void port(List<Word> command) {
    int at = facts.compiler(command);
    if (at < 0) {
      host(command);
      return;
    }
    flags.port(command.subList(0, at), Mode.OTHER);
    List<Word> rest = command.subList(at + 1, command.size());
    List<String> own = rest.stream().map(Word::bare).toList();
    if (facts.reach(joined(rest)).stream().anyMatch(DEVICE_LINK::contains)) {
      emptyObject(command.get(at), rest);
      return;
    }
    if (own.stream().anyMatch(ARCHIVE::contains)) {
      archive(command.get(at), rest);
      return;
    }
    if (own.stream().anyMatch(QUERY::contains)) {
      passage.remark(
          command.get(at),
          rest.getLast(),
          "hipcc prints its version in a different format, and the numbers are not CUDA versions",
          Topic.UNKNOWN,
          Level.PROBLEM);
      return;
    }
    words.port(command.get(at), Mode.OTHER);
    if (facts.isMixed(command.get(at))) {
      flags.port(rest, Mode.BOTH);
      return;
    }
    Set<String> words = facts.reach(joined(rest));
    if (!rest.isEmpty() && facts.isRelocatable() && LinkStep.links(words)) {
      passage.insert(command.get(at).end(), link(words), Topic.RDC);
    }
    if (own.stream().anyMatch(DEPENDENCIES::contains)) {
      passage.insert(command.get(at).end(), " --cuda-host-only", Topic.FLAG);
    }
    flags.port(rest, Mode.NVCC);
  }

  /** Returns the flags to link relocatable device code. */
  private String link(Set<String> words) {
    boolean rdc =
        words.stream().anyMatch(w -> w.matches("--?(rdc|relocatable-device-code)(=true)?"));
    boolean hasArch = words.stream().anyMatch(w -> FlagPort.ARCH_TEXT.matcher(w).matches());
    return (rdc ? "" : " -fgpu-rdc")
        + " --hip-link"
        + (hasArch ? "" : " " + syntax.reference(CommandPort.ARCH_FLAGS));
  }

  private void host(List<Word> command) {
    if (command.getFirst().program().matches("echo|printf")) {
      command.forEach(w -> passage.names(w.start(), w.end())); // printed text is not a command
      return;
    }
    for (Word word : command) {
      if (command.getFirst().program().matches("module|ml")
          && word.text().matches("(?i)(cuda|nvhpc).*")) {
        passage.remark(
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
            && LinkStep.links(words)
            && LinkStep.linksCuda(words)
            && words.contains("-o")
            && command.stream().anyMatch(w -> w.text().equals("-o"));
    if (links) {
      int at = hostCompiler(command);
      if (at < 0) {
        passage.remark(
            command.getFirst(),
            command.getLast(),
            "this command links relocatable device code; link with hipcc -fgpu-rdc --hip-link",
            Topic.UNKNOWN,
            Level.PROBLEM);
        return;
      }
      Word compiler = command.get(at);
      String prefix = compiler.text().replaceAll("^([@+-]*).*", "$1");
      String linker =
          linker(compiler.text().substring(prefix.length()), compiler.program())
              + " -fgpu-rdc --hip-link "
              + syntax.reference(CommandPort.ARCH_FLAGS);
      passage.change(compiler.start(), compiler.end(), prefix + linker, Topic.RDC);
      flags.port(command.subList(0, at), Mode.OTHER);
      flags.port(command.subList(at + 1, command.size()), Mode.HOST);
      return;
    }
    if (!command.isEmpty()) {
      String tool = command.getFirst().program();
      String reason = RocmNames.TOOLS.get(tool.substring(tool.lastIndexOf('/') + 1));
      if (reason != null) {
        Word word = command.getFirst();
        passage.remark(
            word, word, tool + " is an NVIDIA program: " + reason, Topic.UNKNOWN, Level.DOUBT);
      }
    }
    flags.port(command, Mode.HOST);
  }

  /** Returns hipcc, or the MPI wrapper of the command with hipcc as its compiler. */
  private String linker(String spelled, String program) {
    boolean wrapper =
        MPI_WRAPPER.matcher(syntax.variable(program).orElse(program)).matches()
            || facts.reach(program).stream().anyMatch(w -> MPI_WRAPPER.matcher(w).matches());
    if (!wrapper) {
      return hipcc();
    }
    String variables =
        MPI_COMPILERS.stream().map(v -> v + "=" + hipcc()).collect(Collectors.joining(" "));
    return "env " + variables + " " + spelled;
  }

  /**
   * Returns the index of the word that is the host compiler, which a program or function of the
   * project may start; -1 if it is unknown.
   */
  private int hostCompiler(List<Word> command) {
    for (int i = 0; i < command.size() && !command.get(i).text().startsWith("-"); i++) {
      String program = command.get(i).program();
      if (HOST_COMPILER.matcher(syntax.variable(program).orElse(program)).matches()) {
        return i;
      }
    }
    return command.getFirst().program().matches("[\\w.-]+") ? -1 : 0;
  }

  /** Returns the compiler as other ported commands call it. */
  private String hipcc() {
    for (Map.Entry<String, String> e : facts.names().renames().entrySet()) {
      if (facts.isCompiler(e.getKey()) && facts.isSet(e.getValue())) {
        return syntax.reference(e.getValue());
      }
    }
    return facts.isCompiler("NVCC") ? syntax.reference(passage.renamed("NVCC")) : "hipcc";
  }

  /**
   * Replaces a device link of nvcc. clang links device code with the program, so the object is
   * empty.
   */
  private void emptyObject(Word compiler, List<Word> rest) {
    Optional<String> output = FlagPort.output(rest);
    if (output.isEmpty()) {
      passage.remark(
          compiler,
          rest.getLast(),
          "this step links device code separately; remove it, because hipcc -fgpu-rdc --hip-link"
              + " links device code with the program",
          Topic.UNKNOWN,
          Level.PROBLEM);
      return;
    }
    String cxx = syntax == Syntax.MAKE ? "$(CXX)" : "${CXX:-g++}";
    passage.change(
        startOf(compiler),
        rest.getLast().end(),
        cxx + " -x c++ -c /dev/null -o " + passage.renamed(output.get()),
        Topic.RDC);
    passage.remark(
        compiler,
        rest.getLast(),
        "this step now creates an empty object, because clang links device code with the program",
        Topic.RDC,
        Level.NOTE);
  }

  private void archive(Word compiler, List<Word> rest) {
    Optional<String> output = FlagPort.output(rest);
    List<String> files = new ArrayList<>();
    for (int i = 0; i < rest.size(); i++) {
      String word = rest.get(i).text();
      boolean flags =
          word.startsWith("-")
              || (syntax.variable(word).isPresent()
                  && facts.reach(word).stream().anyMatch(w -> w.startsWith("-")));
      if (word.equals("-o")) {
        i++;
      } else if (!flags) {
        files.add(passage.renamed(word));
      }
    }
    if (output.isEmpty() || files.isEmpty()) {
      passage.remark(
          compiler,
          rest.getLast(),
          "hipcc cannot create archives; use ar rcs",
          Topic.UNKNOWN,
          Level.PROBLEM);
      return;
    }
    String ar = syntax == Syntax.MAKE ? "$(AR)" : "ar";
    passage.change(
        startOf(compiler),
        rest.getLast().end(),
        ar + " rcs " + passage.renamed(output.get()) + " " + String.join(" ", files),
        Topic.COMPILER);
  }

  private static int startOf(Word compiler) {
    return compiler.start()
        + compiler.text().length()
        - compiler.text().replaceAll("^[@+-]+", "").length();
  }

  private static String joined(List<Word> words) {
    return String.join(" ", words.stream().map(Word::text).toList());
  }
}
