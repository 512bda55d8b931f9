package dev.rocport.lang.ptx;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A PTX type and the C++ type that holds it.
 *
 * @param name as a qualifier, without the dot
 * @param carrier the C++ type that holds its bits, or its value
 * @param kind the kind of register that holds it
 */
public record PtxType(String name, String carrier, Kind kind) {
  /** Sorts of registers: conversion between two of one size is of the bits. */
  enum Kind {
    PREDICATE(1),
    BITS8(8),
    BITS16(16),
    BITS32(32),
    BITS64(64),
    BITS128(128),
    FLOAT(32),
    DOUBLE(64);

    private final int bits;

    Kind(int bits) {
      this.bits = bits;
    }

    int bits() {
      return bits;
    }
  }

  private static final Map<String, PtxType> ALL = new HashMap<>();

  static {
    add("pred", "bool", Kind.PREDICATE);
    for (String n : new String[] {"b8", "u8", "e4m3", "e5m2"}) {
      add(n, "unsigned char", Kind.BITS8);
    }
    add("s8", "signed char", Kind.BITS8);
    for (String n : new String[] {"b16", "u16", "f16", "bf16", "e4m3x2", "e5m2x2"}) {
      add(n, "unsigned short", Kind.BITS16);
    }
    add("s16", "short", Kind.BITS16);
    for (String n :
        new String[] {"b32", "u32", "f16x2", "bf16x2", "u16x2", "s16x2", "tf32", "u8x4", "s8x4"}) {
      add(n, "unsigned", Kind.BITS32);
    }
    add("s32", "int", Kind.BITS32);
    add("b64", "unsigned long long", Kind.BITS64);
    add("u64", "unsigned long long", Kind.BITS64);
    add("f32x2", "unsigned long long", Kind.BITS64);
    add("s64", "long long", Kind.BITS64);
    add("f32", "float", Kind.FLOAT);
    add("f64", "double", Kind.DOUBLE);
    // Two registers of 64 bits; no form that is translated takes one yet.
    add("b128", "unsigned __int128", Kind.BITS128);
    for (String n : new String[] {"b1", "u4", "s4", "e2m1", "e2m1x2", "e3m2", "e2m3", "ue8m0x2"}) {
      add(n, "unsigned", Kind.BITS32); // elements of the operands of matrix instructions
    }
  }

  private static void add(String name, String carrier, Kind kind) {
    ALL.put(name, new PtxType(name, carrier, kind));
  }

  /** The type of this name, or null. */
  public static @Nullable PtxType of(String name) {
    return ALL.get(name);
  }
}
