#include "build/specific.hpp"

#include "system/file.hpp"

#include <fmt/format.h>

#include <cctype>
#include <set>

namespace course::build {
namespace {

namespace fs = std::filesystem;

bool needs_specific(const fs::path& file, std::set<fs::path>& seen) {
  if (!seen.insert(file.lexically_normal()).second) return false;
  const auto text = system::content_of(file);
  if (!text) return false;
  if (build::needs_specific(*text)) return true;
  for (const auto& name : quoted_includes(*text))
    if (needs_specific(file.parent_path() / name, seen)) return true;
  return false;
}

} // namespace

std::set<std::string> quoted_includes(std::string_view text) {
  std::set<std::string> names;
  for (std::size_t at = text.find("#include"); at != text.npos;
       at = text.find("#include", at + 1)) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    const auto begin = line.find('"'), end = line.rfind('"');
    if (begin != line.npos && end > begin) names.emplace(line.substr(begin + 1, end - begin - 1));
  }
  return names;
}

bool needs_specific(std::string_view source) {
  for (const char* name : {"wgmma.", "setmaxnreg.", ".multicast::cluster"})
    if (source.find(name) != source.npos) return true;
  return false;
}

bool lacks_specific(std::string_view messages) {
  return messages.find("is_not_supported_before_SM_90a_") != messages.npos;
}

bool may_need_lambdas(std::string_view source) {
  for (const char* begin : {"[=", "[&", "LAMBDA"})
    if (source.find(begin) != source.npos) return true;
  const auto in_name = [&](std::size_t i) {
    return i < source.size() &&
           (std::isalnum(static_cast<unsigned char>(source[i])) || source[i] == '_');
  };
  for (auto at = source.find("std"); at != source.npos; at = source.find("std", at + 1))
    if ((at == 0 || !in_name(at - 1)) && !in_name(at + 3)) return true;
  return false;
}

bool needs_specific_with_includes(const fs::path& source) {
  std::set<fs::path> seen;
  return needs_specific(source, seen);
}

std::string targets_of(const model::Gpu& gpu, bool specific) {
  const char* suffix = specific ? "a" : "";
  return fmt::format("arch={0}{2},code=[{0}{2},{1}{2}]", gpu.virtual_target, gpu.target, suffix);
}

} // namespace course::build
