package dev.rocport.lang.java;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Topic;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.ptx.find.Findings;
import dev.rocport.lang.ptx.find.Lexicon;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.PortOptions.Style;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Ports Java files. Thread-safe: one porter serves all workers. */
public final class JavaPorter {
  private static final String SYNTAX = "JAVA-SYNTAX";
  private static final String SINGLE_SOURCE = "JAVA-SINGLE-SOURCE";
  private static final int LINES = 12;

  /** A file that has none of these has nothing to port. */
  private static final List<String> WORDS =
      List.of(
          "cuda",
          "CUDA",
          "Cuda",
          "nvrtc",
          "nvcc",
          "cubl",
          "cufft",
          "curand",
          "cuspar",
          "cusolv",
          "cudnn",
          "nccl",
          "nvml",
          "\"cu",
          "__global__",
          "__device__",
          ".ptx",
          ".cubin",
          ".fatbin",
          "--gpu-",
          "-arch=",
          "-gencode",
          "CU_",
          "CUBLAS",
          ".target sm_");

  private final RuleCatalog catalog;
  private final PortOptions options;
  private final CudaPorter cuda;
  private final Differences differences;
  private final Lexicon lexicon;

  /** Rules about PTX are the only ones in force. */
  private final boolean onlyPtx;

  /**
   * A porter for these rules and options.
   *
   * @param cuda ports the kernels
   */
  public JavaPorter(RuleCatalog catalog, PortOptions options, CudaPorter cuda) {
    this.catalog = catalog;
    this.options = options;
    this.cuda = cuda;
    this.differences = new Differences(catalog, options.libs());
    this.lexicon = new Lexicon(catalog);
    this.onlyPtx = catalog.areOnly(options.filter(), Topic.PTX);
  }

  /** Whether a file may hold something to port. */
  public static boolean concerns(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    return WORDS.stream().anyMatch(text::contains);
  }

  /**
   * The changes of the rules.
   *
   * @param file a file whose encoding is text
   */
  public Changes port(SourceFile file) {
    Changes changes = new Changes(file, catalog, options.filter());
    if (!concerns(file.bytes())) {
      return changes;
    }
    JavaTree tree;
    try {
      tree = JavaTree.parse(file);
    } catch (JavaTree.Broken e) {
      int at = Math.min(e.at, Math.max(0, file.length() - 1));
      changes.finding(
          SYNTAX,
          Disposition.REVIEW,
          at,
          Math.min(file.length(), at + 1),
          "the Java parser rejects the file, so it is not ported: " + e.getMessage());
      return changes;
    }
    run(tree, changes);
    return options.style() == Style.SINGLE_SOURCE && !changes.edits().isEmpty()
        ? told(changes)
        : changes;
  }

  private void run(JavaTree tree, Changes changes) {
    JavaWork w =
        new JavaWork(
            tree,
            changes,
            cuda,
            options,
            catalog,
            differences,
            new Findings(catalog, lexicon, changes));
    new KernelPass(w).run();
    if (onlyPtx) {
      return;
    }
    new OptionPass(w).run();
    new LibraryPass(w).run();
    new SymbolPass(w).run();
    new ModuleFilePass(w).run();
    new ConstantPass(w).run();
    new BindingPass(w).run();
  }

  /** Java has no conditional compilation: in one tree for both, edits are only reported. */
  private Changes told(Changes changes) {
    SourceFile file = changes.file();
    Changes told = new Changes(file, catalog, options.filter());
    for (Finding f : changes.findings()) {
      if (f.disposition() != Disposition.PORTED) {
        told.adopt(f);
      }
    }
    List<Edit> edits = changes.edits().sorted();
    TreeSet<Integer> lines =
        edits.stream()
            .map(e -> file.line(e.start()))
            .collect(Collectors.toCollection(TreeSet::new));
    String where =
        lines.stream().limit(LINES).map(String::valueOf).collect(Collectors.joining(", "))
            + (lines.size() > LINES ? " and " + (lines.size() - LINES) + " more" : "");
    told.finding(
        SINGLE_SOURCE,
        Disposition.UNPORTED,
        edits.getFirst().start(),
        edits.getFirst().end(),
        "Java has no conditional compilation, so the file is left unchanged; for ROCm, it needs "
            + edits.size()
            + (edits.size() == 1 ? " edit" : " edits")
            + ": line "
            + where);
    return told;
  }
}
