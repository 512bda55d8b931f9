package dev.rocport.port;

import dev.rocport.report.FileResult;
import dev.rocport.source.FileKind;
import dev.rocport.source.PathText;
import dev.rocport.source.TreeEntry;
import dev.rocport.source.TreeWriter;
import java.io.IOException;
import java.nio.file.Path;

/** Writes the ported tree into a folder, every file under its own name. */
public final class TreeTarget implements Target {
  private final TreeWriter writer;
  private final ShimHeaders shims;

  public TreeTarget(TreeWriter writer, ShimHeaders shims) {
    this.writer = writer;
    this.shims = shims;
  }

  @Override
  public FileResult ported(PortedFile file) throws IOException {
    writer.write(place(file.entry()), file.output(), file.entry().file());
    shims.need(file.shims());
    return file.result();
  }

  @Override
  public FileResult passed(int index, TreeEntry entry) throws IOException {
    if (entry.kind() == FileKind.LINK) {
      writer.link(place(entry), Path.of(entry.note()));
    } else if (entry.kind() == FileKind.BUILD
        || entry.kind() == FileKind.OTHER
        || entry.kind() == FileKind.SOURCE) {
      writer.copy(entry.file(), place(entry));
    }
    return Results.of(entry);
  }

  private Path place(TreeEntry entry) {
    return PathText.resolve(writer.root(), entry.path());
  }
}
