package dev.rocport.cli.option;

import picocli.CommandLine.Option;

/** The output format of commands that write no report of findings. */
public final class PageChoices {
  private enum Form {
    TEXT,
    JSON
  }

  @Option(
      names = "--format",
      paramLabel = "text|json",
      defaultValue = "text",
      description = "Format of standard output.")
  private Form form;

  public boolean json() {
    return form == Form.JSON;
  }
}
