#include "cli/order_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <vector>

namespace course::cli {
namespace {

constexpr std::size_t kMostSteps = 100'000; // of what is typed

std::vector<std::string> parts_of(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::stringstream all(text);
  for (std::string part; std::getline(all, part, at);) parts.push_back(part);
  return parts;
}

template <typename Number>
std::optional<Number> number_in(const std::string& text) {
  Number number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || rest != end) return std::nullopt;
  return number;
}

std::string text_of(const emulator::Choices& choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size();) {
    std::size_t end = i;
    while (end < choices.size() && choices[end] == choices[i]) ++end;
    text += fmt::format("{}{}", i ? "." : "", choices[i]);
    if (end - i > 1) text += fmt::format("x{}", end - i);
    i = end;
  }
  return text;
}

// One thread's steps in a row: "64x2".
bool add(emulator::Choices& choices, const std::string& text) {
  const auto times = text.find('x');
  const auto thread = number_in<std::uint32_t>(text.substr(0, times));
  const auto steps =
      times == std::string::npos ? 1 : number_in<std::uint32_t>(text.substr(times + 1));
  if (!thread || !steps || choices.size() + *steps > kMostSteps) return false;
  choices.insert(choices.end(), *steps, *thread);
  return true;
}

} // namespace

std::optional<std::uint64_t> drawn_of(const std::string& text) {
  const auto number = number_in<std::uint64_t>(text);
  return number && *number > 0 ? number : std::nullopt;
}

std::string order_text(const ChosenOrders& orders) {
  std::string text;
  for (const auto& [launch, choices] : orders)
    text += fmt::format("{}{}:{}", text.empty() ? "" : "+", launch, text_of(choices));
  return text;
}

std::optional<ChosenOrders> orders_of(const std::string& text) {
  ChosenOrders orders;
  for (const auto& one : parts_of(text, '+')) {
    const auto colon = one.find(':');
    const auto launch = number_in<std::uint32_t>(one.substr(0, colon));
    if (colon == std::string::npos || !launch || orders.contains(*launch)) return std::nullopt;
    auto& choices = orders[*launch];
    for (const auto& steps : parts_of(one.substr(colon + 1), '.'))
      if (!add(choices, steps)) return std::nullopt;
  }
  return orders.empty() ? std::nullopt : std::optional(orders);
}

} // namespace course::cli
