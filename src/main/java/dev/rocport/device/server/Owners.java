package dev.rocport.device.server;

import dev.rocport.device.memory.Allocation;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** Which program holds which memory, of all programs: for words on wrong addresses. */
final class Owners {
  /** Farther from an allocation than this, an address has nothing to do with it. */
  private static final long NEAR = 1L << 16;

  private record Owner(Session session, Allocation allocation, int gpu) {}

  private final ConcurrentSkipListMap<Long, Owner> byBase = new ConcurrentSkipListMap<>();

  /** Notes an allocation; gpu -1 is the host. */
  void add(Session session, Allocation allocation, int gpu) {
    byBase.put(allocation.base(), new Owner(session, allocation, gpu));
  }

  void remove(Allocation allocation) {
    byBase.remove(allocation.base());
  }

  /** Why a GPU may not use an address for a program, or nothing where that is not known. */
  String explain(Session session, int gpu, long address) {
    Map.Entry<Long, Owner> below = byBase.floorEntry(address);
    if (below != null && below.getValue().allocation().holds(address, 1)) {
      Owner owner = below.getValue();
      if (owner.session() != session) {
        return "this is memory of another program, "
            + owner.session().program()
            + ", which this process has not opened";
      }
      if (owner.gpu() >= 0 && owner.gpu() != gpu && isCode(owner)) {
        return "this is %s of GPU %d, which no other GPU may access"
            .formatted(owner.allocation(), owner.gpu());
      }
      if (owner.gpu() >= 0 && owner.gpu() != gpu) {
        return "this is %s of GPU %d, to which GPU %d has no peer access"
            .formatted(owner.allocation(), owner.gpu(), gpu);
      }
      return "";
    }
    Map.Entry<Long, Owner> above = byBase.ceilingEntry(address);
    if (above != null
        && above.getKey() - address <= NEAR
        && above.getValue().session() == session) {
      return "%d bytes before the start of %s"
          .formatted(above.getKey() - address, above.getValue().allocation());
    }
    return "";
  }

  private static boolean isCode(Owner owner) {
    return owner.allocation().kind() == Allocation.Kind.CODE;
  }
}
