package dev.rocport.cli.editor;

import dev.rocport.assess.SuppressionFile;
import dev.rocport.cli.option.PortChoices;
import dev.rocport.cli.option.ProjectConfig;
import dev.rocport.cli.option.ReportChoices;
import dev.rocport.cli.option.TreeChoices;
import dev.rocport.cli.support.EnumLabels;
import dev.rocport.cli.support.UsageException;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.io.InvalidFileException;
import dev.rocport.lsp.Setup;
import dev.rocport.lsp.Setup.InvalidSetupException;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The options of an audit as an editor has them: the defaults, and those of the tree. */
@Command(name = "editor")
public final class EditorChoices {
  @Mixin private TreeChoices tree;
  @Mixin private PortChoices choices;

  /** The configuration may have options of reports, too. */
  @SuppressWarnings("UnusedVariable")
  @Mixin
  private ReportChoices report;

  private EditorChoices() {}

  /**
   * Returns what an audit of a folder or a file uses.
   *
   * @throws InvalidSetupException if the configuration in its folder makes no sense
   */
  public static Setup setup(Path path) throws InvalidSetupException {
    try {
      TreeSelection plain = TreeSelection.of(List.of(path));
      EditorChoices editor = new EditorChoices();
      if (!ProjectConfig.apply(editor, plain.root(), List.of(path.toString()))) {
        EnumLabels.on(new CommandLine(editor)).parseArgs(path.toString());
      }
      RuleCatalog catalog = editor.choices.catalog();
      return new Setup(
          catalog,
          editor.choices.options(catalog),
          editor.tree.selection(),
          SuppressionFile.read(plain.root()),
          editor.tree.jobs(),
          editor.tree.maxFile());
    } catch (UsageException | InvalidFileException e) {
      throw new InvalidSetupException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new InvalidSetupException(path + ": " + SourceTree.reason(e), e);
    }
  }
}
