#include "progress/meaning.hpp"

#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace course::progress {
namespace {

using judge::Status;
using report::Ink;
using report::Terminal;

const std::map<std::string, std::string>& meanings() {
  static const std::map<std::string, std::string> all = {
      {"compile", "nvcc has to accept the file, and the function that is asked for has to be in "
                  "it. Without that nothing can run."},
      {"host", "Your function on the host has to come back: not crash, not end the program, and "
               "not take longer than its time."},
      {"launch", "Your function has to launch a kernel, in a shape that the device accepts: at "
                 "most 1,024 threads a block, and no more shared memory than there is."},
      {"kernel", "The kernel has to come to its end. One that executes far more instructions than "
                 "any solution needs is ended, since it may be waiting for something that never "
                 "comes."},
      {"output", "Every element is compared with the right answer, for several shapes and three "
                 "kinds of input. The output is filled with NaN before the launch, so an element "
                 "that was never written shows."},
      {"memory", "No access may be out of bounds or misaligned, read what nobody wrote, or race "
                 "with another thread. A kernel with a race may give the right answer today and a "
                 "wrong one tomorrow; a barrier between the two accesses ends it."},
      {"coalescing", "Global memory moves in sectors of 32 bytes. A warp that reads 32 floats side "
                     "by side touches 4 sectors; one that reads them far apart touches up to 32, "
                     "and pays for every one."},
      {"traffic", "How often shared memory is stored to and loaded from. Too little, and the work "
                  "goes around it; too much, and it is done twice."},
      {"conflicts", "Shared memory has 32 banks of 4-byte words, and each bank serves one word at "
                    "a time. Lanes of a warp that want different words of one bank wait for one "
                    "another, one more pass for each. A conflict is a pass more than the bytes "
                    "need."},
      {"load_conflicts", "Conflicts of reads from shared memory. Lanes of a warp that read "
                         "different words of one bank wait for one another, a pass for each word."},
      {"store_conflicts", "Conflicts of writes to shared memory. Lanes of a warp that write "
                          "different words of one bank wait for one another, a pass for each "
                          "word."},
      {"threads", "How many threads all launches have together. Fewer threads that each do more "
                  "can share what they have computed or loaded."},
      {"shared_bytes", "How much shared memory a block takes. The less it takes, the more blocks "
                       "run on a multiprocessor at a time."},
      {"barriers", "How often warps wait for their block at __syncthreads(). Each barrier that "
                   "orders nothing is time lost; each that is missing is a race."},
      {"launches", "How many kernels are launched. Each launch costs microseconds, and what one "
                   "kernel leaves for the next goes through global memory."},
      {"replays", "Constant memory gives one word at a time to a whole warp. Lanes that ask for "
                  "different words make the request be repeated, once for each further word."},
      {"instructions", "How many instructions the warps execute. The same answer can be had with "
                       "fewer, and what is not executed costs nothing."},
      {"shuffles", "How many instructions move values between the lanes of a warp. A shuffle needs "
                   "no shared memory and no barrier."},
      {"requests", "How many times a warp asks shared memory for something. One request for 16 "
                   "bytes a lane replaces four for 4 bytes."},
      {"stores", "Stores to shared memory by threads. An asynchronous copy goes from global to "
                 "shared memory by itself, past the registers."},
      {"blocks_per_sm", "How many blocks fit on a multiprocessor at a time. Threads, registers and "
                        "shared memory each set a bound, and the smallest counts."},
      {"warps_per_sm", "How many warps are on a multiprocessor at a time. While some wait for "
                       "memory, others compute; with too few, the multiprocessor waits as well."},
      {"time", "Your kernel's time beside the solution's, measured in the same run on the same "
               "GPU. Only a GPU can tell; the emulated one counts, and has no clock."}};
  return all;
}

// What the totals of the run add to a check's own words.
std::string totals(const std::string& check, const Run& run) {
  const bool about_passes =
      check == "conflicts" || check == "load_conflicts" || check == "store_conflicts";
  if (about_passes && run.shared_requests > 0)
    return fmt::format(
        "In this run {} to shared memory took {} where {} would have done: {}.",
        report::counted(run.shared_requests, "request"),
        report::counted(run.wavefronts, "pass", "passes"), report::thousands(run.ideal),
        run.conflicts() == 0 ? "no conflicts" : report::counted(run.conflicts(), "conflict"));
  if (check == "coalescing" && run.global_requests > 0)
    return fmt::format("In this run {} to global memory touched {}.",
                       report::counted(run.global_requests, "request"),
                       report::counted(run.sectors, "sector"));
  return "";
}

std::string reason(const lab::Exercise& exercise, const std::string& check) {
  for (const auto& graded : exercise.checks)
    if (graded.check == check) return graded.reason;
  return "";
}

std::string status_word(Status status) {
  return status == Status::passed   ? "passed"
         : status == Status::failed ? "not yet"
                                    : "not measured";
}

Ink ink(Status status) {
  return status == Status::passed ? Ink::green : status == Status::failed ? Ink::red : Ink::yellow;
}

// "conflicts, not yet: 31 a request, on line 25; limit 0"
std::string title(const Score& score, const Terminal& terminal) {
  auto line = fmt::format("{}, {}", score.check, status_word(score.status));
  if (!score.observed.empty()) line += ": " + score.observed;
  if (!score.limit.empty()) line += "; limit " + score.limit;
  std::string text;
  for (const auto& part :
       report::lines_of(report::wrapped(report::printable(line), terminal.columns, 2)))
    text += report::inked(part, ink(score.status), terminal) + "\n";
  return text;
}

std::string in_full(const lab::Exercise& exercise, const Run& run, const Score& score,
                    const Terminal& terminal) {
  auto words = meaning(score.check);
  if (const auto more = totals(score.check, run); !more.empty()) words += " " + more;
  const auto why = reason(exercise, score.check);
  if (!why.empty())
    words += fmt::format(" {}: {}.", score.limit.empty() ? "Here" : "The limit", why);
  return title(score, terminal) + report::wrapped(words, terminal.columns, 4);
}

} // namespace

std::string meaning(const std::string& check) {
  const auto found = meanings().find(check);
  if (found != meanings().end()) return found->second;
  return "A row of your table: right when it is the number that was measured. Passes are those of "
         "the fullest bank; conflicts are passes more than the bytes need.";
}

std::string explain(const lab::Exercise& exercise, const Run& run, const std::string& chapter,
                    const Terminal& asked) {
  Terminal terminal = asked;
  terminal.columns = std::max(terminal.columns, 40);
  std::string text;
  const auto section = [&](const std::string& part) { text += (text.empty() ? "" : "\n") + part; };
  if (!run.headline.empty())
    section(report::wrapped(report::printable(run.headline), terminal.columns, 2));
  for (const auto& score : run.scores)
    if (score.status == Status::failed) section(in_full(exercise, run, score, terminal));
  std::string passed, unmeasured;
  for (const auto& score : run.scores) {
    if (score.status == Status::passed) passed += title(score, terminal);
    if (score.status == Status::not_measured) unmeasured += title(score, terminal);
  }
  if (!passed.empty()) section(passed);
  if (!unmeasured.empty()) section(unmeasured);
  section(report::wrapped("Read on in " + chapter + ".", terminal.columns, 2));
  return text;
}

std::string chapter_of(const lab::Exercise& exercise, const std::filesystem::path& root) {
  const auto number = exercise.id.substr(0, 2);
  std::error_code none;
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator(root / "chapters", none)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with(number + "_") && name.ends_with(".md")) found = "chapters/" + name;
  }
  if (!found.empty()) return found;
  return "chapter " + number.substr(number.find_first_not_of('0')) + " of the book";
}

} // namespace course::progress
