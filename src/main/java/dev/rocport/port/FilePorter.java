package dev.rocport.port;

import dev.rocport.assess.InlineSuppressions;
import dev.rocport.buildsystem.shared.BuildPort;
import dev.rocport.core.edit.OverlapException;
import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.lang.java.JavaPorter;
import dev.rocport.lang.ptx.find.PtxFiles;
import dev.rocport.lang.ptx.find.Sieve;
import dev.rocport.lang.python.PythonPorter;
import dev.rocport.lang.python.PythonProject;
import dev.rocport.port.decide.EditedLines;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.singlesource.BuildProof;
import dev.rocport.singlesource.SingleSource;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Ports the text of one file, by the porter of its kind. */
final class FilePorter {
  private final RuleCatalog catalog;
  private final CudaPorter cuda;
  private final PythonPorter python;
  private final JavaPorter java;
  private final PtxFiles ptx;

  /** Set if the port is one tree for both platforms. */
  private final @Nullable SingleSource single;

  private final RenamedSources renamed;

  /** Only PTX rules are active: most files need no processing. */
  private final boolean onlyPtx;

  FilePorter(
      RuleCatalog catalog,
      CudaPorter cuda,
      PortOptions options,
      @Nullable SingleSource single,
      RenamedSources renamed,
      PtxFiles ptx,
      boolean onlyPtx) {
    this.catalog = catalog;
    this.cuda = cuda;
    this.python = new PythonPorter(catalog, options);
    this.java = new JavaPorter(catalog, options, cuda);
    this.ptx = ptx;
    this.single = single;
    this.renamed = renamed;
    this.onlyPtx = onlyPtx;
  }

  /** Returns whether a port analyzes files of this kind, whatever a build changes in them. */
  static boolean isAnalyzed(TreeEntry entry) {
    return entry.isSource()
        || entry.kind() == FileKind.PYTHON
        || entry.kind() == FileKind.JAVA
        || isPtx(entry);
  }

  /** Compiler output, which may contain PTX. */
  private static boolean isPtx(TreeEntry entry) {
    return entry.kind() == FileKind.OTHER && PtxFiles.isText(entry.path());
  }

  /** The information about the tree that the port of a file needs. */
  record Context(ProjectIndex sources, BuildPort build, PythonProject packages) {}

  PortedFile apply(int index, TreeEntry entry, SourceFile file, Context project) {
    if (!file.encoding().isText()) {
      return Unported.notText(index, entry, file);
    }
    if (onlyPtx && !isPtx(entry) && !Sieve.mayHold(file.bytes())) {
      return Unported.untouched(index, entry, file);
    }
    SourceFile text = file.withLineFeeds();
    try {
      Changes ofBuild = project.build().changes().get(entry.path());
      boolean isPython = entry.kind() == FileKind.PYTHON;
      boolean isJava = entry.kind() == FileKind.JAVA;
      if (single != null && ofBuild == null && !isPython && !isJava && !isPtx(entry)) {
        return single(single, index, entry, file, text, project.sources());
      }
      Changes changes =
          ofBuild != null
              ? ofBuild
              : isPython
                  ? python.port(text, project.packages())
                  : isJava
                      ? java.port(text)
                      : isPtx(entry)
                          ? ptx.find(text)
                          : entry.isSource()
                              ? cuda.port(text, project.sources())
                              : cuda.unported(text);
      renamed.fix(text, entry.kind(), changes);
      HiddenCharacters.find(text, changes);
      InlineSuppressions.Outcome told = InlineSuppressions.apply(changes);
      byte[] output =
          changes.edits().isEmpty()
              ? file.bytes()
              : likeOriginal(changes.edits().apply(file.bytes()), file, text);
      if (isPython && !changes.edits().isEmpty()) {
        String failure =
            PythonPorter.failure(text, new SourceFile(entry.path(), output).withLineFeeds());
        if (!failure.isEmpty()) {
          return Unported.notIsolated(index, entry, file, failure);
        }
      } else if (single != null && !isJava) {
        String failure = BuildProof.failure(text, new SourceFile(entry.path(), output));
        if (!failure.isEmpty()) {
          return Unported.notIsolated(index, entry, file, failure);
        }
      }
      return new PortedFile(
          index,
          entry,
          file,
          Arrays.equals(output, file.bytes()) ? file.bytes() : output,
          changes.counts(),
          told.findings(),
          told.suppressed(),
          changes.shims(),
          SideBySide.of(changes, catalog),
          EditedLines.of(text, changes.edits().sorted()),
          entry.isSource() ? rules -> partial(changes, file, text, rules) : Partial.NONE,
          "");
    } catch (OverlapException e) {
      return Unported.overlap(index, entry, text, e);
    } catch (StackOverflowError e) {
      return Unported.tooDeep(index, entry, file);
    } catch (RuntimeException e) {
      return Unported.internal(index, entry, file, e);
    }
  }

  private static byte @Nullable [] partial(
      Changes changes, SourceFile file, SourceFile text, Predicate<String> rules) {
    try {
      return likeOriginal(changes.edits().only(rules).apply(file.bytes()), file, text);
    } catch (OverlapException e) {
      return null; // the edit that makes room for another is not among them
    }
  }

  private static byte @Nullable [] partial(
      SingleSource single,
      SourceFile file,
      SourceFile text,
      ProjectIndex project,
      Predicate<String> rules) {
    SingleSource.Ported some = single.port(text, project, rules);
    return some.failure().isEmpty()
        ? some.output() == text.bytes() ? file.bytes() : likeOriginal(some.output(), file, text)
        : null;
  }

  /** Lines that rules add have the line ends of the file. */
  private static byte[] likeOriginal(byte[] output, SourceFile file, SourceFile text) {
    if (text != file && !file.hasLineFeeds()) {
      for (int i = 0; i < output.length; i++) {
        output[i] = output[i] == '\n' ? (byte) '\r' : output[i];
      }
    }
    return output;
  }

  private PortedFile single(
      SingleSource single,
      int index,
      TreeEntry entry,
      SourceFile file,
      SourceFile text,
      ProjectIndex project) {
    if (text != file && file.hasLineFeeds()) {
      return Unported.notIsolated(
          index, entry, file, "some lines end with a lone carriage return, and others do not");
    }
    SingleSource.Ported ported = single.port(text, project);
    if (!ported.failure().isEmpty()) {
      return Unported.notIsolated(index, entry, file, ported.failure());
    }
    HiddenCharacters.find(text, ported.changes());
    InlineSuppressions.Outcome told = InlineSuppressions.apply(ported.changes());
    return new PortedFile(
        index,
        entry,
        file,
        ported.output() == text.bytes() ? file.bytes() : likeOriginal(ported.output(), file, text),
        ported.edits(),
        told.findings().stream().filter(ported::tells).toList(),
        told.suppressed(),
        ported.shims(),
        SideBySide.of(ported.changes(), catalog),
        List.of(),
        rules -> partial(single, file, text, project, rules),
        "");
  }
}
