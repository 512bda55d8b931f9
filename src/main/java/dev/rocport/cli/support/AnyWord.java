package dev.rocport.cli.support;

import java.util.List;
import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** Accepts any value verbatim, even if it looks like an option of rocport. */
public final class AnyWord implements IParameterConsumer {
  @Override
  @SuppressWarnings("JdkObsolete") // the interface has a Stack
  public void consumeParameters(Stack<String> args, ArgSpec arg, CommandSpec command) {
    if (args.isEmpty()) {
      throw new MissingParameterException(
          command.commandLine(), arg, "Missing value of " + arg.paramLabel());
    }
    List<String> values = arg.getValue();
    values.add(args.pop());
  }
}
