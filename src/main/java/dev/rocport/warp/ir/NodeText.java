package dev.rocport.warp.ir;

import java.nio.charset.StandardCharsets;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTFileLocation;
import org.eclipse.cdt.core.dom.ast.IASTName;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTQualifiedName;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTemplateId;
import org.jspecify.annotations.Nullable;

/** Gives the text and the places of syntax nodes. */
final class NodeText {
  /** Bytes between a kernel's name and the chevrons of its launch, at most. */
  private static final int NEAR = 64;

  private final byte[] bytes;
  private final MacroUses macros;

  /**
   * @param bytes the file's own bytes, launches not masked
   */
  NodeText(byte[] bytes, MacroUses macros) {
    this.bytes = bytes;
    this.macros = macros;
  }

  /** Returns the bytes of a node; they are editable if no macro is among them. */
  Span span(IASTNode n) {
    IASTFileLocation at = n.getFileLocation();
    if (at == null) {
      return new Span(0, 0, false);
    }
    int start = at.getNodeOffset();
    int end = start + at.getNodeLength();
    return new Span(start, end, !macros.holds(start, end));
  }

  /** Returns the first 200 bytes of a node. */
  String text(IASTNode n) {
    IASTFileLocation at = n.getFileLocation();
    if (at == null) {
      return "";
    }
    int end = Math.min(bytes.length, at.getNodeOffset() + Math.min(at.getNodeLength(), 200));
    return new String(
        bytes, at.getNodeOffset(), end - at.getNodeOffset(), StandardCharsets.ISO_8859_1);
  }

  /** Returns the text before a name, up to the statement before it: it has the CUDA qualifiers. */
  String head(IASTNode n) {
    IASTFileLocation at = n.getFileLocation();
    if (at == null) {
      return "";
    }
    int end = Math.min(bytes.length, at.getNodeOffset() + Math.min(at.getNodeLength(), 1));
    int start = end;
    while (start > 0
        && end - start < 2000
        && bytes[start - 1] != ';'
        && bytes[start - 1] != '}'
        && bytes[start - 1] != '{') {
      start--;
    }
    return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
  }

  /** Returns the last part of a name without template arguments. */
  static String plain(IASTName name) {
    IASTName last = name instanceof ICPPASTQualifiedName q ? q.getLastName() : name;
    IASTName n = last instanceof ICPPASTTemplateId t ? t.getTemplateName() : last;
    return n.toString();
  }

  /** Returns whether a node is inside one of a kind. */
  static boolean isIn(Class<? extends IASTNode> kind, IASTNode n) {
    for (IASTNode p = n.getParent(); p != null; p = p.getParent()) {
      if (kind.isInstance(p)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether chevrons are in a body, or close enough after it. */
  boolean hasChevrons(IASTCompoundStatement body) {
    Span at = span(body);
    for (int i = at.start(); i + 2 < Math.min(bytes.length, at.end() + NEAR); i++) {
      if (isChevrons(i)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the chevrons of a launch follow the name of a kernel. */
  boolean isLaunched(Span name) {
    for (int i = name.end(); i + 2 < bytes.length && i < name.end() + NEAR; i++) {
      if (isChevrons(i)) {
        return true;
      }
      if (bytes[i] == '(' || bytes[i] == ';') {
        return false;
      }
    }
    return false;
  }

  /** Returns the macro without parameters that expands to all of these bytes; null if none does. */
  @Nullable String macro(Span at) {
    return at.editable() ? null : macros.constant(at.start(), at.end());
  }

  private boolean isChevrons(int at) {
    return bytes[at] == '<' && bytes[at + 1] == '<' && bytes[at + 2] == '<';
  }
}
