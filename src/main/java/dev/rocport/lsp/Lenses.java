package dev.rocport.lsp;

import dev.rocport.core.source.SourceFile;
import dev.rocport.io.process.ShellWord;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.port.LiveTree;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.lsp4j.CodeLens;
import org.eclipse.lsp4j.Command;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;

/** Lines above kernels: how to check and to verify them. */
final class Lenses {
  private Lenses() {}

  static List<CodeLens> of(Analyst.Found found) {
    LiveTree.Answer answer = found.answer();
    TextBuffer buffer = found.buffer();
    String root = ShellWord.quoted(found.project().start().toString());
    List<CodeLens> lenses = new ArrayList<>();
    int edits = answer.result().editCount();
    int findings = answer.result().findings().size();
    if (edits + findings > 0) {
      String summary = "rocport: " + edits + " edits of a port, " + findings + " findings";
      lenses.add(lens(0, summary, "rocport port " + root + " --out PORTED"));
    }
    if (!found.isSource()) {
      return lenses;
    }
    SourceFile file = answer.source();
    Tokens tokens = Lexer.lex(file);
    for (int i = 0; i < tokens.count(); i++) {
      if (tokens.isIdentifier(i) && tokens.is(i, "__global__") && !tokens.inDirective(i)) {
        int line = buffer.position(buffer.index(tokens.start(i))).getLine();
        String port = "rocport port %s --out PORTED && rocport build PORTED && ".formatted(root);
        lenses.add(lens(line, "check", port + "rocport check PORTED/build-rocport/bin/PROGRAM"));
        lenses.add(
            lens(
                line,
                "verify",
                "rocport verify FIXTURE # a folder with the sources, fixture.yaml and"
                    + " recordings: docs/verification.md"));
      }
    }
    return lenses;
  }

  private static CodeLens lens(int line, String title, String text) {
    CodeLens lens = new CodeLens(new Range(new Position(line, 0), new Position(line, 0)));
    lens.setCommand(new Command(title, RocportServer.SHOW, List.of((Object) text)));
    return lens;
  }
}
