// Runs a fuzz target over inputs that are kept (kept_inputs.hpp), without libFuzzer: as a test.
//
//   course_NAME_replay FILE.inputs     each input in the file
//   course_NAME_replay --raw FILE…     each file is an input, such as libFuzzer's crash-…
//
// What is wrong with an input ends the program, as in the fuzzer; the last words say which it was.
#include "fuzzing/kept_inputs.hpp"

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*)());

namespace {

constexpr unsigned kLongest = 120; // seconds for one input, on a loaded machine with sanitizers

char current[4352]; // said by a signal handler, which cannot make a text

void say_which() {
  if (write(STDERR_FILENO, current, std::string_view(current).size()) < 0) _exit(2);
}

void end(int signal) {
  say_which();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) std::fprintf(stderr, "%s cannot be read\n", path.c_str()), std::exit(2);
  return {std::istreambuf_iterator<char>(file), {}};
}

void replay(const std::string& input, const std::string& name) {
  std::snprintf(current, sizeof current, "the input that ended it: %s\n", name.c_str());
  alarm(kLongest);
  // A copy of its own, so that a sanitizer sees a read behind its end.
  const std::vector<std::uint8_t> bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  alarm(0);
}

int replay_kept(const std::string& path) {
  const auto inputs = course::fuzzing::inputs_of(content(path));
  if (const auto* why = std::get_if<std::string>(&inputs)) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), why->c_str());
    return 2;
  }
  const auto& kept = std::get<std::vector<std::string>>(inputs);
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < kept.size(); ++i)
    replay(kept[i], "number " + std::to_string(i + 1) + " of " + path);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%zu inputs, %.2f s\n", kept.size(), took.count());
  return kept.empty() ? 2 : 0; // a test that tests nothing is a mistake
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FILE.inputs | --raw FILE...\n", argv[0]);
    return 2;
  }
  for (const int signal : {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSEGV})
    if (!__sanitizer_set_death_callback || signal == SIGALRM) std::signal(signal, end);
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(say_which);
  if (argv[1] != std::string("--raw")) return replay_kept(argv[1]);
  for (int i = 2; i < argc; ++i) replay(content(argv[i]), argv[i]);
  return 0;
}
