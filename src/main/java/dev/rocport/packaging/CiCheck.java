package dev.rocport.packaging;

import dev.rocport.buildsystem.other.OtherWords;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks the files of continuous integration. A sibling would run immediately, on machines that may
 * not exist, so this class only reports findings.
 */
final class CiCheck {
  static final String RULE = "PKG-CI";

  private static final Pattern INDEX = Pattern.compile("https?://[^\\s\"'\\\\)]+");
  private static final Pattern IMAGE =
      Pattern.compile(
          "(?:image|container|FROM|docker run[^\\n"
              + "]*?)[\"']?[:\\s]+\\[?[\"']?([\\w.-]+(?:/[\\w.-]+)+(?::[\\w.${}-]+)?)");
  private static final Pattern ACTION =
      Pattern.compile(
          "uses:\\s*[\"']?([\\w.-]*/?[\\w.-]*cuda[\\w.-]*/?[\\w./-]*@\\S+)",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern PIN = Pattern.compile("[A-Za-z0-9_.-]+==[\\w.]+\\+cu\\d+");
  private static final Pattern PACKAGE =
      Pattern.compile(
          "(?<![\\w./-])((?:cuda-toolkit|cuda-nvcc|cupy-cuda\\d+x|nvidia-[a-z-]+-cu\\d+|lib(?:cublas|cufft|curand|cusolver|cusparse|nccl)[\\w]*-dev|cuda-compiler|libcudnn\\d|nvidia-cuda-toolkit|pytorch-cuda|cudatoolkit)[\\w.=-]*)");
  private static final Pattern TOOL =
      Pattern.compile(
          "(?<![\\w./-])(nvidia-smi|nvcc --version|--gpus[ =]\\S+|--runtime[ =]nvidia)");

  private final Packages packages;
  private final SourceFile file;

  CiCheck(Packages packages, SourceFile file) {
    this.packages = packages;
    this.file = file;
  }

  void check() {
    String text = Packages.latin(file);
    for (int n = 1; n <= file.lines(); n++) {
      int start = file.lineStart(n);
      String line = text.substring(start, file.lineEnd(n));
      if (!line.stripLeading().startsWith("#") && !line.stripLeading().startsWith("//")) {
        line(start, line.replaceFirst("\\s#\\s.*", ""));
      }
    }
  }

  /** One finding per line: the first match is the most specific. */
  private void line(int start, String line) {
    Matcher index = INDEX.matcher(line);
    while (index.find()) {
      Optional<String> rocm = WheelIndex.rocm(index.group(), packages.newest(), packages.rocm());
      if (rocm.isPresent() || WheelIndex.isCuda(index.group())) {
        String other = rocm.map(r -> "; the one for ROCm is " + r).orElse("");
        report(start, index, "the content at this address is for CUDA" + other);
        return;
      }
    }
    Matcher image = IMAGE.matcher(line);
    while (image.find()) {
      Optional<Images.Twin> twin = Images.of(image.group(1), packages.rocm());
      if (twin.isPresent()) {
        String name = twin.get().name().isEmpty() ? "" : twin.get().name() + ": ";
        report(start, image, image.group(1) + " is for NVIDIA GPUs: " + name + twin.get().why());
        return;
      }
    }
    Matcher action = ACTION.matcher(line);
    if (action.find()) {
      report(
          start,
          action,
          action.group(1)
              + " installs CUDA: run the job for ROCm in rocm/dev-ubuntu-22.04 instead");
      return;
    }
    Matcher pin = PIN.matcher(line);
    if (pin.find()) {
      report(start, pin, pin.group() + " is a build for CUDA");
      return;
    }
    Matcher part = PACKAGE.matcher(line);
    if (part.find()) {
      report(start, part, part.group(1) + " is part of the CUDA toolkit");
      return;
    }
    Matcher tool = TOOL.matcher(line);
    if (tool.find()) {
      report(
          start,
          tool,
          tool.group(1)
              + " is for NVIDIA GPUs: use "
              + switch (tool.group(1)) {
                case "nvidia-smi" -> "amd-smi";
                case "nvcc --version" -> "hipcc --version";
                default -> "--device=/dev/kfd --device=/dev/dri";
              });
      return;
    }
    Optional<OtherWords.Found> other = OtherWords.of(line, true);
    if (other.isPresent()) {
      OtherWords.Found f = other.get();
      packages.finding(
          file, RULE, Disposition.REVIEW, start + f.start(), start + f.end(), f.message());
    }
  }

  private void report(int start, Matcher m, String message) {
    packages.finding(file, RULE, Disposition.REVIEW, start + m.start(), start + m.end(), message);
  }
}
