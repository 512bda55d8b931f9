package dev.rocport.cli.option;

import dev.rocport.cli.support.Console;
import dev.rocport.cli.support.UsageException;
import dev.rocport.device.check.Checks;
import dev.rocport.device.dispatch.DispatchOptions;
import dev.rocport.device.dispatch.Trace;
import dev.rocport.device.dispatch.TurnOrder;
import dev.rocport.device.isa.Target;
import dev.rocport.device.nativecode.NativeEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The options that configure the GPUs and how kernels run on them. */
public final class GpuChoices {
  private static final int MOST_GPUS = 64;
  private static final String AUTO = "auto";
  private static final String INTERPRET = "interpret";
  private static final String NATIVE = "native";
  private static final String COMPARE = "compare";

  @Option(
      names = "--gpu",
      defaultValue = "gfx90a",
      paramLabel = "ARCH",
      description =
          "gfx90a (default), gfx942, gfx950, gfx1100, gfx1151 or gfx1201; a list such as"
              + " gfx90a,gfx942 mixes them.")
  private String gpu;

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      description = "Memory of each GPU in MiB (default: that of the real GPU).")
  private int memory;

  @Option(
      names = "--cus",
      paramLabel = "N",
      description = "Compute units of each GPU (default: those of the real GPU).")
  private int computeUnits;

  @Option(
      names = "--check",
      defaultValue = "${env:ROCPORT_CHECK:-}",
      paramLabel = "LIST",
      description = {
        "Checks to run, separated by commas. uninit: reads of unwritten values. race: unordered"
            + " accesses. sync: lanes and waves missing from barriers, shuffles or votes. order or"
            + " order=SEED: delays memory accesses, copies and scheduling as far as the memory"
            + " model allows, and uses random values where hardware leaves values undefined. all:"
            + " all of these. Default: $$ROCPORT_CHECK."
      })
  private String check;

  @Option(
      names = "--trace",
      defaultValue = "${env:ROCPORT_TRACE:-}",
      paramLabel = "LIST",
      description = {
        "Print a trace on standard error. kernels: a line for each launch, with bytes of global "
            + "memory. isa:KERNEL:BLOCK:WAVE: each instruction of one wave. Default:",
        "$$ROCPORT_TRACE."
      })
  private String trace;

  @Option(
      names = "--engine",
      defaultValue = "${env:ROCPORT_ENGINE:-auto}",
      paramLabel = "ENGINE",
      description = {
        "How kernels run without --check. interpret: all code is interpreted. native: code that"
            + " waves enter often (native=N: N times) is compiled for this processor. auto: code"
            + " that runs long is compiled in the background. compare: all code is compiled, the"
            + " interpreter repeats it, and a difference stops the kernel. Default:"
            + " $$ROCPORT_ENGINE, else auto."
      })
  private String engine;

  @Option(
      names = "--turns",
      defaultValue = "${env:ROCPORT_TURNS:-}",
      paramLabel = "ORDER",
      description =
          "Which wave of a block runs first, and again after each barrier: that with the lowest"
              + " threads (ascending) or that with the highest (descending). Default:"
              + " $$ROCPORT_TURNS, else ascending.")
  private String turns;

  /** The targets as they were asked for. */
  public String gpu() {
    return gpu;
  }

  /** Whether checks were asked for. */
  public boolean hasChecks() {
    return !check.isEmpty();
  }

  /** Which wave of a block runs first; empty for the usual order. */
  String turns() {
    return turns;
  }

  /** Compute units of each GPU; 0 for those of the real one. */
  public int computeUnits() {
    return positive(computeUnits, "--cus");
  }

  /** MiB of each GPU; 0 for the memory of the real one. */
  public int memory() {
    return positive(memory, "--memory");
  }

  private static int positive(int number, String option) {
    if (number < 0) {
      throw new UsageException(option + " requires a positive number");
    }
    return number;
  }

  /**
   * The targets, one for each GPU.
   *
   * @param each how many GPUs of each target
   */
  public List<Target> targets(int each) {
    List<Target> targets = new ArrayList<>();
    for (String arch : gpu.split(",", -1)) {
      Target target =
          Target.named(arch)
              .orElseThrow(
                  () ->
                      new UsageException(
                          "unknown GPU '" + arch + "'; supported are " + Target.names(" and ")));
      targets.addAll(Collections.nCopies(Math.clamp(each, 1, MOST_GPUS), target));
    }
    if (each < 1 || targets.size() > MOST_GPUS) {
      throw new UsageException("a device has 1 to " + MOST_GPUS + " GPUs");
    }
    return targets;
  }

  /**
   * The engine that is asked for; the interpreter where this machine has no other.
   *
   * @param clang finds a compiler; empty if there is none, which it explains itself
   */
  public NativeEngine engine(Console console, Supplier<Optional<Path>> clang) {
    requireEngine();
    if (engine.equals(INTERPRET)) {
      return NativeEngine.NONE;
    }
    if (!NativeEngine.isSupported()) {
      console.err().println("rocport: kernels are interpreted: the native engine requires AVX2");
      return NativeEngine.NONE;
    }
    if (isAuto()) {
      return new NativeEngine.Auto(clang);
    }
    return clang.get().map(this::compiling).orElse(NativeEngine.NONE);
  }

  private NativeEngine compiling(Path clang) {
    if (engine.equals(COMPARE)) {
      return new NativeEngine.Compare(clang);
    }
    int entries =
        engine.equals(NATIVE)
            ? NativeEngine.HOT
            : Integer.parseInt(engine.substring(NATIVE.length() + 1));
    return new NativeEngine.Native(clang, entries);
  }

  private boolean isAuto() {
    return engine.isEmpty() || engine.equals(AUTO);
  }

  private void requireEngine() {
    if (!isAuto()
        && !engine.equals(INTERPRET)
        && !engine.equals(COMPARE)
        && !engine.matches(NATIVE + "(=[1-9][0-9]{0,8})?")) {
      throw new UsageException(
          "unknown engine '"
              + engine
              + "'; supported are auto, interpret, native, native=N and compare");
    }
  }

  /** How kernels are to run. */
  public DispatchOptions dispatch(Duration timeout, Console console, NativeEngine with) {
    try {
      return new DispatchOptions(
          timeout, checks(console), Trace.parse(trace), with, TurnOrder.parse(turns));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  /** What tells a program which device to look for, or to start, beyond its GPUs. */
  public Map<String, String> variables(Console console) {
    requireEngine();
    String checks = dispatch(Duration.ZERO, console, NativeEngine.NONE).checks().text();
    // An empty variable counts as none.
    Map<String, String> variables = new TreeMap<>();
    variables.put("ROCPORT_CHECK", checks);
    variables.put("ROCPORT_TRACE", trace);
    variables.put("ROCPORT_ENGINE", isAuto() ? "" : engine);
    if (!turns.isEmpty()) {
      // Libraries of AMD may need another order, unless one was asked for.
      variables.put("ROCPORT_TURNS", turns);
    }
    return variables;
  }

  private Checks checks(Console console) {
    try {
      Checks checks = Checks.parse(check, System.nanoTime() & 0xffffff);
      if (checks.seed().isPresent()) {
        console.err().println("rocport: --check " + checks.text());
      }
      return checks;
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }
}
