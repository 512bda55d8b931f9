package dev.rocport.packaging;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.BuiltInText;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks Spack recipes that build for CUDA: {@code packages/spack.tsv}. */
final class SpackCheck {
  static final String RULE = "PKG-SPACK";
  private static final List<Row> ROWS =
      BuiltInText.table("packages/spack.tsv", "word\trocm").rows().stream()
          .map(r -> new Row(Pattern.compile(r.cell(0)), r.cell(1)))
          .toList();

  private SpackCheck() {}

  private record Row(Pattern word, String rocm) {}

  /** Reports each line that mentions CUDA, unless it also mentions ROCm. */
  static void check(Packages packages, SourceFile file) {
    String text = Packages.latin(file);
    if (!text.contains("CudaPackage") || text.contains("ROCmPackage")) {
      return;
    }
    for (int n = 1; n <= file.lines(); n++) {
      int start = file.lineStart(n);
      String line = text.substring(start, file.lineEnd(n)).replaceFirst("(^|\\s)#.*", "$1");
      for (Row r : ROWS) {
        Matcher m = r.word().matcher(line);
        if (m.find()) {
          String message = "for CUDA: " + r.rocm();
          packages.finding(
              file, RULE, Disposition.REVIEW, start + m.start(), start + m.end(), message);
          break;
        }
      }
    }
  }
}
