// One Unix stream socket to the device; it carries one request at a time, or some launches.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "error.h"
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

  /** Receives the outcome of a request: null, or the failure that its reply reports. */
  using Replied = std::function<void(const Failure*)>;

  /**
   * Sends several requests, then reads their replies and calls `replied` for each, in order. The requests must be few
   * and small: the socket has to hold all of them, because nothing is read until they are sent.
   */
  void callAll(Message type, const std::vector<Writer>& payloads, const Replied& replied);

  int socket() const { return socket_; }

 private:
  void send(Message type, const Writer& payload, std::string_view image);
  Reader answer(Message type);

  std::mutex mutex_;
  int socket_;
};

}  // namespace rocport
