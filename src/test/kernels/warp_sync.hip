// quick exact: all of rocport/warp_sync.h, warps of 32 lanes: partly active ones, all widths, all types
#include "../../../hip-runtime/include/rocport/warp_sync.h"

namespace w = rocport;
using Mask = unsigned;
constexpr int Lanes = w::warp_size;

#include "warp_functions.h"

int main() {
  Check check;
  check_all(check);
  return check.end();
}
