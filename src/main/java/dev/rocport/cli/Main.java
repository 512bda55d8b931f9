package dev.rocport.cli;

import dev.rocport.cli.audit.AuditCommand;
import dev.rocport.cli.audit.BillCommand;
import dev.rocport.cli.audit.CompareCommand;
import dev.rocport.cli.audit.GateCommand;
import dev.rocport.cli.bench.BenchCommand;
import dev.rocport.cli.build.BuildCommand;
import dev.rocport.cli.conformance.ConformanceCommand;
import dev.rocport.cli.editor.LspCommand;
import dev.rocport.cli.fleet.FleetCommand;
import dev.rocport.cli.port.IsolationCommand;
import dev.rocport.cli.port.PortCommand;
import dev.rocport.cli.port.StatusCommand;
import dev.rocport.cli.rules.ExplainCommand;
import dev.rocport.cli.rules.PtxCommand;
import dev.rocport.cli.rules.RulesCommand;
import dev.rocport.cli.run.CheckCommand;
import dev.rocport.cli.run.DeviceCommand;
import dev.rocport.cli.run.OpcodesCommand;
import dev.rocport.cli.run.RunCommand;
import dev.rocport.cli.shell.CompletionCommand;
import dev.rocport.cli.shell.ManCommand;
import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.EnumLabels;
import dev.rocport.cli.support.ExitCode;
import dev.rocport.cli.support.Signals;
import dev.rocport.cli.support.UsageException;
import dev.rocport.cli.support.Version;
import dev.rocport.cli.toolchain.DoctorCommand;
import dev.rocport.cli.toolchain.ToolchainCommand;
import dev.rocport.cli.verify.GoldenCommand;
import dev.rocport.cli.verify.TorchCommand;
import dev.rocport.cli.verify.VerifyCommand;
import dev.rocport.core.source.SourceTree;
import dev.rocport.io.InvalidFileException;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.verify.VerifyException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The {@code rocport} command. */
@Command(
    name = "rocport",
    versionProvider = Version.class,
    mixinStandardHelpOptions = true,
    description = "Ports CUDA code bases to AMD ROCm and verifies the result.",
    synopsisSubcommandLabel = "COMMAND")
public final class Main implements Callable<Integer> {
  private final Console console;
  @Spec private CommandSpec spec;

  private Main(Console console) {
    this.console = console;
  }

  /** Runs one command line; the only caller of {@link System#exit} is {@link #main}. */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    Console console = new Console(out, err, isTerminal());
    CommandLine line = new CommandLine(new Main(console));
    subcommands(line, console, args);
    EnumLabels.on(line)
        .registerConverter(Path.class, Main::path)
        .setOut(out)
        .setErr(err)
        .setExitCodeExceptionMapper(Main::exitCode)
        .setExecutionExceptionHandler((e, cmd, parsed) -> failure(console, e));
    int code;
    try {
      code = line.execute(args);
    } catch (StackOverflowError | OutOfMemoryError e) {
      err.println("rocport: internal error, please report it: " + e);
      code = ExitCode.BUG.code();
    }
    out.flush();
    err.flush();
    return code;
  }

  @SuppressWarnings("SystemConsoleNull") // it is null in JDK 25 without a terminal
  private static boolean isTerminal() {
    java.io.Console terminal = System.console();
    return terminal != null && terminal.isTerminal() && System.getenv("CI") == null;
  }

  /** One line a command; the order is that of the help page. */
  private static Map<String, Supplier<Object>> commands(Console console) {
    Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
    commands.put("audit", () -> new AuditCommand(console));
    commands.put("bill", () -> new BillCommand(console));
    commands.put("port", () -> new PortCommand(console));
    commands.put("status", () -> new StatusCommand(console));
    commands.put("gate", () -> new GateCommand(console));
    commands.put("compare", () -> new CompareCommand(console));
    commands.put("fleet", () -> FleetCommand.line(console));
    commands.put("bench", () -> new BenchCommand(console));
    commands.put("build", () -> new BuildCommand(console));
    commands.put("device", () -> new DeviceCommand(console));
    commands.put("isolation", () -> new IsolationCommand(console));
    commands.put("run", () -> new RunCommand(console));
    commands.put("check", () -> new CheckCommand(console));
    commands.put("opcodes", () -> new OpcodesCommand(console));
    commands.put("verify", () -> new VerifyCommand(console));
    commands.put("conformance", () -> ConformanceCommand.line(console));
    commands.put("golden", () -> GoldenCommand.line(console));
    commands.put("torch", () -> TorchCommand.line(console));
    commands.put("toolchain", () -> ToolchainCommand.line(console));
    commands.put("doctor", () -> new DoctorCommand(console));
    commands.put("rules", () -> RulesCommand.line(console));
    commands.put("ptx", () -> new PtxCommand(console));
    commands.put("explain", () -> new ExplainCommand(console));
    commands.put("lsp", LspCommand::new);
    commands.put("completion", () -> new CompletionCommand(console, () -> line(console)));
    commands.put("man", () -> new ManCommand(console, () -> line(console)));
    return commands;
  }

  /** The command line with all commands. */
  static CommandLine line(Console console) {
    CommandLine line = new CommandLine(new Main(console));
    commands(console).forEach((name, command) -> line.addSubcommand(name, command.get()));
    return EnumLabels.on(line).registerConverter(Path.class, Main::path);
  }

  /** Only the command that is asked for, if one is: setting up the others takes its time. */
  private static void subcommands(CommandLine line, Console console, String... args) {
    Map<String, Supplier<Object>> commands = commands(console);
    Supplier<Object> asked = args.length == 0 ? null : commands.get(args[0]);
    if (asked != null) {
      line.addSubcommand(args[0], asked.get());
      // Arguments after a program's name belong to the program.
      line.setStopAtPositional(args[0].equals("run") || args[0].equals("check"));
      // Flags of nvcc's can be asked for.
      line.setUnmatchedOptionsArePositionalParams(args[0].equals("explain"));
    } else if (!isVersion(args)) {
      commands.forEach((name, command) -> line.addSubcommand(name, command.get()));
    }
  }

  private static boolean isVersion(String... args) {
    return args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"));
  }

  /** An unset variable of a script must not mean the current folder. */
  private static Path path(String text) {
    if (text.isEmpty()) {
      throw new TypeConversionException("a path is empty");
    }
    return Path.of(text);
  }

  private static int exitCode(Throwable e) {
    return (e instanceof CommandLine.ParameterException ? ExitCode.USAGE : ExitCode.BUG).code();
  }

  private static int failure(Console console, Exception e) {
    if (Signals.isEnding()) {
      return ExitCode.INTERRUPTED.code();
    }
    switch (e) {
      case UsageException u -> {
        console.err().println("rocport: " + plain(u.getMessage()));
        return ExitCode.USAGE.code();
      }
      case InvalidFileException r -> {
        console.err().println("rocport: " + plain(r.getMessage()));
        return ExitCode.USAGE.code();
      }
      case VerifyException v -> {
        console.err().println("rocport: " + plain(v.getMessage()));
        return ExitCode.USAGE.code();
      }
      case ToolchainException t -> {
        console.err().println("rocport: " + plain(t.getMessage()));
        return ExitCode.TOOLCHAIN.code();
      }
      case InvalidPathException p -> {
        console
            .err()
            .println("rocport: no such path: " + plain(p.getInput()) + ": " + p.getReason());
        return ExitCode.USAGE.code();
      }
      case InterruptedException interrupted -> {
        return ExitCode.INTERRUPTED.code();
      }
      case IOException io -> {
        String file = io instanceof FileSystemException f ? f.getFile() + ": " : "";
        console.err().println("rocport: " + plain(file + SourceTree.reason(io)));
        return ExitCode.USAGE.code();
      }
      default -> {
        console.err().println("rocport: internal error, please report it: " + e);
        e.printStackTrace(console.err());
        return ExitCode.BUG.code();
      }
    }
  }

  /** Messages quote files that others wrote: nothing in them may steer a terminal. */
  private static String plain(@Nullable String message) {
    return String.valueOf(message).replaceAll("[\\p{Cntrl}&&[^\n\t]]", "?");
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(console.err());
    return ExitCode.USAGE.code();
  }

  public static void main(String[] args) {
    PrintWriter out =
        new PrintWriter(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    PrintWriter err =
        new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    Signals.watch();
    int code = run(out, err, args);
    System.exit(code);
  }
}
