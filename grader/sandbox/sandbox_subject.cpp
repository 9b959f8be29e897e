// A program that does one hostile or honest thing, by the word it is given.

#include <arpa/inet.h>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <sys/ipc.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

// 0 and "done", or the reason why not, in one line.
int tell(bool done) {
  std::puts(done ? "done" : strerrorname_np(errno));
  return done ? 0 : 1;
}

[[noreturn]] void print_forever(std::FILE* stream) {
  for (;;) std::fputs("the same line over and over\n", stream);
}

[[noreturn]] void allocate_forever() {
  for (;;) std::memset(new char[1 << 20], 1, 1 << 20);
}

int fork_until_refused() {
  int children = 0;
  for (pid_t child; children < 1000; ++children) {
    if ((child = fork()) == 0) {
      sleep(60);
      _exit(0);
    }
    if (child < 0) break;
  }
  std::printf("%d\n", children);
  return 0;
}

// Every process forks as fast as it can, and none ever ends.
[[noreturn]] void fork_bomb() {
  for (;;) fork();
}

int start_daemon() {
  if (fork() != 0) return 0;
  setsid();
  signal(SIGTERM, SIG_IGN);
  if (fork() != 0) _exit(0);
  for (;;) sleep(1);
}

int write_forever(const char* path) {
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) return tell(false);
  const std::vector<char> block(1 << 20);
  while (std::fwrite(block.data(), 1, block.size(), file) == block.size()) {
  }
  return tell(false);
}

int read_file(const char* path) {
  const int file = open(path, O_RDONLY);
  char byte;
  return tell(file >= 0 && read(file, &byte, 1) == 1);
}

int write_file(const char* path) {
  return tell(open(path, O_WRONLY | O_CREAT, 0644) >= 0);
}

int list_descriptors() {
  for (int number = 0; number < 1024; ++number)
    if (fcntl(number, F_GETFD) >= 0) std::printf("%d\n", number);
  return 0;
}

int connect_out() {
  const int tcp = socket(AF_INET, SOCK_STREAM, 0);
  if (tcp < 0) return tell(false);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(9);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return tell(connect(tcp, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0);
}

int echo_channel() {
  char buffer[64];
  const ssize_t size = read(3, buffer, sizeof(buffer));
  return size > 0 && write(3, buffer, size) == size ? 0 : 1;
}

int ignore_and_loop(int signal_number) {
  signal(signal_number, SIG_IGN);
  for (std::atomic<int> turns = 0;; ++turns) {
  }
}

// A null pointer that the compiler does not see.
int read_nothing() {
  int* volatile nothing = nullptr;
  return *nothing; // NOLINT(clang-analyzer-core.NullDereference)
}

} // namespace

int main(int count, char** words) {
  const std::string what = count > 1 ? words[1] : "";
  const char* argument = count > 2 ? words[2] : "";
  std::setvbuf(stdout, nullptr, _IOLBF, 0);

  if (what == "exit") return std::atoi(argument);
  if (what == "print") return std::puts(argument) < 0;
  if (what == "raise") return raise(std::atoi(argument));
  if (what == "null") return read_nothing();
  if (what == "sleep") return sleep(3600), 0;
  if (what == "loop") return ignore_and_loop(SIGUSR1);
  if (what == "loop-unmoved") return ignore_and_loop(SIGXCPU);
  if (what == "print-forever") print_forever(stdout);
  if (what == "complain-forever") print_forever(stderr);
  if (what == "allocate-forever") allocate_forever();
  if (what == "fork-until-refused") return fork_until_refused();
  if (what == "fork-bomb") fork_bomb();
  if (what == "daemon") return start_daemon();
  if (what == "write-forever") return write_forever(argument);
  if (what == "read") return read_file(argument);
  if (what == "write") return write_file(argument);
  if (what == "chmod") return tell(chmod(argument, 0777) == 0);
  if (what == "truncate") return tell(truncate(argument, 0) == 0);
  if (what == "descriptors") return list_descriptors();
  if (what == "connect") return connect_out();
  if (what == "echo-channel") return echo_channel();
  if (what == "trace") return tell(ptrace(PTRACE_ATTACH, std::atoi(argument), 0, 0) == 0);
  if (what == "kill") return tell(kill(std::atoi(argument), SIGKILL) == 0);
  if (what == "kill-group") return tell(kill(0, SIGKILL) == 0);
  if (what == "shared-memory") return tell(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0);
  if (what == "session") return std::printf("%d %d\n", getsid(0) == getpid(), getpid()) < 0;
  if (what == "directory") return std::puts(get_current_dir_name()) < 0;
  if (what == "lock-folder")
    return tell(mkdir("d", 0700) == 0 && mkdir("d/e", 0) == 0 && chmod("d", 0) == 0);
  if (what == "thread") return std::thread([] { std::puts("done"); }).join(), 0;
  if (what == "abort-child") {
    int status = 0;
    if (fork() == 0) std::abort();
    wait(&status);
    return WIFSIGNALED(status) ? 0 : 1;
  }
  if (what == "address") return std::printf("%p", static_cast<void*>(&count)) < 0;
  if (what == "environment") {
    for (char** variable = environ; *variable != nullptr; ++variable) std::puts(*variable);
    return 0;
  }
  return 64;
}
