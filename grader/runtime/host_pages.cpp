#include "runtime/host_pages.hpp"

#include "device/live.hpp"
#include "runtime/sealed_file.hpp"

#include <sys/mman.h>

namespace course::runtime {

namespace {

constexpr std::uint64_t kPage = 4096;

} // namespace

HostPages::~HostPages() {
  for (const auto& [address, range] : ranges_) munmap(range.bytes, range.mapped);
}

std::byte* HostPages::share(device::Address address, std::uint64_t size,
                            std::vector<Piece>& fresh) {
  Range range;
  range.begin = address / kPage * kPage;
  range.end = (address + size + kPage - 1) / kPage * kPage;
  range.mapped = range.end - range.begin + kPage; // what is behind the last byte may be read
  static_assert(device::Live::kSlack <= kPage);
  const bool made = make_files(range.begin, range.end, fresh);
  for (auto page = range.begin; made && page < range.end; page += kPage) ++pages_[page].ranges;
  range.bytes = made ? map(range) : nullptr;
  if (!range.bytes) {
    fresh.clear();
    if (made) release_pages(range);
    return nullptr;
  }
  ranges_[address] = range;
  return range.bytes + (address - range.begin);
}

void HostPages::unshare(device::Address address) {
  const auto found = ranges_.find(address);
  if (found == ranges_.end()) return;
  munmap(found->second.bytes, found->second.mapped);
  release_pages(found->second);
  ranges_.erase(found);
}

// For pages that are in none yet. One for each run of them.
bool HostPages::make_files(device::Address begin, device::Address end, std::vector<Piece>& fresh) {
  for (auto page = begin; page < end;) {
    if (pages_.contains(page)) {
      page += kPage;
      continue;
    }
    const auto known = pages_.upper_bound(page);
    const auto run_end = known == pages_.end() ? end : std::min(end, known->first);
    const auto file = std::make_shared<system::Descriptor>(
        sealed_file("course memory of the host", run_end - page));
    if (!*file) {
      for (const auto& piece : fresh)
        for (auto made = piece.begin; made < piece.end; made += kPage) pages_.erase(made);
      return false;
    }
    fresh.push_back({page, run_end, path_of(*file)});
    for (const auto first = page; page < run_end; page += kPage)
      pages_[page] = {file, page - first, 0};
  }
  return true;
}

std::byte* HostPages::map(const Range& range) {
  void* all =
      mmap(nullptr, range.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return nullptr;
  auto* bytes = static_cast<std::byte*>(all);
  for (auto page = range.begin; page < range.end;) {
    const Page& first = pages_.at(page);
    auto run_end = page + kPage; // of one file, page behind page
    while (run_end < range.end && pages_.at(run_end).file == first.file) run_end += kPage;
    if (mmap(bytes + (page - range.begin), run_end - page, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_FIXED, first.file->get(),
             static_cast<off_t>(first.offset)) == MAP_FAILED) {
      munmap(all, range.mapped);
      return nullptr;
    }
    page = run_end;
  }
  return bytes;
}

void HostPages::release_pages(const Range& range) {
  for (auto page = range.begin; page < range.end; page += kPage)
    if (const auto found = pages_.find(page); found != pages_.end() && --found->second.ranges == 0)
      pages_.erase(found);
}

} // namespace course::runtime
