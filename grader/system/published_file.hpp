// Files that other processes read while they are written: a reader sees all of one or nothing.
#pragma once

#include "system/file.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace course::system {

enum class Durable { no, yes }; // yes: it outlives a power failure, too

// Writes beside it, then renames. Makes the folders above it. Throws
// std::filesystem::filesystem_error; then the file is as it was.
void publish(const std::filesystem::path&, std::string_view bytes, Durable = Durable::no);

// A file written in parts, published when it is finished; else nothing is left of it.
class Draft {
public:
  // Throws std::filesystem::filesystem_error.
  explicit Draft(std::filesystem::path target, mode_t mode = 0644);
  Draft(const Draft&) = delete; // one publishes
  ~Draft();

  void write(std::string_view part);
  void publish(Durable = Durable::no); // throws std::filesystem::filesystem_error

private:
  std::filesystem::path target_;
  std::string temporary_, waiting_;
  int descriptor_ = -1;
  int error_ = 0; // of the first write that failed

  void flush();
};

} // namespace course::system
