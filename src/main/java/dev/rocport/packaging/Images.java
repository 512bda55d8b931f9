package dev.rocport.packaging;

import dev.rocport.rules.BuiltInText;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Container images with CUDA: {@code packages/images.tsv}. */
final class Images {
  private static final List<Row> ROWS =
      BuiltInText.table("packages/images.tsv", "image\trocm\twhy").rows().stream()
          .map(r -> new Row(Pattern.compile(r.cell(0)), r.cell(1), r.cell(2)))
          .toList();

  private Images() {}

  private record Row(Pattern image, String rocm, String why) {}

  /**
   * The image for ROCm.
   *
   * @param name empty if none is known
   */
  record Twin(String name, String why) {}

  /** Returns the replacement of an image; empty for one without CUDA. */
  static Optional<Twin> of(String image, String rocm) {
    String plain = image.replaceFirst("^(registry-1\\.|index\\.)?docker\\.io/(library/)?", "");
    String full = plain.matches(".*[^/]:[^/]*|.*@.*") ? plain : plain + ":latest";
    return ROWS.stream()
        .filter(r -> r.image.matcher(plain).matches() || r.image.matcher(full).matches())
        .findFirst()
        .map(r -> new Twin(r.rocm.replace("{rocm}", rocm), r.why));
  }
}
