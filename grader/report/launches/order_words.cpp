// What came of other orders, in sentences.
#include "language/translate.hpp"
#include "report/launches/launches.hpp"
#include "report/words/finding_words.hpp"
#include "report/words/message_words.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace course::report {
namespace {

constexpr std::size_t kMostNumbers = 8;

std::string numbers_of(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < std::min(numbers.size(), kMostNumbers); ++i)
    text += fmt::format("{}{}", i ? ", " : "", numbers[i]);
  return numbers.size() > kMostNumbers ? text + ", ..." : text;
}

std::string name_of(const OtherOrder& order) {
  return order.choices.empty() ? std::to_string(order.number) : order.choices;
}

std::string thread_of(const emulator::OrderEvent& event) {
  const auto &block = event.block, &thread = event.thread;
  return tr("block ({},{},{}), thread ({},{},{})", block.x, block.y, block.z, thread.x, thread.y,
            thread.z);
}

std::string did(const emulator::OrderEvent& event) {
  using Does = device::LaneAccess::Does;
  const std::string what = in_words(event.what);
  switch (event.does) {
  case Does::load:
    return tr("loads {}, line {}", what, event.line);
  case Does::store:
    return tr("stores {}, line {}", what, event.line);
  case Does::atomic:
    return tr("updates {}, line {}", what, event.line);
  }
  return "";
}

// Step by step; of many the last.
std::vector<std::string> words_of(const std::vector<emulator::OrderEvent>& events) {
  constexpr std::size_t kMostEvents = 12;
  const std::size_t first = events.size() - std::min(events.size(), kMostEvents);
  std::vector<std::string> words;
  for (std::size_t i = first; i < events.size(); ++i)
    words.push_back(fmt::format("  {}: {}", thread_of(events[i]), did(events[i])));
  return words;
}

std::string why_not(emulator::Exploration::WhyNot why) {
  using WhyNot = emulator::Exploration::WhyNot;
  switch (why) {
  case WhyNot::none:
    break;
  case WhyNot::too_many_orders:
    return tr("there are too many");
  case WhyNot::too_many_steps:
    return tr("its threads make too many steps, perhaps as a loop counts how often it looks");
  case WhyNot::too_many_threads:
    return tr("it has too many threads");
  case WhyNot::products:
    return tr("it has products of warpgroups");
  case WhyNot::asynchronous_updates:
    return tr("it has asynchronous reductions");
  case WhyNot::pending_counts:
    return tr("it asks a barrier in memory how many arrivals are missing");
  case WhyNot::cooperative:
    return tr("it is cooperative");
  case WhyNot::unchecked:
    return tr("it is not checked");
  case WhyNot::stopped:
    return tr("the run was stopped");
  }
  return "";
}

// How many there were, and whether that is all.
std::vector<std::string> words_of(const AllOrders& all, std::uint64_t runs, bool otherwise) {
  std::vector<std::string> words;
  const std::string orders = counted(all.orders, "{} order", "{} orders");
  words.push_back(
      all.complete()
          ? tr("All orders that differ were executed: {}. The program was continued {} times.",
               orders, runs)
          : tr("Not all orders that differ were executed: {}. The program was continued {} times.",
               orders, runs));
  for (const auto& left : all.left)
    words.push_back(tr("Not all of {}: {}.", left.kernel, why_not(left.why)));
  if (all.too_many_ends)
    words.push_back(tr("Launches ended in more ways than the program was continued from."));
  if (!otherwise) words.push_back(tr("None of them changed anything."));
  return words;
}

// What came otherwise, each in a sentence.
std::vector<std::string> words_of(const OtherOrder& order) {
  std::vector<std::string> words;
  if (!order.findings.empty()) {
    const auto& first = order.findings.front();
    words.push_back(tr("Order {} has what the first time has not: {} at {}:{}.", name_of(order),
                       kind_word(first.kind), std::filesystem::path(first.file).filename().string(),
                       first.line));
  }
  if (order.exit_code)
    words.push_back(tr("In order {} its exit code is {}.", name_of(order), *order.exit_code));
  if (order.printed != order.printed_first)
    words.push_back(tr("In order {} it printed \"{}\" where it was \"{}\" the first time.",
                       name_of(order), order.printed, order.printed_first));
  for (auto& word : words_of(order.events)) words.push_back(std::move(word));
  words.push_back(tr("course run --order {} repeats it.", name_of(order)));
  return words;
}

} // namespace

std::vector<std::string> order_words(const OtherOrders& orders) {
  if (orders.executed == 0)
    return {tr("No drawn order was executed: its threads cannot tell who was first.")};
  if (orders.all) {
    auto words = words_of(*orders.all, orders.executed, !orders.otherwise.empty());
    for (const auto& order : orders.otherwise)
      for (auto& word : words_of(order)) words.push_back(std::move(word));
    return words;
  }
  std::vector<std::string> words;
  std::vector<std::uint64_t> numbers;
  for (const auto& order : orders.otherwise) numbers.push_back(order.number);
  words.push_back(orders.otherwise.empty()
                      ? tr("Drawn orders executed: {} of {}. None of them changed anything.",
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
