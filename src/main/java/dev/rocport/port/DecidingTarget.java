package dev.rocport.port;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.Suppressed;
import dev.rocport.core.source.SourceFile;
import dev.rocport.port.decide.Balance;
import dev.rocport.port.decide.Decision;
import dev.rocport.port.decide.Decision.Action;
import dev.rocport.port.decide.Decisions;
import dev.rocport.port.decide.EditedLines;
import dev.rocport.port.decide.Item;
import dev.rocport.port.decide.Items;
import dev.rocport.port.decide.Items.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out what people have decided to skip, and writes what they have written. Each such change
 * is a suppressed finding of its rule with the reason of the decision.
 */
public final class DecidingTarget extends ForwardingTarget {
  private static final String BROKEN =
      "the decisions in "
          + Decisions.NAME
          + " leave brackets or conditions of this file open, so none of them was applied to it";

  private static final String LOST =
      "a decision in "
          + Decisions.NAME
          + " does not tell which change it is about, or the lines have changed, so it was not"
          + " applied: decide again with --interactive";

  private final Decisions decisions;

  /**
   * Returns a target that applies decisions to the files of another; that one if there are none.
   */
  public static Target onto(Target inner, Decisions decisions) {
    return decisions.isEmpty() ? inner : new DecidingTarget(inner, decisions);
  }

  private DecidingTarget(Target inner, Decisions decisions) {
    super(inner, decisions.key());
    this.decisions = decisions;
  }

  /** Returns the changes of a file that decisions may be about; none if it was not ported. */
  public static Items items(PortedFile file) {
    return Items.of(
        file.source(),
        file.failure().isEmpty() ? file.output() : file.source().bytes(),
        file.entry().language(),
        file.edited());
  }

  /**
   * Returns whether a part of the changes leaves brackets or conditions open that the original and
   * the whole port close.
   *
   * @param content the file with this part
   */
  static boolean leavesOpen(PortedFile file, byte[] content) {
    return Balance.holds(file.source())
        && Balance.holds(new SourceFile(file.source().path(), file.output()))
        && !Balance.holds(new SourceFile(file.source().path(), content));
  }

  @Override
  public FileResult ported(PortedFile file) throws IOException {
    Items items = items(file);
    Map<Item, Decision> decided = new HashMap<>();
    for (Item item : items.all()) {
      decisions
          .about(item)
          .filter(d -> d.action() != Action.ACCEPT)
          .ifPresent(d -> decided.put(item, d));
    }
    PortedFile told = file.with(warned(file, items.all(), LOST, this::isLost));
    if (decided.isEmpty()) {
      return inner().ported(told);
    }
    byte[] content = items.apply(item -> answer(decided.get(item)));
    if (leavesOpen(file, content)) {
      return inner().ported(told.with(warned(told, items.all(), BROKEN, decided::containsKey)));
    }
    List<Suppressed> setAside = new ArrayList<>(file.suppressed());
    SortedMap<String, Integer> edits = new TreeMap<>(file.edits());
    for (Item item : items.all()) {
      Decision d = decided.get(item);
      if (d != null) {
        setAside.add(
            new Suppressed(
                finding(file, item, Severity.NOTE, "change of the port: " + item.change()),
                d.sentence(),
                Decisions.NAME));
        remove(edits, file.edited(), item);
      }
    }
    setAside.sort(Comparator.comparingInt(s -> s.finding().line()));
    return inner().ported(told.with(content, edits, setAside));
  }

  /** Returns whether a change has no decision, but an earlier change that it may be has one. */
  private boolean isLost(Item item) {
    return decisions.about(item).isEmpty()
        && decisions.all().stream()
            .anyMatch(
                d ->
                    !d.always()
                        && d.action() != Action.ACCEPT
                        && d.path().equals(item.path())
                        && d.change().equals(item.change()));
  }

  /**
   * Returns the findings of a file and a warning at the first change of a kind, if there is one.
   */
  private static List<Finding> warned(
      PortedFile file, List<Item> items, String message, Predicate<Item> kind) {
    Optional<Item> first = items.stream().filter(kind).findFirst();
    if (first.isEmpty()) {
      return file.findings();
    }
    List<Finding> findings = new ArrayList<>(file.findings());
    findings.add(finding(file, first.get(), Severity.WARNING, message));
    findings.sort(Comparator.comparingInt(Finding::line));
    return findings;
  }

  private static Answer answer(@Nullable Decision d) {
    if (d == null) {
      return new Answer.Ported();
    }
    return d.action() == Action.SKIP ? new Answer.Original() : new Answer.Written(d.text());
  }

  private static void remove(
      SortedMap<String, Integer> edits, List<EditedLines> edited, Item item) {
    for (EditedLines e : edited) {
      if (item.isWhole() || (e.first() <= item.lastLine() && e.last() >= item.line())) {
        edits.computeIfPresent(e.rule(), (rule, n) -> n > 1 ? n - 1 : null);
      }
    }
  }

  private static Finding finding(PortedFile file, Item item, Severity severity, String message) {
    SourceFile source = file.source();
    int length = Math.max(1, source.lineEnd(item.line()) - source.lineStart(item.line()));
    return new Finding(
        item.rules().getFirst(),
        severity,
        Disposition.REVIEW,
        item.path(),
        item.line(),
        1,
        item.line(),
        length + 1,
        message,
        "",
        item.before().lines().findFirst().orElse("").strip(),
        item.id());
  }
}
