// The exercise that `course trace` and `course profile` look at: chosen, graded, and executed
// again.
#pragma once

#include "lab/look.hpp"
#include "report/text.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace course::cli {

struct LookOptions {
  std::string exercise, file, root;
  bool solution = false;
  std::optional<std::uint64_t> seed;
};

struct LookedAt {
  const lab::Exercise& exercise;
  std::filesystem::path file;
  std::string source; // of the file
  lab::Look look;     // with a job
  device::Device& device;
};

// Calls `show` for the exercise, in a supervised process, and gives its exit code; or says on
// standard error, as `command`, why there is nothing to show, and gives that exit code.
int look_at(const std::string& command, const LookOptions&,
            const std::function<int(LookedAt&)>& show);

} // namespace course::cli
