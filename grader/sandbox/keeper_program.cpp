#include "keeper_program.hpp"

namespace course::sandbox {

std::filesystem::path keeper_program() {
  static const std::filesystem::path program = [] {
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    const auto beside = self.parent_path() / "course_keeper";
    return !error && std::filesystem::exists(beside, error) ? beside : COURSE_KEEPER;
  }();
  return program;
}

} // namespace course::sandbox
