package dev.rocport.device.nativecode;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.Memory;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver;
import dev.rocport.device.wave.MemoryAccess;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.List;

/** What a wave overwrites in global memory, in order. */
final class StoreLog implements AccessObserver {
  private final List<Old> olds = new ArrayList<>();

  /** Bytes before a store. */
  private record Old(long address, byte[] bytes) {}

  @Override
  public void lanes(Wave wave, Instruction instruction, MemoryAccess memory) {
    // A stride of another length belongs to scratch.
    if (memory.kind() == Kind.GLOBAL && memory.access() != Access.LOAD && memory.stride() == 4) {
      for (long rest = memory.lanes(); rest != 0; rest &= rest - 1) {
        add(memory.addresses()[Long.numberOfTrailingZeros(rest)], memory.bytes());
      }
    }
  }

  @Override
  public void scalar(Wave wave, Instruction instruction, Access access, long address, int bytes) {
    if (access != Access.LOAD) {
      add(address, bytes);
    }
  }

  private void add(long address, int bytes) {
    olds.add(new Old(address, Memory.bytes(address, bytes)));
  }

  /** Restores memory; the log stays. */
  void undo() {
    for (Old old : olds.reversed()) {
      Memory.copy(old.bytes(), 0, old.address(), old.bytes().length);
    }
  }

  /** What is now in each place, in the order of the stores. */
  List<byte[]> now() {
    return olds.stream().map(o -> Memory.bytes(o.address(), o.bytes().length)).toList();
  }

  /** The address of the store with this number. */
  long address(int number) {
    return olds.get(number).address();
  }
}
