// Any bytes as class.json: settings that make sense, or a sentence.
#include "classroom/settings.hpp"

#include <cstddef>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace course::classroom;
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  time_of(text);
  const auto result = read_settings(text, {"05_transpose/1_tile", "05_transpose/2_pad"});
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
