// What the sandbox adds to a run: a program that does nothing, started plainly and on each rung.
//
//   build/release/bin/bench_sandbox [RUNS]
//
// Prints the least, the median and the 95th percentile of RUNS (200) in milliseconds, and what a
// rung adds to the least and to the median of plain runs. The rungs take turns, so that a busy
// moment of the machine falls on all of them; on a machine that is never quiet, the least is what
// to look at.
#include "sandbox/keeper_program.hpp"
#include "sandbox/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <vector>

namespace {

using namespace course::sandbox;

void run_plainly() {
  const auto program = keeper_program().string();
  const char* words[] = {program.c_str(), "nothing", nullptr};
  char* environment[] = {nullptr};
  pid_t child = -1;
  if (posix_spawn(&child, words[0], nullptr, nullptr, const_cast<char**>(words), environment) == 0)
    waitpid(child, nullptr, 0);
}

void run_on(Rung rung) {
  Command command;
  command.argv = {keeper_program(), "nothing"};
  const auto outcome = Process::start(command, Limits{}, rung).wait();
  if (outcome.end != Outcome::End::exited || outcome.code != 0)
    fmt::print("it did not run: {}\n", outcome.reason);
}

struct Row {
  std::string name;
  std::function<void()> run;
  std::vector<double> milliseconds;
};

double at(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

} // namespace

int main(int count, char** words) {
  const int runs = std::max(1, count > 1 ? std::atoi(words[1]) : 200);
  std::vector<Row> rows = {{"plain", run_plainly, {}}};
  for (const Rung rung : {Rung::process, Rung::landlock, Rung::bubblewrap})
    if (available(rung)) rows.push_back({name(rung), [rung] { run_on(rung); }, {}});
  for (int i = 0; i < runs; ++i) {
    for (auto& row : rows) {
      const auto start = std::chrono::steady_clock::now();
      row.run();
      const std::chrono::duration<double, std::milli> taken =
          std::chrono::steady_clock::now() - start;
      row.milliseconds.push_back(taken.count());
    }
  }
  const double plain_least = at(rows[0].milliseconds, 0), plain = at(rows[0].milliseconds, 0.5);
  fmt::print("{:<28} {:>8} {:>8} {:>8} {:>12} {:>8}   ms, {} runs\n", "", "least", "median", "95 %",
             "added: least", "median", runs);
  for (const auto& row : rows) {
    const double least = at(row.milliseconds, 0), median = at(row.milliseconds, 0.5);
    fmt::print("{:<28} {:>8.2f} {:>8.2f} {:>8.2f} {:>12.2f} {:>8.2f}\n", row.name, least, median,
               at(row.milliseconds, 0.95), least - plain_least, median - plain);
  }
}
