// SPDX-License-Identifier: Apache-2.0
//
// A file that is written holds its old content or the new one, whole, whoever else writes it; what
// is no file is written to as it is, and nothing waits for ever.
#include "base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <set>

#include "stiction/types.h"
#include "support/command.h"

namespace stiction::testing {
namespace {

namespace fs = std::filesystem;

// A folder of each test alone, empty.
class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = scratch() / ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::create_directory(folder);
  }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder)) found.insert(entry.path().filename());
    return found;
  }
  fs::path folder;
};

pid_t in_child(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      work();
      _exit(0);
    } catch (...) {
      _exit(1);
    }
  }
  return child;
}

int status_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

std::string refusal(const fs::path& path, std::string_view content = "x") {
  try {
    write_file(path, content);
  } catch (const InvalidInput& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find(path.string() + ": cannot be written: "), 0U) << message;
    return message;
  }
  return "";
}

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Of each writer's content every letter is its own, and each is of another length: a mixture of two
// shows in the letters, a cut in the length.
TEST_F(Files, AreWholeWhileTwoProcessesWriteThemAThousandTimes) {
  const fs::path path = folder / "one.json";
  const std::string contents[2] = {std::string(100'000, 'a'), std::string(150'000, 'b')};
  write_file(path, contents[0]);
  for (const std::string& content : contents)
    in_child([&] {
      for (int i = 0; i < 1000; ++i) write_file(path, content);
    });
  int seen[2] = {0, 0}, torn = 0, running = 2;
  while (running > 0) {
    const std::string content = slurp(path);
    for (int k = 0; k < 2; ++k) seen[k] += content == contents[k];
    torn += content != contents[0] && content != contents[1];
    int status = 0;
    if (waitpid(-1, &status, WNOHANG) > 0) {
      EXPECT_EQ(status, 0);
      --running;
    }
  }
  EXPECT_EQ(torn, 0);
  EXPECT_GT(seen[0], 0);
  EXPECT_GT(seen[1], 0);
  EXPECT_EQ(names(), std::set<std::string>{"one.json"});
}

// Killed at any moment a writer leaves the old content or the new one.
TEST_F(Files, AreWholeWhenTheWriterIsKilled) {
  const fs::path path = folder / "one.json";
  const std::string contents[2] = {std::string(1'000'000, 'a'), std::string(1'500'000, 'b')};
  write_file(path, contents[0]);
  for (int microseconds = 50; microseconds < 20'000; microseconds = microseconds * 5 / 4) {
    const pid_t writer = in_child([&] {
      for (int i = 1;; ++i) write_file(path, contents[i % 2]);
    });
    usleep(static_cast<useconds_t>(microseconds));
    kill(writer, SIGKILL);
    EXPECT_EQ(status_of(writer), 128);
    const std::string content = slurp(path);
    EXPECT_TRUE(content == contents[0] || content == contents[1]) << microseconds;
  }
}

TEST_F(Files, OfOthersBesideItStayWhatTheyAre) {
  const std::set<std::string> others{"a.json.part", ".a.json", "a.json~", ".stiction-1.part"};
  for (const std::string& name : others) std::ofstream(folder / name) << name;
  write_file(folder / "a.json", "new");
  EXPECT_EQ(slurp(folder / "a.json"), "new");
  for (const std::string& name : others) EXPECT_EQ(slurp(folder / name), name);
  EXPECT_EQ(names().size(), others.size() + 1);
}

// The longest name that a file can have, and the longest path, leave no room for an ending.
TEST_F(Files, MayHaveTheLongestName) {
  const std::string name(255, 'n');
  write_file(folder / name, "content");
  EXPECT_EQ(slurp(folder / name), "content");
  EXPECT_NE(refusal(folder / (name + "n")), "");
}

TEST_F(Files, KeepTheirPermissionsAndNewOnesFollowTheMask) {
  const auto mode = [&](const char* name) {
    struct stat status {};
    EXPECT_EQ(stat((folder / name).c_str(), &status), 0);
    return status.st_mode & 07777;
  };
  const mode_t mask = umask(027);
  write_file(folder / "new", "1");
  umask(mask);
  EXPECT_EQ(mode("new"), 0640U);
  chmod((folder / "new").c_str(), 0604);
  write_file(folder / "new", "2");
  EXPECT_EQ(mode("new"), 0604U);
  EXPECT_EQ(slurp(folder / "new"), "2");
}

TEST_F(Files, ThroughLinksReplaceWhatTheLinksLeadTo) {
  fs::create_directory(folder / "inner");
  std::ofstream(folder / "inner/real") << "old";
  fs::create_symlink("inner/real", folder / "link");
  fs::create_symlink("link", folder / "second");
  fs::create_symlink("inner/new", folder / "dangling");
  fs::create_symlink(folder / "loop", folder / "loop");
  write_file(folder / "second", "two");
  EXPECT_EQ(slurp(folder / "inner/real"), "two");
  write_file(folder / "dangling", "three");
  EXPECT_EQ(slurp(folder / "inner/new"), "three");
  for (const char* name : {"link", "second", "dangling"})
    EXPECT_TRUE(fs::is_symlink(folder / name)) << name;
  EXPECT_NE(refusal(folder / "loop").find("symbolic links"), std::string::npos);
  EXPECT_EQ(names(), (std::set<std::string>{"dangling", "inner", "link", "loop", "second"}));
}

TEST_F(Files, ThatCannotBeAreRefusedAndNothingIsLeft) {
  std::ofstream(folder / "file") << "kept";
  fs::create_directory(folder / "folder");
  EXPECT_NE(refusal(folder / "folder").find("is a directory"), std::string::npos);
  EXPECT_NE(refusal(folder / "nowhere/x"), "");
  EXPECT_NE(refusal(folder / "file/x"), "");
  EXPECT_NE(refusal(folder / "new/"), "");
  EXPECT_NE(refusal("/dev/full").find("No space left"), std::string::npos);
  EXPECT_NE(refusal("/proc/version"), "");
  EXPECT_EQ(names(), (std::set<std::string>{"file", "folder"}));
  EXPECT_EQ(slurp(folder / "file"), "kept");
}

// A limit on the size of files stands for a full disk: the content does not fit, and the old stays.
TEST_F(Files, KeepTheirContentWhereTheNewOneDoesNotFit) {
  std::ofstream(folder / "file") << "old";
  EXPECT_EQ(status_of(in_child([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit small{1000, 1000};
              setrlimit(RLIMIT_FSIZE, &small);
              if (refusal(folder / "file", std::string(2000, 'x')).empty()) throw 1;
            })),
            0);
  EXPECT_EQ(slurp(folder / "file"), "old");
  EXPECT_EQ(names(), std::set<std::string>{"file"});
}

TEST_F(Files, APipeThatNobodyReadsIsRefusedAfterASecond) {
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const double seconds = seconds_of(
      [&] { EXPECT_NE(refusal(folder / "pipe").find("nobody reads"), std::string::npos); });
  EXPECT_GT(seconds, 0.9);
  EXPECT_LT(seconds, 3.0);
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
}

// More than a pipe holds at once, to a reader that comes late.
TEST_F(Files, APipeIsWrittenToItsEnd) {
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const std::string content(1'000'000, 'p');
  const pid_t writer = in_child([&] { write_file(folder / "pipe", content); });
  usleep(100'000);
  EXPECT_EQ(slurp(folder / "pipe"), content);
  EXPECT_EQ(status_of(writer), 0);
}

TEST_F(Files, AReaderThatLeavesIsAnErrorAndNotTheEnd) {
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const pid_t reader = in_child([&] { close(open((folder / "pipe").c_str(), O_RDONLY)); });
  EXPECT_NE(refusal(folder / "pipe", std::string(1'000'000, 'p')).find("Broken pipe"),
            std::string::npos);
  EXPECT_EQ(status_of(reader), 0);
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST_F(Files, ASocketIsRefused) {
  const int socket_number = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = (folder / "s").string();
  ASSERT_LT(name.size(), sizeof address.sun_path);
  name.copy(address.sun_path, name.size());
  ASSERT_EQ(bind(socket_number, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_NE(refusal(folder / "s"), "");
  close(socket_number);
}

// Through the shell: what the program says and what it writes both arrive, in order.
TEST_F(Files, StandardOutputIsWrittenToAsItIs) {
  std::ofstream(scratch() / "block.json")
      << R"({"dimension":2,"law":{"curve":"disc","mu":0.5},"q":[-1,2],"W":[[1,0],[0,1]]})";
  for (const char* name : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"})
    for (const char* to : {"> all.txt", "| cat > all.txt; :", ">> all.txt"}) {
      std::ofstream(scratch() / "all.txt") << "";
      const Outcome outcome = stiction({"solve", "block.json", "--out", name}, to);
      EXPECT_EQ(outcome.status, 0);
      const std::string all = slurp(scratch() / "all.txt");
      EXPECT_NE(all.find("\"reactions\":[[1.0,-0.5]]"), std::string::npos) << name << to << all;
      EXPECT_NE(all.find("written to " + std::string(name)), std::string::npos) << name << to;
    }
}

}  // namespace
}  // namespace stiction::testing
