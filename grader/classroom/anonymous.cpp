#include "classroom/anonymous.hpp"

#include "build/digest.hpp"
#include "classroom/whom.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace course::classroom {
namespace {

using Json = nlohmann::ordered_json;

struct Numbered {
  Whom whom;
  std::size_t number = 0;
};

std::vector<Numbered> read_numbers(const std::filesystem::path& file) {
  std::vector<Numbered> all;
  const auto json = Json::parse(system::content_of(file).value_or("[]"));
  for (const auto& one : json) all.push_back({whom_of(one), one.at("number")});
  return all;
}

void write_numbers(const std::filesystem::path& file, const std::vector<Numbered>& all) {
  Json json = Json::array();
  for (const auto& one : all) {
    json.push_back(to_json(one.whom));
    json.back()["number"] = one.number;
  }
  const auto text = json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  if (system::content_of(file) != text) system::publish(file, text, system::Durable::yes);
}

} // namespace

std::vector<std::string> numbers_of(const std::filesystem::path& results,
                                    const std::vector<Member>& members, std::uint64_t seed) {
  const auto file = results / "numbers.json";
  auto known = read_numbers(file);
  std::vector<std::size_t> numbers(members.size(), 0);
  std::size_t last = 0;
  for (auto& one : known) {
    last = std::max(last, one.number);
    const auto at = who_is(one.whom, members);
    if (!at || numbers[*at] != 0) continue;
    numbers[*at] = one.number;
    one.whom = whom(members[*at]); // as the list has them now
  }
  std::map<std::string, std::size_t> fresh;
  for (std::size_t i = 0; i < members.size(); ++i)
    if (numbers[i] == 0) fresh[build::digest(std::to_string(seed) + " " + members[i].id)] = i;
  for (const auto& [digest, i] : fresh) {
    numbers[i] = ++last;
    known.push_back({whom(members[i]), last});
  }
  write_numbers(file, known);
  std::vector<std::string> names;
  for (const auto number : numbers) names.push_back(fmt::format("student-{:04}", number));
  return names;
}

std::vector<Member> made_anonymous(const std::vector<Member>& members,
                                   const std::vector<std::string>& numbers) {
  auto hidden = members;
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    hidden[i].id = numbers[i];
    hidden[i].person = Person{};
    hidden[i].person.name = numbers[i];
    hidden[i].notes.clear();
    for (auto& [lab, problem] : hidden[i].problems) problem = "(see names.csv)";
  }
  return hidden;
}

} // namespace course::classroom
