#include "report/proof_words.hpp"

#include "report/edit_words.hpp"

#include <doctest/doctest.h>

#include <set>

namespace course::report {
namespace {

using judge::Ending;
using lab::Complaint;
using lab::Outcome;
using lab::Proof;

lab::Proof broken(Proof::Claim claim) {
  return {"labs/05_transpose/2_pad.cu", std::move(claim)};
}

} // namespace

TEST_CASE("what was expected of a file, and what was found, is said of every proof") {
  const Outcome fails{Ending::failed, {"output", "memory"}};
  const auto said = [](const Proof::Claim& claim) {
    const auto proof = broken(claim);
    return expected_words(proof) + "; " + found_words(proof);
  };
  CHECK(said(Proof::FailsFirst{"conflicts", fails}) ==
        "fails conflicts first; fails output, memory");
  CHECK(said(Proof::PaysOrSays{{1.04, 0.9, "fast.cu"}, false}) ==
        "saves time on an H200; the skeleton takes 1.04 times the solution's time, fast.cu takes "
        "0.90 times the solution's time");
  CHECK(said(Proof::PaysOrSays{{1.7, 0, ""}, true}) ==
        "saves no time on an H200, as its task says; the skeleton takes 1.70 times the solution's "
        "time");
  CHECK(said(Proof::Passes{{Ending::crashed, {}}}) == "passes; crashed");
  CHECK(said(Proof::Fails{{"output"}, {Ending::passed, {}}}) == "fails output; passes");
  CHECK(said(Proof::Fails{{}, fails}) == "names what it fails; fails output, memory");
  CHECK(said(Proof::LeavesRoom{{{"shared_loads", 95, 100}}}) ==
        "leaves a tenth of room under each limit; shared_loads 95 of 100");
  CHECK(said(Proof::RightCost{{{"instructions", 9, 10}, {"requests", 1, 2}}}) ==
        "takes a fiftieth to a quarter of what a kernel may; instructions 9 of 10, requests 1 of "
        "2");
  CHECK(said(Proof::EnoughWrong{3, 2}) == "at least 3 wrong variants; 2");
  CHECK(said(Proof::SaysItsWay{}) == "says its way: // honest: …; another first line");
  CHECK(said(Proof::PassesSeeds{10, 9, {{fails, {}, "64 x 96"}}}) ==
        "passes 10 shapes of 9 seeds, with room; fails output, memory in 64 x 96");
  std::set<std::string> places;
  using As = Proof::Belongs::As;
  for (const auto as : {As::skeleton, As::solution, As::variant, As::edits, As::reference})
    places.insert(said(Proof::Belongs{as}));
  CHECK(places.size() == 5);
  using What = lab::EditFault::What;
  CHECK(said(Proof::Applies{"2_pad.diff", {What::several, 7, 2}}) ==
        "its edits in 2_pad.diff apply to the solution; 2_pad.diff:7: what should be changed is in "
        "the solution 2 times; lines that stay, each after a space, tell which is meant");
  std::set<std::string> faults;
  for (const auto what : {What::stray_line, What::no_name, What::name_again, What::no_comment,
                          What::no_change, What::not_there, What::several, What::overlaps})
    faults.insert(fault_words({what}));
  CHECK(faults.size() == 8);
}

TEST_CASE("each complaint about a file has words of its own, with where and how much") {
  using What = Complaint::What;
  const auto said = [](std::vector<Complaint> wrong) {
    return found_words(broken(Proof::OnlyWorkDiffers{std::move(wrong)}));
  };
  CHECK(said({{What::differs_outside, {}, "", "", 0}, {What::same_region, {}, "", "", 2}}) ==
        "the files differ outside the marks, before region 1; region 2 is the same in both files");
  CHECK(said({{What::not_closed, Complaint::Of::skeleton, "work"}}) ==
        "skeleton: mark [work] is not closed");
  CHECK(said({{What::too_long, {}, "", "", 81, 80}}) == "it has 81 lines, and 80 at most");
  std::set<std::string> all;
  for (auto what = 0; what <= static_cast<int>(What::too_wide); ++what)
    all.insert(said({{static_cast<What>(what), {}, "a", "b", 3, 4}}));
  CHECK(all.size() == static_cast<std::size_t>(What::too_wide) + 1);
}

} // namespace course::report
