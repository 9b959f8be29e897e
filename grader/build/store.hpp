// Results of compilations on disk, found by a key.
//
//   results/KEY.json   what a compilation said and what its result depends on, with a digest
//   artifacts/DIGEST…  what it made, named by its content: DIGEST.fatbin and, where there is host
//                      code, DIGEST.so
//   work/KEY/            the folder that nvcc runs in; work/KEY[0..2].lock is held meanwhile
//
// Everything is written under another name and renamed, and checked when it is read: an entry that
// is cut off, changed, or half pruned is not found, and made again. Any number of processes may use
// the same folder at once.
#pragma once

#include "system/file_lock.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace course::build {

// A header that a result depends on.
struct Header {
  std::string path, digest;
};

struct Result {
  std::string folder;   // that it was compiled in: nvcc writes it into the debug information
  std::string warnings; // UTF-8
  std::vector<Header> headers;
};

// The bytes of what a compilation made.
struct Made {
  std::string device;  // the fat binary
  std::string library; // empty when only device code was asked for
};

struct Stored {
  Result result;
  Made made;
  std::filesystem::path library; // where it is; empty when there is none
};

class Store {
public:
  // Makes the folders. Throws std::filesystem::filesystem_error.
  explicit Store(const std::filesystem::path& root);

  // Nothing when there is no such entry, it is damaged, or a header is no longer what it was.
  std::optional<Stored> find(const std::string& key) const;
  // Throws std::filesystem::filesystem_error.
  Stored put(const std::string& key, Result, Made) const;

  // Waits until nobody compiles for the key; the lock ends with the descriptor.
  system::FileLock lock(const std::string& key) const;
  // An empty folder for the holder of the lock. Its path depends on the key only, because nvcc
  // writes it into what it makes: the same source gives the same bytes.
  std::filesystem::path workspace(const std::string& key) const;

  // Removes what was not used for longest until `most` bytes are left, and workspaces whose holder
  // is gone.
  void prune(std::uint64_t most) const;

private:
  std::filesystem::path result_path(const std::string& key) const;
  std::filesystem::path lock_path(const std::string& key) const;
  std::filesystem::path artifact_path(const std::string& name, const char* suffix) const;
  std::optional<std::string> artifact(const std::string& name, const char* suffix) const;
  void clear_abandoned_workspaces() const;

  std::filesystem::path root_;
};

// The headers in a dependency file of nvcc -MD, which are written as in a Makefile; without those
// below `toolkit` and without relative paths, such as the source's own. Headers that cannot be read
// get the digest of nothing, so that they are never found unchanged.
std::vector<Header> headers_in(const std::string& dependencies,
                               const std::filesystem::path& toolkit);

} // namespace course::build
