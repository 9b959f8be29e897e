#include "report/launches/launches.hpp"
#include "report/launches/summary.hpp"

#include "device/model/known_gpus.hpp"

#include <doctest/doctest.h>

namespace course::report {

TEST_CASE("of all orders the words say whether they were all, and what threads did step by step") {
  OtherOrders orders;
  orders.executed = 2;
  orders.all.emplace().orders = 4;
  CHECK(order_words(orders).at(0) == "All orders that differ were executed: 4 orders. The "
                                     "program was continued 2 times.");
  CHECK(order_words(orders).at(1) == "None of them changed anything.");
  orders.all->left.push_back({"spin", emulator::Exploration::WhyNot::too_many_orders});
  OtherOrder order;
  order.choices = "0:0.32x2.0";
  order.exit_code = 1;
  order.events.push_back(
      {{1, 0, 0}, {0, 0, 0}, device::LaneAccess::Does::load, device::Message("sum"), "few.cu", 7});
  orders.otherwise.push_back(order);
  const auto words = order_words(orders);
  REQUIRE(words.size() == 5);
  CHECK(words[0].starts_with("Not all orders that differ were executed"));
  CHECK(words[1] == "Not all of spin: there are too many.");
  CHECK(words[2] == "In order 0:0.32x2.0 its exit code is 1.");
  CHECK(words[3] == "  block (1,0,0), thread (0,0,0): loads sum, line 7");
  CHECK(words[4] == "course run --order 0:0.32x2.0 repeats it.");
}

TEST_CASE("of other orders the summary says how many, and what the first of them did otherwise") {
  LaunchReport report;
  report.banks = &model::default_gpu().architecture;
  report.launches.emplace_back().lines.emplace_back().requests = 1;
  const std::string well = "No bank conflicts, no wasted sectors, and nothing was found wrong.";
  report.orders = OtherOrders{20, 0, {}, {}};
  CHECK(summary_of(report) ==
        std::vector<std::string>{
            well, "No drawn order was executed: its threads cannot tell who was first."});
  report.orders->executed = 20;
  report.orders->undecided = {5};
  auto lines = summary_of(report);
  REQUIRE(lines.size() == 3);
  CHECK(lines[1] == "Drawn orders executed: 20 of 20. None of them changed anything.");
  CHECK(lines[2].ends_with("proves nothing: 5."));
  OtherOrder order;
  order.number = 7;
  order.exit_code = 3;
  order.printed = "sum 7";
  order.printed_first = "sum 8";
  order.findings.emplace_back();
  order.findings[0].kind = device::FindingKind::race;
  order.findings[0].file = "/home/me/copy.cu";
  order.findings[0].line = 9;
  report.orders->otherwise = {order, order};
  report.orders->undecided.clear();
  lines = summary_of(report);
  CHECK(lines == std::vector<std::string>{
                     "No bank conflicts, and no wasted sectors.",
                     "Drawn orders executed: 20 of 20. It came otherwise in 2 of them (7, 7).",
                     "Order 7 has what the first time has not: race at copy.cu:9.",
                     "In order 7 its exit code is 3.",
                     "In order 7 it printed \"sum 7\" where it was \"sum 8\" the first time.",
                     "course run --order 7 repeats it."});
  const auto json = launch_json(report);
  CHECK(json["orders"]["asked"] == 20);
  CHECK(json["orders"]["otherwise"][0]["order"] == 7);
  CHECK(json["orders"]["otherwise"][0]["printed_first"] == "sum 8");
  CHECK(json["orders"]["otherwise"][0]["findings"][0]["line"] == 9);
  CHECK_FALSE(json.contains("order"));
}

} // namespace course::report
