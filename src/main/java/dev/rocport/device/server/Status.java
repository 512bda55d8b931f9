package dev.rocport.device.server;

/** What became of a request. The code is the ordinal. */
enum Status {
  OK,
  BAD_REQUEST,
  OUT_OF_MEMORY,
  NO_CODE,
  BAD_CODE_OBJECT,
  FAULT,
  TRAP,
  LIMIT,
  UNSUPPORTED,
  INVALID_VALUE,
  COOPERATIVE_TOO_LARGE;

  int code() {
    return ordinal();
  }
}
