// Checks that judge does not have, by the names that an exercise's data call them: `kind = "…"`.
#pragma once

#include "lab/exercise.hpp"
#include "lab/request_checks.hpp"

#include <functional>
#include <optional>
#include <string>
#include <variant>

namespace course::lab {

// What a [check.NAME] says beside its name, points and words. Empty: it says nothing of that.
struct OwnSettings {
  std::string kind, name;
  std::optional<Kind> of, also_of; // requests; the second for a limit beside
  std::string also_limit;
  std::string where; // where exact conflicts come from, for the message
  std::uint64_t at_least = 0;
  std::vector<std::uint64_t> up_to; // the largest that the task allows, of each answer or of all
  bool is_known = true;    // false: the right answers were measured, and their table is missing
  Floats answers;          // the right ones, at the output's end
  bool is_measured = true; // on an H200
};

struct OwnCheck {
  std::function<judge::Check(judge::Executions)> check;
  decltype(Case::numbers) numbers; // that it looks at; may be empty
};

// kind | what is held against its limit | settings
// uses              what the answer is made of (judge/uses.hpp)               |
// requests          requests of a kind, against the limit of the check's name | of, also
// passes            passes of shared memory for a kind, against the same      | of
// conflicts         conflicts of a kind, against the limit of conflicts       | of, also
//                   without `of` in check.conflicts: of all kinds, and then the limit of `also`,
//                   which lanes that take turns so as not to conflict do not keep
// exact_conflicts   conflicts of a kind, against the limit of the check's name | of, where
// answers           all answers, against `answers` or `reference`: all or some are right
//                                                                             | at_least, up_to
// occupancy         "blocks_per_sm" or "warps_per_sm", as the check is called  | at_least
// Or one sentence about what is wrong with the settings.
std::variant<OwnCheck, std::string> own_check(const OwnSettings&);

} // namespace course::lab
