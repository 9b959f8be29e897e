#include "report/words/check_table.hpp"

#include "judge/check_kind.hpp"
#include "language/translate.hpp"

namespace course::report {
namespace {

using language::marked;

constexpr AboutCheck kChecks[] = {
// by their judge::CheckKind
#define COURSE_CHECK(name, part, maker, shown, limits, ...) {#name, __VA_ARGS__},
#include "judge/checks.def"
};

} // namespace

std::string check_name(const std::string& name) {
  return language::translated("check", name.c_str());
}

const AboutCheck* about_check(std::string_view name) {
  const auto kind = judge::check_kind(name);
  return kind == judge::CheckKind::own ? nullptr : &kChecks[static_cast<std::size_t>(kind)];
}

} // namespace course::report
