package dev.rocport.cli.shell;

import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.UsageException;
import dev.rocport.cli.support.Version;
import dev.rocport.core.source.SourceTree;
import dev.rocport.io.AtomicFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;

/** {@code rocport man}: writes the manual pages, one per command. */
@Command(
    name = "man",
    mixinStandardHelpOptions = true,
    description = "Writes the manual pages of the rocport commands into a folder.",
    footer = {
      "",
      "Examples:",
      "  rocport man --out ~/.local/share/man/man1",
      "  man rocport-audit"
    })
public final class ManCommand implements Callable<Integer> {
  private final Console console;
  private final Supplier<CommandLine> whole;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Folder for the pages; created if it does not exist.")
  private Path out;

  /**
   * @param whole the command line with all commands
   */
  public ManCommand(Console console, Supplier<CommandLine> whole) {
    this.console = console;
    this.whole = whole;
  }

  @Override
  public Integer call() {
    Map<String, String> pages = new LinkedHashMap<>();
    collect(whole.get(), "rocport", pages);
    try {
      for (Map.Entry<String, String> page : pages.entrySet()) {
        AtomicFile.write(out.resolve(page.getKey() + ".1"), w -> w.write(page.getValue()));
      }
    } catch (IOException e) {
      throw new UsageException("cannot write the pages: " + SourceTree.reason(e));
    }
    console.err().println("rocport: " + pages.size() + " pages in " + out);
    return ExitCode.OK.code();
  }

  private static void collect(CommandLine line, String name, Map<String, String> pages) {
    pages.put(name, page(line, name));
    line.getSubcommands().forEach((sub, below) -> collect(below, name + "-" + sub, pages));
  }

  private static String page(CommandLine line, String name) {
    CommandSpec spec = line.getCommandSpec();
    StringBuilder s = new StringBuilder();
    s.append(".TH ").append(name.toUpperCase(java.util.Locale.ROOT).replace("-", "\\-"));
    s.append(" 1 \"\" \"rocport ").append(text(Version.current())).append("\"\n");
    String description = String.join(" ", plain(spec.usageMessage().description()));
    int end = description.indexOf(". ");
    String first = end < 0 ? description.replaceAll("\\.$", "") : description.substring(0, end);
    s.append(".SH NAME\n").append(text(name)).append(" \\- ").append(text(first)).append('\n');
    s.append(".SH SYNOPSIS\n");
    String synopsis = line.getHelp().synopsis(0).strip().replaceAll("\\s+", " ");
    s.append(text(Ansi.OFF.string(synopsis))).append('\n');
    s.append(".SH DESCRIPTION\n").append(text(description)).append('\n');
    if (!line.getSubcommands().isEmpty()) {
      s.append(".SH COMMANDS\n");
      line.getSubcommands()
          .forEach(
              (sub, below) ->
                  entry(
                      s,
                      name.replace('-', ' ') + " " + sub,
                      plain(below.getCommandSpec().usageMessage().description())));
    }
    if (!spec.positionalParameters().isEmpty() || !spec.options().isEmpty()) {
      s.append(".SH OPTIONS\n");
    }
    for (PositionalParamSpec p : spec.positionalParameters()) {
      entry(s, p.paramLabel(), described(p));
    }
    for (OptionSpec o : spec.options()) {
      String value = o.arity().max() == 0 ? "" : " " + o.paramLabel();
      entry(s, String.join(", ", o.names()) + value, described(o));
    }
    String[] footer = plain(spec.usageMessage().footer());
    int examples = Arrays.asList(footer).indexOf("Examples:");
    if (examples >= 0) {
      s.append(".SH EXAMPLES\n.nf\n");
      for (String l : Arrays.copyOfRange(footer, examples + 1, footer.length)) {
        s.append(text(l.strip())).append('\n');
      }
      s.append(".fi\n");
    }
    s.append(".SH EXIT STATUS\n0 done; 1 findings at or above \\-\\-fail\\-on; 2 wrong usage or");
    s.append(" unreadable input; 3 the toolchain is missing or failed; 70 a bug in rocport.\n");
    return s.toString();
  }

  private static void entry(StringBuilder s, String name, String[] description) {
    s.append(".TP\n.B ").append(text(name)).append('\n');
    s.append(text(String.join(" ", description))).append('\n');
  }

  private static String[] described(ArgSpec arg) {
    String value = arg.defaultValue() == null ? "" : arg.defaultValue();
    return Arrays.stream(plain(arg.description()))
        .map(l -> l.replace("${DEFAULT-VALUE}", value))
        .toArray(String[]::new);
  }

  private static String[] plain(String[] lines) {
    return Arrays.stream(lines)
        .map(l -> Ansi.OFF.string(l).replace("%%", "%"))
        .toArray(String[]::new);
  }

  /** As roff takes it: no line may begin with a dot or a quote, dashes are minus signs. */
  private static String text(String text) {
    String safe = text.replace("\\", "\\e").replace("-", "\\-");
    return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
  }
}
