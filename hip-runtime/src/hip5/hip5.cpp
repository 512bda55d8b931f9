// libamdhip64.so.5: the name of the runtime in HIP 5. All functions are those of libamdhip64, which it is linked with.
extern "C" void rocportHip5();

namespace {

__attribute__((constructor)) void begin() { rocportHip5(); }

}  // namespace
