package dev.rocport.lang.java;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.Piece;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.ptx.find.JavaPart;
import dev.rocport.lang.ptx.find.PtxText;
import dev.rocport.rules.Changes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Maps edits of a text to edits of the literals that form it. */
final class Written implements Changes.Places {
  private final SourceFile file;
  private final JavaString string;
  private final PtxText text;

  Written(SourceFile file, JavaString string) {
    this.file = file;
    this.string = string;
    this.text = string.text();
  }

  /** The text as a separate file: one byte per character, holes are identifiers. */
  SourceFile source() {
    String said = text.text();
    byte[] bytes = new byte[said.length()];
    for (int i = 0; i < bytes.length; i++) {
      char c = said.charAt(i);
      bytes[i] = c == PtxText.HOLE ? (byte) '_' : (byte) c;
    }
    return new SourceFile(file.path(), bytes);
  }

  /** The edits in the file; empty if one of them cannot be written. */
  Optional<List<Edit>> edits(List<Edit> inner) {
    List<Edit> edits = new ArrayList<>();
    for (Edit e : inner) {
      Optional<Edit> one = edit(e);
      if (one.isEmpty()) {
        return Optional.empty();
      }
      edits.add(one.get());
    }
    return Optional.of(edits);
  }

  private Optional<Edit> edit(Edit e) {
    Span span = span(e.start(), e.end(), e.side());
    if (span == null) {
      return Optional.empty();
    }
    List<Piece> pieces = new ArrayList<>();
    for (Piece p : e.pieces()) {
      switch (p) {
        case Piece.Text(String said) -> pieces.add(new Piece.Text(escaped(said, span)));
        case Piece.Moved(int start, int end) -> {
          Span moved = span(start, end, Edit.Side.BEFORE);
          if (moved == null || moved.block() != span.block()) {
            return Optional.empty();
          }
          pieces.add(new Piece.Moved(moved.start(), moved.end()));
        }
      }
    }
    if (e.pieces().isEmpty() && span.block() && isLines(e.start(), e.end())) {
      // Whole lines go with their indentation.
      int first = file.lineStart(file.line(span.start()));
      return Optional.of(new Edit(first, span.end(), pieces, e.side(), e.rule()));
    }
    return Optional.of(new Edit(span.start(), span.end(), pieces, e.side(), e.rule()));
  }

  /** A stretch of the file inside literals of one form. */
  private record Span(int start, int end, boolean block) {}

  private @Nullable Span span(int from, int to, Edit.Side side) {
    int n = text.text().length();
    boolean empty = from == to;
    int start = empty && (side == Edit.Side.AFTER || from == n) ? text.end(from) : text.start(from);
    int end = empty ? start : text.end(to);
    JavaPart first = part(start);
    JavaPart last = part(empty ? start : end - 1);
    if (!(first instanceof JavaPart.Literal a) || !(last instanceof JavaPart.Literal b)) {
      return null;
    }
    for (int i = from; i < to; i++) {
      if (text.text().charAt(i) == PtxText.HOLE) {
        return null;
      }
    }
    boolean block = isBlock(a);
    boolean joins = string.parts().indexOf(a) != string.parts().indexOf(b);
    return joins && (block || !isPlain(a, b)) ? null : new Span(start, end, block);
  }

  /** Nothing but a plus is between the literals from one to another. */
  private boolean isPlain(JavaPart a, JavaPart b) {
    List<JavaPart> parts = string.parts();
    for (int i = parts.indexOf(a); i < parts.indexOf(b); i++) {
      int behind = parts.get(i).end();
      JavaPart next = parts.get(i + 1);
      if (!(next instanceof JavaPart.Literal r)
          || isBlock(r)
          || !file.text(/* start= */ behind, /* end= */ next.start()).strip().equals("+")) {
        return false;
      }
    }
    return true;
  }

  private @Nullable JavaPart part(int offset) {
    for (JavaPart p : string.parts()) {
      // The place before a closing quote belongs to the literal.
      if (offset > p.start() && offset < p.end()) {
        return p;
      }
    }
    return null;
  }

  private boolean isBlock(JavaPart.Literal p) {
    return p.end() - p.start() >= 6
        && file.bytes()[p.start() + 1] == '"'
        && file.bytes()[p.start() + 2] == '"';
  }

  private boolean isLines(int from, int to) {
    String said = text.text();
    return to > from && said.charAt(to - 1) == '\n' && (from == 0 || said.charAt(from - 1) == '\n');
  }

  private String escaped(String said, Span span) {
    String plain = said.replace("\\", "\\\\");
    if (!span.block()) {
      return plain
          .replace("\"", "\\\"")
          .replace("\r", "")
          .replace("\n", "\\n")
          .replace("\t", "\\t");
    }
    int line = file.line(span.start());
    int from = file.lineStart(line);
    int to = from;
    while (to < file.lineEnd(line) && (file.bytes()[to] == ' ' || file.bytes()[to] == '\t')) {
      to++;
    }
    String indent = file.text(from, to);
    return plain
        .replace("\"\"\"", "\\\"\"\"")
        .replace("\r", "")
        .replace("\n", file.newline() + indent);
  }

  @Override
  public String place(int offset) {
    int line = 1;
    for (int i = 0; i < Math.min(offset, text.text().length()); i++) {
      line += text.text().charAt(i) == '\n' ? 1 : 0;
    }
    return "line " + line + " of the kernel";
  }

  @Override
  public int start(int offset) {
    return text.start(offset);
  }

  @Override
  public int end(int offset) {
    return text.end(offset);
  }
}
