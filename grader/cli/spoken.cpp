#include "cli/spoken.hpp"

#include "cli/exit_codes.hpp"
#include "cli/help_formatter.hpp"
#include "language/translate.hpp"
#include "report/text.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <fmt/args.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace course::cli {
namespace {

using language::marked;

constexpr std::string_view kOption = "--lang";

// What CLI11 says by itself.
[[maybe_unused]] constexpr std::array kOfTheParser{
    marked("Print this help message and exit"),
    marked("Display program version information and exit"), marked("Options"),
    marked("Positionals"), marked("Subcommands")};

// And what it complains of: its sentences, the more specific first. Of one that is not here, in
// another version of it say, the English is shown.
constexpr std::array kComplaints{marked("The following argument was not expected: {}"),
                                 marked("The following arguments were not expected: {}"),
                                 marked("Could not convert: {} = {}"),
                                 marked("{}: Value {} not in range {} to {}"),
                                 marked("{}: Value {} could not be converted"),
                                 marked("{}: At least {} required but received {}"),
                                 marked("{}: At Most {} required but received {}"),
                                 marked("{}: {} required {} missing"),
                                 marked("{}: {} not in {}"),
                                 marked("{}: Check {} {} FAILED"),
                                 marked("A subcommand is required"),
                                 marked("{} is required"),
                                 marked("{} requires {}"),
                                 marked("{} excludes {}"),
                                 marked("{} was given a disallowed flag override")};

// Takes the option and its value out of the arguments, before `end`.
std::optional<std::string> taken(int& argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--" || word == "run") return std::nullopt; // what follows is a program's own
    const bool with_value = word.starts_with(kOption) && word.substr(kOption.size(), 1) == "=";
    if (word != kOption && !with_value) continue;
    const int words = with_value || i + 1 == argc ? 1 : 2;
    const std::string value = with_value   ? std::string(word.substr(kOption.size() + 1))
                              : words == 2 ? argv[i + 1]
                                           : "";
    std::move(argv + i + words, argv + argc + 1, argv + i); // the null behind the last, too
    argc -= words;
    return value;
  }
  return std::nullopt;
}

std::string all_languages() {
  std::string all = "en";
  for (const auto& one : language::catalogues()) all += ", " + one;
  return all;
}

std::string translated(const std::string& text) {
  return text.empty() ? text : language::translated(text.c_str());
}

// Examples, and the exit codes that some commands add to them.
std::string translated_footer(const std::string& footer) {
  const std::string_view codes = kExitCodes;
  if (!footer.ends_with(codes) || footer == codes) return translated(footer);
  const auto examples = footer.substr(0, footer.size() - codes.size() - 1);
  return translated(examples) + "\n" + translated(std::string(codes));
}

void translate(CLI::App& app) {
  app.description(translated(app.get_description()));
  app.footer(translated_footer(app.get_footer()));
  for (auto* option : app.get_options()) option->description(translated(option->get_description()));
  for (auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) command->group(translated(command->get_group()));
    translate(*command);
  }
}

// What stands in the places of {}, where the text is of this form.
std::optional<std::vector<std::string>> filled_in(std::string_view text, std::string_view form) {
  constexpr std::string_view kHole = "{}";
  std::vector<std::string> holes;
  const auto first = form.find(kHole);
  if (first == form.npos) return text == form ? std::optional(holes) : std::nullopt;
  if (!text.starts_with(form.substr(0, first))) return std::nullopt;
  text.remove_prefix(first);
  for (auto rest = form.substr(first + kHole.size());;) {
    const auto next = rest.find(kHole);
    const auto fixed = rest.substr(0, next);
    const auto at = next != rest.npos       ? text.find(fixed)
                    : text.ends_with(fixed) ? text.size() - fixed.size()
                                            : text.npos;
    if (at == text.npos) return std::nullopt;
    holes.emplace_back(text.substr(0, at));
    if (next == rest.npos) return holes;
    text.remove_prefix(at + fixed.size());
    rest.remove_prefix(next + kHole.size());
  }
}

std::string failure(const CLI::App*, const CLI::Error& error) {
  return complaint_in_words(error.what()) + "\n" +
         tr("Run with {} for more information.", "--help") + "\n";
}

} // namespace

std::string complaint_in_words(const std::string& what) {
  for (const char* form : kComplaints) {
    const auto holes = filled_in(what, form);
    if (!holes) continue;
    fmt::dynamic_format_arg_store<fmt::format_context> arguments;
    for (const auto& hole : *holes) arguments.push_back(hole);
    return language::formatted(form, arguments);
  }
  return what;
}

std::string choose_language(int& argc, char** argv) {
  const auto asked = taken(argc, argv);
  const auto found =
      language::fitting(asked ? *asked : language::asked_by_environment(), language::catalogues());
  if (asked && !found) {
    language::speak(
        language::fitting(language::asked_by_environment(), language::catalogues()).value_or(""));
    return tr("there is no language {} here. There are {}", report::printable(*asked),
              all_languages());
  }
  // Programs that this one becomes or starts speak it too.
  if (asked) setenv(language::kVariable, found->empty() ? "en" : found->c_str(), 1);
  language::speak(found.value_or(""));
  return "";
}

void translate_help(CLI::App& app) {
  const auto formatter = help_formatter();
  app.formatter(formatter);
  for (auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
    command->formatter(formatter);
  if (language::english()) return;
  translate(app);
  app.failure_message(failure);
}

} // namespace course::cli
