package dev.rocport.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Writes repositories for measurements of fleets: the same bytes for the same numbers. Their sizes
 * follow a power law: the n-th has 1/n of the size of the first. The shares of the classes of files
 * differ from one to the next, as those of real repositories do.
 */
public final class SyntheticFleet {
  private static final int TEXT = 8000;
  private static final int FILES_A_FOLDER = 100;

  private final Path root;

  /**
   * @param root the folder of the repositories
   */
  public SyntheticFleet(Path root) {
    this.root = root;
  }

  /**
   * Writes the repositories {@code r1}, {@code r2} and so on.
   *
   * @param count number of repositories
   * @param bytes of all of them together
   * @return number of files
   */
  public int write(int count, long bytes) throws IOException {
    double harmonic = 0;
    for (int n = 1; n <= count; n++) {
      harmonic += 1.0 / n;
    }
    double first = bytes / harmonic;
    try {
      return IntStream.rangeClosed(1, count).parallel().map(n -> repository(n, first / n)).sum();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private int repository(int number, double bytes) {
    try {
      return repository(root.resolve("r" + number), number, (long) bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int repository(Path folder, int number, long bytes) throws IOException {
    Random random = new Random(number);
    // The part of other text and of Python, and what is left for C++ and CUDA.
    double other = 0.6 * random.nextDouble();
    double python = (1 - other) * 0.5 * random.nextDouble();
    int files =
        new SyntheticTree(folder, number, shares(random))
            .write((long) (bytes * (1 - other - python)));
    files += texts(folder.resolve("tools"), ".py", random, (long) (bytes * python));
    files += texts(folder.resolve("doc"), ".md", random, (long) (bytes * other));
    Files.writeString(folder.resolve("CMakeLists.txt"), build(number));
    return files + 1;
  }

  private static Map<FileClass, Integer> shares(Random random) {
    Map<FileClass, Integer> shares = new EnumMap<>(FileClass.class);
    int kernels = 10 + random.nextInt(40);
    int warp = random.nextInt(10);
    int host = 10 + random.nextInt(30);
    shares.put(FileClass.KERNELS, kernels);
    shares.put(FileClass.WARP, warp);
    shares.put(FileClass.HOST, host);
    shares.put(FileClass.HEADERS, 100 - kernels - warp - host);
    return shares;
  }

  private static int texts(Path folder, String ending, Random random, long bytes)
      throws IOException {
    int count = 0;
    for (long left = bytes; left > 0; count++) {
      SourceText text = new SourceText(random, count);
      while (text.length() < Math.min(left, TEXT)) {
        if (ending.equals(".py")) {
          text.pythonPart();
        } else {
          text.prose();
        }
      }
      String content = (ending.equals(".py") ? "import torch\n\n" : "") + text;
      Path file = folder.resolve("part" + count / FILES_A_FOLDER).resolve("text" + count + ending);
      Files.createDirectories(file.resolveSibling("."));
      Files.write(file, content.getBytes(StandardCharsets.UTF_8));
      left -= content.length();
    }
    return count;
  }

  private static String build(int number) {
    return String.format(
        Locale.ROOT,
        """
        cmake_minimum_required(VERSION 3.18)
        project(r%d LANGUAGES CXX CUDA)
        file(GLOB_RECURSE SOURCES kernels/*.cu warp/*.cu src/*.cpp)
        add_library(r%d ${SOURCES})
        set_target_properties(r%d PROPERTIES CUDA_ARCHITECTURES "80;90")
        target_link_libraries(r%d PRIVATE CUDA::cudart CUDA::cublas)
        """,
        number,
        number,
        number,
        number);
  }
}
