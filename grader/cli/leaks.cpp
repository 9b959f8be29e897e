#include "cli/leaks.hpp"

#include "cli/exit_codes.hpp"
#include "cli/screen.hpp"
#include "language/translate.hpp"

#include <fmt/format.h>

#include <cmath>

namespace course::cli {

int complain_of_leaks(const std::string& command, const std::vector<classroom::Leak>& leaks,
                      const std::string& out) {
  for (const auto& leak : leaks)
    fmt::print("{}\n", tr("{} has {}% of the solution of {}", leak.file.string(),
                          std::lround(100 * leak.share), leak.exercise));
  return complain(command, kFailed,
                  tr("these files give answers away: take them out of {}, and out of what you "
                     "publish",
                     out));
}

} // namespace course::cli
