package dev.rocport.device.server;

/** Where what kernels print goes. */
interface Output {
  /**
   * Takes what one lane printed, or a check tells.
   *
   * @param fd 1 for standard output, 2 for standard error, 3 for findings, a line of JSON each
   */
  void write(int fd, byte[] text);

  /** Whether the program has not read for so long that no more should come. */
  boolean isFull();
}
