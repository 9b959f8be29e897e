#include "store.hpp"

#include "build/digest.hpp"
#include "system/file.hpp"
#include "system/temporary_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace course::build {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kLargestArtifact = 1ull << 30; // bytes of one file of the store
constexpr std::uint64_t kLeastRoom = 32 << 20; // free bytes; nvcc's files of a text are a few MiB

std::optional<std::string> content(const fs::path& path) {
  auto read = system::read_file(path, kLargestArtifact);
  if (auto* text = std::get_if<std::string>(&read)) return std::move(*text);
  return std::nullopt;
}

// Headers of the system may be links.
std::string digest_of_header(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "";
  std::ostringstream text;
  text << file.rdbuf();
  return digest(text.view());
}

bool unchanged(const Header& header) {
  return !header.digest.empty() && digest_of_header(header.path) == header.digest;
}

constexpr const char* kLibraryEnding = ".so";
constexpr const char* kDevice = ".fatbin";

// The digests name the files; that of a library that there is not is empty.
struct Record {
  Result result;
  std::string device, library;
};

json to_json(const Record& record) {
  const Result& result = record.result;
  json headers = json::array();
  for (const Header& header : result.headers) headers.push_back({header.path, header.digest});
  return {{"device", record.device},
          {"library", record.library},
          {"folder", result.folder},
          {"warnings", result.warnings},
          {"headers", headers}};
}

Record from_json(const json& text) {
  Record record{
      {text.at("folder"), text.at("warnings"), {}}, text.at("device"), text.at("library")};
  for (const json& header : text.at("headers"))
    record.result.headers.push_back({header.at(0), header.at(1)});
  return record;
}

// A record is a line with the digest of the rest.
std::string sealed(const std::string& text) {
  return digest(text) + "\n" + text;
}

std::optional<std::string> unsealed(const std::string& text) {
  const auto line = text.find('\n');
  if (line == std::string::npos) return std::nullopt;
  std::string rest = text.substr(line + 1);
  return text.compare(0, line, digest(rest)) == 0 ? std::optional(std::move(rest)) : std::nullopt;
}

// What is used is kept; whether the time could be set does not matter.
void mark_used(const fs::path& path) {
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
}

// Whether the character at `at` only protects the next one.
bool is_escape(const std::string& text, std::size_t at) {
  if (at + 1 == text.size()) return false;
  const char next = text[at + 1];
  return (text[at] == '\\' && (next == ' ' || next == '#' || next == '\\')) ||
         (text[at] == '$' && next == '$');
}

std::string unescaped_until_space(const std::string& text, std::size_t& at) {
  std::string word;
  for (; at < text.size() && !std::isspace(static_cast<unsigned char>(text[at])); ++at) {
    if (text.compare(at, 2, "\\\n") == 0) break;
    if (is_escape(text, at)) ++at;
    word += text[at];
  }
  return word;
}

std::vector<std::string> prerequisites(const std::string& makefile) {
  std::vector<std::string> words;
  std::size_t at = makefile.find(" :");
  if (at == std::string::npos) at = makefile.find(':');
  if (at == std::string::npos) return words;
  for (at = makefile.find(':', at) + 1; at < makefile.size(); ++at) {
    std::string word = unescaped_until_space(makefile, at);
    if (!word.empty()) words.push_back(std::move(word));
  }
  return words;
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [end, ignored] = std::ranges::mismatch(folder, path);
  return end == folder.end();
}

} // namespace

Store::Store(const fs::path& root) : root_(fs::absolute(root)) {
  for (const char* folder : {"results", "artifacts", "work"})
    fs::create_directories(root_ / folder);
}

fs::path Store::result_path(const std::string& key) const {
  return root_ / "results" / (key + ".json");
}

// Lock files are never removed, because another process may be about to wait on one; there are at
// most 4,096. Keys that share one wait for each other.
fs::path Store::lock_path(const std::string& key) const {
  return root_ / "work" / (key.substr(0, 3) + ".lock");
}

std::optional<Stored> Store::find(const std::string& key) const {
  const auto file = content(result_path(key));
  const auto text = file ? unsealed(*file) : std::nullopt;
  if (!text) return std::nullopt;
  Record record;
  try {
    record = from_json(json::parse(*text));
  } catch (const json::exception&) {
    return std::nullopt;
  }
  Stored stored;
  auto device = artifact(record.device, kDevice);
  if (!device) return std::nullopt;
  stored.made.device = std::move(*device);
  if (!record.library.empty()) {
    auto library = artifact(record.library, kLibraryEnding);
    if (!library) return std::nullopt;
    stored.made.library = std::move(*library);
    stored.library = artifact_path(record.library, kLibraryEnding);
  }
  if (!std::ranges::all_of(record.result.headers, unchanged)) return std::nullopt;
  stored.result = std::move(record.result);
  mark_used(result_path(key));
  return stored;
}

fs::path Store::artifact_path(const std::string& name, const char* suffix) const {
  return root_ / "artifacts" / (name + suffix);
}

std::optional<std::string> Store::artifact(const std::string& name, const char* suffix) const {
  const auto path = artifact_path(name, suffix);
  auto bytes = content(path);
  if (!bytes || digest(*bytes) != name) return std::nullopt;
  mark_used(path);
  return bytes;
}

Stored Store::put(const std::string& key, Result result, Made made) const {
  Record record{std::move(result), digest(made.device), ""};
  system::write_file(artifact_path(record.device, kDevice), made.device);
  Stored stored;
  if (!made.library.empty()) {
    record.library = digest(made.library);
    stored.library = artifact_path(record.library, kLibraryEnding);
    system::write_file(stored.library, made.library);
  }
  system::write_file(result_path(key), sealed(to_json(record).dump()));
  stored.result = std::move(record.result);
  stored.made = std::move(made);
  return stored;
}

system::FileLock Store::lock(const std::string& key) const {
  system::FileLock lock(lock_path(key));
  if (!lock.held())
    throw fs::filesystem_error("cannot lock", lock_path(key),
                               std::error_code(errno, std::generic_category()));
  return lock;
}

// A holder that was killed may have left a compiler that is not ended yet, and writes: a folder
// that is being filled cannot be emptied, but it can be moved away with who is in it.
fs::path Store::workspace(const std::string& key) const {
  fs::path folder = root_ / "work" / key;
  std::error_code gone;
  if (fs::exists(folder, gone)) {
    const auto aside = system::fresh_folder(folder);
    fs::rename(folder, aside, gone);
    fs::remove_all(aside, gone); // or when the store is pruned
  }
  fs::remove_all(folder);
  // Where nvcc runs out of room it calls that an error, and the student's file would get the blame.
  if (fs::space(root_).available < kLeastRoom)
    throw fs::filesystem_error("too little room to compile", root_,
                               std::make_error_code(std::errc::no_space_on_device));
  fs::create_directory(folder);
  return folder;
}

void Store::clear_abandoned_workspaces() const {
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator(root_ / "work", gone)) {
    if (!entry.is_directory(gone)) continue;
    const system::FileLock lock(lock_path(entry.path().filename()),
                                system::FileLock::Busy::give_up);
    if (lock.held()) fs::remove_all(entry.path(), gone);
  }
}

void Store::prune(std::uint64_t most) const {
  clear_abandoned_workspaces();
  struct Entry {
    fs::file_time_type used;
    std::uint64_t size;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  std::error_code gone; // by another process, meanwhile
  for (const char* folder : {"results", "artifacts"})
    for (const auto& file : fs::directory_iterator(root_ / folder, gone)) {
      const Entry entry{file.last_write_time(gone), file.file_size(gone), file.path()};
      if (gone) continue;
      total += entry.size;
      entries.push_back(entry);
    }
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& entry : entries) {
    if (total <= most) return;
    fs::remove(entry.path, gone);
    total -= entry.size;
  }
}

std::vector<Header> headers_in(const std::string& dependencies, const fs::path& toolkit) {
  std::vector<Header> headers;
  for (const std::string& word : prerequisites(dependencies)) {
    const fs::path path = fs::path(word).lexically_normal();
    if (path.is_absolute() && !is_below(path, toolkit))
      headers.push_back({path, digest_of_header(path)});
  }
  return headers;
}

} // namespace course::build
