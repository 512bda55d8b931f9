package dev.rocport.device.server;

import dev.rocport.device.codeobject.BadCodeObjectException;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.FatBinary;
import dev.rocport.device.dispatch.Gpu;
import java.util.Optional;

/** Selects the code for a GPU in what a program loads. */
final class ModuleImage {
  private ModuleImage() {}

  /**
   * The code object for a GPU.
   *
   * @param isChecked whether checks are to understand the code, too
   * @throws RequestException if there is none, or if the device or the checks do not know its code
   */
  static CodeObject read(byte[] image, Gpu on, boolean isChecked) {
    CodeObject object;
    try {
      byte[] code =
          FatBinary.select(image, on.target())
              .orElseThrow(
                  () ->
                      new RequestException(
                          Status.NO_CODE,
                          "the program has no code for "
                              + on.fullArch()
                              + "; it has "
                              + FatBinary.targets(image)));
      object = CodeObject.read(code, Optional.of(on.target()));
    } catch (BadCodeObjectException e) {
      throw new RequestException(Status.BAD_CODE_OBJECT, String.valueOf(e.getMessage()));
    }
    if (isChecked && object.lanes() != on.target().lanes()) {
      throw new RequestException(
          Status.BAD_CODE_OBJECT,
          "the checks do not know waves of 64 lanes on %s: run without --check, or compile without"
                  .formatted(on.target().arch())
              + " -mwavefrontsize64");
    }
    return object;
  }
}
