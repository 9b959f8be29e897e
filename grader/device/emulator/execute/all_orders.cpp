#include "device/emulator/execute/all_orders.hpp"

#include "device/emulator/check/history.hpp"
#include "device/emulator/check/host_races.hpp"
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/live_registers.hpp"
#include "device/emulator/execute/choices.hpp"
#include "device/emulator/execute/grid_execution.hpp"
#include "device/emulator/explore/search.hpp"
#include "device/emulator/state/device_heap.hpp"

#include <algorithm>
#include <functional>
#include <optional>

namespace course::emulator {
namespace {

using WhyNot = Exploration::WhyNot;

// What the search itself takes of an order is about the square of its steps.
constexpr std::uint64_t kMostWork = 1'000'000'000;
constexpr std::uint64_t kMostInstructions = 2'000'000; // of one order, in warp-instructions

bool is_wrong(const Findings& findings) {
  return std::ranges::any_of(findings.entries(), [](const auto& entry) {
    return !device::is_note(entry.second.finding.kind);
  });
}

// One launch, executed again and again from the same memory.
class Orders {
public:
  Orders(Launch& launch, Cores& cores, Exploration& exploration)
      : launch_(launch), cores_(cores), exploration_(exploration) {
    launch_.budget = std::min(launch_.budget, kMostInstructions);
    cores_.footprint.begin(false);
    told_.number = launch.number;
    told_.kernel = launch.entry->shown;
  }

  GridResult run();

private:
  std::optional<GridResult> execute(Chooser&, const std::function<Choices()>& choices);
  GridResult repeat(const Choices&, std::vector<OrderEvent>&);
  void search();
  WhyNot why_no_more() const;
  void keep(const GridResult&, Choices);
  void start(Chooser&);
  void roll_back();

  Launch& launch_;
  Cores& cores_;
  Exploration& exploration_;
  Exploration::Launch told_;
  std::map<std::uint64_t, std::size_t> places_of_; // of outcomes, by what they leave
  ReleasedPlaces places_;
  LiveRegisters live_registers_;
  std::uint64_t work_ = 0;
  Findings findings_;
};

void Orders::start(Chooser& chooser) {
  launch_.chooser = &chooser;
  launch_.live_registers = &live_registers_;
  launch_.footprint = &cores_.footprint;
  launch_.histories = nullptr;
  launch_.places = launch_.entry->synchronises ? &places_ : nullptr;
}

void Orders::roll_back() {
  cores_.footprint.roll_back();
  launch_.memory->heap().roll_back();
  places_.clear();
}

// Once, and where threads are in conflict once more in the same order, with all that happened kept
// (grid.cpp). Nothing: it came to no end.
std::optional<GridResult> Orders::execute(Chooser& chooser,
                                          const std::function<Choices()>& choices) {
  start(chooser);
  std::optional<GridExecution> execution(std::in_place, launch_, cores_);
  if (!execution->by_choices()) return std::nullopt;
  if (!cores_.footprint.has_conflicts()) return execution->result();
  roll_back();
  Histories histories;
  Replay again(choices());
  launch_.chooser = &again;
  launch_.footprint = nullptr;
  launch_.histories = &histories;
  if (launch_.events) launch_.events->clear();
  execution.emplace(launch_, cores_);
  execution->by_choices();
  GridResult result = execution->result();
  launch_.histories = nullptr;
  return result;
}

GridResult Orders::repeat(const Choices& choices, std::vector<OrderEvent>& events) {
  Replay replay(choices);
  launch_.events = &events;
  auto result = execute(replay, [&] { return choices; });
  launch_.events = nullptr;
  return std::move(*result);
}

// Of an order that came to its end. Those that leave the same memory, and print the same, and are
// both right are one outcome.
void Orders::keep(const GridResult& result, Choices choices) {
  ++told_.orders;
  const bool wrong = is_wrong(result.findings);
  const std::uint64_t left =
      cores_.footprint.digest() + std::hash<std::string>()(result.printed) + (wrong ? 1 : 0);
  const auto [known, is_new] = places_of_.emplace(left, told_.outcomes.size());
  if (is_new) told_.outcomes.push_back({std::move(choices), 0, wrong, {}});
  ++told_.outcomes[known->second].orders;
  findings_.add(result.findings);
}

WhyNot Orders::why_no_more() const {
  if (launch_.stopped()) return WhyNot::stopped;
  const bool enough = told_.orders == exploration_.most_orders || work_ > kMostWork;
  return enough ? WhyNot::too_many_orders : WhyNot::none;
}

void Orders::search() {
  Search search(exploration_.most_steps);
  do {
    if (const auto why = why_no_more(); why != WhyNot::none) {
      told_.why_not = why;
      return;
    }
    search.begin();
    if (const auto result = execute(search, [&] { return search.choices(); }))
      keep(*result, search.choices());
    else if (search.end() == Search::End::too_long)
      told_.why_not = WhyNot::too_many_steps;
    work_ += search.made() * (search.made() + 64);
    roll_back();
  } while (search.another());
}

GridResult Orders::run() {
  const auto chosen = exploration_.chosen.find(launch_.number);
  const bool is_chosen = chosen != exploration_.chosen.end();
  if (is_chosen)
    told_.outcomes.push_back({chosen->second, 0, false, {}});
  else
    search();
  for (auto& outcome : told_.outcomes) {
    if (!outcome.wrong && !is_chosen && told_.outcomes.size() == 1) break; // nobody asks for it
    repeat(outcome.choices, outcome.events);
    roll_back();
  }
  const auto wrong = std::ranges::find_if(told_.outcomes, &Exploration::Outcome::wrong);
  if (wrong != told_.outcomes.end())
    told_.left = static_cast<std::size_t>(wrong - told_.outcomes.begin());
  std::vector<OrderEvent> events;
  GridResult result =
      repeat(told_.outcomes.empty() ? Choices{} : told_.outcomes[told_.left].choices, events);
  result.findings.add_unknown(findings_);
  result.findings.drop_moot_notes();
  exploration_.launches.push_back(std::move(told_));
  if (launch_.host_races)
    launch_.host_races->note(cores_.footprint, *launch_.program, *launch_.entry, result.counters,
                             places_);
  cores_.footprint.forget();
  launch_.memory->heap().end_launch(launch_.grid.count());
  return result;
}

} // namespace

namespace {

// Whether some operation of the kernel is so.
template <typename Is>
bool any_operation(const Code& entry, Is&& is) {
  return std::ranges::any_of(
      entry.reachable, [&](const Code* code) { return std::ranges::any_of(code->operations, is); });
}

} // namespace

WhyNot why_not_explored(const Launch& launch) {
  const Code& entry = *launch.entry;
  if (!launch.checks || launch.sample || launch.ways) return WhyNot::unchecked;
  if (launch.grid_workspace) return WhyNot::cooperative;
  if (entry.has_products) return WhyNot::products;
  const auto updates = [](const Operation& op) {
    return op.access && op.access->asynchronous && op.access->combine;
  };
  if (any_operation(entry, updates)) return WhyNot::asynchronous_updates;
  const auto counts = [](const Operation& op) { return op.execute == count_pending; };
  if (any_operation(entry, counts)) return WhyNot::pending_counts;
  return launch.grid.count() * launch.threads() > kMostThreads ? WhyNot::too_many_threads
                                                               : WhyNot::none;
}

GridResult run_in_all_orders(Launch& launch, Cores& cores, Exploration& exploration) {
  return Orders(launch, cores, exploration).run();
}

} // namespace course::emulator
