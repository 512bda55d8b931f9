package dev.rocport.lang.cuda.embedded;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.Piece;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.ApiName.Kind;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Ports string literals, but only if the whole literal is the name of an API function, or kernel
 * source for run-time compilation.
 */
public final class StringPass {
  static final String NAME = "STRING-API-NAME";
  static final String KERNEL = "STRING-KERNEL";
  static final String OPTION = "STRING-NVRTC-OPTION";
  static final String HEADER = "STRING-HEADER";

  private static final String COMPILE = "nvrtcCompileProgram";

  private StringPass() {}

  /**
   * Looks at all string literals.
   *
   * @param passes ports a kernel that one of them holds
   */
  public static void run(CudaFile f, Consumer<CudaFile> passes) {
    Tokens t = f.t;
    for (int i = 0; i < t.count(); i++) {
      if (t.kind(i) == Tokens.STRING && !isInclude(t, i)) {
        literal(f, i, passes);
      }
    }
  }

  private static boolean isInclude(Tokens t, int i) {
    int d = t.directiveOf(i);
    return d >= 0 && t.directives().get(d).isInclude();
  }

  private static void literal(CudaFile f, int i, Consumer<CudaFile> passes) {
    Tokens t = f.t;
    byte[] b = f.source.bytes();
    int s = t.start(i);
    int e = t.end(i);
    if (e - s < 6) {
      return;
    }
    if (b[s] == '"' && b[s + 1] == 'c' && b[s + 2] == 'u' && isName(b, s + 1, e - 1)) {
      apiName(f, s + 1, e - 1);
    } else if (isKernel(f, i)) {
      kernel(f, i, passes);
    } else if (b[s] == '"' && b[e - 3] == '.' && b[e - 2] == 'h') {
      header(f, s, e);
    } else if (b[s] == '"'
        && b[s + 1] == '-'
        && isArchitectureOption(f.source.text(s + 1, e - 1))
        && !isTranslated(t)) {
      f.changes.finding(
          OPTION,
          Disposition.UNPORTED,
          s,
          e,
          "option for an NVIDIA architecture: " + f.source.text(s, e));
    }
  }

  /** True for a literal that holds device code. */
  static boolean isKernel(CudaFile f, int i) {
    byte[] b = f.source.bytes();
    int s = f.t.start(i);
    int e = f.t.end(i);
    return contains(b, s, e, "__global__") || contains(b, s, e, "__device__");
  }

  private static boolean isArchitectureOption(String text) {
    return text.startsWith("--gpu-architecture")
        || text.startsWith("-arch=")
        || text.startsWith("--gpu-code")
        || text.startsWith("-gencode");
  }

  /** True if the file compiles with options that the port translates when the program runs. */
  private static boolean isTranslated(Tokens t) {
    return IntStream.range(0, t.count() - 1)
        .filter(i -> t.isIdentifier(i) && t.text(i).equals(COMPILE) && t.is(i + 1, '('))
        .mapToObj(i -> Arguments.of(t, i + 1))
        .anyMatch(a -> a.size() == 3 && !t.text(a.get(1).first()).equals("0"));
  }

  private static boolean isName(byte[] b, int s, int e) {
    for (int i = s; i < e; i++) {
      if (!Character.isLetterOrDigit(b[i]) && b[i] != '_') {
        return false;
      }
    }
    return true;
  }

  private static void apiName(CudaFile f, int s, int e) {
    ApiTable.Entry entry = f.api.find(f.source.text(s, e));
    ApiName name = entry == null ? null : entry.name;
    if (name == null || name.kind() != Kind.FUNCTION || !f.changes.allows(NAME)) {
      return;
    }
    String target = f.api.target(name);
    if (!target.isEmpty() && !target.equals(name.cuda())) {
      f.changes.edit(Edit.replace(s, e, target, NAME));
    }
  }

  /** Reports the name of a CUDA header, which a program looks for when it runs. */
  private static void header(CudaFile f, int s, int e) {
    ApiName name = f.api.header(f.source.text(s + 1, e - 1));
    if (name == null) {
      return;
    }
    String target = f.api.target(name);
    f.changes.finding(
        HEADER,
        Disposition.REVIEW,
        s,
        e,
        "name of the CUDA header "
            + name.cuda()
            + (target.isEmpty() ? "" : ", which is " + target + " in HIP")
            + ": a program that looks for it fails when it runs");
  }

  private static boolean contains(byte[] b, int s, int e, String word) {
    outer:
    for (int i = s; i + word.length() <= e; i++) {
      for (int k = 0; k < word.length(); k++) {
        if (b[i + k] != word.charAt(k)) {
          continue outer;
        }
      }
      return true;
    }
    return false;
  }

  /** Ports the text of a kernel in a literal: its tokens are at the same offsets as in the file. */
  private static void kernel(CudaFile f, int i, Consumer<CudaFile> passes) {
    if (!f.changes.allows(KERNEL)) {
      return;
    }
    Tokens t = f.t;
    byte[] masked = mask(f.source.bytes(), t.start(i), t.end(i), t.isRawString(i));
    SourceFile inner = new SourceFile(f.source.path(), masked);
    Kernel kernel =
        port(inner, f.changes.nested(inner, KERNEL), f.project, f.options, f.api, passes);
    for (String shim : kernel.shims()) {
      f.changes.finding(
          KERNEL,
          Disposition.REVIEW,
          t.start(i),
          t.end(i),
          "the kernel in this string needs rocport/"
              + shim
              + ": include it there; rocport_create_program provides it");
    }
    boolean raw = t.isRawString(i);
    f.changes.adopt(kernel.changes(), e -> raw ? e : escaped(e));
  }

  /**
   * Ports kernel source as a separate file.
   *
   * @param changes where to
   * @param passes ports it
   */
  public static Kernel port(
      SourceFile kernel,
      Changes changes,
      ProjectIndex project,
      PortOptions options,
      ApiTable api,
      Consumer<CudaFile> passes) {
    CudaFile file = new CudaFile(kernel, changes, project, options, api, true);
    file.inString = true;
    passes.accept(file);
    return new Kernel(changes, List.copyOf(file.shims));
  }

  /** An edit as it is written inside quotes. */
  private static Edit escaped(Edit e) {
    List<Piece> pieces =
        e.pieces().stream()
            .map(
                p ->
                    p instanceof Piece.Text(String text)
                        ? new Piece.Text(
                            text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"))
                        : p)
            .toList();
    return new Edit(e.start(), e.end(), pieces, e.side(), e.rule());
  }

  /** All bytes outside the literal, its quotes and its escapes blanked: offsets stay. */
  private static byte[] mask(byte[] b, int s, int e, boolean raw) {
    byte[] m = new byte[e];
    java.util.Arrays.fill(m, (byte) ' ');
    int from = s;
    while (from < e && b[from] != '"') {
      from++;
    }
    from++;
    int to = e - 1;
    if (raw) {
      int tag = from;
      while (from < e && b[from] != '(') {
        from++;
      }
      from++;
      to = e - 2 - (from - 1 - tag);
    }
    for (int i = from; i < to; i++) {
      if (!raw && b[i] == '\\' && i + 1 < to) {
        m[i] = (byte) ' ';
        m[i + 1] = b[i + 1] == 'n' ? (byte) '\n' : b[i + 1] == '"' ? (byte) '"' : (byte) ' ';
        i++;
      } else {
        m[i] = b[i];
      }
    }
    return m;
  }
}
