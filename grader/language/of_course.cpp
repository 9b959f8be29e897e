#include "language/of_course.hpp"

#include "language/translate.hpp"

#include <mutex>

namespace course::language {
namespace {

std::mutex one_at_a_time;

std::map<std::string, std::string>& learned() {
  static std::map<std::string, std::string> texts;
  return texts;
}

} // namespace

void learn(const std::map<std::string, std::string>& translations) {
  const std::lock_guard lock(one_at_a_time);
  for (const auto& [from, to] : translations) learned().insert_or_assign(from, to);
}

std::string of_course(const std::string& text) {
  if (english()) return text;
  const std::lock_guard lock(one_at_a_time);
  const auto found = learned().find(text);
  return found == learned().end() ? text : found->second;
}

} // namespace course::language
