package dev.rocport.warp.code;

import dev.rocport.core.source.SourceFile;
import java.util.regex.Pattern;
import org.eclipse.cdt.core.dom.ast.IASTFileLocation;
import org.eclipse.cdt.core.dom.ast.IASTMacroExpansionLocation;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTNodeLocation;

/** The bytes of the tree nodes of a file. */
public final class SourceText {
  private static final Pattern LOOSE = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*|\\s+");

  private final SourceFile file;

  SourceText(SourceFile file) {
    this.file = file;
  }

  public int start(IASTNode node) {
    IASTFileLocation at = node.getFileLocation();
    return at == null ? 0 : at.getNodeOffset();
  }

  public int end(IASTNode node) {
    IASTFileLocation at = node.getFileLocation();
    return at == null ? 0 : at.getNodeOffset() + at.getNodeLength();
  }

  public String of(IASTNode node) {
    return of(start(node), end(node));
  }

  public String of(int start, int end) {
    return file.text(start, end);
  }

  /** The text without comments and white space, which two spellings of one thing have in common. */
  public String tight(IASTNode node) {
    return LOOSE.matcher(of(node)).replaceAll("");
  }

  /** False for what a macro's body holds: its bytes in the file are those of the macro's use. */
  public boolean isWritten(IASTNode node) {
    IASTNodeLocation[] at = node.getNodeLocations();
    return at.length > 0
        && !(at[0] instanceof IASTMacroExpansionLocation)
        && !(at[at.length - 1] instanceof IASTMacroExpansionLocation);
  }

  /** The same, but an expression may be, begin or end with a whole macro. */
  public boolean isWhole(IASTNode node) {
    if (isWritten(node)) {
      return true;
    }
    IASTNode parent = node.getParent();
    return node.getNodeLocations().length > 0
        && parent != null
        && (start(parent) != start(node) || end(parent) != end(node));
  }

  /** Where the declaration of a node begins, empty macros such as {@code __device__} included. */
  public int before(IASTNode node) {
    int i = start(node);
    while (i > 0 && ";}{#".indexOf(file.bytes()[i - 1]) < 0) {
      i--;
    }
    // Lines of directives and comments in between are no part of it.
    int at = i;
    while (at < start(node) && (file.bytes()[at] <= ' ' && file.bytes()[at] >= 0)) {
      at++;
    }
    return at;
  }

  /** Counted from 1. */
  public int line(IASTNode node) {
    return file.line(start(node));
  }

  /** The white space that the line of a place begins with. */
  public String indent(int at) {
    int line = file.lineStart(file.line(at));
    int i = line;
    while (i < at && (file.bytes()[i] == ' ' || file.bytes()[i] == '\t')) {
      i++;
    }
    return of(line, i);
  }

  public String newline() {
    return file.newline();
  }

  /** True if a preprocessor directive begins a line between two places. */
  public boolean hasDirective(int start, int end) {
    boolean fresh = false;
    for (int i = start; i < end; i++) {
      byte c = file.bytes()[i];
      if (c == '\n') {
        fresh = true;
      } else if (c == '#' && fresh) {
        return true;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        fresh = false;
      }
    }
    return false;
  }

  public boolean holds(String word, int from, int to) {
    return find(word, from, to) < to;
  }

  /** The first place of an ASCII word from {@code from} on, or {@code to}. */
  public int find(String word, int from, int to) {
    for (int at = from; at + word.length() <= to; at++) {
      int k = 0;
      while (k < word.length() && file.bytes()[at + k] == word.charAt(k)) {
        k++;
      }
      if (k == word.length()) {
        return at;
      }
    }
    return to;
  }
}
