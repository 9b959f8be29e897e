#include "cli/near_option.hpp"

#include "system/edit_distance.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <string_view>

namespace course::cli {
namespace {

constexpr std::size_t kLongestOption = 40; // past it, no word is near to an option

const CLI::App* command_called(const CLI::App& app, const std::string& word) {
  const auto called =
      app.get_subcommands([&](const CLI::App* command) { return command->check_name(word); });
  return called.empty() ? nullptr : called.front();
}

// Its start, or so few letters away that it can be a slip.
std::string nearest_option(const CLI::App& command, const std::string& word) {
  if (word.size() > kLongestOption) return "";
  const std::size_t slips = word.size() < 4 ? 1 : std::max<std::size_t>(2, word.size() / 3);
  std::size_t least = slips + 1;
  std::string near;
  for (const auto* option : command.get_options())
    for (const auto& name : option->get_lnames()) {
      const auto far = name.starts_with(word) ? 0 : system::edit_distance(word, name);
      if (far >= least) continue;
      least = far;
      near = "--" + name;
    }
  return near;
}

} // namespace

UnknownOption unknown_option(const CLI::App& app, int argc, const char* const* argv) {
  const CLI::App* at = &app;
  std::string called = app.get_name();
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") break;
    if (!word.starts_with("-")) {
      if (const auto* command = command_called(*at, word)) {
        at = command;
        called += " " + word;
      } else if (at->get_prefix_command()) {
        break;
      }
      continue;
    }
    const auto name = word.substr(0, word.find('='));
    const auto* option = at->get_option_no_throw(name);
    if (!option && name.starts_with("--"))
      return {called, name, nearest_option(*at, name.substr(2))};
    const bool has_value = option && option->get_items_expected_max() > 0;
    if (has_value && name == word) ++i;
  }
  return {};
}

} // namespace course::cli
