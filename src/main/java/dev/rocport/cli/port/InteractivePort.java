package dev.rocport.cli.port;

import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.Progress;
import dev.rocport.cli.support.UsageException;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.io.TemporaryFolder;
import dev.rocport.io.process.Exec;
import dev.rocport.port.DecidingTarget;
import dev.rocport.port.PortedFile;
import dev.rocport.port.Porter;
import dev.rocport.port.Target;
import dev.rocport.port.decide.Decisions;
import dev.rocport.port.decide.Item;
import dev.rocport.render.text.Paper;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** {@code port --interactive}: ports without writing, and asks about the changes. */
final class InteractivePort {
  private InteractivePort() {}

  /**
   * Asks about all changes without a decision, and saves the decisions.
   *
   * @param originals reads the files
   * @return whether the person has answered to the end
   * @throws UsageException if there is no terminal
   */
  static boolean ask(
      Console console,
      ReportChoices report,
      RuleCatalog catalog,
      Porter porter,
      SourceTree files,
      Target originals,
      Decisions decisions,
      Path root)
      throws IOException, InterruptedException {
    try (Terminal terminal = terminal(console)) {
      List<Item> open;
      try (Progress shown = Progress.of(console, report.quiet())) {
        open = open(porter, files, originals, decisions, shown);
      }
      LineReader in = LineReaderBuilder.builder().terminal(terminal).build();
      Paper paper = report.paper(console);
      boolean done =
          new Review(
                  in,
                  paper,
                  catalog,
                  decisions,
                  root,
                  InteractivePort::edit,
                  System.getProperty("user.name", "somebody"),
                  LocalDate.now(ZoneId.systemDefault()))
              .ask(Review.groups(open));
      if (!done) {
        console
            .err()
            .println(
                "Nothing was ported. Decisions so far are in "
                    + root.resolve(Decisions.NAME)
                    + "; run the command again to go on.");
      }
      return done;
    }
  }

  private static Terminal terminal(Console console) throws IOException {
    String none =
        "--interactive needs a terminal that can move its cursor; without one, write decisions into"
            + " "
            + Decisions.NAME
            + ", which every port reads";
    if (!console.terminal() || "dumb".equals(System.getenv("TERM"))) {
      throw new UsageException(none);
    }
    try {
      // The other providers need native code, which the launcher does not allow to this command.
      return TerminalBuilder.builder()
          .system(true)
          .dumb(false)
          .encoding(StandardCharsets.UTF_8)
          .provider("exec")
          .build();
    } catch (IllegalStateException e) {
      throw new UsageException(none);
    }
  }

  /** Returns the changes without a decision, in order of their place. */
  static List<Item> open(
      Porter porter, SourceTree files, Target originals, Decisions decisions, Progress progress) {
    List<Item> items = Collections.synchronizedList(new ArrayList<>());
    Target target =
        new Target() {
          @Override
          public byte[] read(TreeEntry entry) throws IOException {
            return originals.read(entry);
          }

          @Override
          public boolean readsDisk() {
            return originals.readsDisk();
          }

          @Override
          public FileResult ported(PortedFile file) {
            DecidingTarget.items(file).all().stream()
                .filter(i -> decisions.about(i).isEmpty())
                .forEach(items::add);
            return file.result();
          }
        };
    porter.run(files, target, progress);
    items.sort(Comparator.comparing(Item::path).thenComparingInt(Item::line));
    return items;
  }

  /** Starts the person's editor with a file of these lines. */
  private static Optional<String> edit(String path, String text)
      throws IOException, InterruptedException {
    String editor =
        Stream.of("VISUAL", "EDITOR")
            .map(System::getenv)
            .filter(v -> v != null && !v.isBlank())
            .findFirst()
            .orElseThrow(() -> new IOException("set the variable EDITOR to the editor's command"));
    try (TemporaryFolder folder = TemporaryFolder.create("rocport-edit")) {
      Path file = folder.path().resolve(Path.of(path).getFileName().toString());
      Files.writeString(file, text);
      List<String> command = List.of("sh", "-c", editor + " \"$1\"", "sh", file.toString());
      Exec.Ended ended = Exec.of(command).terminal().await();
      return ended.code() == 0 ? Optional.of(Files.readString(file)) : Optional.empty();
    }
  }
}
