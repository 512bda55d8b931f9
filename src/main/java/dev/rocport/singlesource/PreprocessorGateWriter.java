package dev.rocport.singlesource;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.EditSet;
import dev.rocport.core.edit.Piece;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.condition.GuardChoice;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes a file with its gates: the original bytes, with the AMD code between them. */
final class PreprocessorGateWriter {
  private final SourceFile file;
  private final GatePlan plan;
  private final List<Edit> edits;
  private final String nl;
  private final ByteArrayOutputStream out;
  private int gates;
  private int gatedLines;

  /**
   * @param file the original, including gates of earlier ports
   * @param edits all edits in source order, whether or not they require a gate
   */
  PreprocessorGateWriter(SourceFile file, GatePlan plan, List<Edit> edits) {
    this.file = file;
    this.plan = plan;
    this.edits = edits;
    this.nl = file.newline();
    this.out = new ByteArrayOutputStream(file.length() + file.length() / 8);
  }

  int gates() {
    return gates;
  }

  /** Returns the number of lines of the original in gates. */
  int gatedLines() {
    return gatedLines;
  }

  byte[] write() {
    SortedMap<Integer, Region> regions = new TreeMap<>();
    plan.regions().forEach(r -> regions.put(r.from(), r));
    SortedMap<Integer, Boolean> stops = new TreeMap<>();
    regions.keySet().forEach(line -> stops.put(line, true));
    plan.settings().keySet().forEach(line -> stops.put(line, true));
    out.write(file.bytes(), 0, Gate.start(file));
    int line = 1;
    for (int stop : stops.keySet()) {
      copy(line, stop);
      line = stop;
      GatePlan.Setting setting = plan.settings().get(stop);
      if (setting != null && !setting.undef().isEmpty()) {
        undef(setting.undef());
      }
      Region r = regions.get(stop);
      if (r != null) {
        region(r);
        line = r.to() + 1;
      }
      if (setting != null && !setting.define().isEmpty()) {
        define(setting.define());
      }
    }
    copy(line, file.lines() + 1);
    return out.toByteArray();
  }

  /** Copies lines unchanged, except for edits in gates of an earlier port. */
  private void copy(int from, int to) {
    int start = start(from);
    int end = start(to);
    List<Edit> inside = new ArrayList<>();
    for (int i = firstFrom(start); i < edits.size() && edits.get(i).start() < end; i++) {
      if (isInOldGate(edits.get(i))) {
        inside.add(edits.get(i));
      }
    }
    out.writeBytes(apply(inside, start, end));
  }

  private int firstFrom(int offset) {
    int lo = 0;
    int hi = edits.size();
    while (lo < hi) {
      int mid = (lo + hi) >>> 1;
      if (edits.get(mid).start() < offset) {
        lo = mid + 1;
      } else {
        hi = mid;
      }
    }
    return lo;
  }

  private boolean isInOldGate(Edit e) {
    return plan.isGated(file.line(e.start()));
  }

  private int start(int line) {
    return line > file.lines() ? file.length() : plan.start(line);
  }

  private void region(Region r) {
    int start = start(r.from());
    int end = start(r.to() + 1);
    List<Edit> inside = new ArrayList<>();
    for (int i = firstFrom(start); i < edits.size() && edits.get(i).start() <= end; i++) {
      Edit e = edits.get(i);
      if (e.start() < end || plan.isWholeLines(e)) {
        inside.add(e);
      }
    }
    byte[] original = Arrays.copyOfRange(file.bytes(), start, end);
    byte[] ported = apply(inside, start, end);
    if (Arrays.equals(original, ported)) {
      out.writeBytes(original);
      return;
    }
    gates++;
    gatedLines += r.isEmpty() ? 0 : r.size();
    boolean open = original.length > 0 && original[original.length - 1] != '\n';
    GateLine close = open ? GateLine.CLOSE_NO_NEWLINE : GateLine.CLOSE;
    if (ported.length == 0) {
      line(GateLine.NVIDIA);
      out.writeBytes(original);
    } else {
      line(GateLine.AMD);
      out.writeBytes(ported);
      if (ported[ported.length - 1] != '\n') {
        text(nl);
      }
      if (original.length > 0) {
        line(GateLine.ELSE);
        out.writeBytes(original);
      }
    }
    if (open) {
      text(nl);
      text(close.text());
    } else {
      line(close);
    }
  }

  private void undef(List<GuardChoice.Define> macros) {
    line(GateLine.GUARD);
    macros.forEach(m -> text("#undef " + m.macro() + nl));
    line(GateLine.CLOSE);
    gates++;
  }

  private void define(List<GuardChoice.Define> macros) {
    line(GateLine.GUARD);
    for (GuardChoice.Define m : macros) {
      String define = "#define " + m.macro() + " " + m.value() + nl;
      text(
          m.when().isEmpty()
              ? define
              : "#if defined(" + m.when() + ")" + nl + define + "#endif" + nl);
    }
    line(GateLine.CLOSE);
    gates++;
  }

  private void line(GateLine line) {
    text(line.text() + nl);
  }

  private void text(String text) {
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the bytes from {@code start} to {@code end} with edits applied. */
  private byte[] apply(List<Edit> inside, int start, int end) {
    byte[] slice = Arrays.copyOfRange(file.bytes(), start, end);
    if (inside.isEmpty()) {
      return slice;
    }
    EditSet set = new EditSet();
    List<Edit> openers = new ArrayList<>();
    for (Edit e : inside) {
      if (e.start() == e.end() && e.side() == Edit.Side.BEFORE) {
        openers.add(e);
      } else {
        set.add(shift(e, start));
      }
    }
    // EditSet orders insertions at one offset in reverse.
    openers.reversed().forEach(e -> set.add(shift(e, start)));
    return set.apply(slice);
  }

  private static Edit shift(Edit e, int by) {
    List<Piece> pieces =
        e.pieces().stream()
            .<Piece>map(
                p ->
                    switch (p) {
                      case Piece.Text text -> text;
                      case Piece.Moved(int s, int f) -> new Piece.Moved(s - by, f - by);
                    })
            .toList();
    return new Edit(e.start() - by, e.end() - by, pieces, e.side(), e.rule());
  }
}
