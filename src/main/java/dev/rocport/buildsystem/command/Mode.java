package dev.rocport.buildsystem.command;

import dev.rocport.buildsystem.command.FlagUses.Use;

/** Determines how the words of a span are interpreted. */
enum Mode {
  COMMANDS,
  /** Flags of nvcc. */
  NVCC,
  /** Flags of nvcc and of a host compiler. */
  BOTH,
  HOST,
  OTHER;

  /** Returns the mode of a variable's value. */
  static Mode of(Facts facts, String name) {
    if (facts.isCompiler(name)) {
      return COMMANDS;
    }
    boolean host = facts.uses().isUsed(name, Use.HOST);
    return facts.uses().isUsed(name, Use.NVCC) ? host ? BOTH : NVCC : host ? HOST : OTHER;
  }

  /** Returns whether nvcc reads the words. */
  boolean isForNvcc() {
    return this == NVCC || this == BOTH;
  }

  /** Returns whether only a host compiler, or also one, reads the words. */
  boolean isForHost() {
    return this != NVCC && this != OTHER;
  }
}
