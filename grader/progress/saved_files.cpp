#include "progress/saved_files.hpp"

#include "system/descriptor.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace course::progress {
namespace {

using namespace std::chrono_literals;

constexpr unsigned kSeldom = 10;          // looks between two at a file that is not worked on
constexpr auto kWarm = 2500ms;            // longer than the coarsest clock of a file system, 2 s
constexpr std::size_t kLargest = 1 << 20; // bytes that are compared; no exercise has 10 KB
constexpr int kSettled = 2, kEmptySettled = 10; // looks; an empty file is usually half of a save

struct Seen {
  std::vector<std::uint64_t> stamp;
  std::string content;
};

// Opening makes a network file system ask its server how the file is now.
std::optional<Seen> see(const std::filesystem::path& path, bool read) {
  const system::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat known {};
  if (!file || fstat(file.get(), &known) != 0 || !S_ISREG(known.st_mode)) return std::nullopt;
  Seen seen;
  seen.stamp = {static_cast<std::uint64_t>(known.st_mtim.tv_sec),
                static_cast<std::uint64_t>(known.st_mtim.tv_nsec),
                static_cast<std::uint64_t>(known.st_size), known.st_ino, known.st_dev};
  std::array<char, 16384> part{};
  while (read && seen.content.size() < kLargest) {
    const auto size = ::read(file.get(), part.data(), part.size());
    if (size <= 0) break;
    seen.content.append(part.data(), size);
  }
  return seen;
}

} // namespace

SavedFiles::SavedFiles(std::vector<std::filesystem::path> paths) {
  for (auto& path : paths) {
    auto seen = see(path, true).value_or(Seen{});
    files_.push_back(
        {std::move(path), std::move(seen.stamp), std::move(seen.content), {}, 0, true, {}});
  }
}

std::optional<SavedFiles::Save> SavedFiles::look(std::size_t closely, Clock::time_point now) {
  const bool all = turn_++ % kSeldom == 0;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (!all && i != closely && now >= files_[i].read_until) continue;
    if (const auto save = look_at(i, now)) return save;
  }
  return std::nullopt;
}

std::optional<SavedFiles::Save> SavedFiles::look_at(std::size_t index, Clock::time_point now) {
  auto& file = files_[index];
  auto seen = see(file.path, now < file.read_until);
  if (!seen) return std::nullopt;
  if (seen->stamp != file.stamp) {
    file.stamp = seen->stamp;
    file.read_until = now + kWarm;
    file.announced = false;
    seen = see(file.path, true);
    if (!seen) return std::nullopt;
  } else if (now >= file.read_until) {
    return std::nullopt;
  }
  if (!file.fresh || *file.fresh != seen->content) {
    file.fresh = std::move(seen->content);
    file.looks = 0;
  }
  ++file.looks;
  if (file.looks < (file.fresh->empty() ? kEmptySettled : kSettled)) return std::nullopt;
  const bool changed = *file.fresh != file.known;
  if (!changed && file.announced) return std::nullopt;
  file.announced = true;
  file.known = *file.fresh;
  return Save{index, changed};
}

} // namespace course::progress
