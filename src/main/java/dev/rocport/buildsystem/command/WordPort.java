package dev.rocport.buildsystem.command;

import dev.rocport.buildsystem.command.Outcome.Level;
import dev.rocport.buildsystem.shared.LibraryCopies;
import dev.rocport.buildsystem.shared.SampleHeaders;
import dev.rocport.commandline.NvccWords;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ports single words: names, paths and libraries. */
final class WordPort {
  /** Tells a host compiler which HIP the headers are for. */
  static final String FOR_HOST = "-D__HIP_PLATFORM_AMD__";

  /** The start of a flag with a folder of headers or libraries. */
  private static final Pattern FOLDER = Pattern.compile("^[\"']?-[IL]");

  private final Facts facts;
  private final Syntax syntax;
  private final Passage passage;

  private final ReferencePort references;

  WordPort(Passage passage) {
    this.facts = passage.facts();
    this.syntax = facts.syntax();
    this.passage = passage;
    this.references = new ReferencePort(passage);
  }

  /** Ports a word in its place. */
  void port(Word word, Mode mode) {
    if (FOLDER.matcher(word.text()).lookingAt() && leavesOut(word, word)) {
      return;
    }
    String now = neutral(word.text(), mode, word);
    if (!now.equals(word.text())) {
      Topic topic =
          word.text().startsWith("-l")
              ? Topic.LIBRARY
              : now.contains("hipcc") && word.text().contains("nvcc") ? Topic.COMPILER : Topic.PATH;
      if (now.contains(CommandPort.ARCH_FLAGS)) {
        topic = Topic.ARCH;
      }
      passage.replace(word, word, now, topic);
    }
  }

  /** Returns a ported word. */
  String neutral(String word, Mode mode, Word place) {
    String now = references.port(word, mode, place);
    if (now.startsWith("-l") && !now.matches("-(lineinfo|link|lib|lto|ldir)\\b.*")) {
      List<NvccWords.Change> changes = NvccWords.changes(List.of(now));
      if (!changes.isEmpty()) {
        NvccWords.Change c = changes.getFirst();
        if (!c.problem().isEmpty()) {
          passage.remark(place, place, now + ": " + c.problem(), Topic.UNKNOWN, Level.PROBLEM);
        } else {
          now = String.join(" ", c.words());
        }
      }
      now = now.startsWith("-l") ? archive(now, place) : now;
    }
    String before = now;
    now = paths(now, place);
    if (now.matches("[\"']?-I.+") && mode.isForHost() && isHeaders(before)) {
      now = now + " " + FOR_HOST;
    }
    if (now.matches("[@+-]*[\"']?(\\w+=)?[\"']?nvcc[\"']?")) {
      now = now.replaceFirst("nvcc(?=[\"']?$)", "hipcc");
    }
    now = now.replaceFirst("/nvcc(?=[\"']?$)", "/hipcc");
    if (syntax == Syntax.SHELL) {
      now = now.replaceAll("(:?[-=])nvcc\\}", "$1hipcc}");
    }
    return passage.renamed(now);
  }

  /**
   * Returns the path of an archive with device code. clang finds no device code in {@code -l}
   * libraries.
   */
  private String archive(String word, Word place) {
    Optional<String> path =
        facts.isRelocatable() ? facts.archives().path(word.substring(2)) : Optional.empty();
    if (path.isPresent() && path.get().isEmpty()) {
      passage.remark(
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

  /**
   * Leaves out a flag with the folder of the headers or the library of the CUDA samples, or with
   * the headers of a copy of an NVIDIA library; returns whether it is one.
   */
  boolean leavesOut(Word first, Word last) {
    String folder = FOLDER.matcher(last.text()).replaceFirst("").replaceAll("[\"']", "");
    if (folder.matches(facts.root() + "/(samples/|[Cc]/)?common/(inc|lib(/[\\w-]+)*)/?")) {
      passage.remark(first, last, SampleHeaders.leftOut(last.text()), Topic.PATH, Level.NOTE);
      passage.replace(first, last, "", Topic.PATH);
      return true;
    }
    LibraryCopies.Use use = facts.copies(folder);
    String message = use.message(last.text());
    switch (use.kind()) {
      case NONE -> {}
      case LEFT_OUT -> {
        passage.remark(first, last, message, Topic.PATH, Level.NOTE);
        passage.replace(first, last, "", Topic.PATH);
        return true;
      }
      case FOR_HOST -> passage.remark(first, last, message, Topic.PATH, Level.DOUBT);
      case HIDES -> passage.remark(first, last, message, Topic.UNKNOWN, Level.PROBLEM);
    }
    return false;
  }

  /** Returns whether it is an include folder of CUDA. */
  boolean isHeaders(String word) {
    String folder = word.replaceFirst("^[\"']?-I", "").replaceAll("[\"']", "");
    return folder.matches(facts.root() + "/(targets/[\\w-]+/)?include/?")
        || facts.syntax().variable(folder).map(facts::isInclude).orElse(false);
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
      String reason =
          RocmNames.TOOLS.getOrDefault(tool, "ROCm does not have this folder or program");
      passage.remark(place, place, left.group() + ": " + reason, Topic.UNKNOWN, Level.PROBLEM);
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
    String rocm = quoted || passage.finds() ? "/opt/rocm" : syntax.reference(CommandPort.ROCM_PATH);
    return now.replaceAll(Facts.LITERAL, Matcher.quoteReplacement(rocm));
  }
}
