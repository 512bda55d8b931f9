package dev.rocport.device.dispatch;

import dev.rocport.device.check.Site;
import dev.rocport.device.codeobject.KernelName;
import dev.rocport.device.codeobject.SourceLines;
import dev.rocport.device.wave.Group;
import dev.rocport.device.wave.Wave;
import java.util.List;
import java.util.stream.Collectors;

/** Places in kernels, for findings. */
final class Sites {
  private Sites() {}

  static Site of(Launch launch, String role, int pc, Group group, int wave, long lanes) {
    long offset = launch.code().code().address(pc) - launch.code().base();
    List<SourceLines.Frame> frames = launch.sourceLines().frames(offset);
    SourceLines.Frame own =
        frames.stream()
            .filter(f -> f.place().isOwn())
            .findFirst()
            .orElse(frames.isEmpty() ? null : frames.getFirst());
    String calls =
        frames.size() < 2
            ? ""
            : frames.stream().map(Sites::words).collect(Collectors.joining(" < "));
    return new Site(
        role,
        own == null ? "" : own.place().toString(),
        calls,
        threads(launch, group, wave, lanes),
        KernelName.readable(launch.kernel().name()),
        offset);
  }

  /** A frame; of a header that is not the program's own only the file's name. */
  private static String words(SourceLines.Frame frame) {
    SourceLines.Place place = frame.place();
    if (place.isOwn()) {
      return frame.toString();
    }
    String name = place.file().substring(place.file().lastIndexOf('/') + 1);
    return new SourceLines.Frame(new SourceLines.Place(name, place.line()), frame.function())
        .toString();
  }

  private static String threads(Launch launch, Group group, int wave, long lanes) {
    StringBuilder out = new StringBuilder();
    out.append(
        "GPU %d, block (%d, %d, %d), wave %d"
            .formatted(launch.gpuIndex(), group.x(), group.y(), group.z(), wave));
    if (lanes != 0) {
      int first = Long.numberOfTrailingZeros(lanes);
      out.append(Long.bitCount(lanes) == 1 ? ", lane " : ", lanes ").append(ranges(lanes));
      LaunchRequest.Dim3 id = launch.request().block().place((long) wave * launch.lanes() + first);
      out.append(Long.bitCount(lanes) == 1 ? ", thread " : ", first thread ")
          .append("(%d, %d, %d)".formatted(id.x(), id.y(), id.z()));
    }
    return out.toString();
  }

  /** Set bits as people write them: {@code 0-31, 40}. */
  static String ranges(long lanes) {
    StringBuilder out = new StringBuilder();
    for (int l = 0; l < Wave.LANES; l++) {
      if ((lanes >>> l & 1) == 0) {
        continue;
      }
      int last = l;
      while (last + 1 < Wave.LANES && (lanes >>> (last + 1) & 1) != 0) {
        last++;
      }
      out.append(out.isEmpty() ? "" : ", ").append(l).append(last > l ? "-" + last : "");
      l = last;
    }
    return out.toString();
  }
}
