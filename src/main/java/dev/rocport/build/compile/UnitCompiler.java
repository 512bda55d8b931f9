package dev.rocport.build.compile;

import dev.rocport.build.unit.Unit;
import java.io.IOException;
import java.util.List;

/** Compiles units, or checks them for errors only. Thread-safe. */
public sealed interface UnitCompiler permits Compiler, SyntaxCheck {

  /** Result of a compile, and the files that it read, if they are known. */
  record Made(Compilation compilation, List<String> dependencies) {}

  /**
   * Compiles one unit. Afterwards, the object exists if and only if the compile succeeded.
   *
   * @throws IOException if the object cannot be written or the compiler cannot be started
   */
  Made compile(Unit unit) throws IOException, InterruptedException;
}
