#include "device/emulator/explore/search.hpp"

#include <algorithm>

namespace course::emulator {
namespace {

bool has(const std::vector<Agent>& agents, Agent agent) {
  return std::ranges::find(agents, agent) != agents.end();
}
void add(std::vector<Agent>& agents, Agent agent) {
  if (!has(agents, agent)) agents.push_back(agent);
}

template <typename Clock>
void join(Clock& into, const Clock& from) {
  for (const auto& [agent, steps] : from) {
    auto& mine = into[agent];
    mine = std::max(mine, steps);
  }
}

// Whether the step at a place, which is of `agent`, comes before what has this clock.
template <typename Clock>
bool covers(const Clock& clock, Agent agent, std::size_t place) {
  const auto found = clock.find(agent);
  return found != clock.end() && found->second > place;
}

} // namespace

const Step* Search::Node::of(Agent agent) const {
  const auto found = std::ranges::find(stopped, agent, &Step::agent);
  return found == stopped.end() ? nullptr : &*found;
}

bool Search::Node::is_awake(std::size_t i) const {
  return stopped[i].can_go_on && !has(asleep, stopped[i].agent);
}

void Search::begin() {
  made_ = 0;
  clocks_.clear();
  left_.clear();
  end_ = End::complete;
}

Choices Search::choices() const {
  Choices choices;
  for (std::size_t i = 0; i < made_; ++i) choices.push_back(nodes_[i].step().agent);
  return choices;
}

// For a step that a thread is about to make, those before it that it could have come before, but
// for what comes before it by a later one of them.
void Search::look_back(const Step& next) {
  Clock clock = clocks_[next.agent];
  const std::size_t since = clock[next.agent]; // it has stopped before this step
  for (std::size_t i = made_; i-- > 0;) {
    const Step& step = nodes_[i].step();
    if (step.agent == next.agent || !depend(step, next) || covers(clock, step.agent, i)) continue;
    join(clock, nodes_[i].clock);
    const Step* then = nodes_[i].of(next.agent);
    const bool in_vain = i >= since && then && !then->can_go_on;
    if (!in_vain) try_before(i, next);
  }
}

// What a thread was about to do may be what the last step keeps it from.
void Search::look_at_kept(const std::vector<Step>& stopped) {
  if (!made_) return;
  for (const Step& next : stopped) {
    const Step* before = next.can_go_on ? nullptr : nodes_[made_ - 1].of(next.agent);
    if (before && before->can_go_on) look_back(next);
  }
}

// Threads that may be the first of what has to come before the step at a place, so that `next`
// does: whatever followed that step without depending on it, and `next`.
std::vector<Agent> Search::first_of_others(std::size_t place, const Step& next) const {
  std::vector<Agent> first;
  std::vector<std::size_t> others;
  const Agent agent = nodes_[place].step().agent;
  const auto is_first = [&](const Clock& clock, Agent of) {
    return std::ranges::none_of(others, [&](std::size_t k) {
      return nodes_[k].step().agent == of || covers(clock, nodes_[k].step().agent, k);
    });
  };
  for (std::size_t i = place + 1; i < made_; ++i) {
    const Node& node = nodes_[i];
    if (covers(node.clock, agent, place)) continue;
    if (is_first(node.clock, node.step().agent)) first.push_back(node.step().agent);
    others.push_back(i);
  }
  Clock clock = clocks_.at(next.agent);
  for (const std::size_t k : others)
    if (depend(nodes_[k].step(), next)) join(clock, nodes_[k].clock);
  if (is_first(clock, next.agent)) first.push_back(next.agent);
  return first;
}

void Search::try_before(std::size_t place, const Step& next) {
  Node& node = nodes_[place];
  const auto first = first_of_others(place, next);
  if (std::ranges::any_of(first, [&](Agent agent) { return has(node.to_try, agent); })) return;
  for (const Agent agent : first) {
    const Step* then = node.of(agent);
    if (then && then->can_go_on) return add(node.to_try, agent);
  }
  for (const Step& step : node.stopped)
    if (step.can_go_on) add(node.to_try, step.agent);
}

// Who sleeps before a step, or was tried in its place, sleeps on until a step that depends on its
// own. So does who waits.
std::vector<Agent> Search::Node::remain(const std::vector<Agent>& agents) const {
  std::vector<Agent> all;
  for (const Agent agent : agents) {
    const Step* mine = of(agent);
    if (agent != step().agent && mine && !depend(*mine, step())) add(all, agent);
  }
  return all;
}

std::vector<Agent> Search::asleep_after(const Node& node) const {
  std::vector<Agent> asleep = node.remain(node.asleep);
  for (const Agent agent : node.remain(node.tried))
    if (!has(node.waiting, agent)) add(asleep, agent);
  return asleep;
}

// With those who wait kept from going on.
std::vector<Step> Search::but_waiting(std::vector<Step> stopped) const {
  if (!made_) return stopped;
  const std::vector<Agent> waiting = nodes_[made_ - 1].remain(nodes_[made_ - 1].waiting);
  for (Step& step : stopped)
    if (has(waiting, step.agent)) step.can_go_on = false;
  return stopped;
}

// Whether the last step was a look that has changed nothing, while others can go on.
bool Search::came_back(const std::vector<Step>& stopped) const {
  if (!made_ || made_ < kept_) return false;
  const Step& last = nodes_[made_ - 1].step();
  const auto now = std::ranges::find(stopped, last.agent, &Step::agent);
  return last.does == Step::Does::looks && now != stopped.end() && now->is_back &&
         std::ranges::any_of(but_waiting(stopped), &Step::can_go_on);
}

// Before its last step, the thread that has made it waits, and another one goes on.
void Search::let_wait() {
  Node& node = nodes_[made_ - 1];
  const Agent agent = node.step().agent;
  node.stopped[node.chosen].can_go_on = false;
  add(node.waiting, agent);
  std::erase(node.to_try, agent);
  for (std::size_t i = 0; i < node.stopped.size() && node.to_try.empty(); ++i)
    if (node.is_awake(i)) add(node.to_try, node.stopped[i].agent);
}

std::optional<std::size_t> Search::pick(const Node& node) const {
  std::vector<Step> awake = node.stopped;
  for (std::size_t i = 0; i < awake.size(); ++i) awake[i].can_go_on = node.is_awake(i);
  const auto last = made_ ? std::optional(nodes_[made_ - 1].step().agent) : std::nullopt;
  return usual_choice(awake, last);
}

void Search::take(std::size_t chosen) {
  Node& node = nodes_[made_];
  node.chosen = chosen;
  const Step& step = node.step();
  look_back(step);
  Clock& clock = clocks_[step.agent];
  for (std::size_t i = 0; i < made_; ++i) {
    const Step& before = nodes_[i].step();
    if (!covers(clock, before.agent, i) && depend(before, step)) join(clock, nodes_[i].clock);
  }
  clock[step.agent] = ++made_;
  node.clock = clock;
}

std::optional<std::size_t> Search::choose(const std::vector<Step>& all) {
  if (came_back(all)) {
    let_wait();
    end_ = End::known;
    return std::nullopt;
  }
  std::vector<Step> stopped = but_waiting(all);
  // Where nobody else goes on, they do: to find that they wait for ever.
  if (std::ranges::none_of(stopped, &Step::can_go_on)) stopped = all;
  look_at_kept(stopped);
  if (std::ranges::none_of(stopped, &Step::can_go_on)) return std::nullopt;
  if (made_ == most_steps_) {
    end_ = End::too_long;
    return std::nullopt;
  }
  if (made_ < kept_) {
    const std::size_t chosen = nodes_[made_].chosen;
    take(chosen);
    return chosen;
  }
  Node node;
  node.stopped = stopped;
  if (made_) {
    const Node& before = nodes_[made_ - 1];
    node.asleep = asleep_after(before);
    node.waiting = before.remain(before.waiting);
  }
  const auto chosen = pick(node);
  if (!chosen) {
    end_ = End::known;
    return std::nullopt;
  }
  add(node.to_try, stopped[*chosen].agent);
  nodes_.push_back(std::move(node));
  kept_ = nodes_.size();
  take(*chosen);
  return chosen;
}

void Search::meet(const std::vector<Agent>& agents) {
  Clock all;
  for (const Agent agent : agents) join(all, clocks_[agent]);
  for (const Agent agent : agents) clocks_[agent] = all;
}

void Search::leave(Agent agent, std::uint64_t mark) {
  join(left_[mark], clocks_[agent]);
}

void Search::take_over(Agent agent, std::uint64_t mark) {
  join(clocks_[agent], left_[mark]);
}

bool Search::another() {
  while (!nodes_.empty()) {
    Node& node = nodes_.back();
    add(node.tried, node.step().agent);
    for (const Agent agent : node.to_try) {
      if (has(node.tried, agent) || has(node.asleep, agent)) continue;
      node.chosen = static_cast<std::size_t>(node.of(agent) - node.stopped.data());
      kept_ = nodes_.size();
      return true;
    }
    nodes_.pop_back();
  }
  return false;
}

} // namespace course::emulator
