#include "classroom/gpus.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>
#include <unistd.h>

namespace course::classroom {

namespace fs = std::filesystem;

std::vector<std::string> find_gpus(const fs::path& proc,
                                   const std::optional<std::string>& visible) {
  std::error_code error;
  std::size_t count = 0;
  for (fs::directory_iterator at(proc / "driver/nvidia/gpus", error), end; !error && at != end;
       at.increment(error))
    ++count;
  std::vector<std::string> gpus;
  for (std::size_t i = 0; i < count; ++i) gpus.push_back(std::to_string(i));
  if (!visible) return gpus;
  std::vector<std::string> left;
  std::istringstream words(*visible);
  for (std::string word; std::getline(words, word, ',');)
    if (std::find(gpus.begin(), gpus.end(), word) != gpus.end()) left.push_back(word);
  return left;
}

std::string resource_specification(const std::vector<std::string>& gpus) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const auto& gpu : gpus) list.push_back({{"id", gpu}, {"slots", kSlots}});
  return Json{{"version", {{"major", 1}, {"minor", 0}}}, {"local", Json::array({{{"gpus", list}}})}}
             .dump(1) +
         "\n";
}

std::optional<std::string> allocated_gpu(const std::string& allocation) {
  constexpr std::string_view kId = "id:";
  if (!allocation.starts_with(kId)) return std::nullopt;
  const auto end = allocation.find(',');
  auto id = allocation.substr(kId.size(), end == allocation.npos ? end : end - kId.size());
  return id.empty() ? std::nullopt : std::optional(std::move(id));
}

std::string place_of(const std::string& gpu) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return gpu.empty() ? host : std::string(host) + " GPU " + gpu;
}

} // namespace course::classroom
