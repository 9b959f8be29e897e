// A folder for as long as it is needed.
#pragma once

#include <filesystem>
#include <string_view>

namespace course::system {

// A folder that was not there: its name is `beginning` and six letters. For this user alone. Throws
// std::filesystem::filesystem_error.
std::filesystem::path fresh_folder(const std::filesystem::path& beginning);

// Below the folder for temporary files (TMPDIR), for this user alone; removed with all that is in
// it, whatever rights somebody took away there.
class TemporaryFolder {
public:
  // `name`: what its name begins with. Throws std::filesystem::filesystem_error.
  explicit TemporaryFolder(std::string_view name);
  TemporaryFolder(TemporaryFolder&&) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) noexcept;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }
  // Programs of other users may pass through it, to files whose names they know.
  void let_pass() const; // throws std::filesystem::filesystem_error

private:
  std::filesystem::path path_;
};

} // namespace course::system
