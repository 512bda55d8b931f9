package dev.rocport.cli;

import dev.rocport.rules.RuleException;
import dev.rocport.toolchain.ToolchainException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code rocport} command. */
@Command(
    name = "rocport",
    versionProvider = Version.class,
    mixinStandardHelpOptions = true,
    description = "Ports CUDA code bases to AMD ROCm and proves the port.",
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
    subcommands(line, console);
    line.setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExitCodeExceptionMapper(Main::exitCode)
        .setExecutionExceptionHandler((e, cmd, parsed) -> failure(console, e));
    int code = line.execute(args);
    out.flush();
    err.flush();
    return code;
  }

  @SuppressWarnings("SystemConsoleNull") // it is null in JDK 25 where there is no terminal
  private static boolean isTerminal() {
    java.io.Console terminal = System.console();
    return terminal != null && terminal.isTerminal() && System.getenv("CI") == null;
  }

  /** One line a command; the order is that of the help page. */
  private static void subcommands(CommandLine line, Console console) {
    line.addSubcommand(new AuditCommand(console));
    line.addSubcommand(new PortCommand(console));
    line.addSubcommand(new BenchCommand(console));
    line.addSubcommand(new BuildCommand(console));
    line.addSubcommand(new IsolationCommand(console));
    line.addSubcommand(ToolchainCommand.line(console));
    line.addSubcommand(new DoctorCommand(console));
    line.addSubcommand(RulesCommand.line(console));
    line.addSubcommand(new ExplainCommand(console));
  }

  private static int exitCode(Throwable e) {
    return (e instanceof CommandLine.ParameterException ? ExitCode.USAGE : ExitCode.BUG).code();
  }

  private static int failure(Console console, Exception e) {
    switch (e) {
      case UsageException u -> {
        console.err().println("rocport: " + u.getMessage());
        return ExitCode.USAGE.code();
      }
      case RuleException r -> {
        console.err().println("rocport: " + r.getMessage());
        return ExitCode.USAGE.code();
      }
      case ToolchainException t -> {
        console.err().println("rocport: " + t.getMessage());
        return ExitCode.TOOLCHAIN.code();
      }
      default -> {
        console.err().println("rocport: internal error, please report it: " + e);
        e.printStackTrace(console.err());
        return ExitCode.BUG.code();
      }
    }
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
    int code = run(out, err, args);
    System.exit(code);
  }
}
