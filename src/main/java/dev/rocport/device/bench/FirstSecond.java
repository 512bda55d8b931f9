package dev.rocport.device.bench;

import dev.rocport.device.check.Checks;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.SharedArena;
import dev.rocport.device.nativecode.NativeEngine;
import dev.rocport.io.process.Exec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Measures a kernel in the first seconds of a process, with the default engine. */
public final class FirstSecond {
  private final Workload workload;
  private final Target target;
  private final Path bundle;
  private final int seconds;

  /**
   * @param bundle the kernels' fat binary
   * @param seconds of runs
   */
  FirstSecond(Workload workload, Target target, Path bundle, int seconds) {
    this.workload = workload;
    this.target = target;
    this.bundle = bundle;
    this.seconds = seconds;
  }

  /**
   * Reads what {@link #text} wrote.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static FirstSecond parse(String text) {
    String[] parts = text.split(",", 4);
    if (parts.length < 4) {
      throw new IllegalArgumentException("not KERNEL,GPU,SECONDS,FILE: " + text);
    }
    return new FirstSecond(
        Workload.named(parts[0]),
        Target.named(parts[1]).orElseThrow(() -> new IllegalArgumentException(parts[1])),
        Path.of(parts[3]),
        Integer.parseInt(parts[2]));
  }

  /** The argument from which a process of its own learns what to do. */
  String text() {
    return String.join(
        ",", workload.title(), target.arch(), Integer.toString(seconds), bundle.toString());
  }

  /**
   * Does it in another process.
   *
   * @param self starts it, up to the last argument
   * @param cache the folder of its caches
   * @return as {@link #run}
   */
  double inProcess(List<String> self, Path cache) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(self);
    command.add(text());
    Exec process = Exec.of(command);
    process.environment().put("XDG_CACHE_HOME", cache.toString());
    Exec.Outcome outcome = process.run();
    if (!outcome.ok()) {
      throw new IOException("a process that runs kernels failed:\n" + outcome.stderr());
    }
    return Double.parseDouble(outcome.stdout().strip());
  }

  /**
   * Does it in this process.
   *
   * @param clang compiles native code
   * @return millions of wave-instructions in the first second, without the load of the code object
   *     and the input
   */
  public double run(Path clang) throws IOException, InterruptedException {
    NativeEngine engine = new NativeEngine.Auto(() -> Optional.of(clang));
    SharedArena arena = SharedArena.create(DeviceBenchmark.ARENA);
    byte[] kernels = Files.readAllBytes(bundle);
    try (BenchDevice device = new BenchDevice(target, arena, kernels, 1, Checks.NONE, engine);
        BenchDevice.Prepared prepared = device.new Prepared(workload, workload.usual())) {
      double first = 0;
      double elapsed = 0;
      long instructions = 0;
      while (elapsed < seconds) {
        BenchDevice.Run run = prepared.run();
        elapsed += run.elapsed();
        instructions += run.instructions();
        if (first == 0 && elapsed >= 1) {
          first = instructions / elapsed / 1e6;
        }
      }
      return first;
    }
  }
}
