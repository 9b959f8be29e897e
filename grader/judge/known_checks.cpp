#include "judge/known_checks.hpp"

#include "judge/limits.hpp"

namespace course::judge {

std::optional<Check> check_known(CheckKind kind, Executions executions) {
  if (known(kind).maker == KnownCheck::Maker::number)
    return check_counted(executions, name_of(kind));
  switch (kind) {
#define COURSE_MADE_judged(name)                                                                   \
  case CheckKind::name:                                                                            \
    return check_##name(executions);
#define COURSE_CHECK(name, part, maker, shown, limits, ...) COURSE_MADE_##maker(name)
#include "judge/checks.def"
#undef COURSE_MADE_judged
  default:
    return std::nullopt;
  }
}

} // namespace course::judge
