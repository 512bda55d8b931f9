package dev.rocport.lang.ptx.find;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Finds inline assembly templates and NVIDIA operations and intrinsics in MLIR (including the
 * Triton dialects) and LLVM IR. It distinguishes comments and strings.
 */
final class IrFile {
  static final String ASM = "PTX-IR";
  static final String NVVM = "PTX-NVVM";

  private static final String TRITON = "tt.elementwise_inline_asm";
  private static final Set<String> TEMPLATES = Set.of(TRITON, "llvm.inline_asm", "nvvm.inline_ptx");

  /** What may be between {@code asm} and its template in LLVM IR. */
  private static final Set<String> ASM_WORDS =
      Set.of("sideeffect", "alignstack", "inteldialect", "unwind");

  private final SourceFile file;
  private final byte[] b;
  private final boolean llvm;
  private final boolean edits;
  private final Changes changes;
  private final Findings findings;
  private final Map<String, Place> operations = new LinkedHashMap<>();

  private record Place(int start, int end, int count) {}

  private IrFile(SourceFile file, Changes changes, Findings findings, boolean edits) {
    this.file = file;
    this.b = file.bytes();
    this.llvm = isLlvm(file.path());
    this.changes = changes;
    this.edits = edits;
    this.findings = findings;
  }

  /**
   * Finds what there is.
   *
   * @param edits whether signals are rewritten
   */
  static void find(SourceFile file, Changes changes, Findings findings, boolean edits) {
    new IrFile(file, changes, findings, edits).run();
  }

  private static boolean isLlvm(String path) {
    return path.endsWith(".ll") || path.endsWith(".llir");
  }

  private void run() {
    int i = 0;
    String before = "";
    while (i < b.length) {
      int c = b[i];
      if (c == '"') {
        int end = stringEnd(i);
        String word = end - i < 64 ? file.text(i + 1, Math.max(i + 1, end - 1)) : "";
        if (TEMPLATES.contains(word)) {
          attribute(word, end);
        } else if (word.startsWith("nvvm.") && isOperation(end)) {
          note(word, i + 1, end - 1);
        }
        i = end;
        before = "";
      } else if (isComment(i)) {
        i = lineEnd(i);
      } else if (isWordStart(c) && (i == 0 || !isWord(b[i - 1]))) {
        int end = wordEnd(i);
        i = word(i, end, before);
        before = file.text(Math.max(0, Math.min(end, b.length) - 40), end);
      } else {
        i++;
      }
    }
    operations.forEach(
        (name, p) ->
            changes.finding(
                NVVM,
                Disposition.UNPORTED,
                p.start,
                p.end,
                name + (p.count == 1 ? "" : ", " + p.count + " times in this file")));
  }

  /** Checks a word; returns where to continue. */
  private int word(int start, int end, String before) {
    int length = end - start;
    if (length == 3 && is(start, "asm") && llvm) {
      return llvmAsm(end, before);
    }
    if (b[start] == 'n' && is(start, "nvvm.") && length > 5) {
      String name = file.text(start, end);
      if (TEMPLATES.contains(name)) {
        return template(name, end);
      }
      if (start == 0 || (b[start - 1] != '#' && b[start - 1] != '!')) {
        int next = end;
        while (next < b.length && b[next] == ' ') {
          next++;
        }
        if (next >= b.length || b[next] != '=') { // nvvm.kernel = true is an attribute
          note(name, start, end);
        }
      }
      return end;
    }
    if (b[start] == 't' && is(start, TRITON) && length == TRITON.length()) {
      return triton(start, end);
    }
    if (b[start] == 'l' && is(start, "llvm.")) {
      if (is(start, "llvm.inline_asm") && length == 15) {
        return template("llvm.inline_asm", end);
      }
      if (is(start, "llvm.nvvm.") && start > 0 && b[start - 1] == '@' && !isDeclared(start)) {
        note(file.text(start, end), start, end);
      }
    }
    return end;
  }

  private boolean isDeclared(int at) {
    return is(file.lineStart(file.line(at)), "declare");
  }

  private boolean isOperation(int end) {
    return end < b.length && b[end] == '(';
  }

  private void note(String name, int start, int end) {
    operations.merge(
        name, new Place(start, end, 1), (p, n) -> new Place(p.start, p.end, p.count + 1));
  }

  /** The Triton operation: a signal becomes a call, anything else is reported. */
  private int triton(int start, int from) {
    int quote = from;
    while (quote < b.length && b[quote] == ' ') {
      quote++;
    }
    if (quote >= b.length || b[quote] != '"' || !changes.allows(TritonSignal.RULE)) {
      return template(TRITON, from);
    }
    int end = stringEnd(quote);
    int line = file.lineEnd(file.line(start));
    String template = Literals.ofIr(b, quote, end).text();
    try {
      TritonSignal signal = TritonSignal.of(template, start, end, file.text(end, line));
      if (signal == null) {
        return template(TRITON, from);
      }
      if (edits) {
        changes.edit(signal.edit());
      }
      changes.finding(
          TritonSignal.RULE,
          edits ? Disposition.PORTED : Disposition.UNPORTED,
          start,
          line,
          (edits ? "now calls " : "must call ") + signal.symbol());
      return end;
    } catch (Signal.Refused e) {
      changes.finding(
          TritonSignal.RULE,
          Disposition.UNPORTED,
          start,
          line,
          "a signal that has no counterpart: " + e.getMessage());
      return template(TRITON, from);
    }
  }

  /** {@code OP ... "template"}: the first string after the operation. */
  private int template(String name, int from) {
    for (int i = from; i < b.length && b[i] != '\n' && b[i] != '%'; i++) {
      if (b[i] == '"') {
        return inline(name, i);
      }
    }
    return from;
  }

  /** {@code "OP"(...) <{asm_string = "template"}>}. */
  private void attribute(String name, int from) {
    int end = Math.min(b.length, lineEnd(from));
    int at = file.text(from, end).indexOf("asm_string");
    if (at < 0) {
      return;
    }
    for (int i = from + at; i < end; i++) {
      if (b[i] == '"') {
        inline(name, i);
        return;
      }
    }
  }

  /** {@code call i32 asm sideeffect "template", "constraints"(...)} and {@code module asm}. */
  private int llvmAsm(int from, String before) {
    int i = from;
    while (i < b.length) {
      if (b[i] == ' ') {
        i++;
      } else if (b[i] == '"') {
        return inline(before.endsWith("module") ? "module asm" : "asm", i);
      } else if (isWordStart(b[i])) {
        int end = wordEnd(i);
        if (!ASM_WORDS.contains(file.text(i, end))) {
          return from;
        }
        i = end;
      } else {
        return from;
      }
    }
    return i;
  }

  private int inline(String name, int quote) {
    int end = stringEnd(quote);
    PtxText text = Literals.ofIr(b, quote, end);
    if (AsmLanguage.of(text.text()) == AsmLanguage.PTX) {
      findings.inline(ASM, text, name);
    }
    return end;
  }

  private boolean isComment(int i) {
    return llvm ? b[i] == ';' : b[i] == '/' && i + 1 < b.length && b[i + 1] == '/';
  }

  private int lineEnd(int from) {
    int i = from;
    while (i < b.length && b[i] != '\n') {
      i++;
    }
    return i;
  }

  /** Where a string ends that begins here: a string that is not closed ends with its line. */
  private int stringEnd(int quote) {
    int end = file.lineEnd(file.line(quote));
    int i = quote + 1;
    while (i < end && b[i] != '"') {
      i += b[i] == '\\' ? 2 : 1;
    }
    return Math.min(end, i + 1);
  }

  private int wordEnd(int from) {
    int i = from;
    while (i < b.length && isWord(b[i])) {
      i++;
    }
    return i;
  }

  private boolean is(int at, String word) {
    if (at + word.length() > b.length) {
      return false;
    }
    for (int k = 0; k < word.length(); k++) {
      if (b[at + k] != word.charAt(k)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWordStart(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  private static boolean isWord(int c) {
    return isWordStart(c) || (c >= '0' && c <= '9') || c == '.' || c == '$';
  }
}
