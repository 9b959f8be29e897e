// A shared library opened at run time, so that one binary runs with and without it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace course::gpu {

class Library {
public:
  // The first of `names` that loads; a name without a slash is looked for as the loader does.
  static Library open(const std::vector<std::string>& names);
  Library() = default;
  Library(Library&&) noexcept;
  Library& operator=(Library&&) noexcept;
  ~Library();

  explicit operator bool() const { return handle_ != nullptr; }
  const std::string& error() const { return error_; } // of the first name, when none loaded
  const std::string& path() const { return path_; }   // as the loader found it

  void* find(const char* symbol) const; // nullptr when it has none

private:
  void* handle_ = nullptr;
  std::string error_, path_;
};

} // namespace course::gpu
