package dev.rocport.cli.editor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.CommandLines;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.eclipse.lsp4j.CodeAction;
import org.eclipse.lsp4j.CodeActionContext;
import org.eclipse.lsp4j.CodeActionParams;
import org.eclipse.lsp4j.CodeLens;
import org.eclipse.lsp4j.CodeLensParams;
import org.eclipse.lsp4j.Command;
import org.eclipse.lsp4j.Diagnostic;
import org.eclipse.lsp4j.DidChangeWatchedFilesParams;
import org.eclipse.lsp4j.ExecuteCommandParams;
import org.eclipse.lsp4j.Hover;
import org.eclipse.lsp4j.HoverParams;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.TextDocumentIdentifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client opens, edits and fixes documents. */
class LspCommandTest {
  private static final String KERNEL =
      """
      #include <cuda_runtime.h>
      __global__ void k(unsigned* p) {
        asm volatile("wgmma.fence.sync.aligned;");
        unsigned x;
        asm("mov.u32 %0, %%laneid;" : "=r"(x));
        p[0] = x;
      }
      void f(unsigned* p) { k<<<1, 64>>>(p); cudaDeviceSynchronize(); }
      """;

  @TempDir private Path folder;

  private static Range line(int line) {
    return new Range(new Position(line, 0), new Position(line, 1));
  }

  private static String marked(String text, Diagnostic d) {
    String line = text.split("\n", -1)[d.getRange().getStart().getLine()];
    return line.substring(
        d.getRange().getStart().getCharacter(), d.getRange().getEnd().getCharacter());
  }

  private static List<String> places(Session session, String file) throws Exception {
    return session.findings(file).stream()
        .map(d -> d.getRange().getStart().getLine() + 1 + " " + d.getCode().getLeft())
        .toList();
  }

  /** Lines and rules of an audit of the folder. */
  private List<String> audited(String file) {
    String csv = CommandLines.run("audit", folder.toString(), "--format", "csv").out();
    Pattern row =
        Pattern.compile(
            "(?m)^" + Pattern.quote(file) + ",(\\d+),\\d+,\\d+,\\d+,\\w+,\\w+,([A-Z0-9-]+),");
    return row.matcher(csv).results().map(m -> m.group(1) + " " + m.group(2)).toList();
  }

  @Test
  void findingsAreThoseOfAnAudit() throws Exception {
    Map<String, String> files =
        Map.of(
            "a.cu",
            KERNEL,
            "CMakeLists.txt",
            "project(x CUDA)\nset(CMAKE_CUDA_ARCHITECTURES 70 80)\nadd_library(a a.cu)\n",
            "t.py",
            "import torch\nx = \"sm_80\"\n",
            "Makefile",
            "V := $(shell nvcc --version)\nall: a.o\na.o: a.cu\n\tnvcc -c a.cu\n");
    for (Map.Entry<String, String> e : files.entrySet()) {
      Files.writeString(folder.resolve(e.getKey()), e.getValue());
    }
    try (Session session = new Session(folder)) {
      for (String file : files.keySet()) {
        session.open(file);
        assertThat(places(session, file)).as(file).isNotEmpty().isEqualTo(audited(file));
      }
      assertThat(session.messages).isEmpty();
    }
  }

  /** A definition in another file decides whether a name is one of CUDA. */
  @Test
  void otherFilesOfTheProjectCount() throws Exception {
    Files.writeString(folder.resolve("own.h"), "int cudaNothingOfTheSort(int);\n");
    String text = "#include \"own.h\"\nint x = cudaNothingOfTheSort(1);\n";
    Files.writeString(folder.resolve("a.cu"), text);
    try (Session session = new Session(folder)) {
      session.open("a.cu");
      assertThat(session.rules("a.cu")).isEmpty();
      session.open("own.h");
      session.edit("own.h", 0, 0, 1, 0, "");
      List<Diagnostic> found = session.findings("a.cu", d -> !d.isEmpty());
      assertThat(found.getFirst().getCode().getLeft()).isEqualTo("API-UNKNOWN");
    }
    assertThat(Files.readString(folder.resolve("own.h"))).startsWith("int cuda");
  }

  @Test
  void aFixEndsItsFinding() throws Exception {
    Files.writeString(folder.resolve("a.cu"), KERNEL);
    Path out = folder.resolve("out");
    CommandLines.run("port", folder.toString(), "--out", out.toString());
    try (Session session = new Session(folder)) {
      session.open("a.cu");
      assertThat(session.rules("a.cu")).containsExactly("PTX-INLINE", "W64-LANE");
      List<CodeAction> actions = session.actions("a.cu", line(4));
      assertThat(actions)
          .extracting(CodeAction::getTitle)
          .containsExactly(
              "Port this line",
              "Suppress W64-LANE here (write the reason after it)",
              "Port this file (3 changes; it needs rocport/warp_sync.h)",
              "Explain W64-LANE");
      assertThat(actions.getFirst().getDiagnostics())
          .extracting(d -> d.getCode().getLeft())
          .containsExactly("W64-LANE");
      session.change("a.cu", session.fix("a.cu", line(4), "Port this line"));
      assertThat(session.rules("a.cu")).containsExactly("PTX-INLINE");
      session.change("a.cu", session.fix("a.cu", line(0), "Port this file"));
      assertThat(session.text("a.cu")).isEqualTo(Files.readString(out.resolve("a.cu")));
    }
    assertThat(Files.readString(folder.resolve("a.cu"))).isEqualTo(KERNEL);
  }

  @Test
  void aSelectionIsPortedAlone() throws Exception {
    Files.writeString(folder.resolve("a.cu"), KERNEL);
    try (Session session = new Session(folder)) {
      session.open("a.cu");
      session.findings("a.cu");
      Range selection = new Range(new Position(5, 0), new Position(8, 0));
      session.change("a.cu", session.fix("a.cu", selection, "Port this selection"));
      assertThat(session.text("a.cu"))
          .isEqualTo(
              KERNEL
                  .replace("cudaDeviceSynchronize", "hipDeviceSynchronize")
                  .replace(
                      "cuda_runtime.h>", "hip/hip_runtime.h>\n#include \"rocport/warp_sync.h\""));
    }
  }

  @Test
  void aSuppressionNeedsItsReason() throws Exception {
    Files.writeString(folder.resolve("a.cu"), KERNEL);
    try (Session session = new Session(folder)) {
      session.open("a.cu");
      session.findings("a.cu");
      session.change("a.cu", session.fix("a.cu", line(2), "Suppress PTX-INLINE"));
      assertThat(session.rules("a.cu")).containsExactly("SUPPRESS-NO-REASON", "W64-LANE");
      int end = "  // rocport: ignore PTX-INLINE ".length();
      session.edit("a.cu", 2, end, 2, end, "only for Hopper");
      assertThat(session.rules("a.cu")).containsExactly("W64-LANE");
    }
  }

  @Test
  void aReasonCanBeGivenAtOnce() throws Exception {
    Files.writeString(folder.resolve("a.cu"), KERNEL);
    try (Session session = new Session(folder)) {
      session.open("a.cu");
      assertThat(session.rules("a.cu")).containsExactly("PTX-INLINE", "W64-LANE");
      Object uri = session.uri("a.cu");
      assertThat(executed(session, "rocport.suppress", uri, 2, "PTX-INLINE", " only for Hopper "))
          .isEqualTo("true");
      assertThat(session.text("a.cu"))
          .contains(
              "{\n  // rocport: ignore PTX-INLINE only for Hopper\n  asm volatile(\"wgmma.fence");
      assertThat(session.rules("a.cu")).containsExactly("W64-LANE");
      assertThat(executed(session, "rocport.suppress", uri, 5, "W64-LANE", ""))
          .contains("a suppression needs a reason in one line");
      assertThat(executed(session, "rocport.suppress", uri, 5, "W64-LANE", "a\nint x;"))
          .contains("a suppression needs a reason in one line");
      assertThat(executed(session, "rocport.suppress", uri, 5, "W64-LANE", "see C:\\ "))
          .contains("that does not end in a backslash");
      assertThat(executed(session, "rocport.suppress", uri, 4, "W64-LANE", "x"))
          .contains("line 5 has no finding of W64-LANE that a comment can suppress");
      assertThat(executed(session, "rocport.suppress"))
          .contains("a suppression needs a reason in one line");
      assertThat(executed(session, "rocport.none")).contains("rocport has no command rocport.none");
      assertThat(session.rules("a.cu")).containsExactly("W64-LANE");
    }
  }

  /** Returns the result of a command, or why there is none. */
  private static String executed(Session session, String command, Object... args) throws Exception {
    try {
      return String.valueOf(
          session
              .server
              .getWorkspaceService()
              .executeCommand(new ExecuteCommandParams(command, List.of(args)))
              .get(60, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void kindsSelectActions() throws Exception {
    Files.writeString(folder.resolve("a.cu"), KERNEL);
    try (Session session = new Session(folder)) {
      session.open("a.cu");
      session.findings("a.cu");
      for (String kind :
          List.of(
              "quickfix.rocport.port",
              "quickfix.rocport.suppress",
              "quickfix.rocport.explain",
              "source.rocport.port")) {
        assertThat(session.actions("a.cu", line(4), kind))
            .extracting(CodeAction::getKind)
            .containsExactly(kind);
      }
      assertThat(session.actions("a.cu", line(4), "quickfix")).hasSize(3);
      assertThat(session.actions("a.cu", line(4), "source")).hasSize(1);
    }
  }

  /** A comment in the middle of a macro would end it. */
  @Test
  void noSuppressionBreaksALine() throws Exception {
    String text = "#define M() \\\n  asm volatile(\"wgmma.fence.sync.aligned;\")\n";
    Files.writeString(folder.resolve("a.cu"), text);
    try (Session session = new Session(folder)) {
      session.open("a.cu");
      assertThat(session.findings("a.cu")).isNotEmpty();
      int at = session.findings("a.cu").getFirst().getRange().getStart().getLine();
      List<String> titles =
          session.actions("a.cu", line(1)).stream().map(CodeAction::getTitle).toList();
      assertThat(at).isEqualTo(1);
      assertThat(titles).noneMatch(t -> t.startsWith("Suppress"));
    }
  }

  @Test
  void changesOfPartsGiveTheFindingsOfTheWholeText() throws Exception {
    Files.writeString(folder.resolve("a.cu"), "");
    try (Session session = new Session(folder)) {
      session.open("a.cu", "");
      assertThat(session.findings("a.cu")).isEmpty();
      int line = 0;
      for (String text : KERNEL.split("(?<=\n)")) {
        session.edit("a.cu", line, 0, line, 0, text);
        line++;
      }
      assertThat(session.rules("a.cu")).containsExactly("PTX-INLINE", "W64-LANE");
      session.edit("a.cu", 2, 0, 3, 0, "");
      assertThat(session.rules("a.cu")).containsExactly("W64-LANE");
      session.edit("a.cu", 3, 0, 3, 3, "/*");
      session.findings("a.cu");
      assertThat(session.rules("a.cu")).contains("SOURCE-BROKEN");
    }
  }

  /** Columns count UTF-16 units: an astral character has two, and four bytes. */
  @Test
  void columnsCountUtf16() throws Exception {
    String text = "void f() { /* \ud83d\ude00\u00e9 */ asm(\"wgmma.fence.sync.aligned;\"); }\n";
    Files.writeString(folder.resolve("a.cu"), text);
    for (String end : List.of("\n", "\r\n")) {
      String lines = ("// \u4e2d\n" + text).replace("\n", end);
      try (Session session = new Session(folder)) {
        session.open("a.cu", lines);
        Diagnostic d = session.findings("a.cu").getFirst();
        assertThat(marked(lines, d)).isEqualTo("asm(\"wgmma.fence.sync.aligned;\")");
        session.edit("a.cu", 1, 14, 1, 16, "\ud83d\ude00x");
        d = session.findings("a.cu").getFirst();
        assertThat(marked(session.text("a.cu"), d)).startsWith("asm(");
      }
    }
  }

  @Test
  void linesKeepTheirEnds() throws Exception {
    String text = KERNEL.replace("\n", "\r\n");
    Files.writeString(folder.resolve("a.cu"), text);
    Path out = folder.resolve("out");
    CommandLines.run("port", folder.toString(), "--out", out.toString());
    try (Session session = new Session(folder)) {
      session.open("a.cu");
      session.findings("a.cu");
      session.change("a.cu", session.fix("a.cu", line(0), "Port this file"));
      assertThat(session.text("a.cu")).isEqualTo(Files.readString(out.resolve("a.cu")));
    }
  }

  @Test
  void aDocumentThatIsNotOnDiskIsPartOfTheTree() throws Exception {
    Files.writeString(folder.resolve(".rocport.yaml"), "exclude: [third_party]\n");
    try (Session session = new Session(folder)) {
      session.open("new/b.cu", KERNEL);
      session.open("third_party/c.cu", KERNEL);
      session.open("notes.txt", KERNEL);
      assertThat(session.rules("new/b.cu")).containsExactly("PTX-INLINE", "W64-LANE");
      assertThat(session.rules("third_party/c.cu")).isEmpty();
      assertThat(session.rules("notes.txt")).isEmpty();
    }
  }

  @Test
  void deletedAndChangedFilesAreRead() throws Exception {
    Files.writeString(folder.resolve("a.cu"), KERNEL);
    try (Session session = new Session(folder)) {
      session.open("a.cu");
      session.findings("a.cu");
      Files.delete(folder.resolve("a.cu"));
      session.server.getWorkspaceService().didChangeWatchedFiles(new DidChangeWatchedFilesParams());
      session.edit("a.cu", 0, 0, 0, 0, "\n");
      assertThat(session.rules("a.cu")).containsExactly("PTX-INLINE", "W64-LANE");
      Files.writeString(folder.resolve(".rocport.yaml"), "skip: [PTX-INLINE]\n");
      session.server.getWorkspaceService().didChangeWatchedFiles(new DidChangeWatchedFilesParams());
      session.findings("a.cu", f -> f.size() == 1);
      Files.writeString(folder.resolve(".rocport.yaml"), "nonsense: 1\n");
      session.server.getWorkspaceService().didChangeWatchedFiles(new DidChangeWatchedFilesParams());
      session.edit("a.cu", 0, 0, 1, 0, "");
      assertThat(session.rules("a.cu")).containsExactly("W64-LANE");
    }
  }

  @Test
  void hoversExplainNames() throws Exception {
    Files.writeString(folder.resolve("a.cu"), KERNEL);
    Files.writeString(folder.resolve("Makefile"), "F = --use_fast_math\n");
    try (Session session = new Session(folder)) {
      session.open("a.cu");
      session.open("Makefile");
      assertThat(hover(session, "a.cu", 7, 45)).contains("`hipDeviceSynchronize`");
      assertThat(hover(session, "a.cu", 2, 20)).contains("wgmma.*", "not translated");
      assertThat(hover(session, "a.cu", 4, 22)).contains("laneid");
      assertThat(hover(session, "a.cu", 0, 14)).contains("hip/hip_runtime.h");
      assertThat(hover(session, "a.cu", 3, 11)).isEmpty();
      assertThat(hover(session, "a.cu", 99, 99)).isEmpty();
      assertThat(hover(session, "Makefile", 0, 8)).contains("an nvcc flag");
    }
  }

  private static String hover(Session session, String file, int line, int column) throws Exception {
    Hover hover =
        session
            .server
            .getTextDocumentService()
            .hover(
                new HoverParams(
                    new TextDocumentIdentifier(session.uri(file)), new Position(line, column)))
            .get(60, TimeUnit.SECONDS);
    return hover == null ? "" : hover.getContents().getRight().getValue();
  }

  @Test
  void lensesAreAboveKernels() throws Exception {
    Files.writeString(folder.resolve("a.cu"), "// __global__\n" + KERNEL);
    try (Session session = new Session(folder)) {
      session.open("a.cu");
      session.findings("a.cu");
      List<? extends CodeLens> lenses =
          session
              .server
              .getTextDocumentService()
              .codeLens(new CodeLensParams(new TextDocumentIdentifier(session.uri("a.cu"))))
              .get(60, TimeUnit.SECONDS);
      assertThat(lenses)
          .extracting(l -> l.getRange().getStart().getLine() + " " + l.getCommand().getTitle())
          .containsExactly("0 rocport: 4 edits of a port, 2 findings", "2 check", "2 verify");
      Command check = lenses.get(1).getCommand();
      session
          .server
          .getWorkspaceService()
          .executeCommand(new ExecuteCommandParams(check.getCommand(), check.getArguments()))
          .get(60, TimeUnit.SECONDS);
      assertThat(session.messages.getLast()).contains("rocport check PORTED");
    }
  }

  @Test
  void cancelledAndUnknownRequestsEndNothing() throws Exception {
    Files.writeString(folder.resolve("a.cu"), KERNEL);
    try (Session session = new Session(folder)) {
      session.open("a.cu");
      CodeActionParams params =
          new CodeActionParams(
              new TextDocumentIdentifier(session.uri("a.cu")),
              line(2),
              new CodeActionContext(List.of()));
      for (int i = 0; i < 20; i++) {
        session.server.getTextDocumentService().codeAction(params).cancel(true);
        session.edit("a.cu", 0, 0, 0, 0, "\n");
      }
      assertThat(session.actions("gone.cu", line(0))).isEmpty();
      session.edit("gone.cu", 0, 0, 0, 0, "");
      assertThat(session.rules("a.cu")).containsExactly("PTX-INLINE", "W64-LANE");
      session.close("a.cu");
      assertThat(session.actions("a.cu", line(0))).isEmpty();
    }
  }

  @Test
  void messagesThatAreTooLargeAreSkipped() throws Exception {
    Files.writeString(folder.resolve("a.cu"), KERNEL);
    try (Session session = Session.silent(folder)) {
      String head = "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"x\":\"";
      byte[] blanks = new byte[1 << 20];
      Arrays.fill(blanks, (byte) ' ');
      int blocks = 65;
      session.toServer.write(
          ("Content-Length: " + (head.length() + (long) blocks * blanks.length) + "\r\n\r\n" + head)
              .getBytes(StandardCharsets.US_ASCII));
      for (int i = 0; i < blocks; i++) {
        session.toServer.write(blanks);
      }
      session.open("a.cu");
      assertThat(session.rules("a.cu")).containsExactly("PTX-INLINE", "W64-LANE");
      assertThat(session.messages.getFirst()).contains("larger than the limit of 64 MiB");
    }
  }

  @Test
  void theEndOfTheStreamEndsTheServer() throws Exception {
    try (Session session = Session.silent(folder)) {
      session.toServer.close();
      assertThat(session.exit.get(60, TimeUnit.SECONDS)).isEqualTo(1);
    }
    try (Session session = Session.silent(folder)) {
      session.toServer.write("no message\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      session.toServer.flush();
      assertThat(session.exit.get(60, TimeUnit.SECONDS)).isEqualTo(1);
    }
    Session ended = new Session(folder);
    ended.close();
    assertThat(ended.exit.get()).isZero();
  }
}
