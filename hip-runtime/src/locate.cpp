#include "locate.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <climits>
#include <fstream>
#include <string>
#include <vector>

#include "error.h"
#include "hash.h"

namespace rocport {
namespace {

constexpr int START_SECONDS = 120;
constexpr size_t LONGEST_NAME = 60;

std::string& found() {
  static auto* path = new std::string;
  return *path;
}

std::string variable(const char* name) {
  const char* value = getenv(name);
  return value ? value : "";
}

/** The options of the device, as arguments of "rocport device"; also the name of its socket. */
struct Wanted {
  std::string name;
  std::vector<std::string> arguments;
};

/** A list of checks ("order=1,sync") without the seeds: one device serves all of them. */
std::string unseeded(const std::string& value) {
  std::string name;
  bool inSeed = false;
  for (char c : value) {
    inSeed = c == '=' || (inSeed && c != ',');
    if (!inSeed) name += c;
  }
  return name;
}

Wanted wanted() {
  constexpr const char* CHECK = "ROCPORT_CHECK";
  struct Option {
    const char* variable;
    const char* flag;
    const char* otherwise;
  };
  constexpr Option OPTIONS[] = {{"ROCPORT_GPU", "--gpu", "gfx90a"},
                                {"ROCPORT_GPUS", "--gpus", "1"},
                                {"ROCPORT_MEMORY", "--memory", ""},
                                {"ROCPORT_CUS", "--cus", ""},
                                {"ROCPORT_TIMEOUT", "--timeout", ""},
                                {CHECK, "--check", ""},
                                {"ROCPORT_TRACE", "--trace", ""},
                                {"ROCPORT_ENGINE", "--engine", ""},
                                {"ROCPORT_TURNS", "--turns", ""},
                                {"ROCPORT_LINGER", "--linger", ""}};
  Wanted wanted;
  for (const Option& option : OPTIONS) {
    std::string value = variable(option.variable);
    if (value.empty()) value = option.otherwise;
    if (value.empty()) continue;
    wanted.arguments.push_back(option.flag);
    wanted.arguments.push_back(value);
    if (!wanted.name.empty()) wanted.name += '-';
    if (option.variable == CHECK) value = unseeded(value);
    for (char c : value) wanted.name += isalnum(static_cast<unsigned char>(c)) ? c : '_';
  }
  if (wanted.name.size() > LONGEST_NAME) {
    // The path of a socket has to be short: a hash replaces the rest.
    wanted.name = wanted.name.substr(0, LONGEST_NAME - 20) + '-' + std::to_string(hashOf(wanted.name));
  }
  return wanted;
}

/** The user's own folder for sockets; no other user may be able to create one there. */
std::string folder() {
  std::string parent = variable("XDG_RUNTIME_DIR");
  if (parent.empty() || access(parent.c_str(), W_OK) != 0) parent = "/tmp";
  std::string path = parent + "/rocport-" + std::to_string(getuid());
  struct stat status = {};
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    tell("cannot create the folder %s: %s", path.c_str(), strerror(errno));
    fail(hipErrorNoDevice);
  }
  if (lstat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != getuid() ||
      (status.st_mode & 077) != 0) {
    tell("%s must be a folder that you own and nobody else can access", path.c_str());
    fail(hipErrorNoDevice);
  }
  return path;
}

/** A connected socket, or -1 with errno set. */
int attempt(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    tell("the path of the device's socket is too long: %s", path.c_str());
    fail(hipErrorNoDevice);
  }
  memcpy(address.sun_path, path.c_str(), path.size());
  int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) {
    tell("cannot create a socket: %s", strerror(errno));
    fail(hipErrorOperatingSystem);
  }
  int result;
  do {
    result = connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address);
  } while (result != 0 && errno == EINTR);
  if (result != 0) {
    int why = errno;
    close(socket);
    errno = why;
    return -1;
  }
  ucred peer = {};
  socklen_t size = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid != getuid()) {
    tell("the device at %s belongs to another user", path.c_str());
    close(socket);
    fail(hipErrorNoDevice);
  }
  return socket;
}

void pause() {
  timespec time = {0, 5000000};
  nanosleep(&time, nullptr);
}

/**
 * The rocport that this library belongs to, from the settings of its folder. It is not compiled in,
 * so that a compiled library works wherever rocport is installed.
 */
std::string installation() {
  Dl_info library = {};
  char real[PATH_MAX];
  if (dladdr(reinterpret_cast<void*>(&found), &library) == 0 || !realpath(library.dli_fname, real))
    return "";
  std::string folder = real;
  folder.resize(folder.rfind('/'));
  std::ifstream settings(folder + "/../share/rocport/toolchain.conf");
  const std::string key = "rocport_home='";
  for (std::string line; std::getline(settings, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    std::string home;
    // As a shell reads it: each quote is '\''
    for (size_t i = key.size(); i < line.size(); i++) {
      if (line[i] != '\'') {
        home += line[i];
      } else if (line.compare(i, 4, "'\\''") == 0) {
        home += '\'';
        i += 3;
      } else {
        break;
      }
    }
    return home;
  }
  return "";
}

/** The end of the device's log, which shows why it did not start. */
std::string tail(const std::string& log) {
  std::string text;
  int file = open(log.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  char buffer[2048];
  off_t end = lseek(file, 0, SEEK_END);
  lseek(file, end > static_cast<off_t>(sizeof buffer) ? end - static_cast<off_t>(sizeof buffer) : 0,
        SEEK_SET);
  ssize_t size = read(file, buffer, sizeof buffer);
  if (size > 0) text.assign(buffer, static_cast<size_t>(size));
  close(file);
  return text;
}

/**
 * Starts "rocport device" in a new session. It is the child of a child, so the program's wait() never returns it.
 *
 * @return the end of a pipe that closes when that process ends
 */
int start(const std::string& socket, const std::vector<std::string>& options) {
  std::string home = variable("ROCPORT_HOME");
  if (home.empty()) home = installation();
  std::string program = home + "/rocport";
  if (home.empty() || access(program.c_str(), X_OK) != 0) {
    tell("no device listens at %s and none can be started: set ROCPORT_HOME to the rocport folder",
         socket.c_str());
    fail(hipErrorNoDevice);
  }
  std::vector<std::string> arguments = {program, "device", "--socket", socket};
  arguments.insert(arguments.end(), options.begin(), options.end());
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::string log = socket + ".log";
  int alive[2];
  if (pipe2(alive, O_CLOEXEC) != 0) fail(hipErrorOperatingSystem);
  pid_t child = fork();
  if (child < 0) fail(hipErrorOperatingSystem);
  if (child == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    int nothing = open("/dev/null", O_RDWR);
    int out = open(log.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    dup2(nothing, 0);
    dup2(out < 0 ? nothing : out, 1);
    dup2(out < 0 ? nothing : out, 2);
    // The device outlives this program: it keeps none of its files open except the pipe.
    int keep = dup2(alive[1], 3);
    for (int fd = keep + 1; fd < 1024; fd++) close(fd);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    // Variables for the loader of this program must not affect the device.
    unsetenv("LD_PRELOAD");
    unsetenv("LD_LIBRARY_PATH");
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(alive[1]);
  waitpid(child, nullptr, 0);
  return alive[0];
}

int await(const std::string& path, int alive) {
  for (int tries = 0; tries < START_SECONDS * 200; tries++) {
    int socket = attempt(path);
    if (socket >= 0) return socket;
    pollfd end = {alive, POLLIN, 0};
    if (poll(&end, 1, 0) > 0) {
      tell("the device did not start:\n%s", tail(path + ".log").c_str());
      fail(hipErrorNoDevice);
    }
    pause();
  }
  tell("the device did not listen at %s within %d seconds", path.c_str(), START_SECONDS);
  fail(hipErrorNoDevice);
}

/** Connects, and starts the device if none is listening; one program at a time starts one. */
int connectOrStart(const std::string& path, const std::vector<std::string>& options) {
  int socket = attempt(path);
  if (socket >= 0) return socket;
  std::string name = path + ".lock";
  int lock = open(name.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (lock < 0) {
    tell("cannot open %s: %s", name.c_str(), strerror(errno));
    fail(hipErrorNoDevice);
  }
  while (flock(lock, LOCK_EX) != 0 && errno == EINTR) {
  }
  int alive = -1;
  try {
    socket = attempt(path);
    if (socket < 0) {
      alive = start(path, options);
      socket = await(path, alive);
    }
  } catch (...) {
    close(lock);
    if (alive >= 0) close(alive);
    throw;
  }
  close(lock);
  if (alive >= 0) close(alive);
  return socket;
}

}  // namespace

int connectToDevice() {
  std::string given = variable("ROCPORT_DEVICE");
  if (!given.empty()) {
    // A device that is named was started by the user; a wrong path must not start another one.
    int socket = attempt(given);
    if (socket < 0) {
      tell("no device listens at ROCPORT_DEVICE=%s: %s", given.c_str(), strerror(errno));
      fail(hipErrorNoDevice);
    }
    found() = given;
    return socket;
  }
  Wanted device = wanted();
  std::string path = folder() + "/" + device.name + ".sock";
  int socket = connectOrStart(path, device.arguments);
  found() = path;
  return socket;
}

int connectAgain() {
  int socket = attempt(found());
  if (socket < 0) die("the device no longer listens at %s: %s", found().c_str(), strerror(errno));
  return socket;
}

}  // namespace rocport
