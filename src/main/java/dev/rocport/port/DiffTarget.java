package dev.rocport.port;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.source.Encoding;
import dev.rocport.core.source.TextLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Prints the changes of a port as a unified diff, in order of the path; writes no file. */
public final class DiffTarget extends OutputTarget {
  private static final int CONTEXT = 3;

  private final InOrder out;

  public DiffTarget(PrintWriter out, ShimHeaders shims, OutputNames names) {
    super(shims, names);
    this.out = new InOrder(out);
  }

  @Override
  public FileResult ported(PortedFile file) {
    shims.need(file.shims());
    String name = names.of(file.entry());
    out.print(file.index(), diff(file.entry().path(), name, file));
    return file.result();
  }

  @Override
  public void done(int index) {
    out.done(index);
  }

  /**
   * After the last file: prints the headers of rocport that the port includes, as new files.
   *
   * @throws IOException if one is missing from the installation
   */
  public void finish() throws IOException {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, AddedFile> shim : shims.files().entrySet()) {
      List<String> now =
          TextLines.of(new String(shim.getValue().content(), StandardCharsets.UTF_8));
      text.append("--- /dev/null\n+++ b/")
          .append(shim.getKey())
          .append("\n@@ -0,0 +1,")
          .append(now.size())
          .append(" @@\n");
      now.forEach(line -> text.append('+').append(line));
    }
    out.end(text.toString());
  }

  private static String diff(String before, String after, PortedFile file) {
    StringBuilder text = new StringBuilder();
    if (!before.equals(after)) {
      text.append("diff --git a/").append(before).append(" b/").append(after).append('\n');
      text.append("rename from ").append(before).append('\n');
      text.append("rename to ").append(after).append('\n');
    }
    if (!file.isChanged()) {
      return text.toString();
    }
    Charset charset =
        file.source().encoding() == Encoding.EIGHT_BIT
            ? StandardCharsets.ISO_8859_1
            : StandardCharsets.UTF_8;
    List<String> old = TextLines.of(new String(file.source().bytes(), charset));
    List<String> now = TextLines.of(new String(file.output(), charset));
    List<String> diff =
        UnifiedDiffUtils.generateUnifiedDiff(
            "a/" + before, "b/" + after, old, DiffUtils.diff(old, now), CONTEXT);
    for (int i = 0; i < diff.size(); i++) {
      String line = diff.get(i);
      text.append(line);
      if (i < 2 || line.startsWith("@@")) {
        text.append('\n');
      } else if (!line.endsWith("\n")) {
        text.append("\n\\ No newline at end of file\n");
      }
    }
    return text.toString();
  }

  /** Buffers texts until those before them are printed. */
  private static final class InOrder {
    private final PrintWriter out;
    private final Map<Integer, String> waiting = new HashMap<>();
    private int next;

    InOrder(PrintWriter out) {
      this.out = out;
    }

    synchronized void print(int index, String text) {
      waiting.put(index, text);
    }

    synchronized void end(String text) {
      out.print(text);
    }

    synchronized void done(int index) {
      waiting.putIfAbsent(index, "");
      String ready;
      while ((ready = waiting.remove(next)) != null) {
        out.print(ready);
        next++;
      }
    }
  }
}
