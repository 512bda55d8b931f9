// Stopwatches with the names of helper_timer.h of the CUDA samples, in the global namespace as there.
// Times are in milliseconds. A stopwatch adds up the times between start and stop; its average is
// that of one such time.
#ifndef ROCPORT_HELPER_TIMER_H
#define ROCPORT_HELPER_TIMER_H

#ifndef __cplusplus
#error "rocport/helper_timer.h needs C++"
#endif

#include <chrono>

class StopWatchInterface {
 public:
  StopWatchInterface() {}
  virtual ~StopWatchInterface() {}
  virtual void start() = 0;
  virtual void stop() = 0;
  virtual void reset() = 0;
  /// All times so far, with the one that is still being taken.
  virtual float getTime() = 0;
  virtual float getAverageTime() = 0;
};

class StopWatchLinux : public StopWatchInterface {
 public:
  void start() override {
    since_ = std::chrono::steady_clock::now();
    running_ = true;
  }

  void stop() override {
    total_ += elapsed();
    running_ = false;
    times_++;
  }

  void reset() override {
    total_ = 0.0f;
    times_ = 0;
    since_ = std::chrono::steady_clock::now();
  }

  float getTime() override { return running_ ? total_ + elapsed() : total_; }

  float getAverageTime() override { return times_ > 0 ? total_ / times_ : 0.0f; }

 private:
  float elapsed() const {
    return std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - since_)
        .count();
  }

  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  float total_ = 0.0f;
  int times_ = 0;
  bool running_ = false;
};

inline bool sdkCreateTimer(StopWatchInterface** timer_interface) {
  *timer_interface = new StopWatchLinux();
  return true;
}

inline bool sdkDeleteTimer(StopWatchInterface** timer_interface) {
  delete *timer_interface;
  *timer_interface = nullptr;
  return true;
}

inline bool sdkStartTimer(StopWatchInterface** timer_interface) {
  if (*timer_interface) (*timer_interface)->start();
  return true;
}

inline bool sdkStopTimer(StopWatchInterface** timer_interface) {
  if (*timer_interface) (*timer_interface)->stop();
  return true;
}

inline bool sdkResetTimer(StopWatchInterface** timer_interface) {
  if (*timer_interface) (*timer_interface)->reset();
  return true;
}

inline float sdkGetTimerValue(StopWatchInterface** timer_interface) {
  return *timer_interface ? (*timer_interface)->getTime() : 0.0f;
}

inline float sdkGetAverageTimerValue(StopWatchInterface** timer_interface) {
  return *timer_interface ? (*timer_interface)->getAverageTime() : 0.0f;
}

#endif
