// From a save to its verdict on the screen, beside nvcc alone on the same text.
//
//   bench_watch [SAVES]        20 by default
//
// Plays `course watch 02_padding/1_square` in a terminal of its own (a pty), in a copy of the
// course, and saves the file again and again, each time with another comment, so that nothing
// comes from the cache. nvcc is timed between two saves, with the grader's flags.
#include "build/compile.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A course of its own, so that nobody's file is changed.
struct Project {
  fs::path root = fs::temp_directory_path() / ("bench_watch_" + std::to_string(getpid()));
  fs::path file = root / "labs/02_padding/1_square.cu";
  std::string text;

  Project() {
    const fs::path source = COURSE_SOURCE_DIR, build = COURSE_BINARY_DIR;
    const auto all = fs::copy_options::recursive;
    fs::create_directories(root / "build/lib");
    fs::copy(source / "labs", root / "labs", all);
    fs::copy(build / "bin", root / "build/bin", all);
    fs::copy(build / "lib/course", root / "build/lib/course",
             all | fs::copy_options::copy_symlinks);
    std::ifstream stream(file, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(stream), {});
  }
  ~Project() { fs::remove_all(root); }

  void save(int number) const {
    std::ofstream(file, std::ios::binary) << text << "// save " << number << "\n";
  }
};

// `course watch`, and what it has drawn since it was last asked.
class Watch {
public:
  explicit Watch(const Project& project) {
    winsize size{24, 80, 0, 0};
    process_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (process_ != 0) return;
    setenv("TERM", "xterm", 1);
    setenv("COURSE_CACHE", (project.root / "cache").c_str(), 1);
    const auto program = (project.root / "build/bin/course").string();
    execl(program.c_str(), "course", "watch", "02_padding/1_square", nullptr);
    _exit(127);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() {
    kill(process_, SIGINT);
    waitpid(process_, nullptr, 0);
    close(terminal_);
  }

  // False when it did not show the text within a minute, or has ended.
  bool await(const std::string& text) {
    const auto start = Clock::now();
    while (drawn_.find(text) == drawn_.npos) {
      pollfd input{terminal_, POLLIN, 0};
      if (since(start) > 60 || poll(&input, 1, 1000) < 0) return false;
      char part[4096];
      const auto size = input.revents ? read(terminal_, part, sizeof part) : 0;
      if (size < 0) return false;
      drawn_.append(part, size);
    }
    drawn_.erase(0, drawn_.find(text) + text.size());
    return true;
  }

private:
  int terminal_ = -1;
  pid_t process_ = -1;
  std::string drawn_;
};

double nvcc_alone(const course::build::Toolkit& toolkit, const Project& project) {
  const auto copy = project.root / "alone.cu";
  fs::copy_file(project.file, copy, fs::copy_options::overwrite_existing);
  std::string command = toolkit.nvcc.string();
  command.append(" -std=c++20 -O3 -lineinfo --no-compress -cudart shared -shared -Xcompiler -fPIC")
      .append(" -gencode arch=compute_90,code=[compute_90,sm_90] -o ")
      .append((project.root / "alone.so").string())
      .append(" ")
      .append(copy.string());
  const auto start = Clock::now();
  if (std::system(command.c_str()) != 0) return -1;
  return since(start);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void print(const char* what, const std::vector<double>& seconds) {
  std::printf("%-28s median %.2f s   worst %.2f s\n", what, median(seconds),
              *std::max_element(seconds.begin(), seconds.end()));
}

} // namespace

int main(int argc, char** argv) {
  const int saves = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 20;
  const auto toolkit = course::build::find_toolkit();
  if (!toolkit) {
    std::fprintf(stderr, "bench_watch: there is no nvcc here\n");
    return 7;
  }
  const Project project;
  Watch watch(project);
  if (!watch.await("solved yet")) {
    std::fprintf(stderr, "bench_watch: course watch did not start\n");
    return 1;
  }
  std::vector<double> verdicts, compilers, beyond;
  for (int i = 0; i < saves; ++i) {
    // Saves come at any time between two looks at the file.
    std::this_thread::sleep_for(200ms + i * 7ms);
    const auto start = Clock::now();
    project.save(i);
    if (!watch.await("grading ...") || !watch.await("graded in")) {
      std::fprintf(stderr, "bench_watch: no verdict for save %d\n", i);
      return 1;
    }
    verdicts.push_back(since(start));
    compilers.push_back(nvcc_alone(*toolkit, project));
    if (compilers.back() < 0) return 1;
    beyond.push_back(verdicts.back() - compilers.back());
  }
  print("save to verdict", verdicts);
  print("nvcc alone", compilers);
  print("verdict less nvcc, in pairs", beyond);
}
