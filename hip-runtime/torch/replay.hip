/*
 * `replay SCRIPT DATA RESULTS`: a graph of one rank.
 *
 * Licensed under the Apache License, Version 2.0 (SPDX-License-Identifier: Apache-2.0)
 */
#include "replay.h"

int main(int count, char **arguments) {
  if (count != 4) {
    std::fprintf(stderr, "usage: replay SCRIPT DATA RESULTS\n");
    return 2;
  }
  if (!replay::Replay(arguments[2], arguments[3]).all(arguments[1])) {
    std::fprintf(stderr, "replay: cannot read the script or write the results\n");
    return 2;
  }
  std::printf("done\n");
  return 0;
}
