package dev.rocport.device.check.race;

import dev.rocport.device.check.VectorClock;
import org.jspecify.annotations.Nullable;

/** A copy or a fill of device memory. It is one actor, and over when it has been looked at. */
final class HostTouch extends Happening {
  private final long epoch;
  private final int info = PackedAccess.of(0, false, false);
  private boolean told;

  HostTouch(Races session, Program program, int number, @Nullable VectorClock clock, int began) {
    super(session, program, number, clock, began);
    this.epoch = Epoch.of(Epoch.actor(number, 0), 1);
  }

  /** Whether MPI does it, for as long as its function or request takes. */
  boolean isOfMpi() {
    VectorClock clock = clock();
    return clock != null && clock.what().equals(VectorClock.OF_MPI);
  }

  void writes(long address, long size) {
    range(address, size, true);
  }

  void reads(long address, long size) {
    range(address, size, false);
  }

  private void range(long address, long size, boolean writes) {
    long end = address + size;
    long at = address;
    while (at < end) {
      long number = at >>> Shadow.CHUNK_BITS;
      long start = number << Shadow.CHUNK_BITS;
      long next = Math.min(end, start + (1L << Shadow.CHUNK_BITS));
      if (writes && next - at == 1L << Shadow.CHUNK_BITS) {
        Cells cells = session().shadow().writeWhole(number, epoch);
        if (cells != null) {
          look(cells, 0, cells.words, true);
        }
      } else {
        part(session().shadow().chunk(number), (int) (at - start), (int) (next - start), writes);
      }
      at = next;
    }
  }

  private void part(Cells cells, int from, int to, boolean writes) {
    synchronized (cells) {
      int first = (from + 3) >> 2;
      int last = to >> 2;
      // The bytes at the ends that fill no word are not kept: whoever uses the others may be free
      // to.
      if (first < last) {
        look(cells, first, last, writes);
        if (writes) {
          cells.clear(first, last);
        }
        cells.fill(first, last, epoch, info, writes);
      }
    }
  }

  private void look(Cells cells, int from, int to, boolean writes) {
    for (int cell = from; cell < to; cell = cells.next(cell)) {
      if (!isKnownStore(cells, cell)) {
        meet(cells.writer(cell), cells.write(cell), true);
      }
      if (writes) {
        meet(cells.reader(cell), cells.read(cell), false);
      }
    }
  }

  /** Whether a word was last stored by an atomic that a kernel before this has seen. */
  private boolean isKnownStore(Cells cells, int cell) {
    Location location = PackedAccess.isAtomic(cells.write(cell)) ? cells.usedLocation(cell) : null;
    return location != null && location.isSeenBefore(this);
  }

  private void meet(long other, int how, boolean stored) {
    int launch = Epoch.launch(Epoch.actor(other));
    if (other == 0 || told || isAfter(launch) || session().isKnown(other, inherited(), this)) {
      return;
    }
    told = true;
    program().tellOfHost(this, other, how, stored);
  }
}
