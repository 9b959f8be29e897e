#include "classroom/grader_digest.hpp"

#include "build/digest.hpp"
#include "system/published_file.hpp"

#include <nlohmann/json.hpp>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;
using Plain = nlohmann::json;

Plain stamps(const std::vector<fs::path>& programs) {
  Plain list = Plain::array();
  for (const auto& program : programs)
    list.push_back({program.string(), fs::file_size(program),
                    fs::last_write_time(program).time_since_epoch().count()});
  return list;
}

} // namespace

std::vector<std::filesystem::path> grading_programs(const std::filesystem::path& course,
                                                    const runtime::Host& host) {
  std::error_code none;
  std::vector<std::filesystem::path> found;
  for (const auto& program :
       {course, host.runner, host.runtime / "libcudart.so.13",
        course.parent_path() / "course_keeper", course.parent_path() / "course_gpu_worker"})
    if (std::filesystem::exists(program, none)) found.push_back(program);
  return found;
}

std::string grader_digest(const fs::path& results, const std::vector<fs::path>& programs) {
  const auto now = stamps(programs);
  const auto kept = results / "grader.json";
  if (const auto text = system::content_of(kept)) {
    const auto known = Plain::parse(*text, nullptr, false);
    if (known.is_object() && known.value("programs", Plain()) == now &&
        known.value("digest", Plain()).is_string())
      return known["digest"];
  }
  build::Digest digest;
  for (const auto& program : programs) {
    const auto bytes = system::content_of(program);
    if (!bytes)
      throw fs::filesystem_error("cannot read", program,
                                 std::make_error_code(std::errc::permission_denied));
    digest.add(*bytes);
  }
  const auto hex = digest.hex();
  system::publish(kept, Plain{{"programs", now}, {"digest", hex}}.dump() + "\n");
  return hex;
}

} // namespace course::classroom
