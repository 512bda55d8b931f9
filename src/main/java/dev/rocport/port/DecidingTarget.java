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
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Leaves out what people have decided to skip, and writes what they have written. Each such change
 * is a suppressed finding of its rule with the reason of the decision.
 */
public final class DecidingTarget extends ForwardingTarget {
  private static final String BROKEN =
      "the decisions in "
          + Decisions.NAME
          + " leave brackets or conditions of this file open, so none of them was applied to it";

  private final Decisions decisions;

  /** Applies decisions to the files of a target. */
  public DecidingTarget(Target inner, Decisions decisions) {
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
    if (decided.isEmpty()) {
      return inner().ported(file);
    }
    byte[] content = items.apply(item -> answer(decided.get(item)));
    if (isBroken(file, content)) {
      FileResult result = inner().ported(file);
      return Results.as(result, result.status(), BROKEN);
    }
    List<Suppressed> setAside = new ArrayList<>(file.suppressed());
    SortedMap<String, Integer> edits = new TreeMap<>(file.edits());
    for (Item item : items.all()) {
      Decision d = decided.get(item);
      if (d != null) {
        setAside.add(new Suppressed(finding(file, item), d.sentence(), Decisions.NAME));
        remove(edits, file.edited(), item);
      }
    }
    setAside.sort(Comparator.comparingInt(s -> s.finding().line()));
    return inner().ported(file.with(content, edits, setAside));
  }

  private static Answer answer(@org.jspecify.annotations.Nullable Decision d) {
    if (d == null) {
      return new Answer.Ported();
    }
    return d.action() == Action.SKIP ? new Answer.Original() : new Answer.Written(d.text());
  }

  /** Returns whether a part of the changes leaves open what all of them close. */
  private static boolean isBroken(PortedFile file, byte[] content) {
    return file.entry().isSource()
        && Balance.holds(file.source())
        && Balance.holds(new SourceFile(file.source().path(), file.output()))
        && !Balance.holds(new SourceFile(file.source().path(), content));
  }

  private static void remove(
      SortedMap<String, Integer> edits, List<EditedLines> edited, Item item) {
    int last = item.line() + Math.max(0, (int) item.before().lines().count() - 1);
    for (EditedLines e : edited) {
      if (item.isWhole() || (e.first() <= last && e.last() >= item.line())) {
        edits.computeIfPresent(e.rule(), (rule, n) -> n > 1 ? n - 1 : null);
      }
    }
  }

  private static Finding finding(PortedFile file, Item item) {
    SourceFile source = file.source();
    int length = Math.max(1, source.lineEnd(item.line()) - source.lineStart(item.line()));
    return new Finding(
        item.rules().getFirst(),
        Severity.NOTE,
        Disposition.REVIEW,
        item.path(),
        item.line(),
        1,
        item.line(),
        length + 1,
        "change of the port: " + item.change(),
        "",
        item.before().lines().findFirst().orElse("").strip(),
        item.id());
  }
}
