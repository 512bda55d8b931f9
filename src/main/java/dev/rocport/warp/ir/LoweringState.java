package dev.rocport.warp.ir;

import dev.rocport.warp.code.Symbols;
import java.util.ArrayList;
import java.util.List;

/** Holds the state of the function that is being read. */
final class LoweringState {
  private static final int DEEP = 400;

  private Symbols symbols = Symbols.NONE;
  private boolean clean = true;
  private int depth;

  /** Launches met in the function. */
  private final List<Launch> pending = new ArrayList<>();

  /** Begins a function. */
  void begin() {
    clean = true;
    depth = 0;
    pending.clear();
  }

  Symbols symbols() {
    return symbols;
  }

  void symbols(Symbols now) {
    symbols = now;
  }

  List<Launch> pending() {
    return pending;
  }

  /** Enters a node; returns false, and marks the function, if it is nested too deep to be read. */
  boolean enter() {
    if (++depth > DEEP) {
      clean = false;
      depth--;
      return false;
    }
    return true;
  }

  void leave() {
    depth--;
  }

  /** Records that something in the function was not understood. */
  void unclear() {
    clean = false;
  }

  /** Returns whether everything in the function was understood. */
  boolean isClean() {
    return clean;
  }
}
