package dev.rocport.device.op.vector;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Makes a copy of a kernel's class for one opcode. The copy has a constant of its own, so that the
 * compiler sees which opcode it runs, inlines it into the loop over lanes, and profiles it apart
 * from all other copies. A loop that calls through a variable can have none of that.
 */
final class Specialized {
  private static final MethodHandles.Lookup HERE = MethodHandles.lookup();

  private Specialized() {}

  /** A copy of the kernel class, whose {@link #constant} is {@code constant}. */
  static Kernel copy(Class<? extends Kernel> template, Object constant) {
    try (InputStream in = template.getResourceAsStream(template.getSimpleName() + ".class")) {
      if (in == null) {
        throw new IllegalStateException("no class file of " + template);
      }
      MethodHandles.Lookup made =
          HERE.defineHiddenClassWithClassData(in.readAllBytes(), constant, true);
      return (Kernel)
          made.findConstructor(made.lookupClass(), MethodType.methodType(void.class))
              .asType(MethodType.methodType(Kernel.class))
              .invokeExact();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** The constant of a copied class, for its static initialiser; null in the class itself. */
  static <T> @Nullable T constant(MethodHandles.Lookup copy, Class<T> type) {
    try {
      return MethodHandles.classData(copy, ConstantDescs.DEFAULT_NAME, type);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
