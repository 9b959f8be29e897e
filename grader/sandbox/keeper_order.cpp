#include "keeper_order.hpp"

#include <algorithm>
#include <stdexcept>

namespace course::sandbox {
namespace {

void append(std::vector<std::string>& to, const char* key, const std::string& value) {
  to.push_back(std::string(key) + "=" + value);
}

// Sets the field that `key` names; false when it names none.
bool set(Order& order, const std::string& key, const std::string& value) {
  if (key == "env")
    order.environment.push_back(value);
  else if (key == "directory")
    order.directory = value;
  else if (key == "read")
    order.readable.emplace_back(value);
  else if (key == "system")
    order.system.emplace_back(value);
  else if (key == "write")
    order.writable.emplace_back(value);
  else if (key == "cpu")
    order.cpu = std::chrono::seconds(std::stoll(value));
  else if (key == "memory")
    order.memory = std::stoull(value);
  else if (key == "file_size")
    order.file_size = std::stoull(value);
  else if (key == "processes")
    order.processes = std::stoull(value);
  else if (key == "user")
    order.user = static_cast<uid_t>(std::stoull(value));
  else
    return false;
  return true;
}

bool set_switch(Order& order, const std::string& word) {
  if (word == "scratch")
    order.scratch = true;
  else if (word == "shares_user")
    order.shares_user = true;
  else if (word == "reads_all_modes")
    order.reads_all_modes = true;
  else if (word == "landlock")
    order.landlock = true;
  else if (word == "filter")
    order.filter = true;
  else if (word == "channel")
    order.channel = true;
  else
    return false;
  return true;
}

} // namespace

std::vector<std::string> to_arguments(const Order& order) {
  std::vector<std::string> words;
  append(words, "cpu", std::to_string(order.cpu.count()));
  append(words, "memory", std::to_string(order.memory));
  append(words, "file_size", std::to_string(order.file_size));
  append(words, "processes", std::to_string(order.processes));
  append(words, "directory", order.directory.string());
  if (order.user) append(words, "user", std::to_string(*order.user));
  if (order.scratch) words.push_back("scratch");
  if (order.shares_user) words.push_back("shares_user");
  if (order.reads_all_modes) words.push_back("reads_all_modes");
  if (order.landlock) words.push_back("landlock");
  if (order.filter) words.push_back("filter");
  if (order.channel) words.push_back("channel");
  for (const auto& path : order.readable) append(words, "read", path.string());
  // Bubblewrap has shown no more than these.
  if (order.landlock)
    for (const auto& path : order.system) append(words, "system", path.string());
  for (const auto& path : order.writable) append(words, "write", path.string());
  for (const auto& variable : order.environment) append(words, "env", variable);
  words.push_back("--");
  words.insert(words.end(), order.argv.begin(), order.argv.end());
  return words;
}

Order from_arguments(const std::vector<std::string>& words) {
  Order order;
  const auto end = std::ranges::find(words, "--");
  for (auto word = words.begin(); word != end; ++word) {
    const auto equals = word->find('=');
    const bool known = equals == std::string::npos
                           ? set_switch(order, *word)
                           : set(order, word->substr(0, equals), word->substr(equals + 1));
    if (!known) throw std::invalid_argument("unknown word in an order: " + *word);
  }
  if (end == words.end() || end + 1 == words.end())
    throw std::invalid_argument("an order without a program");
  order.argv.assign(end + 1, words.end());
  return order;
}

} // namespace course::sandbox
