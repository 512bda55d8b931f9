package dev.rocport.device.dispatch;

import dev.rocport.device.codeobject.PrintFormats;
import java.util.function.Supplier;

/**
 * The host services that a kernel may call while it runs, and the memory for these calls. One per
 * launch.
 */
public interface HostServices {
  /** The address of the hostcall buffer, made when it is first asked for. */
  long hostcallBuffer();

  /** The address of the buffer for printf without hostcalls, made when it is first asked for. */
  default long printBuffer(PrintFormats formats) {
    return 0;
  }

  /** The address of the buffer of device-side malloc. */
  long heap();

  /**
   * Serves the requests in the hostcall buffer; called by the worker whose wave sent the message.
   *
   * @throws dev.rocport.device.wave.WaveTrap if a kernel requests an unknown service
   */
  void serve();

  /** Words for the program's standard error. */
  default void tell(String text) {}

  /**
   * Words for the program's standard error, once for each kernel of the program.
   *
   * @param kernel its name
   */
  default void tellOnce(String kernel, Supplier<String> text) {}

  /** What is known about an address that no kernel of this GPU and program may use, or nothing. */
  default String explain(long address) {
    return "";
  }

  /** The launch has ended; called once. */
  default void ended() {}
}
