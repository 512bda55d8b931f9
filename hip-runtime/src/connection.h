// One Unix stream socket to the device; it carries one request at a time.
#pragma once

#include <mutex>
#include <string>

#include "wire.h"

namespace rocport {

class Connection {
 public:
  /** Takes the socket over. */
  explicit Connection(int socket) : socket_(socket) {}
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /**
   * Sends a request and waits for its reply; prints the output of kernels meanwhile. Any status but
   * OK throws a Failure or, if a kernel faulted, calls abort().
   *
   * @param image bytes that follow the payload
   */
  Reader call(Message type, const Writer& payload, std::string_view image = {});

  int socket() const { return socket_; }

 private:
  void send(Message type, const Writer& payload, std::string_view image);

  std::mutex mutex_;
  int socket_;
};

}  // namespace rocport
