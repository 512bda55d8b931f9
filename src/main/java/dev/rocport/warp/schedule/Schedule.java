package dev.rocport.warp.schedule;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.Piece;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
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

  /** The kinds of steps in the form of {@link #write}. */
  private enum Kind {
    CHANGED,
    DROPPED,
    FOUND,
    TOLD
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

  /** Writes it for {@link #read}. */
  public void write(PackedWriter out) {
    out.list(headers, out::text);
    out.list(steps, s -> write(s, out));
  }

  private static void write(Step step, PackedWriter out) {
    switch (step) {
      case Step.Changed(var edit, var counted) -> {
        out.constant(Kind.CHANGED);
        out.flag(counted);
        out.number(edit.start());
        out.number(edit.end());
        out.list(edit.pieces(), p -> write(p, out));
        out.constant(edit.side());
        out.text(edit.rule());
      }
      case Step.Dropped(var start, var end) -> {
        out.constant(Kind.DROPPED);
        out.number(start);
        out.number(end);
      }
      case Step.Found(var rule, var disposition, var start, var end, var message) -> {
        out.constant(Kind.FOUND);
        out.text(rule);
        out.constant(disposition);
        out.number(start);
        out.number(end);
        out.text(message);
      }
      case Step.Told(
              var rule,
              var severity,
              var disposition,
              var start,
              var end,
              var message,
              var advice) -> {
        out.constant(Kind.TOLD);
        out.text(rule);
        out.constant(severity);
        out.constant(disposition);
        out.number(start);
        out.number(end);
        out.text(message);
        out.text(advice);
      }
    }
  }

  private static void write(Piece piece, PackedWriter out) {
    switch (piece) {
      case Piece.Text(var text) -> {
        out.flag(true);
        out.text(text);
      }
      case Piece.Moved(var start, var end) -> {
        out.flag(false);
        out.number(start);
        out.number(end);
      }
    }
  }

  /** Reads the same edits and findings again. */
  public static Schedule read(PackedReader in) {
    Schedule schedule = new Schedule(rule -> false); // the analysis is over
    schedule.headers.addAll(in.list(in::text));
    schedule.steps.addAll(in.list(() -> readStep(in)));
    return schedule;
  }

  private static Step readStep(PackedReader in) {
    return switch (in.constant(Kind.class)) {
      case CHANGED -> {
        boolean counted = in.flag();
        Edit edit =
            new Edit(
                in.integer(),
                in.integer(),
                in.list(() -> readPiece(in)),
                in.constant(Edit.Side.class),
                in.text());
        yield new Step.Changed(edit, counted);
      }
      case DROPPED -> new Step.Dropped(in.integer(), in.integer());
      case FOUND ->
          new Step.Found(
              in.text(), in.constant(Disposition.class), in.integer(), in.integer(), in.text());
      case TOLD ->
          new Step.Told(
              in.text(),
              in.constant(Severity.class),
              in.constant(Disposition.class),
              in.integer(),
              in.integer(),
              in.text(),
              in.text());
    };
  }

  private static Piece readPiece(PackedReader in) {
    return in.flag() ? new Piece.Text(in.text()) : new Piece.Moved(in.integer(), in.integer());
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
