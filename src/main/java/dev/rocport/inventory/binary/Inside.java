package dev.rocport.inventory.binary;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects the findings in a binary and in the members of an archive. */
public final class Inside {
  /** Kinds of code for GPUs. */
  public enum Code {
    CUBIN,
    PTX,
    LTO_IR,
    /** Code in a fat binary whose kind is not known. */
    OTHER
  }

  /**
   * Code for a GPU.
   *
   * @param architecture the number after {@code sm_}; 0 if unknown
   * @param version of PTX; else empty
   */
  public record GpuCode(String place, Code code, int architecture, String version) {}

  /**
   * A library that is loaded or linked, or is an NVIDIA library itself.
   *
   * @param file its name: {@code libcudart.so.12}, {@code cudart64_12.dll}
   * @param loaded whether the binary loads it; false if the binary is the library
   */
  public record Library(String place, String file, boolean loaded) {}

  /** Something that could not be read. */
  public record Trouble(String place, String message) {}

  private final Set<GpuCode> code = new LinkedHashSet<>();
  private final Set<Library> libraries = new LinkedHashSet<>();
  private final List<Trouble> troubles = new ArrayList<>();

  void code(String place, Code kind, int architecture, String version) {
    code.add(new GpuCode(place, kind, architecture, version));
  }

  void library(String place, String file, boolean loaded) {
    libraries.add(new Library(place, file, loaded));
  }

  void trouble(String place, String message) {
    troubles.add(new Trouble(place, message));
  }

  public Collection<GpuCode> code() {
    return code;
  }

  public Collection<Library> libraries() {
    return libraries;
  }

  public List<Trouble> troubles() {
    return troubles;
  }
}
