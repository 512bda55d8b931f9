package dev.rocport.device.bench;

import dev.rocport.device.dispatch.LaunchRequest.Dim3;
import dev.rocport.device.memory.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** What is measured: the kernels of {@code hip-runtime/bench/kernels.hip}. */
enum Workload {
  /** A grid-stride float sum of {@code size} numbers. */
  REDUCTION(1 << 24, Element.FLOAT, 1, 1) {
    @Override
    List<Step> steps(int size) {
      return List.of(new Step("reduction", grid(BLOCKS), BLOCK, Buffers.IN_OUT, List.of(size)));
    }

    @Override
    double[] result(int size, long out) {
      return new double[] {IntStream.range(0, BLOCKS).mapToDouble(i -> float32(out, i)).sum()};
    }
  },

  /** The product of matrices of {@code size} by {@code size}; its elements are multiply-adds. */
  MATMUL(512, Element.FLOAT, 3, 16) {
    @Override
    long inputs(int size) {
      return (long) size * size;
    }

    @Override
    List<Step> steps(int size) {
      Dim3 tiles = new Dim3(size / TILE, size / TILE, 1);
      return List.of(
          new Step("matmul", tiles, new Dim3(TILE, TILE, 1), Buffers.ALL, List.of(size)));
    }
  },

  /** The softmax of rows of 1024, {@code size} numbers in all. */
  SOFTMAX(1 << 21, Element.FLOAT, 1, 1024) {
    @Override
    List<Step> steps(int size) {
      return List.of(
          new Step("softmax", grid(size / COLUMNS), BLOCK, Buffers.IN_OUT, List.of(COLUMNS)));
    }
  },

  /** The counts of 256 bins of {@code size} numbers: atomics in the LDS, then in global memory. */
  HISTOGRAM(1 << 22, Element.INTEGER, 1, 1) {
    @Override
    List<Step> steps(int size) {
      return List.of(new Step("histogram", grid(BLOCKS), BLOCK, Buffers.IN_OUT, List.of(size)));
    }

    @Override
    int outputs(int size) {
      return BLOCK.x();
    }
  },

  /** A bitonic sort of {@code size} numbers, a power of two: near exchanges in the LDS. */
  BITONIC(1 << 18, Element.INTEGER, 1, 1) {
    @Override
    int size(int elements) {
      return 1 << Math.round(Math.log(elements) / Math.log(2));
    }

    @Override
    List<Step> steps(int size) {
      int piece = 2 * BLOCK.x();
      Dim3 grid = grid(size / piece);
      List<Step> steps = new ArrayList<>();
      steps.add(new Step("bitonic_pieces", grid, BLOCK, Buffers.IN_OUT, List.of()));
      for (int k = 2 * piece; k <= size; k *= 2) {
        for (int j = k / 2; j >= piece; j /= 2) {
          steps.add(new Step("bitonic_far", grid, BLOCK, Buffers.OUT, List.of(k, j)));
        }
        steps.add(new Step("bitonic_near", grid, BLOCK, Buffers.OUT, List.of(k)));
      }
      return steps;
    }
  },

  /** The product of MATMUL in the matrix cores. */
  MFMA_MATMUL(512, Element.FLOAT, 3, 32) {
    @Override
    int lanes() {
      return 64;
    }

    @Override
    long inputs(int size) {
      return (long) size * size;
    }

    @Override
    List<Step> steps(int size) {
      Dim3 tiles = new Dim3(size / (2 * TILE), size / (2 * TILE), 1);
      return List.of(new Step("mfma_matmul", tiles, BLOCK, Buffers.ALL, List.of(size)));
    }
  },

  /** Seven points of a grid of {@code size} by {@code size} by {@code size}. */
  STENCIL(128, Element.FLOAT, 3, 16) {
    @Override
    List<Step> steps(int size) {
      Dim3 block = new Dim3(64, 4, 1);
      Dim3 grid = new Dim3(Math.ceilDiv(size, block.x()), Math.ceilDiv(size, block.y()), block.z());
      return List.of(new Step("stencil", grid, block, Buffers.IN_OUT, List.of(size)));
    }
  },

  /** The product of a sparse matrix of {@code size} numbers, 16 in each row, and a vector. */
  SPMV(1 << 22, Element.FLOAT, 1, 256) {
    @Override
    List<Step> steps(int size) {
      return List.of(
          new Step("spmv", grid(size / BLOCK.x()), BLOCK, Buffers.ALL, List.of(size / NONZEROS)));
    }

    @Override
    int outputs(int size) {
      return size / NONZEROS;
    }
  },

  /** Prefix sums of {@code size} numbers, in one pass with look-back. */
  SCAN(1 << 22, Element.INTEGER, 1, 1024) {
    @Override
    int lanes() {
      return 64;
    }

    /** The states of the blocks are behind the output. */
    @Override
    long inputs(int size) {
      return (long) size + size / 256;
    }

    @Override
    List<Step> steps(int size) {
      int blocks = size / COLUMNS;
      Dim3 reset = grid(blocks / BLOCK.x() + 1);
      return List.of(
          new Step("scan_reset", reset, BLOCK, Buffers.OUT, List.of(size)),
          new Step("scan", grid(blocks), BLOCK, Buffers.IN_OUT, List.of(size)));
    }

    @Override
    int outputs(int size) {
      return size;
    }
  },

  /** Fourier transforms of 1024 complex points each, {@code size} points in all. */
  FFT(1 << 20, Element.FLOAT, 1, 1024) {
    @Override
    long inputs(int size) {
      return 2L * size;
    }

    @Override
    List<Step> steps(int size) {
      int count = size / COLUMNS;
      Dim3 grid = grid(Math.min(count, BLOCKS / 4));
      return List.of(new Step("fft", grid, BLOCK, Buffers.IN_OUT, List.of(count)));
    }

    @Override
    int outputs(int size) {
      return size;
    }

    /** Small magnitudes are differences of large numbers. */
    @Override
    double tolerance() {
      return 1e-3;
    }
  },

  /** Attention of {@code size} tokens, one head of 64 numbers; its elements are multiply-adds. */
  ATTENTION(1024, Element.FLOAT, 1, 64) {
    @Override
    int size(int elements) {
      return HEAD * Math.max(1, (int) Math.round(Math.sqrt(elements / (2.0 * HEAD)) / HEAD));
    }

    @Override
    long elements(int size) {
      return 2L * HEAD * size * size;
    }

    @Override
    long inputs(int size) {
      return (long) HEAD * size;
    }

    @Override
    List<Step> steps(int size) {
      Dim3 block = new Dim3(HEAD, 1, 1);
      return List.of(new Step("attention", grid(size / HEAD), block, Buffers.ALL, List.of(size)));
    }
  };

  /** What the input holds. */
  enum Element {
    /** From 0 up to, not including, 1. */
    FLOAT,
    /** 32 bits without a sign. */
    INTEGER
  }

  /** The pointers that a kernel takes. */
  enum Buffers {
    OUT,
    IN_OUT,
    /** Two inputs and the output. */
    ALL
  }

  /** A launch. */
  record Step(String kernel, Dim3 grid, Dim3 block, Buffers buffers, List<Integer> numbers) {}

  @FunctionalInterface
  private interface Output {
    double at(int index);
  }

  private static final int TILE = 16;
  private static final int COLUMNS = 1024;
  private static final int NONZEROS = 16;
  private static final int HEAD = 64;
  private static final int BLOCKS = 256;
  private static final Dim3 BLOCK = new Dim3(256, 1, 1);
  private static final int MOST_SAMPLES = 4096;

  private final int usual;
  private final Element element;
  private final int dimensions;
  private final int step;

  /**
   * @param usual the size that is measured where none is asked for
   * @param dimensions what its elements grow with: 1 for the size, 3 for its cube
   * @param step sizes are multiples of it
   */
  Workload(int usual, Element element, int dimensions, int step) {
    this.usual = usual;
    this.element = element;
    this.dimensions = dimensions;
    this.step = step;
  }

  /** The name in {@code host.cpp}. */
  String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The workload with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Workload named(String title) {
    return valueOf(title.toUpperCase(Locale.ROOT));
  }

  /** The size that is measured where none is asked for. */
  int usual() {
    return usual;
  }

  Element element() {
    return element;
  }

  /** The size that comes near to a number of elements. */
  int size(int elements) {
    return dimensions == 1
        ? elements / step * step
        : step * Math.max(1, (int) Math.round(Math.cbrt(elements) / step));
  }

  /** The elements of a size. */
  long elements(int size) {
    return dimensions == 1 ? size : (long) size * size * size;
  }

  /** What the time of a run grows with: each launch looks at all elements. */
  double work(int size) {
    return (double) elements(size) * steps(size).size();
  }

  /** The numbers in each input. */
  long inputs(int size) {
    return elements(size);
  }

  /** The numbers in the output. */
  int outputs(int size) {
    return (int) inputs(size);
  }

  /** The lanes that a wave must have for its kernels. */
  int lanes() {
    return 32;
  }

  /** The launches, one after the other. */
  abstract List<Step> steps(int size);

  /** What the program for the processor prints samples of. */
  double[] result(int size, long out) {
    return samples(outputs(size), i -> element == Element.FLOAT ? float32(out, i) : uint32(out, i));
  }

  /** How far a sample may be off, relatively: sums of floats depend on their order. */
  double tolerance() {
    return element == Element.FLOAT ? 1e-4 : 0;
  }

  private static Dim3 grid(int blocks) {
    return new Dim3(blocks, 1, 1);
  }

  private static double float32(long base, int index) {
    return Float.intBitsToFloat(Memory.loadInt(base + 4L * index));
  }

  private static double uint32(long base, int index) {
    return Integer.toUnsignedLong(Memory.loadInt(base + 4L * index));
  }

  private static double[] samples(int count, Output output) {
    int taken = Math.min(count, MOST_SAMPLES);
    return IntStream.range(0, taken)
        .mapToDouble(i -> output.at((int) ((long) i * count / taken)))
        .toArray();
  }
}
