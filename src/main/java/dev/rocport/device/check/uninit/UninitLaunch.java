package dev.rocport.device.check.uninit;

import dev.rocport.device.check.Certainty;
import dev.rocport.device.check.Check;
import dev.rocport.device.check.Finding;
import dev.rocport.device.check.Findings;
import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;
import dev.rocport.device.check.Site;
import dev.rocport.device.codeobject.KernelDescriptor;
import dev.rocport.device.isa.Feature;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.Heap;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver;
import dev.rocport.device.wave.MemoryAccess;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The check of one launch. */
final class UninitLaunch implements LaunchWatch, AccessObserver, Report {
  private static final int LDS_PAGE = 7;

  /** The trap handler's registers and, on CDNA, the address mask's. */
  private static final int XNACK_MASK = 104;

  private static final int TRAP = 108;

  private static final ThreadLocal<Work> WORK = ThreadLocal.withInitial(Work::new);

  private enum What {
    BRANCH(0, "a branch depends on"),
    ADDRESS(1, "an address depends on"),
    STORE(2, "a stored value depends on"),
    ATOMIC(3, "an atomic operation reads");

    final int number;
    final String words;

    What(int number, String words) {
      this.number = number;
      this.words = words;
    }
  }

  private final LaunchView view;
  private final Findings findings;
  private final Origins origins;
  private final Set<Long> told = ConcurrentHashMap.newKeySet();
  private final Map<Region, Long> shadows = new ConcurrentHashMap<>();

  UninitLaunch(LaunchView view, Findings findings, Origins origins) {
    this.view = view;
    this.findings = findings;
    this.origins = origins;
  }

  @Override
  public Work work() {
    return WORK.get();
  }

  @Override
  public Origins origins() {
    return origins;
  }

  @Override
  public void groupBegan(List<Wave> waves) {
    Wave one = waves.getFirst();
    long size = Math.max(one.group.ldsSize(), 16) + (1L << LDS_PAGE) & -(1L << LDS_PAGE);
    long shadow = Heap.take(size);
    Region lds = new Region(one.group.lds(), size, shadow, LDS_PAGE);
    lds.forget();
    shadows.put(lds, shadow);
    LocalOrigins ldsOrigins = new LocalOrigins(size);
    for (Wave wave : waves) {
      Shade shade = new Shade(this, wave, lds, ldsOrigins);
      begin(wave, shade);
      wave.uninit = shade;
      wave.observe(this);
    }
  }

  /** What a wave starts with. Source: LLVM's AMDGPUUsage, "Initial Kernel Execution State". */
  private void begin(Wave wave, Shade shade) {
    KernelDescriptor descriptor = view.kernel().descriptor();
    Target target = view.codeObject().target();
    shade.any[0] &= ~wave.exec();
    int scalars = descriptor.userSgprs();
    if (!target.has(Feature.RDNA4_ENCODINGS)) {
      for (int axis = 0; axis < 3; axis++) {
        scalars += descriptor.wantsGroupId(axis) ? 1 : 0;
      }
      scalars += descriptor.wantsGroupInfo() ? 1 : 0;
      boolean offset = !target.has(Feature.ARCHITECTED_FLAT_SCRATCH);
      scalars += offset && descriptor.hasScratch() ? 1 : 0;
    }
    shade.defineScalars(0, scalars);
    if (target.generation() == Generation.CDNA) {
      shade.defineScalars(Wave.FLAT_SCRATCH, 2);
      shade.defineScalars(XNACK_MASK, 2);
    }
    shade.defineScalars(TRAP, Wave.M0 - TRAP);
    shade.defineScalars(Wave.EXEC, 2);
  }

  @Override
  public void groupEnded(List<Wave> waves) {
    if (waves.getFirst().uninit instanceof Shade shade) {
      Long shadow = shadows.remove(shade.lds);
      if (shadow != null) {
        Heap.give(shadow);
      }
    }
    for (Wave wave : waves) {
      wave.uninit = null;
    }
  }

  @Override
  public void lanes(Wave wave, Instruction instruction, MemoryAccess memory) {
    if (wave.uninit instanceof Shade shade && shade.current != null) {
      boolean scratch =
          memory.kind() == Kind.GLOBAL
              && memory.stride() == 0
              && BufferScratch.is(wave, instruction);
      shade.current.access(
          wave, shade, scratch ? BufferScratch.access(wave, instruction, memory) : memory);
    }
  }

  @Override
  public void scalar(Wave wave, Instruction instruction, Access access, long address, int bytes) {
    if (wave.uninit instanceof Shade shade && shade.scalar != null) {
      shade.scalar.access(wave, shade, access, address, bytes);
    }
  }

  @Override
  public void seen(Wave wave, long lanes, int bytes, long[] addresses, int[] registers, int first) {
    if (wave.uninit instanceof Shade shade) {
      int register = first / Wave.LANES + (registers == wave.a ? Shade.ACCUMULATORS : 0);
      Lanes.lookAgain(shade, wave, lanes, bytes, addresses, register, 0);
    }
  }

  @Override
  public void branch(Wave wave, long lanes, int origin) {
    tell(What.BRANCH, wave, lanes, origin);
  }

  @Override
  public void address(Wave wave, long lanes, int origin) {
    tell(What.ADDRESS, wave, lanes, origin);
  }

  @Override
  public void store(Wave wave, long lanes, int origin) {
    tell(What.STORE, wave, lanes, origin);
  }

  @Override
  public void atomic(Wave wave, long lanes, int origin) {
    tell(What.ATOMIC, wave, lanes, origin);
  }

  private void tell(What what, Wave wave, long lanes, int origin) {
    int number = origin & ~Origins.COMPUTED;
    long key = (long) what.number << 60 | (long) wave.pc << 30 | number;
    if (!told.add(key)) {
      return;
    }
    Origins.Origin from = origins.of(number);
    List<Site> others = new ArrayList<>();
    if (from.pc >= 0 && from.pc != wave.pc - 1) {
      others.add(view.site("read of " + thing(from), from.pc, wave.group, wave.number, lanes));
    }
    String title = "%s %s that was never written".formatted(what.words, thing(from.kind));
    Site site = view.site(role(what, from, others.isEmpty()), wave, lanes);
    Finding finding =
        new Finding(
            Check.UNINIT,
            Certainty.CERTAIN,
            title,
            site,
            others,
            why(what, from.kind),
            advice(from.kind));
    // These compute with the LDS contents after the items of a partial tile, and discard the
    // result.
    boolean dropped = from.kind != Origins.Kind.GLOBAL && finding.isOfLibrary();
    if (!dropped) {
      findings.add(finding);
    }
  }

  private static String thing(Origins.Kind kind) {
    return switch (kind) {
      case REGISTER, SCRATCH -> "a variable";
      case LDS -> "shared memory";
      case GLOBAL -> "device memory";
    };
  }

  private String role(What what, Origins.Origin from, boolean alone) {
    String role =
        switch (what) {
          case BRANCH -> "branch";
          case ADDRESS -> "access";
          case STORE -> "store";
          case ATOMIC -> "atomic operation";
        };
    return alone && from.kind != Origins.Kind.REGISTER ? role + ", on " + thing(from) : role;
  }

  private String thing(Origins.Origin from) {
    return switch (from.kind) {
      case REGISTER -> "a register";
      case SCRATCH -> "a local variable";
      case LDS -> "shared memory, byte " + from.address;
      case GLOBAL -> origins.name(from.address);
    };
  }

  private static String why(What what, Origins.Kind kind) {
    String holds =
        switch (kind) {
          case REGISTER, SCRATCH -> "a register or a stack slot holds what its last user left";
          case LDS -> "shared memory holds what the last block on that compute unit left";
          case GLOBAL -> "new device memory holds its previous contents";
        };
    String then =
        switch (what) {
          case BRANCH ->
              "so the path that threads take differs from run to run and from GPU to GPU";
          case ADDRESS -> "so the access may hit any address, or fault";
          case STORE -> "so the stored value is arbitrary and may differ between runs";
          case ATOMIC -> "so its starting value is arbitrary";
        };
    return holds + ", " + then;
  }

  private static String advice(Origins.Kind kind) {
    return switch (kind) {
      case REGISTER, SCRATCH ->
          "initialize the variable where it is declared, so that it has a value on every path";
      case LDS ->
          "before this, let the threads of the block write every element of the shared array that"
              + " is read, and then call __syncthreads()";
      case GLOBAL ->
          "fill the memory after hipMalloc: hipMemset, hipMemcpy from the host, or a kernel that"
              + " writes all of it";
    };
  }
}
