package dev.rocport.packaging;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses of package indexes and pages of wheels. */
final class WheelIndex {
  private static final Pattern PYTORCH =
      Pattern.compile(
          "https?://download\\.pytorch\\.org/whl/(?:(nightly|test)/)?cu\\d+\\w*(?:/.*)?");
  private static final Pattern CUDA =
      Pattern.compile(
          ".*(?:[/+_-]cu\\d{2,3}(?:[/._#?-].*)?|[/.]nvidia\\.com(?:[:/].*)?|/cuda[-_]?\\d.*)");
  private static final Pattern HOST = Pattern.compile("https?://(?:[^@/]*@)?([^:/]+).*");

  private WheelIndex() {}

  /** Returns the PyTorch index for ROCm that replaces one for CUDA. */
  static Optional<String> rocm(String url, TorchReleases.Release torch, String rocm) {
    Matcher m = PYTORCH.matcher(url);
    if (!m.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        m.group(1) == null
            ? torch.index()
            : "https://download.pytorch.org/whl/" + m.group(1) + "/rocm" + rocm);
  }

  /** Returns true if all packages of the index are for CUDA. */
  static boolean isCuda(String url) {
    Matcher host = HOST.matcher(url);
    return CUDA.matcher(url).matches()
        || (host.matches() && (host.group(1) + "/").matches("(.*\\.)?nvidia\\.com/"));
  }
}
