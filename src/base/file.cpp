// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>
#include <thread>
#include <utility>

#include "stiction/types.h"

namespace stiction {

namespace fs = std::filesystem;

namespace {

// How long a pipe is given to be opened at its other end, which a shell starts at the same time.
constexpr std::chrono::seconds reader_comes_within{1};

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw InvalidInput(path.string() + ": cannot be written: " + why);
}
[[noreturn]] void refuse(const fs::path& path, int error) { refuse(path, std::strerror(error)); }

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  // False where what was written turns out not to be, as on a full disk far away.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

// A reader that leaves is an error here, not the end of the process.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;
  ~WithoutPipeSignal() {
    sigset_t pending;
    sigpending(&pending);
    int taken = 0;
    if (!was_pending_ && sigismember(&pending, SIGPIPE) == 1) sigwait(&pipe_, &taken);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_{}, before_{};
  bool was_pending_ = false;
};

// All of it, or false with errno.
bool write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {  // another process made the pipe so
      pollfd ready{file, POLLOUT, 0};
      ::poll(&ready, 1, -1);
      continue;
    }
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// The standard output or error of this process, if the path leads there.
int own_stream(const struct stat& place) {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat own {};
    if (fstat(stream, &own) == 0 && own.st_dev == place.st_dev && own.st_ino == place.st_ino)
      return stream;
  }
  return -1;
}

int open_pipe(const fs::path& path) {
  const auto until = std::chrono::steady_clock::now() + reader_comes_within;
  for (;;) {
    const int file = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file >= 0 || errno != ENXIO || std::chrono::steady_clock::now() > until) return file;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void write_into(const fs::path& path, bool is_pipe, std::string_view content) {
  const WithoutPipeSignal quiet;
  Descriptor file(is_pipe ? open_pipe(path)
                          : ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  if (file.number() < 0 && is_pipe && errno == ENXIO)
    refuse(path, "nobody reads from this pipe, expected a reader or a file");
  if (file.number() < 0) refuse(path, errno);
  if (is_pipe) ::fcntl(file.number(), F_SETFL, ::fcntl(file.number(), F_GETFL) & ~O_NONBLOCK);
  if (!write_all(file.number(), content) || !file.close()) refuse(path, errno);
}

void write_through(const fs::path& path, int stream, std::string_view content) {
  const WithoutPipeSignal quiet;
  std::fflush(stdout);  // what was said before stands before
  if (!write_all(stream, content)) refuse(path, errno);
}

// Where links lead in the end, whether or not there is something.
fs::path without_links(fs::path path) {
  for (;;) {
    std::error_code no_link;
    const fs::path next = fs::read_symlink(path, no_link);
    if (no_link) return path;
    path = path.parent_path() / next;
  }
}

std::string random_name() {
  std::random_device random;
  std::array<char, 2 * 8> digits{};
  const std::uint64_t number = (std::uint64_t{random()} << 32) | random();
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return ".stiction-" + std::string(digits.data(), end) + ".part";
}

// A file beside the target that no other process has, gone unless it takes the target's name.
class Beside {
 public:
  Beside(const fs::path& given, const fs::path& target) : given_(given), target_(target) {
    do {
      name_ = target.parent_path() / random_name();
      file_.emplace(::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    } while (file_->number() < 0 && errno == EEXIST);
    if (file_->number() < 0) refuse(given, errno);
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  ~Beside() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }
  void write(std::string_view content, const struct stat* before) {
    const int file = file_->number();
    if (before != nullptr) {
      [[maybe_unused]] const int owner = ::fchown(file, before->st_uid, before->st_gid);
      ::fchmod(file, before->st_mode & 07777);
    }
    if (!write_all(file, content) || ::fsync(file) != 0 || !file_->close()) refuse(given_, errno);
  }
  void take_name() {
    if (::rename(name_.c_str(), target_.c_str()) != 0) refuse(given_, errno);
    name_.clear();
  }

 private:
  const fs::path& given_;
  const fs::path& target_;
  fs::path name_;
  std::optional<Descriptor> file_;
};

}  // namespace

std::string read_file(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) throw InvalidInput(path.string() + ": no such file");
  if (!fs::is_regular_file(status))
    throw InvalidInput(path.string() + ": is not a file, expected one to read");
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  if (!file) {
    if (fs::file_size(path, error) == 0) return {};
    throw InvalidInput(path.string() + ": cannot be read");
  }
  return content.str();
}

void write_file(const fs::path& path, std::string_view content) {
  struct stat place {};
  const bool exists = ::stat(path.c_str(), &place) == 0;
  if (!exists && errno != ENOENT) refuse(path, errno);
  if (exists && S_ISDIR(place.st_mode)) refuse(path, "is a directory, expected a file");
  if (exists) {
    const int stream = own_stream(place);
    if (stream >= 0) return write_through(path, stream, content);
    if (!S_ISREG(place.st_mode)) return write_into(path, S_ISFIFO(place.st_mode), content);
    if (::access(path.c_str(), W_OK) != 0) refuse(path, errno);
  }
  const fs::path target = without_links(path);
  Beside beside(path, target);
  beside.write(content, exists ? &place : nullptr);
  beside.take_name();
}

}  // namespace stiction
