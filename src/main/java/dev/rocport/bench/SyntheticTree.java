package dev.rocport.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/**
 * Writes a code base for measurements: the same bytes for the same seed and size, files of 2 to 60
 * KB in the shares of {@link FileClass}.
 */
final class SyntheticTree {
  private static final int FILES_A_FOLDER = 200;

  private final Random random;
  private final Path root;
  private final Map<FileClass, Integer> percents;

  SyntheticTree(Path root, long seed) {
    this(root, seed, shares());
  }

  /**
   * A tree with other shares.
   *
   * @param percents of the files, for each class; 100 in all
   */
  SyntheticTree(Path root, long seed, Map<FileClass, Integer> percents) {
    this.root = root;
    this.random = new Random(seed);
    this.percents = new EnumMap<>(percents);
  }

  private static Map<FileClass, Integer> shares() {
    Map<FileClass, Integer> shares = new EnumMap<>(FileClass.class);
    for (FileClass c : FileClass.values()) {
      shares.put(c, c.percent());
    }
    return shares;
  }

  /**
   * Writes files until they hold this many bytes.
   *
   * @return number of files
   */
  int write(long bytes) throws IOException {
    long done = 0;
    int count = 0;
    while (done < bytes) {
      FileClass kind = kind();
      byte[] text = text(kind, count).getBytes(StandardCharsets.UTF_8);
      Path file =
          root.resolve(kind.folder())
              .resolve("part" + count / FILES_A_FOLDER)
              .resolve("unit" + count + kind.ending());
      Files.createDirectories(file.resolveSibling("."));
      Files.write(file, text);
      done += text.length;
      count++;
    }
    return count;
  }

  private FileClass kind() {
    int dice = random.nextInt(100);
    for (Map.Entry<FileClass, Integer> share : percents.entrySet()) {
      dice -= share.getValue();
      if (dice < 0) {
        return share.getKey();
      }
    }
    throw new IllegalStateException("the shares do not add up to 100");
  }

  /** Sizes as in real trees: most files small, a few large. */
  private int size() {
    double size = 8000 * Math.exp(0.8 * random.nextGaussian());
    return (int) Math.clamp(size, 2000, 60000);
  }

  private String text(FileClass kind, int number) {
    SourceText text = new SourceText(random, number);
    int size = size();
    text.begin(kind);
    while (text.length() < size) {
      switch (kind) {
        case KERNELS -> text.kernelPart();
        case WARP -> text.warpPart();
        case HOST -> text.hostPart();
        case HEADERS -> text.headerPart();
      }
    }
    text.end(kind);
    return text.toString();
  }
}
