package dev.rocport.packaging;

import dev.rocport.packaging.PackageTable.Row;
import java.util.Optional;

/** The decision about one requirement. */
sealed interface Judgement {
  /** It stays. */
  record Same() implements Judgement {}

  /** It stays, and needs a review. */
  record Check(String why) implements Judgement {}

  /** It is replaced. */
  record Changed(String text, String why) implements Judgement {}

  /** It is left out. */
  record Dropped(String why) implements Judgement {}

  /**
   * It is dropped, and needs manual work.
   *
   * @param possible whether it exists for ROCm
   */
  record Open(String why, boolean possible) implements Judgement {}

  Judgement SAME = new Same();

  /**
   * Judges a requirement.
   *
   * @param torch the matching release of torch
   * @param rocm the requested ROCm version
   */
  static Judgement of(Requirement r, TorchReleases.Release torch, String rocm) {
    if (r.isForOtherSystems() || r.spec().contains("+rocm")) {
      return SAME;
    }
    Optional<Row> row = PackageTable.find(r, rocm);
    if (row.isEmpty()) {
      return r.cuda().isEmpty()
          ? SAME
          : new Open("its version selects a CUDA build; no ROCm build is known", true);
    }
    Row is = row.get();
    return switch (is.action()) {
      case SAME -> plain(r, SAME, is.why());
      case CHECK -> plain(r, new Check(is.why()), is.why());
      case DROP -> new Dropped(is.why());
      case REPLACE -> new Changed(r.with(is.target(), ""), is.why());
      case ROCM_INDEX -> fromIndex(r, torch, rocm, is.why());
      case MANUAL -> new Open(is.why(), true);
      case NONE -> new Open(is.why(), false);
    };
  }

  /** Returns the decision about a package that runs on ROCm without a CUDA build. */
  private static Judgement plain(Requirement r, Judgement otherwise, String why) {
    return r.cuda().isEmpty()
        ? otherwise
        : new Changed(r.with(r.name(), r.spec().replace("+" + r.cuda(), "")), why);
  }

  private static Judgement fromIndex(
      Requirement r, TorchReleases.Release torch, String rocm, String why) {
    if (torch.version(r.normal()).isEmpty()) {
      return new Changed(
          r.with(r.name(), r.spec().replace("+" + r.cuda(), "")),
          why + "; check that the index for ROCm " + torch.rocm() + " has this version");
    }
    if (r.spec().matches(".*(dev|rc|[ab])\\d.*")) {
      return new Changed(
          r.with(r.name(), r.spec().replaceFirst("\\+cu\\w+", "")), why + " (nightly builds)");
    }
    Optional<TorchReleases.Release> own = TorchReleases.of(r, rocm);
    if (own.isEmpty()) {
      return new Open(
          "no ROCm wheel of this version is known; the newest for ROCm "
              + torch.rocm()
              + " is "
              + torch.version(r.normal()),
          true);
    }
    if (!r.pin().isEmpty()) {
      TorchReleases.Release of = own.get();
      String local = r.normal().equals("torchaudio") ? "" : "+rocm" + of.rocm();
      return new Changed(r.with(r.name(), "==" + of.version(r.normal()) + local), why);
    }
    TorchReleases.Release last =
        Versions.matches(torch.version(r.normal()), r.spec()) ? torch : own.get();
    String bound = "<=" + last.version(r.normal());
    return new Changed(
        r.with(r.name(), r.spec().isEmpty() ? bound : r.spec() + "," + bound),
        why + "; for newer versions, pip would install a CUDA build");
  }
}
