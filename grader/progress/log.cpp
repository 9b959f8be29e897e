#include "progress/log.hpp"

#include "language/translate.hpp"
#include "system/descriptor.hpp"
#include "system/file.hpp"
#include "system/file_lock.hpp"
#include "system/stream.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <set>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace course::progress {
namespace {

namespace fs = std::filesystem;
using system::Descriptor;

constexpr std::string_view kFirstLine =
    "{\"about\": \"What ./course graded here, one line each. Safe to delete. The lines of two such "
    "files may be put together in any order.\"}\n";

constexpr int kMostAttempts = 100; // at a file that is replaced again and again

bool has_name(int descriptor, const fs::path& file) {
  struct stat opened {};
  struct stat named {};
  return fstat(descriptor, &opened) == 0 && stat(file.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

// The open file, locked for as long as this lives. Who had the lock before may have mended the
// file, and put another one in its place.
Descriptor locked(const fs::path& file, int flags, int lock) {
  for (int attempt = 0;; ++attempt) {
    Descriptor descriptor(open(file.c_str(), flags | O_CLOEXEC, 0644));
    if (!descriptor) return descriptor;
    system::lock(descriptor.get(), lock);
    if (has_name(descriptor.get(), file) || attempt == kMostAttempts) return descriptor;
  }
}

std::string content(int descriptor) {
  std::string text;
  std::array<char, 65536> part{};
  lseek(descriptor, 0, SEEK_SET);
  for (;;) {
    const auto size = read(descriptor, part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(part.data(), size);
  }
}

// What git leaves between the two sides of a conflict; both sides count.
bool is_conflict_mark(std::string_view line) {
  return line.starts_with("<<<<<<<") || line.starts_with("=======") ||
         line.starts_with(">>>>>>>") || line.starts_with("|||||||");
}

struct Parsed {
  std::vector<Event> events;
  std::string good;             // the lines that could be read
  std::size_t lines = 0;        // of the file
  std::vector<std::size_t> bad; // their numbers, from 1
};

Parsed parse(std::string_view text) {
  Parsed parsed;
  std::set<std::string_view> seen;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    ++parsed.lines;
    if (line.empty() || is_conflict_mark(line)) continue;
    const auto event = event_of(line);
    if (!event) {
      parsed.bad.push_back(parsed.lines);
      continue;
    }
    if (!seen.insert(line).second) continue;
    parsed.good.append(line).append("\n");
    if (event->kind != Event::Kind::unknown) parsed.events.push_back(*event);
  }
  std::ranges::stable_sort(parsed.events, {}, &Event::time);
  return parsed;
}

// A name beside the file that nothing has yet.
fs::path free_name(const fs::path& file) {
  std::error_code none;
  for (int i = 1;; ++i) {
    auto name = file;
    name += ".damaged-" + std::to_string(i);
    if (!fs::exists(name, none)) return name;
  }
}

std::string describe(const Parsed& parsed, const fs::path& file) {
  const auto count = parsed.bad.size();
  const auto name = file.filename().string();
  return count == 1
             ? tr("{} remembers what you have solved. Line {} of it is damaged.", name,
                  parsed.bad[0])
             : tr("{} remembers what you have solved. {} lines of it are damaged, the first is "
                  "line {}.",
                  name, count, parsed.bad[0]);
}

// Under the lock: the file as it is is put aside, then one of the lines that are good takes its
// place, in one step.
std::string mend(const fs::path& file) {
  const auto descriptor = locked(file, O_RDWR, LOCK_EX);
  if (!descriptor) return tr("It cannot be written, and stays as it is.");
  const auto text = content(descriptor.get());
  const auto parsed = parse(text);
  if (parsed.bad.empty()) return tr("It has been mended meanwhile."); // by another process
  const auto aside = free_name(file);
  std::ofstream copy(aside, std::ios::binary);
  copy << text;
  if (!copy.flush()) return tr("There is no room to mend it, and it stays as it is.");
  try {
    system::write_file(fs::canonical(file), parsed.good);
  } catch (const fs::filesystem_error&) {
    return tr("It could not be mended, and stays as it is.");
  }
  return tr("What can be read of it is kept; as it was, it is {}.", aside.string());
}

} // namespace

Remembered Log::read() const {
  Parsed parsed;
  {
    const auto descriptor = locked(file_, O_RDONLY, LOCK_SH);
    if (!descriptor && errno == ENOENT) return {};
    if (!descriptor)
      return {{}, tr("{} cannot be read: {}.", file_.string(), std::strerror(errno))};
    parsed = parse(content(descriptor.get()));
  }
  if (parsed.bad.empty()) return {std::move(parsed.events), ""};
  return {std::move(parsed.events), describe(parsed, file_) + " " + mend(file_)};
}

std::string Log::append(const Event& event) const {
  std::error_code error;
  fs::create_directories(file_.parent_path(), error);
  const auto complaint_of = [&](const std::string& why) {
    return tr("Your progress could not be written to {}: {}. COURSE_STATE=FILE keeps it elsewhere.",
              file_.string(), why);
  };
  if (error) return complaint_of(error.message());
  const auto descriptor = locked(file_, O_RDWR | O_CREAT | O_APPEND, LOCK_EX);
  const auto complaint = [&] { return complaint_of(std::strerror(errno)); };
  if (!descriptor) return complaint();
  struct stat known {};
  if (fstat(descriptor.get(), &known) != 0) return complaint();
  std::string text(known.st_size == 0 ? kFirstLine : "");
  char last = '\n'; // a line that was cut short, by a full disk or a lost process, ends here
  if (known.st_size > 0 && pread(descriptor.get(), &last, 1, known.st_size - 1) != 1)
    return complaint();
  if (last != '\n') text += '\n';
  text += line_of(event);
  return system::write_all(descriptor.get(), text) ? "" : complaint();
}

} // namespace course::progress
