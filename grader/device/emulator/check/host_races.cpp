#include "device/emulator/check/host_races.hpp"

#include "device/emulator/check/footprint.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/decode/decoded_module.hpp"

#include <algorithm>

namespace course::emulator {
namespace {

bool is_for_host(const Site& site) {
  const auto& body = site.code->function->body;
  if (!site.access || site.access->instruction >= body.size()) return false;
  const auto& modifiers = body[site.access->instruction].modifiers;
  return std::any_of(modifiers.begin(), modifiers.end(), [](const std::string& each) {
    return each == "volatile" || each == "sys" || each == "mmio";
  });
}

} // namespace

void HostRaces::begin(StreamOrder::Work work) {
  now_ = work;
  if (work.stream) return;
  // Others may be behind it, and so behind a part of a third.
  for (OfStream& one : all_) one.is_whole = one.is_whole || one.last.stream;
}

void HostRaces::part() {
  for (OfStream& one : all_) one.is_whole = true;
}

void HostRaces::waited(const StreamOrder& order) {
  std::erase_if(all_, [&](const OfStream& one) { return order.host_knows(one.last); });
}

HostRaces::OfStream& HostRaces::here() {
  constexpr std::size_t kMost = 256; // of more the first are forgotten
  for (OfStream& one : all_) {
    if (one.last.stream != now_.stream || one.is_whole) continue;
    one.last = now_;
    return one;
  }
  if (all_.size() == kMost) all_.pop_front();
  return all_.emplace_back(OfStream{now_, {}, false});
}

void HostRaces::note(const Footprint& footprint, const Program& program, const Code& entry,
                     const Counters& counters, const ReleasedPlaces& places) {
  std::map<const Allocation*, std::shared_ptr<By>> launches; // a launch, at each memory
  const auto launch_at = [&](const Allocation& memory) {
    auto& known = launches[&memory];
    if (known) return known;
    known = std::make_shared<By>();
    known->kernel = entry.shown;
    for (std::size_t id = 0; id < counters.size(); ++id) {
      if (!counters[id] || counters[id]->allocation != &memory) continue;
      const Site& site = program.sites()[id];
      auto& line = site.access->direction == Direction::load ? known->reads : known->writes;
      if (line == 0) line = site.source.line;
      known->file = program.file_of(site.source);
      known->for_host = known->for_host || is_for_host(site);
    }
    return known;
  };
  Pages* mine = nullptr;
  footprint.for_each_page([&](const Allocation& memory, std::uint64_t index, const Traces& traces) {
    if (memory.bytes.get_deleter().owned) return;
    if (!mine) mine = &here().pages;
    // Not a page's start where the host's memory begins.
    const auto first = memory.base + index * kPageBytes;
    Page* page = nullptr;
    device::Address page_end = 0;
    for (std::uint64_t k = 0; k < kPageBytes >> traces.shift; ++k) {
      const Trace trace = traces.of[k];
      if (!trace) continue;
      const device::Address at = first + (k << traces.shift);
      if (at >= page_end) {
        page = &(*mine)[at / kPageBytes * kPageBytes];
        page_end = at / kPageBytes * kPageBytes + kPageBytes;
      }
      const std::size_t word = at % kPageBytes / 4;
      if (trace & kTraceChanges) {
        page->changed.set(word);
        if (trace & kTraceWrite) page->plainly.set(word);
        if (!page->writer || page->writer->kernel != entry.shown) page->writer = launch_at(memory);
      }
      if (trace & ~kTraceChanges & (kTraceRead | kTraceStrongRead)) {
        page->read.set(word);
        page->reader = launch_at(memory);
      }
    }
  });
  if (!mine || !entry.releases_to_host) return;
  OfStream& work = here();
  for (const auto& [address, place] : places)
    if (place.to_device) work.flags.insert(address / 4 * 4);
  work.is_whole = work.is_whole || !work.flags.empty();
}

void HostRaces::note(const Allocation& memory, device::Address address, std::uint64_t size,
                     bool writes, const std::string& name) {
  if (memory.bytes.get_deleter().owned) return;
  const auto by = std::make_shared<By>();
  by->is_copy = true;
  by->kernel = name;
  Pages& mine = here().pages;
  for (const device::Address end = address + size; address < end;) {
    const device::Address base = address / kPageBytes * kPageBytes;
    const device::Address here = std::min(end, base + kPageBytes);
    Page& page = mine[base];
    for (std::size_t word = (address - base) / 4; word < (here - base + 3) / 4; ++word) {
      (writes ? page.changed : page.read).set(word);
      if (writes) page.plainly.set(word);
    }
    (writes ? page.writer : page.reader) = by;
    address = here;
  }
}

std::vector<device::TouchedPages> HostRaces::touched() const {
  std::map<device::Address, device::TouchedPages> pages;
  for (const OfStream& one : all_)
    for (const auto& [address, page] : one.pages) {
      auto& touched = pages[address];
      touched.changed = touched.changed || page.changed.any();
      touched.for_host = touched.for_host || (page.changed & ~page.plainly).any();
    }
  std::vector<device::TouchedPages> all;
  for (const auto& [address, touched] : pages) {
    if (!all.empty() && all.back().end == address && all.back().changed == touched.changed &&
        all.back().for_host == touched.for_host)
      all.back().end += kPageBytes;
    else
      all.push_back({address, address + kPageBytes, touched.changed, touched.for_host});
  }
  return all;
}

// Host code is behind the work, and behind what is before it in its stream.
void HostRaces::see(const OfStream& work) {
  for (OfStream& one : all_)
    if (one.last.stream == work.last.stream && one.last.number <= work.last.number)
      one.is_seen = true;
}

// The last of the works that there are.
std::optional<device::Finding> HostRaces::touch(const Allocation& memory, device::Address address,
                                                bool writes) {
  std::optional<device::Finding> race;
  for (const OfStream& one : all_) {
    if (!writes && one.flags.contains(address / 4 * 4)) see(one);
    if (one.is_seen) continue;
    if (auto found = touch(one.pages, memory, address, writes)) race = std::move(found);
  }
  return race;
}

std::optional<device::Finding> HostRaces::touch(const Pages& pages, const Allocation& memory,
                                                device::Address address, bool writes) const {
  const auto found = pages.find(address / kPageBytes * kPageBytes);
  if (found == pages.end()) return std::nullopt;
  const Page& page = found->second;
  const std::size_t word = address % kPageBytes / 4;
  const bool changed = page.changed[word];
  if (!changed && !(writes && page.read[word])) return std::nullopt;
  const By& by = changed ? *page.writer : *page.reader;
  if (by.for_host && !page.plainly[word]) return std::nullopt;
  Message place = memory.element((address - memory.base) / 4 * 4, 4);
  device::Finding finding;
  finding.kind = device::FindingKind::race;
  finding.meeting = device::Meeting::with_host;
  finding.kernel = by.kernel;
  if (by.is_copy) {
    finding.message = Message(writes ? Says::host_writes_of_copy : Says::host_reads_of_copy,
                              Message(changed ? Says::changes : Says::reads, std::move(place)));
    return finding;
  }
  finding.file = by.file;
  finding.line = changed ? by.writes : by.reads;
  finding.message = Message(writes ? Says::host_writes : Says::host_reads,
                            Message(changed ? Says::changes : Says::reads, std::move(place)));
  return finding;
}

} // namespace course::emulator
