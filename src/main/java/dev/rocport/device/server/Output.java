package dev.rocport.device.server;

/** Where what kernels print goes. */
interface Output {
  /**
   * Takes what one lane printed.
   *
   * @param fd 1 for standard output, 2 for standard error
   */
  void write(int fd, byte[] text);

  /** Whether the program has not read for so long that no more should come. */
  boolean isFull();
}
