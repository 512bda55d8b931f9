package dev.rocport.device.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** The few calls of the C library that Java has no words for. */
final class Posix {
  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
  private static final VarHandle ERRNO_VALUE =
      Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle MEMFD_CREATE =
      function(
          "memfd_create",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
  private static final MethodHandle FTRUNCATE =
      function(
          "ftruncate",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
  private static final MethodHandle MMAP =
      function(
          "mmap",
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG));
  private static final MethodHandle MADVISE =
      function(
          "madvise",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT));

  private static final MethodHandle MUNMAP =
      function(
          "munmap",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));

  private static final MethodHandle STRERROR =
      CLibrary.function(
          "strerror", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));

  private static final int MFD_CLOEXEC = 1;
  private static final int READ_WRITE = 3;
  private static final int SHARED_NORESERVE_FIXED_NOREPLACE = 0x01 | 0x4000 | 0x100000;
  private static final int SHARED_NORESERVE_FIXED = 0x01 | 0x4000 | 0x10;
  private static final int PRIVATE_ANONYMOUS_NORESERVE_FIXED = 0x02 | 0x20 | 0x4000 | 0x10;
  private static final int NO_FILE = -1;
  private static final int MADV_REMOVE = 9;

  private Posix() {}

  private static MethodHandle function(String name, FunctionDescriptor descriptor) {
    return CLibrary.function(name, descriptor, ERRNO);
  }

  /** A new anonymous file of {@code size} bytes, none of which exist before they are written. */
  static int sharedFile(String name, long size) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      MemorySegment text = arena.allocateFrom(name);
      int fd = (int) CLibrary.call(() -> (int) MEMFD_CREATE.invokeExact(state, text, MFD_CLOEXEC));
      check(fd >= 0, "memfd_create", state);
      long result = CLibrary.call(() -> (int) FTRUNCATE.invokeExact(state, fd, size));
      check(result == 0, "ftruncate to " + size + " bytes", state);
      return fd;
    }
  }

  /** Maps a file for all who map it, at a fixed address where nothing is mapped yet. */
  static void map(long address, long size, int fd) {
    mmap(address, size, SHARED_NORESERVE_FIXED_NOREPLACE, fd, 0);
  }

  /** Maps a part of a file, over what is mapped at the address. */
  static void place(long address, long size, int fd, long offset) {
    mmap(address, size, SHARED_NORESERVE_FIXED, fd, offset);
  }

  /** Maps memory of this process alone, over what is mapped at the address. */
  static void blank(long address, long size) {
    mmap(address, size, PRIVATE_ANONYMOUS_NORESERVE_FIXED, NO_FILE, 0);
  }

  private static void mmap(long address, long size, int flags, int fd, long offset) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      long at =
          CLibrary.call(
              () -> (long) MMAP.invokeExact(state, address, size, READ_WRITE, flags, fd, offset));
      check(at == address, "mmap at 0x" + Long.toHexString(address), state);
    }
  }

  static void unmap(long address, long size) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      long result = CLibrary.call(() -> (int) MUNMAP.invokeExact(state, address, size));
      check(result == 0, "munmap", state);
    }
  }

  /** Gives whole pages of a shared file back; they read as zero from then on. */
  static void release(long address, long size) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      long result =
          CLibrary.call(() -> (int) MADVISE.invokeExact(state, address, size, MADV_REMOVE));
      check(result == 0, "madvise", state);
    }
  }

  private static void check(boolean good, String what, MemorySegment state) {
    if (!good) {
      int number = (int) ERRNO_VALUE.get(state, 0L);
      long text = CLibrary.call(() -> (long) STRERROR.invokeExact(number));
      throw new IllegalStateException(what + " failed: " + Memory.ALL.getString(text));
    }
  }
}
