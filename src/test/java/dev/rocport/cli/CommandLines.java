package dev.rocport.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** What a command line does: its exit code and its two outputs. */
public record CommandLines(int code, String out, String err) {
  public static CommandLines run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), args);
    return new CommandLines(code, out.toString(), err.toString());
  }
}
