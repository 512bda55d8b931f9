package dev.rocport.device.server;

/** The result of a request. */
enum Status {
  OK(0),
  BAD_REQUEST(1),
  OUT_OF_MEMORY(2),
  NO_CODE(3),
  BAD_CODE_OBJECT(4),
  FAULT(5),
  TRAP(6),
  LIMIT(7),
  UNSUPPORTED(8),
  INVALID_VALUE(9),
  COOPERATIVE_TOO_LARGE(10);

  private final int code;

  Status(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
