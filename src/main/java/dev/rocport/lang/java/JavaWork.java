package dev.rocport.lang.java;

import com.github.javaparser.ast.Node;
import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.ptx.find.Findings;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The state of one file that the passes share. */
final class JavaWork {
  private final JavaTree tree;
  private final Changes changes;
  private final CudaPorter cuda;
  private final PortOptions options;
  private final RuleCatalog catalog;
  private final Differences differences;
  private final Findings ptx;
  private final List<JavaString> strings;

  private final IdentityHashMap<Node, JavaString> byNode = new IdentityHashMap<>();

  /** Strings that a pass has dealt with. */
  private final Set<JavaString> done = Collections.newSetFromMap(new IdentityHashMap<>());

  JavaWork(
      JavaTree tree,
      Changes changes,
      CudaPorter cuda,
      PortOptions options,
      RuleCatalog catalog,
      Differences differences,
      Findings ptx) {
    this.tree = tree;
    this.changes = changes;
    this.cuda = cuda;
    this.options = options;
    this.catalog = catalog;
    this.differences = differences;
    this.ptx = ptx;
    this.strings = JavaStrings.of(tree);
    strings.forEach(s -> byNode.put(s.node(), s));
  }

  JavaTree tree() {
    return tree;
  }

  SourceFile file() {
    return tree.file();
  }

  Changes changes() {
    return changes;
  }

  CudaPorter cuda() {
    return cuda;
  }

  PortOptions options() {
    return options;
  }

  Differences differences() {
    return differences;
  }

  Findings ptx() {
    return ptx;
  }

  /** All texts, in order of place. */
  List<JavaString> strings() {
    return strings;
  }

  /** The text that an expression is. */
  Optional<JavaString> string(Node n) {
    return Optional.ofNullable(byNode.get(n));
  }

  /** Takes a text; false if another pass has it already. */
  boolean take(JavaString s) {
    return done.add(s);
  }

  boolean isTaken(JavaString s) {
    return done.contains(s);
  }

  /** True if something is imported whose name begins so. */
  boolean imports(String prefix) {
    return tree.unit().getImports().stream()
        .anyMatch(
            i ->
                i.getNameAsString().equals(prefix) || i.getNameAsString().startsWith(prefix + "."));
  }

  /** Writes another text into a literal. */
  void rewrite(JavaString s, String text, String rule) {
    if (changes.allows(rule)) {
      changes.edit(Edit.replace(s.start() + 1, s.end() - 1, text, rule));
    }
  }

  void note(String rule, int start, int end, String message) {
    tell(rule, Severity.NOTE, Disposition.PORTED, start, end, message);
  }

  void warn(String rule, int start, int end, String message) {
    tell(rule, Severity.WARNING, Disposition.REVIEW, start, end, message);
  }

  void error(String rule, int start, int end, String message) {
    tell(rule, Severity.ERROR, Disposition.UNPORTED, start, end, message);
  }

  private void tell(
      String rule, Severity severity, Disposition is, int start, int end, String message) {
    changes.finding(rule, severity, is, start, end, message, catalog.require(rule).advice());
  }

  /** An error with its own advice. */
  void error(String rule, int start, int end, String message, String advice) {
    String said = advice.isEmpty() ? catalog.require(rule).advice() : advice;
    changes.finding(rule, Severity.ERROR, Disposition.UNPORTED, start, end, message, said);
  }
}
