package dev.rocport.cli.editor;

import dev.rocport.cli.support.Version;
import dev.rocport.lsp.LspServer;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rocport lsp}: a language server on standard input and output. */
@Command(
    name = "lsp",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Serves an editor as a language server, on standard input and output: findings while you"
          + " type, the changes of a port as quick fixes, explanations of CUDA names. Writes no"
          + " file. docs/editor.md shows how to set up an editor."
    },
    footer = {
      "",
      "Examples:",
      "  rocport lsp                                  started by an editor"
    })
public final class LspCommand implements Callable<Integer> {
  @SuppressWarnings("UnusedVariable")
  @Option(names = "--stdio", description = "The default, which some editors ask for.")
  private boolean stdio;

  @Override
  public Integer call() throws InterruptedException {
    // Whatever a library prints must not be between the messages.
    System.setOut(System.err);
    return LspServer.run(
        new BufferedInputStream(new FileInputStream(FileDescriptor.in)),
        new FileOutputStream(FileDescriptor.out),
        EditorChoices::setup,
        Version.current());
  }
}
