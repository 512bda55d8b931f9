// Checks whether another process still exists.
#pragma once

#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rocport {

/** Whether a process has ended, even where its parent has not asked for its status yet. */
inline bool ended(pid_t process) {
  int file = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  if (file < 0) return errno == ESRCH;
  pollfd asked = {file, POLLIN, 0};
  bool gone = poll(&asked, 1, 0) > 0;
  close(file);
  return gone;
}

}  // namespace rocport
