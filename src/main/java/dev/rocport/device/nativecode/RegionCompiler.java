package dev.rocport.device.nativecode;

import dev.rocport.device.wave.Block;
import dev.rocport.device.wave.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Makes native functions of regions of one code object, and installs them. */
final class RegionCompiler {
  /** Compiles for all code objects, one region at a time. It does not keep the process alive. */
  static final Executor WORKER =
      Executors.newSingleThreadExecutor(
          work -> Thread.ofPlatform().daemon().name("native-compiler").unstarted(work));

  private static final AtomicBoolean TOLD = new AtomicBoolean();

  private final HostCompiler compiler;
  private final Optional<KeptRegions> kept;
  private final boolean whole;
  private final boolean compares;

  /** Entries of regions that could not be compiled. */
  private final Set<Integer> never = new HashSet<>();

  /**
   * @param kept where functions are noted for later runs
   * @param whole as for {@link Region#of}
   * @param compares whether the interpreter repeats what native code does
   */
  RegionCompiler(
      HostCompiler compiler, Optional<KeptRegions> kept, boolean whole, boolean compares) {
    this.compiler = compiler;
    this.kept = kept;
    this.whole = whole;
    this.compares = compares;
  }

  /**
   * Installs the function of the region that begins at an index, if it has none.
   *
   * @return whether the compiler ran
   */
  synchronized boolean compile(Code code, int pc) {
    if (code.block(pc) instanceof NativeBlock || never.contains(pc)) {
      return false;
    }
    try {
      if (kept.isPresent() && installKept(code, pc, kept.get())) {
        return false;
      }
      Region region = Region.of(code, pc, whole);
      if (region.instructions() < 2 || !region.begins(pc)) {
        never.add(pc);
        return false;
      }
      WaveFunction.Written written = WaveFunction.write(region, compiler.vectors().lanes);
      boolean installed = install(code, written);
      if (!installed) {
        // A damaged library was deleted, so this compiles it.
        installed = install(code, written);
      }
      if (!installed) {
        never.addAll(written.entries().places());
        tell("clang did not compile its translation");
      }
      return true;
    } catch (IOException e) {
      never.add(pc);
      tell(e.toString());
    } catch (RuntimeException e) {
      // Code objects may be hostile: whatever cannot be translated is interpreted.
      never.add(pc);
      tell("bug in its translation: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /** Installs what another load of the same code object has compiled. */
  private static boolean installKept(Code code, int pc, KeptRegions kept) throws IOException {
    KeptRegions.Kept region = kept.regions().get(pc);
    return region != null && Files.exists(region.library()) && install(code, region);
  }

  /** Tells why a kernel is interpreted: once, as the same reason often holds for all. */
  private static void tell(String why) {
    if (!TOLD.getAndSet(true)) {
      System.err.println("rocport: a kernel is interpreted: " + why);
    }
  }

  private boolean install(Code code, WaveFunction.Written written)
      throws IOException, InterruptedException {
    Optional<Path> library = compiler.compile(written.text());
    if (library.isEmpty()) {
      return false;
    }
    KeptRegions.Kept region = new KeptRegions.Kept(library.get(), written.entries());
    if (!install(code, region, compares)) {
      return false;
    }
    if (kept.isPresent()) {
      kept.get().add(region, compiler.clang());
    }
    return true;
  }

  /**
   * Installs a function at its entries that have no native one.
   *
   * @return whether it could be loaded
   */
  static boolean install(Code code, KeptRegions.Kept region) throws IOException {
    return install(code, region, false);
  }

  private static boolean install(Code code, KeptRegions.Kept region, boolean compares)
      throws IOException {
    Entries entries = region.entries();
    NativeBlock.Library library = load(region.library());
    if (library == null) {
      return false;
    }
    for (int i = 0; i < entries.places().size(); i++) {
      int at = entries.places().get(i);
      Block before = code.block(at);
      if (entries.lengths().get(i) > 0 && !(before instanceof NativeBlock)) {
        code.put(
            at,
            compares
                ? new ComparedBlock(library, i, entries)
                : new NativeBlock(library, i, entries, before));
      }
    }
    return true;
  }

  /** Loads a library; null if it is damaged: it is deleted then. */
  private static NativeBlock.@Nullable Library load(Path library) throws IOException {
    try {
      if (NativeFolder.isWhole(library)) {
        return NativeBlock.Library.load(library);
      }
    } catch (IllegalArgumentException | NoSuchElementException e) {
      // The loader's words add nothing.
    }
    System.err.println("rocport: " + library + " is damaged; it is compiled again");
    Files.deleteIfExists(library);
    return null;
  }
}
