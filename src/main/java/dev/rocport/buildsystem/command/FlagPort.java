package dev.rocport.buildsystem.command;

import dev.rocport.buildsystem.command.Outcome.Level;
import dev.rocport.commandline.GnuOpenMp;
import dev.rocport.commandline.HostWarnings;
import dev.rocport.commandline.NvccWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ports flags of nvcc and of host compilers. */
final class FlagPort {
  /** Text with a flag that selects GPUs. */
  static final Pattern ARCH_TEXT =
      Pattern.compile("(?s).*--?(gencode|arch|gpu-architecture|generate-code)\\b.*");

  /** Flags before a folder that is a word of its own. */
  private static final Set<String> FOLDERS = Set.of("-I", "-L", "-isystem");

  /** The other one of the two flags between which a condition chooses. */
  private static final Pattern FOR_64_BITS = Pattern.compile("(?<![\\w-])-m64(?!\\w)");

  private final Facts facts;
  private final Syntax syntax;
  private final Passage passage;

  private final WordPort words;

  FlagPort(Passage passage) {
    this.facts = passage.facts();
    this.syntax = facts.syntax();
    this.passage = passage;
    this.words = new WordPort(passage);
  }

  /** Ports words that are flags and their arguments. */
  void port(List<Word> list, Mode mode) {
    Opaque opaque = new Opaque(syntax);
    List<String> texts = list.stream().map(w -> opaque.hide(w.text())).toList();
    boolean[] done = new boolean[list.size()];
    boolean hasOutput = output(list).isPresent();
    if (mode.isForNvcc()) {
      for (NvccWords.Change c : NvccWords.changes(texts)) {
        if (mode == Mode.NVCC || NvccWords.isForAll(texts.get(c.first()))) {
          flag(list, c, opaque, done, hasOutput);
        }
      }
    }
    for (int i = 0; i < list.size(); i++) {
      if (!done[i]) {
        if (facts.isOpenMp() && list.get(i).text().equals(GnuOpenMp.FLAG)) {
          gnuOpenMp(list.get(i), list, mode);
          continue;
        }
        if (FOLDERS.contains(texts.get(i))
            && i + 1 < list.size()
            && words.leavesOut(list.get(i), list.get(i + 1))) {
          i++;
          continue;
        }
        words.port(list.get(i), mode);
        if (mode.isForHost() && facts.isCuda() && texts.get(i).equals(HostWarnings.ERRORS)) {
          passage.insert(list.get(i).end(), " " + HostWarnings.EXCEPTION, Topic.FLAG);
        }
        boolean apart = i > 0 && list.get(i - 1).text().equals("-I");
        if (apart && mode.isForHost() && words.isHeaders(list.get(i).text())) {
          passage.insert(list.get(i).end(), " " + WordPort.FOR_HOST, Topic.PATH);
        }
      }
    }
  }

  private void flag(
      List<Word> list, NvccWords.Change c, Opaque opaque, boolean[] done, boolean hasOutput) {
    Word first = list.get(c.first());
    Word last = list.get(c.first() + c.count() - 1);
    for (int i = c.first(); i < c.first() + c.count(); i++) {
      done[i] = true;
    }
    String flag = passage.text().substring(first.start(), last.end());
    if (NvccWords.isDeviceCode(first.text())) {
      if (hasOutput) {
        passage.change(first.start(), first.end(), "--genco", Topic.FLAG);
        passage.remark(
            first,
            last,
            flag
                + " becomes --genco, which creates a bundle for all selected GPUs; load it with"
                + " hipModuleLoad",
            Topic.FLAG,
            Level.NOTE);
      } else {
        passage.remark(
            first,
            last,
            flag + ": hipcc has --genco in its place, which needs an output file: -o FILE",
            Topic.UNKNOWN,
            Level.PROBLEM);
      }
      return;
    }
    if (CallPort.DEVICE_LINK.contains(first.text())) {
      passage.remark(
          first,
          last,
          flag + " stays in this variable: calls with it now create empty objects",
          Topic.RDC,
          Level.NOTE);
      return;
    }
    if (first.text().equals("-m32") && FOR_64_BITS.matcher(passage.text()).find()) {
      passage.remark(
          first,
          last,
          flag + ": only 64-bit code is supported, as with -m64",
          Topic.FLAG,
          Level.NOTE);
      return;
    }
    if (!c.problem().isEmpty()) {
      passage.remark(first, last, flag + ": " + c.problem(), Topic.UNKNOWN, Level.PROBLEM);
      return;
    }
    List<String> now = new ArrayList<>();
    if (c.arch()) {
      String gpus = passage.archOnce();
      if (!gpus.isEmpty()) {
        now.add(gpus);
      }
    } else {
      if (flag.matches("(?s)--?(ccbin|compiler-bindir)[=\\s].*mpi.*")) {
        passage.remark(
            first,
            last,
            flag + " provided the MPI headers; pass their folder to hipcc (see mpicxx -show)",
            Topic.UNKNOWN,
            Level.DOUBT);
      }
      boolean forHost = first.text().matches("--?(Xcompiler|compiler-options)(=.*)?");
      for (String word : c.words()) {
        String shown = opaque.show(word);
        Optional<String> values = forHost ? hostList(shown) : Optional.of(shown);
        if (values.isEmpty()) {
          passage.remark(
              first,
              last,
              flag
                  + ": its value has commas, and clang does not split values at commas; pass"
                  + " separate flags",
              Topic.UNKNOWN,
              Level.PROBLEM);
          return;
        }
        now.add(words.neutral(values.get(), Mode.NVCC, first));
      }
      if (!c.note().isEmpty()) {
        passage.remark(first, last, flag + " is left out: " + c.note(), Topic.FLAG, Level.NOTE);
      }
    }
    Topic topic =
        c.arch()
            ? Topic.ARCH
            : now.contains("-fgpu-rdc")
                ? Topic.RDC
                : first.text().startsWith("-l") ? Topic.LIBRARY : Topic.FLAG;
    passage.replace(first, last, String.join(" ", now), topic);
  }

  /** Leaves one OpenMP runtime in programs with code that hipcc compiles with -fopenmp: clang's. */
  private void gnuOpenMp(Word word, List<Word> list, Mode mode) {
    Set<String> all = facts.reach(String.join(" ", list.stream().map(Word::text).toList()));
    if (mode == Mode.NVCC) {
      boolean there = all.stream().anyMatch(GnuOpenMp::isAsked);
      passage.replace(word, word, there ? "" : GnuOpenMp.CLANG, Topic.LIBRARY);
    } else if (mode == Mode.BOTH || (mode == Mode.HOST && LinkStep.linksCuda(all))) {
      passage.remark(
          word,
          word,
          "-lgomp is the GNU OpenMP runtime, but hipcc uses the LLVM one; if a program contains"
              + " OpenMP code that hipcc compiles, link it with hipcc -fopenmp and without -lgomp",
          Topic.LIBRARY,
          Level.DOUBT);
    }
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
    Optional<String> name = facts.syntax().variable(word);
    boolean commas =
        name.isPresent()
            && facts.reach(word).stream()
                .anyMatch(w -> w.startsWith("-") && w.contains(",") && !w.startsWith("-Wl,"));
    return commas ? Optional.empty() : Optional.of(word);
  }

  /** Returns the value of the flag that names the output. */
  static Optional<String> output(List<Word> words) {
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
}
