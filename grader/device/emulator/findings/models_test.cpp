// The well-known shapes of memory models (litmus/models.cu) in every order that differs: a race
// that is in each is told in each, one that is in some in one at least, and where there is none
// nothing is said.
#include "device/emulator/explore/exploration.hpp"
#include "device/emulator/findings/litmus_checks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

namespace course::emulator::findings {
namespace {

struct Model {
  std::string kernel, race; // in "all" orders, "some", "none"
  std::uint32_t blocks = 0, threads = 0;
  bool strict = false; // a relaxed read acquires behind a fence alone, as the model has it
};

const std::vector<Model>& models() {
  static const std::vector<Model> table = [] {
    std::vector<Model> models;
    std::stringstream lines(read_file(std::string(kFolder) + "models.csv"));
    std::string line;
    std::getline(lines, line); // names of the columns
    while (std::getline(lines, line)) {
      const auto cells = split(line, ',');
      REQUIRE(cells.size() == 5);
      models.push_back({cells[0], cells[1], static_cast<std::uint32_t>(std::stoul(cells[2])),
                        static_cast<std::uint32_t>(std::stoul(cells[3])), cells[4] == "1"});
    }
    return models;
  }();
  return table;
}

TestRun run_of(const Model& model, Exploration* exploration, const device::Order& order = {}) {
  static const std::string all = compiled("models.cu");
  TestRun run(only(all, {model.kernel}));
  const auto out = run.buffer("out", std::vector<int>(64));
  std::vector<int> numbers(64);
  std::iota(numbers.begin(), numbers.end(), 1);
  const auto in = run.buffer("in", numbers);
  run.job.order = order;
  run.job.strict_acquires = model.strict;
  Options options;
  options.threads = 1;
  options.exploration = exploration;
  run.launch(model.kernel, {model.blocks}, {model.threads}, 0, out, in).run(options);
  return run;
}

} // namespace

TEST_CASE("races are told in every order that has one, and in no other") {
  for (const Model& model : models()) {
    CAPTURE(model.kernel);
    CAPTURE(model.blocks);
    Exploration all;
    const auto run = run_of(model, &all);
    CAPTURE(run.findings());
    CHECK(run.why() == "");
    std::uint64_t orders = 1, wrong = run.found(device::FindingKind::race) ? 1 : 0;
    if (!all.launches.empty()) { // its threads can tell who was first
      CHECK(all.launches[0].all());
      orders = all.launches[0].orders;
      wrong = 0;
      for (const auto& outcome : all.launches[0].outcomes)
        wrong += outcome.wrong ? outcome.orders : 0;
    }
    CAPTURE(orders);
    CAPTURE(wrong);
    if (model.race == "none") CHECK(wrong == 0);
    if (model.race == "some") CHECK((wrong > 0 && wrong < orders));
    if (model.race == "all") CHECK(wrong == orders);
    CHECK(run.found(device::FindingKind::race) == (wrong > 0));
    CHECK(run.result<int>(0)[7] == 0); // what no model allows
  }
}

TEST_CASE("the orders of a grading tell all races that are in some") {
  constexpr std::uint64_t kLeast = 3, kMost = 12; // of a grading: lab/other_orders.cpp
  using Kind = device::Order::Kind;
  int of_words = 0, early = 0;
  std::string missed;
  for (const Model& model : models()) {
    if (model.race == "none") CHECK(run_of(model, nullptr).findings() == "");
    if (model.race != "some") continue;
    const auto races = [&](const device::Order& order) {
      return run_of(model, nullptr, order).found(device::FindingKind::race);
    };
    bool found = races({}) || races({Kind::backwards, 0}); // a grading begins with these
    std::uint64_t seed = 0;
    for (; seed < kMost && !found; ++seed) found = races({Kind::at_liberty, seed});
    if (!found) missed += model.kernel + " ";
    if (model.kernel.starts_with("barrier") || model.kernel.starts_with("cluster")) continue;
    ++of_words;
    early += found && seed <= kLeast ? 1 : 0;
  }
  CHECK(missed == "");
  CHECK(of_words >= 12);
  CHECK(early == of_words);
}

} // namespace course::emulator::findings
