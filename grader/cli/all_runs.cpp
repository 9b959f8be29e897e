#include "cli/all_runs.hpp"

#include "cli/order_text.hpp"
#include "device/emulator/explore/exploration.hpp"

#include <algorithm>
#include <deque>

namespace course::cli {
namespace {

using emulator::Exploration;

constexpr std::size_t kMostRuns = 500,
                      kMostTold = 3; // of the program; of those that came otherwise

// Launches are explored one after the other, as the program comes to them; each leaves one of the
// ends that it has. What follows on the others is for later: the program is started again, and all
// launches up to that one are executed as they were, but for that one's end.
class AllRuns {
public:
  AllRuns(const FirstTime& first, runtime::LiveProgram program, emulator::Options how,
          runtime::Stop& stop)
      : runs_(first, std::move(program), how, stop), stop_(stop) {
    orders_.all.emplace();
  }

  report::OtherOrders run() {
    for (later_.emplace_back(); !later_.empty() && !stop_.wanted(); later_.pop_front()) {
      if (orders_.executed == kMostRuns) break;
      if (!run(later_.front())) break;
    }
    orders_.all->too_many_ends = !later_.empty();
    return std::move(orders_);
  }

private:
  bool run(const ChosenOrders& chosen);
  void keep(report::OtherOrder, const ChosenOrders&, const Exploration&);
  void keep(const Exploration::Launch&);

  OtherRuns runs_;
  runtime::Stop& stop_;
  std::deque<ChosenOrders> later_;
  report::OtherOrders orders_;
};

void AllRuns::keep(const Exploration::Launch& launch) {
  orders_.all->orders += launch.orders;
  const auto known = [&](const auto& left) {
    return left.kernel == launch.kernel && left.why == launch.why_not;
  };
  if (!launch.all() && std::ranges::none_of(orders_.all->left, known))
    orders_.all->left.push_back({launch.kernel, launch.why_not});
}

// The launch whose end is told is the last that had another.
void AllRuns::keep(report::OtherOrder order, const ChosenOrders& chosen,
                   const Exploration& exploration) {
  if (orders_.otherwise.size() == kMostTold) return;
  order.choices = order_text(chosen);
  for (const auto& launch : exploration.launches)
    if (launch.left < launch.outcomes.size() && !launch.outcomes[launch.left].events.empty())
      order.events = launch.outcomes[launch.left].events;
  orders_.otherwise.push_back(std::move(order));
}

// False: it has come to no end.
bool AllRuns::run(const ChosenOrders& chosen) {
  Exploration exploration;
  exploration.chosen = chosen;
  auto ran = runs_.run({}, &exploration);
  if (!ran) return false;
  ++orders_.executed;
  ChosenOrders as_it_was = chosen;
  std::vector<ChosenOrders> others;
  for (const auto& launch : exploration.launches) {
    if (chosen.contains(launch.number)) continue;
    keep(launch);
    for (std::size_t i = 0; i < launch.outcomes.size(); ++i) {
      if (i == launch.left || launch.outcomes[i].wrong) continue;
      others.push_back(as_it_was);
      others.back()[launch.number] = launch.outcomes[i].choices;
    }
    if (!launch.outcomes.empty()) as_it_was[launch.number] = launch.outcomes[launch.left].choices;
  }
  later_.insert(later_.end(), others.begin(), others.end());
  if (ran->came_otherwise || ran->over_budget) keep(std::move(ran->order), as_it_was, exploration);
  return true;
}

} // namespace

report::OtherOrders run_in_all_orders(const FirstTime& first, runtime::LiveProgram program,
                                      emulator::Options how, runtime::Stop& stop) {
  if (!first.device.order_matters()) return {};
  return AllRuns(first, std::move(program), how, stop).run();
}

} // namespace course::cli
