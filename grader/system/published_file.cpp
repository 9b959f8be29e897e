#include "system/published_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace course::system {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWaiting = 1 << 16; // bytes that one write takes

[[noreturn]] void fail(const fs::path& file, int error) {
  throw fs::filesystem_error("cannot write", file, std::error_code(error, std::generic_category()));
}

void sync_folder(const fs::path& folder) {
  const auto* name = folder.empty() ? "." : folder.c_str();
  const int descriptor = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return; // it may be written to and not read
  fsync(descriptor);
  close(descriptor);
}

} // namespace

Draft::Draft(fs::path target, mode_t mode) : target_(std::move(target)) {
  if (target_.has_parent_path()) fs::create_directories(target_.parent_path());
  temporary_ = (target_.parent_path() / ".").string();
  temporary_ += target_.filename().string();
  temporary_ += ".XXXXXX";
  descriptor_ = mkostemp(temporary_.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail(target_, errno);
  if (fchmod(descriptor_, mode) != 0) error_ = errno;
}

Draft::~Draft() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(temporary_.c_str());
}

void Draft::write(std::string_view part) {
  waiting_ += part;
  if (waiting_.size() >= kWaiting) flush();
}

void Draft::flush() {
  std::string_view rest = waiting_;
  while (!rest.empty() && error_ == 0) {
    const auto written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno != EINTR) error_ = errno;
    if (written > 0) rest.remove_prefix(written);
  }
  waiting_.clear();
}

void Draft::publish(Durable durable) {
  flush();
  if (error_ == 0 && durable == Durable::yes && fsync(descriptor_) != 0) error_ = errno;
  if (error_ == 0 && std::rename(temporary_.c_str(), target_.c_str()) != 0) error_ = errno;
  if (error_ != 0) fail(target_, error_);
  close(descriptor_);
  descriptor_ = -1;
  if (durable == Durable::yes) sync_folder(target_.parent_path());
}

void publish(const fs::path& file, std::string_view bytes, Durable durable) {
  Draft draft(file);
  draft.write(bytes);
  draft.publish(durable);
}

} // namespace course::system
