package dev.rocport.device.dispatch;

/**
 * What a kernel may ask of the host while it runs, and the memory through which it asks. One a
 * process and GPU.
 */
public interface HostServices {
  /** The address of the hostcall buffer, made when it is first asked for. */
  long hostcallBuffer();

  /** The address of the buffer of device-side malloc. */
  long heap();

  /** Answers what lies in the hostcall buffer; called by the worker whose wave sent the message. */
  void serve();
}
