package dev.rocport.device.memory;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The memory that one process may access from one GPU. Mapped does not mean permitted: an address
 * is valid only inside an allocation of this space. Lookups take no lock; changes do.
 */
public final class AddressSpace {
  private static final int REMEMBERED = 256;

  private record Table(long[] bases, Allocation[] allocations) {}

  private volatile Table table = new Table(new long[0], new Allocation[0]);
  private final Deque<Allocation> freed = new ArrayDeque<>();

  /** Makes an allocation accessible. */
  public synchronized void add(Allocation allocation) {
    Table old = table;
    int at = -Arrays.binarySearch(old.bases, allocation.base()) - 1;
    if (at < 0) {
      throw new IllegalStateException(
          "two allocations at 0x" + Long.toHexString(allocation.base()));
    }
    int n = old.bases.length;
    long[] bases = Arrays.copyOf(old.bases, n + 1);
    Allocation[] all = Arrays.copyOf(old.allocations, n + 1);
    System.arraycopy(old.bases, at, bases, at + 1, n - at);
    System.arraycopy(old.allocations, at, all, at + 1, n - at);
    bases[at] = allocation.base();
    all[at] = allocation;
    table = new Table(bases, all);
  }

  /**
   * Makes a freed allocation inaccessible; it is remembered for a while, to name uses after free.
   */
  public synchronized void remove(Allocation allocation) {
    hide(allocation);
    allocation.free();
    freed.addFirst(allocation);
    if (freed.size() > REMEMBERED) {
      freed.removeLast();
    }
  }

  /** Changes whenever what is accessible changes: who remembers an answer asks again then. */
  public Object view() {
    return table;
  }

  /** What is accessible, in order of the base. */
  public Allocation[] allocations() {
    return table.allocations.clone();
  }

  /** Makes an allocation inaccessible here; other spaces may continue to use it. */
  public synchronized void hide(Allocation allocation) {
    Table old = table;
    int at = Arrays.binarySearch(old.bases, allocation.base());
    if (at < 0) {
      return;
    }
    int n = old.bases.length;
    long[] bases = new long[n - 1];
    Allocation[] all = new Allocation[n - 1];
    System.arraycopy(old.bases, 0, bases, 0, at);
    System.arraycopy(old.allocations, 0, all, 0, at);
    System.arraycopy(old.bases, at + 1, bases, at, n - 1 - at);
    System.arraycopy(old.allocations, at + 1, all, at, n - 1 - at);
    table = new Table(bases, all);
  }

  /**
   * The allocation with the highest base at or below an address, whether it holds the address or
   * not.
   */
  public @Nullable Allocation below(long address) {
    Table now = table;
    int at = Arrays.binarySearch(now.bases, address);
    if (at < 0) {
      at = -at - 2;
    }
    return at < 0 ? null : now.allocations[at];
  }

  /**
   * The allocation that holds {@code bytes} bytes from {@code address} on, or begins to where the
   * next one goes on without a gap.
   *
   * @throws MemoryFault where there is none, or it does not allow the access
   */
  public Allocation require(long address, int bytes, MemoryFault.Access access) {
    Allocation candidate = below(address);
    if (candidate == null || !candidate.holds(address, bytes)) {
      candidate = crossed(candidate, address, bytes, access);
    }
    Allocation.ReadOnly part = candidate.readOnlyAt(address, bytes);
    if (access != MemoryFault.Access.LOAD && part != null) {
      throw new MemoryFault(
          access,
          address,
          bytes,
          "in the %s of %s, which kernels may only read".formatted(part.what(), candidate));
    }
    return candidate;
  }

  /** The second allocation of an access that crosses into one which begins where the first ends. */
  private Allocation crossed(
      @Nullable Allocation first, long address, int bytes, MemoryFault.Access access) {
    if (first != null && first.holds(address, 1) && address + bytes > first.end()) {
      Allocation next = below(first.end());
      if (next != null
          && next.base() == first.end()
          && next.holds(next.base(), address + bytes - next.base())
          && first.allows(access, address, 1)) {
        return next;
      }
    }
    throw new MemoryFault(access, address, bytes, explain(address, bytes));
  }

  /** Words on what an address is near to, for a message. */
  public String explain(long address, int bytes) {
    Allocation near = below(address);
    if (near != null && address < near.end()) {
      return (address + bytes - near.end()) + " bytes beyond the end of " + near;
    }
    Optional<Allocation> gone = gone(address);
    if (gone.isPresent()) {
      return "in freed memory: " + gone.get();
    }
    if (address >= 0 && address < 4096) {
      return "a null pointer";
    }
    if (near != null && address - near.end() < 1 << 20) {
      return (address - near.end()) + " bytes after the end of " + near;
    }
    return "in no allocation that this process may access on this GPU";
  }

  private synchronized Optional<Allocation> gone(long address) {
    return freed.stream().filter(a -> address >= a.base() && address < a.end()).findFirst();
  }
}
