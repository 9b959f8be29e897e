#include "cli/limits_for_students.hpp"

#include "cli/project.hpp"
#include "device/emulator/emulator.hpp"
#include "lab/solution_limits.hpp"
#include "lab/tools.hpp"
#include "report/words/ended_words.hpp"

#include <algorithm>

namespace course::cli {
namespace {

const std::string kWhy = "\n# What the solution costs, and room: it is not in this copy.\n";

bool asks(const lab::Exercise& exercise) {
  return !exercise.cases.front().by_solution.empty();
}

} // namespace

std::variant<std::map<std::filesystem::path, std::string>, std::string>
limits_for_students(const std::vector<lab::Exercise>& exercises) {
  std::map<std::filesystem::path, std::string> added;
  if (std::ranges::none_of(exercises, asks)) return added;
  const auto place = find_workplace();
  for (const auto& what : {missing_toolkit(place), missing(place)})
    if (!what.empty()) return what;
  const auto device = emulator::make_device();
  const auto tools = lab::make_tools(place, *device);
  for (const auto& exercise : exercises) {
    const auto limits = lab::limits_as_data(exercise, tools);
    if (const auto* ended = std::get_if<judge::EndedBy>(&limits))
      return exercise.id + ": " + report::ended_words(*ended).headline;
    if (const auto& text = std::get<std::string>(limits); !text.empty())
      added["labs/" + exercise.id + ".toml"] = kWhy + text;
  }
  return added;
}

} // namespace course::cli
