#include "runtime/host_call.hpp"

#include "system/descriptor.hpp"
#include "system/temporary_folder.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace course::runtime {
namespace {

// Who computes on it may be another user. It stays open here: what that process does to the file's
// name or length, no byte of another file is read.
class SharedMemory {
public:
  SharedMemory(std::filesystem::path path, device::Address begin, std::uint64_t size)
      : path_(std::move(path)), begin_(begin),
        file_(open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) {
    if (!file_ || fchmod(file_.get(), 0666) != 0 ||
        ftruncate(file_.get(), static_cast<off_t>(size)) != 0)
      fail();
  }
  void write(const device::Buffer& buffer) const {
    for (std::size_t done = 0; done < buffer.bytes.size();) {
      const auto count = pwrite(file_.get(), buffer.bytes.data() + done, buffer.bytes.size() - done,
                                place_of(buffer, done));
      if (count <= 0) fail();
      done += static_cast<std::size_t>(count);
    }
  }
  // Zeros where the file is too short by now.
  device::Bytes read(const device::Buffer& buffer) const {
    device::Bytes bytes(buffer.bytes.size());
    for (std::size_t done = 0; done < bytes.size();) {
      const auto count =
          pread(file_.get(), bytes.data() + done, bytes.size() - done, place_of(buffer, done));
      if (count < 0) fail();
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
    }
    return bytes;
  }
  const std::filesystem::path& path() const { return path_; }

private:
  off_t place_of(const device::Buffer& buffer, std::size_t done) const {
    return static_cast<off_t>(buffer.address - begin_ + done);
  }
  [[noreturn]] void fail() const {
    throw std::filesystem::filesystem_error("cannot hold the arrays of a reference", path_,
                                            {errno, std::generic_category()});
  }

  std::filesystem::path path_;
  device::Address begin_;
  system::Descriptor file_;
};

} // namespace

HostCall call_on_host(const Host& host, const std::filesystem::path& library, const Call& call,
                      const std::vector<device::Buffer>& memory, sandbox::Limits limits) {
  const auto begin = memory.front().address;
  const auto size = memory.back().address + memory.back().bytes.size() - begin;
  const system::TemporaryFolder folder("course_reference");
  const SharedMemory shared(folder.path() / "arrays", begin, size);
  for (const auto& buffer : memory) shared.write(buffer);
  limits.memory += size;
  HostCall done;
  done.recording = record(host, library, {}, call, limits, MappedFile{shared.path(), begin});
  if (done.recording.end == Recording::End::returned)
    for (const auto& buffer : memory) done.memory.push_back(shared.read(buffer));
  return done;
}

} // namespace course::runtime
