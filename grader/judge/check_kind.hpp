// Which checks there are: checks.def. A check is known by its kind; its name is for JSON, an
// exercise's data, and people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace course::judge {

enum class CheckKind : std::uint8_t {
#define COURSE_CHECK(name, part, maker, shown, limits, ...) name,
#include "judge/checks.def"
  own, // what only its exercise knows
};

// A row of the list. Its columns are explained there.
struct KnownCheck {
  enum class Part { stage, right, cost };
  enum class Maker { judged, number, elsewhere };
  enum class Shown { number, element, finding, sectors, conflicts };
  CheckKind kind;
  std::string_view name;
  Part part;
  Maker maker;
  Shown shown;
  std::string_view limits; // with spaces between
};
inline constexpr KnownCheck kKnownChecks[] = {
// by their kind
#define COURSE_CHECK(name, part, maker, shown, limits, ...)                                        \
  {CheckKind::name,          #name, KnownCheck::Part::part, KnownCheck::Maker::maker,              \
   KnownCheck::Shown::shown, limits},
#include "judge/checks.def"
};

constexpr CheckKind check_kind(std::string_view name) {
  for (const auto& one : kKnownChecks)
    if (one.name == name) return one.kind;
  return CheckKind::own;
}

// The row of a kind; one's own is a number within the limit of its name.
inline constexpr KnownCheck kOwnCheck{CheckKind::own,
                                      "",
                                      KnownCheck::Part::cost,
                                      KnownCheck::Maker::elsewhere,
                                      KnownCheck::Shown::number,
                                      ""};
constexpr const KnownCheck& known(CheckKind kind) {
  return kind == CheckKind::own ? kOwnCheck : kKnownChecks[static_cast<std::size_t>(kind)];
}

// Not of one's own, which has no name here.
inline std::string name_of(CheckKind kind) {
  return std::string(known(kind).name);
}

} // namespace course::judge
