#include "report/proof_words.hpp"

#include "language/translate.hpp"
#include "report/edit_words.hpp"
#include "report/words/ended_words.hpp"
#include "report/words/shape_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace course::report {
namespace {

using lab::Complaint;
using lab::Outcome;
using lab::Proof;

std::string listed(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string said(const Outcome& outcome) {
  if (outcome.passes()) return trc("a proof", "passes");
  return outcome.failed.empty() ? ending_word(outcome.ending)
                                : trc("a proof", "fails {}", listed(outcome.failed));
}

std::string said(const std::vector<lab::Near>& numbers) {
  std::vector<std::string> all;
  for (const auto& one : numbers)
    all.push_back(trc("a limit", "{} {} of {}", one.what, one.value, one.limit));
  return listed(all);
}

std::string said(const Complaint& complaint) {
  using What = Complaint::What;
  const auto& [what, of, name, other, number, most] = complaint;
  switch (what) {
  case What::closed_before_open:
    return tr("mark [{}] is closed, and was not open", name);
  case What::overlaps:
    return tr("mark [{}] overlaps [{}]", name, other);
  case What::not_closed:
    return tr("mark [{}] is not closed", name);
  case What::no_region:
    return tr("the skeleton has no [work] region");
  case What::other_number_of_regions:
    return tr("skeleton and solution do not have as many [work] regions");
  case What::differs_outside:
    return number == 0 ? tr("the files differ outside the marks, before region 1")
                       : tr("the files differ outside the marks, after region {}", number);
  case What::same_region:
    return tr("region {} is the same in both files", number);
  case What::nothing_to_do:
    return tr("region {} of the skeleton says nothing TODO", number);
  case What::still_to_do:
    return tr("the solution has a TODO");
  case What::first_line:
    return tr("the first line is not \"{}\"", name);
  case What::too_long:
    return tr("it has {} lines, and {} at most", number, most);
  case What::too_wide:
    return tr("line {} has {} columns", number, most);
  }
  return "";
}

std::string said(const std::vector<Complaint>& complaints) {
  std::vector<std::string> all;
  for (const auto& one : complaints)
    all.push_back(one.of == Complaint::Of::skeleton   ? tr("skeleton: {}", said(one))
                  : one.of == Complaint::Of::solution ? tr("solution: {}", said(one))
                                                      : said(one));
  return fmt::format("{}", fmt::join(all, "; "));
}

// ---- what was expected

struct Expected {
  std::string operator()(const Proof::WellFormed&) const { return tr("well formed"); }
  std::string operator()(const Proof::OnlyWorkDiffers&) const {
    return tr("is the skeleton but for the work");
  }
  std::string operator()(const Proof::FailsFirst& claim) const {
    return tr("fails {} first", claim.check);
  }
  std::string operator()(const Proof::Passes&) const { return trc("a proof", "passes"); }
  std::string operator()(const Proof::LeavesRoom&) const {
    return tr("leaves a tenth of room under each limit");
  }
  std::string operator()(const Proof::RightCost&) const {
    return tr("takes a fiftieth to a quarter of what a kernel may");
  }
  std::string operator()(const Proof::PaysOrSays& claim) const {
    return claim.says ? tr("saves no time on an H200, as its task says")
                      : tr("saves time on an H200");
  }
  std::string operator()(const Proof::EnoughWrong& claim) const {
    return tr("at least {} wrong variants", claim.least);
  }
  std::string operator()(const Proof::Applies& claim) const {
    return tr("its edits in {} apply to the solution", claim.edits.string());
  }
  std::string operator()(const Proof::Fails& claim) const {
    return claim.checks.empty() ? tr("names what it fails")
                                : trc("a proof", "fails {}", listed(claim.checks));
  }
  std::string operator()(const Proof::SaysItsWay&) const {
    return tr("says its way: // honest: …");
  }
  std::string operator()(const Proof::Belongs& claim) const {
    using As = Proof::Belongs::As;
    switch (claim.as) {
    case As::skeleton:
      return tr("has its data beside it, a .toml");
    case As::solution:
      return tr("is the solution of an exercise");
    case As::variant:
      return tr("begins with an exercise's name: 2_pad_x.cu");
    case As::edits:
      return tr("is called as an exercise is: 2_pad.diff");
    case As::reference:
      return tr("is the reference of an exercise: reference = \"file\"");
    }
    return "";
  }
  std::string operator()(const Proof::PassesSeeds& claim) const {
    return tr("passes {} shapes of {} seeds, with room", claim.shapes, claim.seeds);
  }
};

// ---- what was found

struct Found {
  std::string operator()(const Proof::WellFormed& claim) const { return said(claim.wrong); }
  std::string operator()(const Proof::OnlyWorkDiffers& claim) const { return said(claim.wrong); }
  std::string operator()(const Proof::FailsFirst& claim) const { return said(claim.found); }
  std::string operator()(const Proof::Passes& claim) const { return said(claim.found); }
  std::string operator()(const Proof::LeavesRoom& claim) const { return said(claim.close); }
  std::string operator()(const Proof::RightCost& claim) const { return said(claim.strange); }
  std::string operator()(const Proof::PaysOrSays& claim) const {
    std::vector<std::string> times;
    if (const auto& skeleton = claim.found.skeleton)
      times.push_back(tr("the skeleton takes {:.2f} times the solution's time", *skeleton));
    if (const auto& file = claim.found.fastest_file; !file.empty())
      times.push_back(
          tr("{} takes {:.2f} times the solution's time", file, claim.found.fastest_wrong));
    return listed(times);
  }
  std::string operator()(const Proof::EnoughWrong& claim) const {
    return std::to_string(claim.found);
  }
  std::string operator()(const Proof::Applies& claim) const {
    return fmt::format("{}:{}: {}", claim.edits.string(), claim.fault.line,
                       fault_words(claim.fault));
  }
  std::string operator()(const Proof::Fails& claim) const { return said(claim.found); }
  std::string operator()(const Proof::SaysItsWay&) const { return tr("another first line"); }
  std::string operator()(const Proof::Belongs&) const { return tr("of no exercise"); }
  std::string operator()(const Proof::PassesSeeds& claim) const {
    std::vector<std::string> all;
    for (const auto& one : claim.broken)
      all.push_back(
          tr("{} in {}", one.close.empty() ? said(one.found) : said(one.close), called(one.shape)));
    return listed(all);
  }
};

} // namespace

std::string expected_words(const lab::Proof& proof) {
  return std::visit(Expected(), proof.claim);
}

std::string found_words(const lab::Proof& proof) {
  return std::visit(Found(), proof.claim);
}

} // namespace course::report
