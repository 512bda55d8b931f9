package dev.rocport.toolchain.runtime;

import dev.rocport.toolchain.ToolchainException;

/** Thrown if a program cannot run with AMD's own libraries; other programs can. */
public final class UnavailableLibraryException extends ToolchainException {
  private static final long serialVersionUID = 1L;

  UnavailableLibraryException(String message) {
    super(message);
  }
}
