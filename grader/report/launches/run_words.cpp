#include "language/translate.hpp"
#include "report/launches/launches.hpp"
#include "report/words/finding_words.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
namespace course::report {

std::vector<std::string> run_words(const RunFacts& run) {
  std::vector<std::string> words;
  if (run.read_times)
    words.push_back(
        tr("The program asked how long kernels took. No GPU was there: the times it was "
           "given are those of this computer's emulation."));
  if (run.unseen > 0)
    words.push_back(tr("Kernels printed {} bytes that were not shown, as on a GPU: the "
                       "program ended without waiting for them. cudaDeviceSynchronize() "
                       "waits.",
                       run.unseen));
  if (run.not_freed > 0)
    words.push_back(tr("It ended without freeing {} of device memory, {}.",
                       counted(run.not_freed, "{} allocation", "{} allocations"),
                       counted(run.bytes_not_freed, "{} byte", "{} bytes")));
  for (const auto& array : run.removed)
    words.push_back(tr("The compiler removed `{}` of {}, line {}: no value needs it. "
                       "course run --as-written keeps it.",
                       array.name, array.kernel, array.line));
  if (!run.computed.empty()) {
    std::string calls;
    for (const auto& [call, times] : run.computed)
      calls += fmt::format("{}{} ({})", calls.empty() ? "" : ", ", call, times);
    words.push_back(
        tr("Computed on the host, with its memory watched, and not counted: {}.", calls));
    if (std::ranges::any_of(run.computed,
                            [](const auto& each) { return each.first.starts_with("curand"); }))
      words.push_back(tr("What cuRAND drew is of the distribution that was asked for, and not the "
                         "sequence of a GPU."));
  }
  if (run.no_calls)
    words.push_back(
        tr("It made no CUDA call that reached the course. If it should have, is it built "
           "with nvcc -cudart shared, and without an -rpath to another libcudart.so.13?"));
  if (!run.fault.empty())
    words.push_back(tr("Its CUDA calls were no longer answered from here on: {}.", run.fault));
  return words;
}

namespace {

constexpr std::size_t kMostNumbers = 8;

std::string numbers_of(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < std::min(numbers.size(), kMostNumbers); ++i)
    text += fmt::format("{}{}", i ? ", " : "", numbers[i]);
  return numbers.size() > kMostNumbers ? text + ", ..." : text;
}

// What came otherwise, each in a sentence.
std::vector<std::string> words_of(const OtherOrder& order) {
  std::vector<std::string> words;
  if (!order.findings.empty()) {
    const auto& first = order.findings.front();
    words.push_back(tr("Order {} has what the first time has not: {} at {}:{}.", order.number,
                       kind_word(first.kind), std::filesystem::path(first.file).filename().string(),
                       first.line));
  }
  if (order.exit_code)
    words.push_back(tr("In order {} its exit code is {}.", order.number, *order.exit_code));
  if (order.printed != order.printed_first)
    words.push_back(tr("In order {} it printed \"{}\" where it was \"{}\" the first time.",
                       order.number, order.printed, order.printed_first));
  words.push_back(tr("course run --order {} repeats it.", order.number));
  return words;
}

} // namespace

std::vector<std::string> order_words(const OtherOrders& orders) {
  if (orders.executed == 0)
    return {tr("No drawn order was executed: its threads cannot tell who was first.")};
  std::vector<std::string> words;
  std::vector<std::uint64_t> numbers;
  for (const auto& order : orders.otherwise) numbers.push_back(order.number);
  words.push_back(
      orders.otherwise.empty()
          ? tr("Drawn orders executed: {} of {}. In none of them anything came otherwise.",
               orders.executed, orders.asked)
          : tr("Drawn orders executed: {} of {}. It came otherwise in {} of them ({}).",
               orders.executed, orders.asked, numbers.size(), numbers_of(numbers)));
  if (!orders.otherwise.empty())
    for (auto& word : words_of(orders.otherwise.front())) words.push_back(std::move(word));
  if (!orders.undecided.empty())
    words.push_back(tr("Some were ended, as they took many times the instructions of the first "
                       "time, which proves nothing: {}.",
                       numbers_of(orders.undecided)));
  return words;
}

} // namespace course::report
