package dev.rocport.lang.python;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.Piece;
import dev.rocport.core.edit.Remainder;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.python.NotebookReader.CodeCell;
import dev.rocport.lang.python.NotebookReader.NotNotebook;
import dev.rocport.lang.python.syntax.PythonFile;
import dev.rocport.rules.Changes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A Jupyter notebook; its JSON text is authoritative. Its Python cells are analyzed as one
 * concatenated Python file, and findings and edits are mapped back to the JSON text: only the
 * strings that contain code change, and they keep their form.
 */
final class Notebook implements Changes.Places {
  private final SourceFile file;
  private final List<Cell> cells = new ArrayList<>();
  private final List<Left> left = new ArrayList<>();
  private final SourceFile python;

  /** For each byte of the Python text the span of its character in the JSON text. */
  private final int[] starts;

  private final int[] ends;
  private final boolean ascii;

  /**
   * A cell of Python.
   *
   * @param start in the Python text
   * @param end after its last line end
   * @param open whether that line end is not in the notebook
   * @param comma what parts two strings of its list, from quote to quote; empty for one string
   */
  private record Cell(int number, int start, int end, boolean open, String comma) {}

  /**
   * A cell that is not part of the Python text.
   *
   * @param offset in the JSON text
   * @param magic its first word; empty if it cannot be read as Python
   * @param text its text
   * @param why what is not Python in it
   */
  record Left(int number, int offset, String magic, String text, String why) {}

  private Notebook(SourceFile file, NotebookText text) {
    this.file = file;
    this.starts = text.starts();
    this.ends = text.ends();
    this.python = new SourceFile(file.path(), text.bytes());
    boolean plain = true;
    for (byte b : file.bytes()) {
      plain &= b >= 0;
    }
    this.ascii = plain;
  }

  static boolean isNotebook(String path) {
    return path.endsWith(".ipynb");
  }

  /**
   * Reads a notebook.
   *
   * @throws NotNotebook if the text is not JSON, or not a notebook's
   */
  static Notebook of(SourceFile file) throws NotNotebook {
    List<CodeCell> found = NotebookReader.cells(file.bytes());
    NotebookText all = new NotebookText(file.bytes());
    List<Cell> cells = new ArrayList<>();
    List<Left> left = new ArrayList<>();
    for (CodeCell c : found) {
      NotebookText own = new NotebookText(file.bytes());
      for (int quote : c.strings()) {
        own.string(quote);
      }
      byte[] code = own.bytes();
      if (code.length == 0) {
        continue;
      }
      String said = new String(code, StandardCharsets.UTF_8);
      int at = c.strings().getFirst();
      String magic = Magics.hide(code);
      if (!magic.isEmpty()) {
        left.add(new Left(c.number(), at, magic, said, ""));
        continue;
      }
      PythonFile parsed = PythonFile.parse(code);
      if (!parsed.problems().isEmpty()) {
        String why = parsed.problems().getFirst().message();
        left.add(new Left(c.number(), at, "", said, why));
        continue;
      }
      int start = all.size();
      all.add(own, code);
      boolean open = code[code.length - 1] != '\n';
      if (open) {
        all.put('\n', own.end(), own.end());
      }
      cells.add(new Cell(c.number(), start, all.size(), open, comma(file, c)));
    }
    Notebook notebook = new Notebook(file, all);
    notebook.cells.addAll(cells);
    notebook.left.addAll(left);
    return notebook;
  }

  private static String comma(SourceFile file, CodeCell c) {
    if (!c.isList()) {
      return "";
    }
    byte[] b = file.bytes();
    int first = c.strings().getFirst();
    if (c.strings().size() == 1) {
      return "\"," + file.text(c.start() + 1, first) + "\"";
    }
    int second = c.strings().get(1);
    int end = second - 1;
    while (b[end] != '"') {
      end--;
    }
    return file.text(end, second + 1);
  }

  /** The Python text: cells in order, each ends a line, what is not Python is a comment. */
  SourceFile python() {
    return python;
  }

  /** Cells of code that are not part of the Python text. */
  List<Left> left() {
    return left;
  }

  // ---- places

  @Override
  public String place(int offset) {
    Cell c = cell(offset);
    int line = python.line(offset) - python.line(c.start()) + 1;
    return "cell " + c.number() + ", line " + line;
  }

  @Override
  public int start(int offset) {
    return starts[Math.min(offset, starts.length - 1)];
  }

  @Override
  public int end(int offset) {
    return ends[Math.max(0, offset - 1)];
  }

  private Cell cell(int offset) {
    int low = 0;
    int high = cells.size() - 1;
    while (low < high) {
      int mid = (low + high + 1) >>> 1;
      if (cells.get(mid).start() <= offset) {
        low = mid;
      } else {
        high = mid - 1;
      }
    }
    return cells.get(low);
  }

  // ---- edits

  /**
   * The edits of the JSON text that are equivalent to edits of the Python text.
   *
   * @param sorted in the order in which they apply; their pieces are text
   */
  List<Edit> edits(List<Edit> sorted) {
    List<Edit> done = new ArrayList<>();
    int i = 0;
    while (i < sorted.size()) {
      int start = sorted.get(i).start();
      List<Edit> lines = new ArrayList<>();
      List<Edit> texts = new ArrayList<>();
      for (; i < sorted.size() && sorted.get(i).start() == start; i++) {
        Edit one = sorted.get(i);
        boolean whole = one.start() == one.end() && text(one).endsWith("\n") && texts.isEmpty();
        (whole ? lines : texts).add(one);
      }
      Cell c = cell(Math.min(start, python.length() - 1));
      boolean first = c.start() == 0 && start < c.end();
      if (start == python.length() || (start == c.start() && !first)) {
        // Lines between two cells end the one before: the other may begin with a magic.
        Cell to = start == python.length() ? c : before(c);
        lines.forEach(e -> done.add(append(to, e)));
      } else {
        texts.addAll(0, lines);
      }
      for (int k = 0; k < texts.size(); k++) {
        done.add(replace(c, texts.get(k), k == texts.size() - 1));
      }
    }
    return done;
  }

  private static String text(Edit e) {
    StringBuilder text = new StringBuilder();
    for (Piece p : e.pieces()) {
      switch (p) {
        case Piece.Text(String t) -> text.append(t);
        case Piece.Moved m -> throw new IllegalStateException("code moves in a notebook");
      }
    }
    return text.toString();
  }

  private Cell before(Cell c) {
    return cells.get(cells.indexOf(c) - 1);
  }

  private Edit append(Cell c, Edit e) {
    String lines = text(e);
    String text;
    if (c.open()) {
      String nl = lines.endsWith("\r\n") ? "\r\n" : "\n";
      text = nl + lines.substring(0, lines.length() - nl.length());
      text = json(text, c, true);
    } else {
      text = c.comma() + json(lines, c, true);
    }
    return Edit.after(ends[c.end() - 1], text, e.rule());
  }

  /** Insertions at one place follow each other in this order. */
  private Edit replace(Cell c, Edit e, boolean last) {
    int from = starts[e.start()];
    int to = e.end() > e.start() ? ends[e.end() - 1] : from;
    boolean closes = last && file.bytes()[to] == '"';
    String text = json(text(e), c, closes);
    return to == from ? Edit.after(from, text, e.rule()) : Edit.replace(from, to, text, e.rule());
  }

  /**
   * Text inside a JSON string.
   *
   * @param closes the string ends after it, and so a last line end needs no further string
   */
  private String json(String text, Cell c, boolean closes) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char x = text.charAt(i);
      switch (x) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> {
          out.append("\\n");
          if (i + 1 < text.length() || !closes) {
            out.append(c.comma());
          }
        }
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\f' -> out.append("\\f");
        default -> {
          if (x < ' ' || (x >= 0x7f && ascii)) {
            out.append(String.format("\\u%04x", (int) x));
          } else {
            out.append(x);
          }
        }
      }
    }
    return out.toString();
  }

  // ---- the view

  /**
   * The notebook without what is cut out of its Python text; lists that hold the text lose the
   * strings that go.
   */
  PythonView.View without(PythonView.View view) {
    BitSet cut = new BitSet(file.length());
    for (Cell c : cells) {
      int s = view.cut().nextSetBit(c.start());
      while (s >= 0 && s < c.end()) {
        int e = Math.min(c.end(), view.cut().nextClearBit(s));
        cut(c, s, e, cut);
        s = e == c.end() ? -1 : view.cut().nextSetBit(e);
      }
    }
    byte[] rest = new Remainder(file.bytes(), cut).bytes();
    return new PythonView.View(rest, view.gates(), cut, view.imports(), view.problem());
  }

  private void cut(Cell c, int s, int e, BitSet cut) {
    boolean line = s > c.start() && python.bytes()[s - 1] == '\n';
    if (e < c.end()) {
      cut.set(starts[s], starts[e]);
    } else if (!line) {
      cut.set(starts[s], ends[e - 1]);
    } else if (c.open()) {
      // The line before becomes the last, which has no line end.
      boolean pair = s > c.start() + 1 && python.bytes()[s - 2] == '\r';
      cut.set(starts[pair ? s - 2 : s - 1], ends[e - 1]);
    } else {
      cut.set(ends[s - 1], ends[e - 1]);
    }
  }
}
