package dev.rocport.cudastub;

import dev.rocport.io.process.ShellWord;
import java.util.Comparator;
import java.util.List;

/**
 * A command line that a build passed to nvcc, a host compiler or the archiver.
 *
 * @param program name without path
 * @param folder working directory of the call
 * @param words its arguments in order; the content of an option file follows the argument
 */
public record CudaCommand(String program, String folder, List<String> words)
    implements Comparable<CudaCommand> {
  private static final Comparator<CudaCommand> ORDER =
      Comparator.comparing(CudaCommand::program)
          .thenComparing(CudaCommand::folder)
          .thenComparing(CudaCommand::text);

  public CudaCommand {
    words = List.copyOf(words);
  }

  @Override
  public int compareTo(CudaCommand other) {
    return ORDER.compare(this, other);
  }

  /** Returns the command as shell text, with quoting. */
  public String text() {
    StringBuilder text = new StringBuilder(program);
    for (String word : words) {
      text.append(' ').append(ShellWord.of(word));
    }
    return text.toString();
  }

  /** Returns the same without irrelevant text, such as the folder of the build. */
  public CudaCommand without(String text) {
    return new CudaCommand(
        program, folder.replace(text, ""), words.stream().map(w -> w.replace(text, "")).toList());
  }
}
