package dev.rocport.packaging;

import dev.rocport.rules.BuiltInText;
import java.util.List;
import java.util.Optional;

/** The releases of torch with wheels for ROCm: {@code packages/torch.tsv}. */
final class TorchReleases {
  private static final List<Release> RELEASES =
      BuiltInText.table("packages/torch.tsv", "torch\trocm\ttorchvision\ttorchaudio")
          .rows()
          .stream()
          .map(r -> new Release(r.cell(0), r.cell(1), r.cell(2), r.cell(3)))
          .toList();

  private TorchReleases() {}

  /**
   * One release.
   *
   * @param rocm the version of ROCm whose index has it
   */
  record Release(String torch, String rocm, String torchvision, String torchaudio) {
    /** Returns where its wheels are: the PyTorch index. */
    String index() {
      return "https://download.pytorch.org/whl/rocm" + rocm;
    }

    /** Returns the version of one of its packages; empty for other packages. */
    String version(String name) {
      return switch (name) {
        case "torch" -> torch;
        case "torchvision" -> torchvision;
        case "torchaudio" -> torchaudio;
        default -> "";
      };
    }
  }

  /**
   * Returns the release that a requirement specifies: for this ROCm if there is one, otherwise the
   * newest.
   */
  static Optional<Release> of(Requirement r, String rocm) {
    List<Release> fit =
        RELEASES.stream()
            .filter(t -> !t.version(r.normal()).isEmpty())
            .filter(t -> Versions.matches(t.version(r.normal()), r.spec()))
            .toList();
    return fit.stream()
        .filter(t -> t.rocm().equals(rocm))
        .reduce((a, b) -> b)
        .or(() -> fit.stream().reduce((a, b) -> b));
  }

  /**
   * Returns the newest release for a version of ROCm; for an unknown one, of the newest known below
   * it.
   */
  static Release newest(String rocm) {
    return RELEASES.stream()
        .filter(t -> Versions.compare(t.rocm(), rocm) <= 0)
        .reduce((a, b) -> b)
        .orElse(RELEASES.getLast());
  }
}
