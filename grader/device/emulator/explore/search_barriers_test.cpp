// The search of orders on programs of a few steps at barriers in memory, against all orders that
// there are: what each look and each read finds.
#include "device/emulator/explore/search.hpp"

#include "device/splitmix64.hpp"
#include "system/environment.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace course::emulator {
namespace {

// What a thread does next. awaits: looks until the phase of this parity has ended.
struct Does {
  enum class What { reads, writes, arrives, looks, awaits } what{};
  std::uint64_t at = 0; // a word, or a barrier
  std::uint64_t parity = 0;
};
using Program = std::vector<std::vector<Does>>;

constexpr std::size_t kWords = 2, kBarriers = 2;

// A program under way.
class State {
public:
  State(const Program& program, std::int64_t arrivals)
      : program_(program), at_(program.size()), vain_(program.size()), arrivals_(arrivals) {
    for (auto& barrier : barriers_) barrier.arrivals = arrivals;
  }

  bool has_next(Agent agent) const { return at_[agent] < program_[agent].size(); }
  // Whether a look finds a phase that has ended.
  bool has_ended(const Does& does) const { return (barriers_[does.at].number & 1) != does.parity; }
  bool is_stuck(Agent agent) const {
    const Does& does = program_[agent][at_[agent]];
    return does.what == Does::What::awaits && !has_ended(does);
  }
  std::vector<Step> stopped() const {
    std::vector<Step> all;
    for (Agent agent = 0; agent < program_.size(); ++agent)
      if (has_next(agent)) all.push_back(step(agent));
    return all;
  }

  void go_on(Agent agent) {
    using What = Does::What;
    const Does& does = program_[agent][at_[agent]];
    switch (does.what) {
    case What::reads:
      found_.insert(name(agent) + std::to_string(words_[does.at]));
      break;
    case What::writes:
      words_[does.at] = 10 * agent + at_[agent] + 1;
      break;
    case What::arrives:
      arrive(barriers_[does.at]);
      break;
    case What::looks:
      found_.insert(name(agent) + (has_ended(does) ? "t" : "f"));
      break;
    case What::awaits:
      vain_[agent] = barriers_[does.at].number + 1;
      if (!has_ended(does)) return;
      break;
    }
    vain_[agent] = 0;
    ++at_[agent];
  }

  std::string end() const {
    std::string all;
    for (const auto& one : found_) all += one + ",";
    for (const std::uint64_t word : words_) all += " " + std::to_string(word);
    for (Agent agent = 0; agent < program_.size(); ++agent)
      if (has_next(agent)) all += " stuck " + std::to_string(agent);
    return all;
  }

private:
  // Where a thread is, in two letters.
  std::string name(Agent agent) const { return std::to_string(agent) + std::to_string(at_[agent]); }

  void arrive(Step::Phase& barrier) const {
    ++barrier.steps;
    if (--barrier.arrivals) return;
    barrier.arrivals = arrivals_;
    ++barrier.number;
  }

  Step step(Agent agent) const {
    using What = Does::What;
    const Does& does = program_[agent][at_[agent]];
    Step step;
    step.agent = agent;
    step.bytes = 8;
    const bool at_barrier = does.what >= What::arrives;
    step.begin = 8 * (does.at + (at_barrier ? kWords : 0));
    step.does = does.what == What::reads     ? Step::Does::reads
                : does.what == What::writes  ? Step::Does::changes
                : does.what == What::arrives ? Step::Does::arrives
                                             : Step::Does::looks;
    if (!at_barrier) return step;
    step.phase = barriers_[does.at];
    step.arrivals = does.what == What::arrives ? 1 : 0;
    step.is_back = vain_[agent] == step.phase.number + 1;
    step.can_go_on = !step.is_back;
    return step;
  }

  const Program& program_;
  std::vector<std::size_t> at_;
  std::vector<std::uint64_t> vain_; // the phase in which one has looked in vain, plus 1
  std::int64_t arrivals_;
  std::uint64_t words_[kWords] = {};
  Step::Phase barriers_[kBarriers];
  std::set<std::string> found_; // by looks and reads
};

void every_end(const Program& program, const State& state, std::set<std::string>& ends) {
  bool any = false;
  for (Agent agent = 0; agent < program.size(); ++agent) {
    if (!state.has_next(agent) || state.is_stuck(agent)) continue;
    any = true;
    State next = state;
    next.go_on(agent);
    every_end(program, next, ends);
  }
  if (!any) ends.insert(state.end());
}

struct Found {
  std::set<std::string> ends;
  std::size_t orders = 0, left = 0;
};

Found searched(const Program& program, std::int64_t arrivals) {
  Search search(100);
  Found found;
  do {
    search.begin();
    State state(program, arrivals);
    for (;;) {
      const auto list = state.stopped();
      const auto chosen = search.choose(list);
      if (!chosen) break;
      state.go_on(list[*chosen].agent);
    }
    if (search.end() == Search::End::complete) {
      found.ends.insert(state.end());
      ++found.orders;
    } else {
      ++found.left;
    }
  } while (search.another());
  return found;
}

Program drawn(std::uint64_t seed) {
  const auto below = [&](std::uint64_t end) {
    return device::splitmix64(seed += device::kSplitmixStep) % end;
  };
  Program program(2 + below(2));
  for (auto& thread : program)
    for (std::uint64_t left = 1 + below(4); left; --left) {
      const auto what = static_cast<Does::What>(below(5));
      thread.push_back({what, below(what < Does::What::arrives ? kWords : kBarriers), below(2)});
    }
  return program;
}

constexpr auto kArrives = Does::What::arrives, kAwaits = Does::What::awaits,
               kLooks = Does::What::looks;

} // namespace

TEST_CASE("who waits for a phase that ends has one order, however many wait") {
  Program program(6, {{kArrives, 0, 0}, {kAwaits, 0, 0}, {kArrives, 0, 0}, {kAwaits, 0, 1}});
  const Found found = searched(program, 6);
  CHECK(found.orders == 1);
  CHECK(found.left < 64);
}

TEST_CASE("who looks once has an order for either answer") {
  const Program program{{{kArrives, 0, 0}}, {{kArrives, 0, 0}, {kLooks, 0, 0}}};
  CHECK(searched(program, 2).orders == 2);
}

TEST_CASE("who waits for a phase that does not end is told in one order") {
  const Program program{{{kArrives, 0, 0}}, {{kAwaits, 0, 0}}, {{kAwaits, 0, 0}}};
  const Found found = searched(program, 2);
  CHECK(found.orders == 1);
  CHECK(found.ends == std::set<std::string>{" 0 0 stuck 1 stuck 2"});
}

// COURSE_DRAWN_PROGRAMS: how many, more than a unit test draws.
TEST_CASE("drawn programs with barriers end as they can, and in no other way") {
  const auto seeds = std::stoul(system::environment("COURSE_DRAWN_PROGRAMS").value_or("200"));
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    const Program program = drawn(seed);
    for (const std::int64_t arrivals : {1, 2, 3}) {
      CAPTURE(arrivals);
      std::set<std::string> all;
      every_end(program, State(program, arrivals), all);
      CHECK(searched(program, arrivals).ends == all);
    }
  }
}

} // namespace course::emulator
