package dev.rocport.lang.ptx.find;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Finding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.PortOptions.Style;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.RuleFilter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Finds PTX and NVIDIA machine code in files other than source: modules, MLIR and LLVM IR, and
 * binaries. Thread-safe.
 */
public final class PtxFiles {
  private static final Set<String> MODULES = Set.of("ptx");
  private static final Set<String> IR = Set.of("mlir", "ttir", "ttgir", "llir", "ll");

  /** The prefix of a file with another name that is checked as a whole. */
  private static final int PROBE = 4096;

  private final RuleCatalog catalog;
  private final RuleFilter filter;
  private final Lexicon lexicon;

  /** Text of a compiler has no gates: in one tree for both it stays as it is. */
  private final boolean edits;

  public PtxFiles(RuleCatalog catalog, PortOptions options) {
    this.catalog = catalog;
    this.filter = options.filter();
    this.edits = options.style() == Style.HIP;
    this.lexicon = new Lexicon(catalog);
  }

  /** True for files that are text of a compiler, by their names. */
  public static boolean isText(String path) {
    String ending = ending(path);
    return MODULES.contains(ending) || IR.contains(ending);
  }

  private static String ending(String path) {
    int dot = path.lastIndexOf('.');
    return dot <= path.lastIndexOf('/') ? "" : path.substring(dot + 1).toLowerCase(Locale.ROOT);
  }

  /** What is found in a file of text. */
  public Changes find(SourceFile file) {
    Changes changes = new Changes(file, catalog, filter);
    Findings findings = new Findings(catalog, lexicon, changes);
    if (IR.contains(ending(file.path()))) {
      IrFile.find(file, changes, findings, edits);
    } else {
      findings.module(PtxText.of(file), "");
    }
    return changes;
  }

  /** What is found in a file of any other kind, by its first bytes. */
  public List<Finding> look(TreeEntry entry) {
    try {
      byte[] head;
      try (InputStream in = Files.newInputStream(entry.file())) {
        head = in.readNBytes(PROBE);
      }
      if (Binary.isLookedAt(head)) {
        return binaries(entry);
      }
      String text = new String(head, StandardCharsets.ISO_8859_1);
      if (text.contains(".version") && text.contains(".target") && Module.of(text) != null) {
        return find(new SourceFile(entry.path(), Files.readAllBytes(entry.file()))).findings();
      }
      return List.of();
    } catch (IOException e) {
      return List.of(); // its copy meets the same trouble and reports it
    }
  }

  private List<Finding> binaries(TreeEntry entry) throws IOException {
    List<Binary> found = filter.allows(Findings.BINARY) ? Binary.in(entry.file()) : List.of();
    if (found.isEmpty()) {
      return List.of();
    }
    boolean alone = found.size() == 1 && found.getFirst().offset() == 0;
    return List.of(told(entry, (alone ? "" : "holds ") + Binary.says(found)));
  }

  private Finding told(TreeEntry entry, String message) {
    Rule rule = catalog.require(Findings.BINARY);
    return new Finding(
        Findings.BINARY,
        rule.severity(),
        Disposition.UNPORTED,
        entry.path(),
        0,
        0,
        0,
        0,
        message,
        rule.advice(),
        "",
        Changes.fingerprint(Findings.BINARY, entry.path(), "", 1));
  }
}
