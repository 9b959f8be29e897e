#include "cli/spoken.hpp"

#include "cli/exit_codes.hpp"
#include "language/translate.hpp"
#include "report/text.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

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
    marked("Subcommands")};

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

class Formatter : public CLI::Formatter {
public:
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    return CLI::Formatter::make_group(translated(group), is_positional, std::move(options));
  }
};

void translate(CLI::App& app, const std::shared_ptr<Formatter>& formatter) {
  app.formatter(formatter);
  app.description(translated(app.get_description()));
  app.footer(translated_footer(app.get_footer()));
  for (auto* option : app.get_options()) option->description(translated(option->get_description()));
  for (auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) command->group(translated(command->get_group()));
    translate(*command, formatter);
  }
}

// The parser's complaints begin in few ways; what follows is the reader's own.
std::string complaint(const std::string& what) {
  constexpr std::string_view kUnexpected[] = {"The following argument was not expected: ",
                                              "The following arguments were not expected: "};
  for (const auto start : kUnexpected)
    if (what.starts_with(start))
      return tr("The following was not expected: {}", what.substr(start.size()));
  constexpr std::string_view kRequired = " is required";
  if (what.ends_with(kRequired))
    return tr("{} is required", what.substr(0, what.size() - kRequired.size()));
  return what;
}

std::string failure(const CLI::App*, const CLI::Error& error) {
  return complaint(error.what()) + "\n" + tr("Run with {} for more information.", "--help") + "\n";
}

} // namespace

std::string choose_language(int& argc, char** argv) {
  const auto asked = taken(argc, argv);
  const auto found =
      language::fitting(asked ? *asked : language::asked_by_environment(), language::catalogues());
  if (asked && !found)
    return fmt::format("there is no language {} here. There are {}", report::printable(*asked),
                       all_languages());
  // Programs that this one becomes or starts speak it too.
  if (asked) setenv(language::kVariable, found->empty() ? "en" : found->c_str(), 1);
  language::speak(found.value_or(""));
  return "";
}

void translate_help(CLI::App& app) {
  if (language::english()) return;
  const auto formatter = std::make_shared<Formatter>();
  formatter->label("Usage", tr("Usage"));
  formatter->label("OPTIONS", tr("OPTIONS"));
  formatter->label("SUBCOMMAND", tr("SUBCOMMAND"));
  translate(app, formatter);
  app.failure_message(failure);
}

} // namespace course::cli
