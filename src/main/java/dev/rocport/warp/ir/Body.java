package dev.rocport.warp.ir;

import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a function. Those that come from a cache are unpacked when they are needed,
 * which is never for most functions. Thread-safe.
 */
public final class Body {
  private byte @Nullable [] packed;
  private Stmt.@Nullable Block block;

  public Body(Stmt.Block block) {
    this.block = block;
  }

  private Body(byte[] packed) {
    this.packed = packed;
  }

  /** Returns the statements. */
  public synchronized Stmt.Block block() {
    Stmt.Block known = block;
    if (known == null) {
      known = new UnitReader(new PackedReader(Objects.requireNonNull(packed))).block();
      block = known;
      packed = null;
    }
    return known;
  }

  static Body read(PackedReader in) {
    return new Body(in.bytes());
  }

  synchronized void write(PackedWriter out) {
    byte[] known = packed;
    if (known == null) {
      PackedWriter inner = new PackedWriter();
      new UnitWriter(inner).block(block());
      known = inner.toBytes();
    }
    out.bytes(known);
  }

  @Override
  public boolean equals(Object o) {
    return o == this || (o instanceof Body b && block().equals(b.block()));
  }

  @Override
  public int hashCode() {
    return block().hashCode();
  }
}
