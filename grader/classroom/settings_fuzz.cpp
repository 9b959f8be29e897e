// Any bytes as class.toml, and as times of platforms: what makes sense, or a sentence.
#include "classroom/people.hpp"
#include "classroom/platform_times.hpp"
#include "classroom/settings.hpp"
#include "lab/labs.hpp"

#include <cstddef>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace course;
  using namespace course::classroom;
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  time_of(text);
  for (const char* name : {"times.csv", "submission_metadata.yml"}) {
    const auto times = read_platform_times(text, name, "Europe/Berlin");
    if (const auto* why = std::get_if<std::string>(&times); why && why->empty()) __builtin_trap();
  }
  const auto people = read_people(text, "roster.csv");
  if (const auto* why = std::get_if<std::string>(&people); why && why->empty()) __builtin_trap();
  const auto result = read_settings(text, "class.toml", lab::exercises(COURSE_SOURCE_DIR));
  if (const auto* why = std::get_if<std::string>(&result)) {
    if (why->empty()) __builtin_trap();
    return 0;
  }
  const auto& settings = std::get<Settings>(result);
  for (const auto& [lab, of_lab] : settings.labs) {
    const auto [keeps, days] = lateness(settings.late, of_lab.due, 1'800'000'000);
    if (!(keeps >= 0 && keeps <= 1) || days < 0) __builtin_trap();
    if (!(of_lab.weight >= 0)) __builtin_trap();
  }
  return 0;
}
