package dev.rocport.buildsystem.shared;

/** What build files say of the headers of the CUDA samples, which rocport has own ones for. */
public final class SampleHeaders {
  private SampleHeaders() {}

  /** Returns the text of a note about a flag or an argument with their folder. */
  public static String leftOut(String folder) {
    return folder + " is left out: rocport has its own headers for those of the CUDA samples";
  }
}
