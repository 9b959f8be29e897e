#include "serve/student_files.hpp"

#include "build/digest.hpp"
#include "progress/kept_name.hpp"
#include "serve/http_request.hpp"
#include "system/file.hpp"
#include "system/published_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>

namespace course::serve {
namespace {

namespace fs = std::filesystem;

// What stat says of a file; empty where there is none.
std::string stamp_of(const fs::path& file) {
  struct stat status {};
  if (lstat(file.c_str(), &status) != 0) return "";
  return fmt::format("{} {} {} {}", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

bool is_utf8(const std::string& text) {
  try {
    (void)nlohmann::json(text).dump();
    return text.find('\0') == text.npos;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

} // namespace

std::string version_of(const std::string& text) {
  return build::sha256(text).substr(0, 32);
}

fs::path StudentFiles::file_of(const std::string& exercise) const {
  return root_ / "labs" / (exercise + ".cu");
}

// Folders all the way: a link may lead into somebody else's.
bool StudentFiles::is_plain(const std::string& exercise) const {
  std::error_code none;
  const auto file = file_of(exercise);
  return fs::symlink_status(root_ / "labs", none).type() == fs::file_type::directory &&
         fs::symlink_status(file.parent_path(), none).type() == fs::file_type::directory;
}

std::variant<Text, NoText> StudentFiles::read(const std::string& exercise) const {
  std::error_code none;
  if (!fs::exists(file_of(exercise), none)) return NoText::missing;
  if (!is_plain(exercise)) return NoText::not_plain;
  auto read = system::read_file(file_of(exercise), kMostText);
  if (const auto* why = std::get_if<system::Unreadable>(&read))
    return why->why == system::Unreadable::Why::too_large ? NoText::too_large
           : why->why == system::Unreadable::Why::missing ? NoText::missing
                                                          : NoText::not_plain;
  auto& text = std::get<std::string>(read);
  if (!is_utf8(text)) return NoText::not_text;
  auto version = version_of(text);
  return Text{std::move(text), std::move(version)};
}

std::string StudentFiles::version(const std::string& exercise) {
  const auto stamp = stamp_of(file_of(exercise));
  auto& seen = seen_[exercise];
  if (seen.stamp == stamp && !stamp.empty()) return seen.version;
  const auto now = read(exercise);
  const auto* text = std::get_if<Text>(&now);
  seen = {stamp, text ? text->version : ""};
  return seen.version;
}

std::variant<Text, NoText> StudentFiles::save(const std::string& exercise, const std::string& text,
                                              const std::string& base) const {
  auto now = read(exercise);
  if (const auto* why = std::get_if<NoText>(&now)) {
    // What was removed outside, with the text that the page still has, is written again.
    std::error_code none;
    const bool may_come_back = *why == NoText::missing && is_plain(exercise) &&
                               !fs::is_symlink(fs::symlink_status(file_of(exercise), none));
    if (!may_come_back) return *why;
  } else if (auto& there = std::get<Text>(now); there.version != base && there.text != text) {
    return std::move(there);
  }
  system::publish(file_of(exercise), text, system::Durable::yes);
  return Text{text, version_of(text)};
}

std::optional<fs::path> StudentFiles::keep(const std::string& exercise,
                                           const std::string& text) const {
  const auto name = progress::kept_name(root_, exercise);
  if (progress::timed_before(name) >= kMostKept) return std::nullopt;
  system::publish(name, text, system::Durable::yes);
  return name.lexically_relative(root_);
}

} // namespace course::serve
