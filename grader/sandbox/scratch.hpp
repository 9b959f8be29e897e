// Folders that belong to one run of an untrusted program.
#pragma once

#include "system/temporary_folder.hpp"

#include <filesystem>
#include <optional>
#include <sys/types.h>

namespace course::sandbox {

// A fresh folder for the program's user; none: for this one. Throws
// std::filesystem::filesystem_error.
system::TemporaryFolder scratch_folder(std::optional<uid_t> user);

// Makes a folder the program's user's while it lives, then its former owner's again. Its content is
// left as it is.
class Lent {
public:
  Lent(const std::filesystem::path&, uid_t user); // throws std::filesystem::filesystem_error
  Lent(Lent&&) noexcept;
  Lent& operator=(Lent&&) noexcept;
  ~Lent();

private:
  int folder_ = -1;
  uid_t owner_ = 0;
  gid_t group_ = 0;
};

} // namespace course::sandbox
