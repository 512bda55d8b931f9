package dev.rocport.device.check.uninit;

import dev.rocport.device.check.AroundOp;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;

/** A scalar memory instruction. */
final class SmemWatch extends AroundOp {
  private final long addressLow;
  private final long addressHigh;
  private final int target;
  private final int words;
  private final int origin;

  SmemWatch(Op plain, Origins all) {
    super(plain);
    Instruction i = plain.instruction();
    Registers address = new Registers();
    int to = -1;
    int toWords = 0;
    for (int k = 0; k < i.operands().size(); k++) {
      Opcode.Slot slot = i.opcode().slots().get(k);
      if (!(i.operands().get(k) instanceof Operand.Scalar(int code, int dwords))) {
        continue;
      }
      if (slot.name().equals("sdst")) {
        to = code;
        toWords = slot.type().dwords();
      } else if (!slot.name().equals("sdata")) {
        address.scalar(code, dwords);
      }
    }
    this.addressLow = address.low();
    this.addressHigh = address.high();
    this.target = to;
    this.words = toWords;
    this.origin = all.add(Origins.Kind.GLOBAL);
  }

  @Override
  public void execute(Wave wave) {
    Shade shade = Shade.of(wave);
    if (shade.anyOf(addressLow, addressHigh)) {
      int from = Origins.REGISTER;
      for (int code = 0; code < 128; code++) {
        long mask = code < 64 ? addressLow : addressHigh;
        if ((mask >>> code & 1) != 0 && shade.s[code] != 0) {
          from = shade.originOfScalar(code);
        }
      }
      shade.report.address(wave, wave.exec(), from);
      shade.define(addressLow, addressHigh);
    }
    if (target >= 0) {
      shade.defineScalars(target, words);
    }
    shade.scalar = this;
    plain.execute(wave);
    shade.scalar = null;
  }

  void access(Wave wave, Shade shade, Access access, long address, int bytes) {
    if (access != Access.LOAD || target < 0) {
      GlobalShadow.ALL.set(address, bytes, true);
      return;
    }
    if (GlobalShadow.ALL.isDefined(address, address + bytes - 1)) {
      return;
    }
    if (bytes < 4) {
      part(wave, shade, address, bytes);
      return;
    }
    Region region = GlobalShadow.ALL.at(address);
    for (int w = 0; region != null && w < bytes >> 2; w++) {
      loaded(wave, shade, w, region.word(address + 4L * w), address + 4L * w);
    }
  }

  /** A load of 8 or 16 bits, which are extended. */
  private void part(Wave wave, Shade shade, long address, int bytes) {
    int bits = 0;
    for (int b = 0; b < bytes; b++) {
      bits |= GlobalShadow.ALL.octet(address + b) << (8 * b);
    }
    boolean signed = instruction().name().endsWith("_i8") || instruction().name().endsWith("_i16");
    int above = Integer.SIZE - 8 * bytes;
    loaded(wave, shade, 0, signed ? bits << above >> above : bits, address);
  }

  private void loaded(Wave wave, Shade shade, int word, int bits, long address) {
    if (bits != 0) {
      Origins.Origin entry = shade.report.origins().of(origin);
      entry.pc = wave.pc - 1;
      entry.address = address;
    }
    shade.setScalar(target + word, bits, origin);
  }
}
