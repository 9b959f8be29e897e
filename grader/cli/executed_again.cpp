#include "cli/executed_again.hpp"

#include "cli/chosen.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/student.hpp"
#include "cli/supervised.hpp"
#include "device/emulator/emulator.hpp"
#include "language/translate.hpp"
#include "report/words/by_form.hpp"
#include "report/words/ended_words.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace course::cli {
namespace {

constexpr std::uint64_t kSeed = 1; // counts do not depend on it, but where a kernel's path does

// The exercise that was named, or the one that was graded last.
std::string named(const LookOptions& options, const std::filesystem::path& root) {
  if (!options.exercise.empty()) return options.exercise;
  const auto student = find_student(root.string());
  if (!std::holds_alternative<Student>(student)) return "";
  const auto meant = last_exercise_of(std::get<Student>(student), "");
  const auto* exercise = std::get_if<const lab::Exercise*>(&meant);
  return exercise ? (*exercise)->id : "";
}

// Why nothing was executed, in the words of the verdict.
int nothing_to_show(const std::string& command, const judge::Verdict& verdict) {
  const auto code = verdict.ending == judge::Ending::passed ? kFailed : exit_code(verdict.ending);
  const auto [headline, advice] = report::ended_words(verdict);
  const auto what = headline.empty() ? tr("no kernel was executed") : headline;
  complain("course " + command, code, report::printable(what));
  if (!advice.empty()) fmt::print(stderr, "{}\n", report::printable(advice));
  if (!verdict.compiler.empty())
    fmt::print(stderr, "\n{}\n", report::printable(report::compiler_in_words(verdict.compiler)));
  return code;
}

} // namespace

int look_at(const std::string& command, const LookOptions& options,
            const std::function<int(LookedAt&)>& show) {
  const auto root = find_root(options.root);
  if (!root) return complain("course " + command, kUsage, no_root());
  const auto chosen = choose(*root, {named(options, *root)});
  if (const auto* what = std::get_if<std::string>(&chosen))
    return complain("course " + command, kUsage, *what);
  const auto& one = std::get<std::vector<Chosen>>(chosen).front();
  return supervised([&] {
    const auto place = find_workplace();
    if (const auto what = missing(place); !what.empty() && place.toolkit)
      return complain("course " + command, kSetUp, what);
    const auto device = emulator::make_device();
    const MeantFile meant(one, options.file, options.solution, *root);
    const auto& file = meant.path();
    const auto tools = lab::make_tools(place, *device);
    LookedAt seen{*one.exercise, file, text_of(file),
                  lab::look(*one.exercise, {file, options.seed.value_or(kSeed)}, tools), *device};
    if (!seen.look.job) return nothing_to_show(command, seen.look.verdict);
    return show(seen);
  });
}

} // namespace course::cli
