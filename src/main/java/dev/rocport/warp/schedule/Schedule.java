package dev.rocport.warp.schedule;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.rules.Changes;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The edits and findings of the schedule analysis of a file, in order, without its syntax tree. */
public final class Schedule {
  private final Predicate<String> allowed;
  private final List<Step> steps = new ArrayList<>();
  private final SortedSet<String> headers = new TreeSet<>();

  /**
   * Nothing yet.
   *
   * @param allowed tests whether a rule is in force
   */
  Schedule(Predicate<String> allowed) {
    this.allowed = allowed;
  }

  private sealed interface Step {
    record Changed(Edit edit, boolean counted) implements Step {}

    record Dropped(int start, int end) implements Step {}

    /** With the severity and advice of its rule. */
    record Found(String rule, Disposition disposition, int start, int end, String message)
        implements Step {}

    record Told(
        String rule,
        Severity severity,
        Disposition disposition,
        int start,
        int end,
        String message,
        String advice)
        implements Step {}
  }

  /** Does it: rocport headers that the edits need are added to {@code shims}. */
  public void apply(Changes changes, SortedSet<String> shims) {
    for (Step s : steps) {
      switch (s) {
        case Step.Changed c when c.counted() -> changes.edit(c.edit());
        case Step.Changed c -> changes.alsoEdit(c.edit());
        case Step.Dropped d -> changes.dropInside(d.start(), d.end());
        case Step.Found f ->
            changes.finding(f.rule(), f.disposition(), f.start(), f.end(), f.message());
        case Step.Told t ->
            changes.finding(
                t.rule(),
                t.severity(),
                t.disposition(),
                t.start(),
                t.end(),
                t.message(),
                t.advice());
      }
    }
    shims.addAll(headers);
  }

  boolean allows(String rule) {
    return allowed.test(rule);
  }

  void needs(String header) {
    headers.add(header);
  }

  /** See {@link Changes#edit}. */
  void edit(Edit edit) {
    steps.add(new Step.Changed(edit, true));
  }

  /** See {@link Changes#alsoEdit}. */
  void alsoEdit(Edit edit) {
    steps.add(new Step.Changed(edit, false));
  }

  /** See {@link Changes#dropInside}. */
  void dropInside(int start, int end) {
    steps.add(new Step.Dropped(start, end));
  }

  void finding(String rule, Disposition disposition, int start, int end, String message) {
    steps.add(new Step.Found(rule, disposition, start, end, message));
  }

  void finding(
      String rule,
      Severity severity,
      Disposition disposition,
      int start,
      int end,
      String message,
      String advice) {
    steps.add(new Step.Told(rule, severity, disposition, start, end, message, advice));
  }
}
