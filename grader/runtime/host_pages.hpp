// Pages of a program's own memory that the device has as well: cudaHostRegister.
//
// The program goes on at the same addresses, so its pages are replaced by pages of files that are
// mapped here too. What is registered begins and ends anywhere, and two neighbours may share a
// page: files are kept by page, and each range is one stretch here, put together of their pages.
#pragma once

#include "device/device.hpp"
#include "system/descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace course::runtime {

class HostPages {
public:
  // Pages of the program that it still has to replace by this file's, from its beginning, after it
  // has written there what they hold.
  struct Piece {
    device::Address begin = 0, end = 0;
    std::string path;
  };

  HostPages() = default;
  ~HostPages();
  HostPages(const HostPages&) = delete; // it maps memory

  // Where the first of `size` bytes (more than 0) of the program's memory is here, with
  // device::Live::kSlack bytes behind them; owned by this until `unshare`. nullptr: this computer
  // has no room, and nothing has changed. Ranges may not overlap.
  std::byte* share(device::Address, std::uint64_t size, std::vector<Piece>& fresh);
  // Of the range that begins here; nothing happens where none does.
  void unshare(device::Address);

private:
  struct Page {
    std::shared_ptr<system::Descriptor> file; // open as long as a page of it is in use
    std::uint64_t offset = 0;
    std::uint32_t ranges = 0; // that it is part of
  };
  struct Range {
    device::Address begin = 0, end = 0; // whole pages
    std::byte* bytes = nullptr;
    std::size_t mapped = 0;
  };

  bool make_files(device::Address begin, device::Address end, std::vector<Piece>& fresh);
  std::byte* map(const Range&);
  void release_pages(const Range&);

  std::map<device::Address, Page> pages_;
  std::map<device::Address, Range> ranges_; // by their first byte
};

} // namespace course::runtime
