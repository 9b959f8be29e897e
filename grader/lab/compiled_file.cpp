#include "lab/compiled_file.hpp"

#include "lab/ending_faults.hpp"
#include "system/file.hpp"

#include <algorithm>
#include <cctype>

namespace course::lab {
namespace {

namespace endings = judge::endings;

// The file's text; or why it need not be compiled: it is missing, is no file, or has nothing in it.
std::variant<std::string, judge::EndedBy> text_of(const Grading& grading) {
  using Why = system::Unreadable::Why;
  const auto& file = grading.submission.file;
  auto read = system::read_file(file, build::kLargestSource);
  if (const auto* bad = std::get_if<system::Unreadable>(&read)) {
    if (bad->why == Why::link) return endings::SymbolicLink{grading.file()};
    if (bad->why == Why::too_large) return endings::TooLong{grading.file(), build::kLargestSource};
    return endings::Unreadable{file.string(), bad->text};
  }
  const auto blank = [](unsigned char c) { return std::isspace(c) != 0; };
  auto& text = std::get<std::string>(read);
  if (std::ranges::all_of(text, blank))
    return judge::ended_by(empty_file(grading.exercise, grading.file()));
  return std::move(text);
}

CompiledFile not_compiled(judge::EndedBy how, std::optional<std::string> compiler = {}) {
  return {{}, {}, Stop{std::move(how), std::move(compiler)}};
}

} // namespace

CompiledFile compiled_file(const Grading& grading) {
  auto text = text_of(grading);
  if (auto* how = std::get_if<judge::EndedBy>(&text)) return not_compiled(std::move(*how));
  auto result = grading.tools.compile(grading.submission.file);
  if (const auto* refused = std::get_if<build::Rejected>(&result)) {
    auto how = judge::ended_by(rejected(*refused, grading.file()));
    if (refused->reason != build::Rejected::Reason::diagnostics)
      return not_compiled(std::move(how));
    return not_compiled(std::move(how), refused->text);
  }
  auto& built = std::get<build::Compiled>(result);
  if (!std::ranges::count(built.functions, grading.exercise.function))
    return not_compiled(
        judge::ended_by(no_function(grading.exercise, grading.file(), built.functions)),
        built.warnings);
  device::Module code;
  if (!built.modules.empty()) code.ptx = built.modules.front().ptx;
  code.source = std::get<std::string>(std::move(text));
  return {std::move(built), std::move(code), {}};
}

} // namespace course::lab
