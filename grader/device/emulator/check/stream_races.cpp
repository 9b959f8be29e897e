#include "device/emulator/check/stream_races.hpp"

#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/footprint.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/state/lane_places.hpp"
#include "device/emulator/state/launch.hpp"
#include "device/splitmix64.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace course::emulator {

// One page, of each stream that has touched it.
struct StreamPage {
  using Array = std::atomic<std::uint32_t>;
  struct Stream {
    std::uint32_t number = 0;
    Stream* next = nullptr;
    // By kind of access; accesses of whole words, and those of bytes.
    std::array<std::array<std::atomic<Array*>, 2>, StreamRaces::kKinds> of{};
  };
  std::atomic<Stream*> first{nullptr};
  std::deque<Stream> streams;
};

namespace {

constexpr std::uint32_t kWord = 4;
// What is known of a whole launch, as if it were a block beyond all that there are.
constexpr std::uint64_t kLaunches = 1ull << 60;

// A part of an access that lies in one page, at words or at bytes.
template <typename F>
void for_pieces(std::uint64_t offset, std::uint64_t size, F&& f) {
  const std::uint64_t end = offset + size;
  while (offset < end) {
    const std::uint64_t stop = std::min(end, (offset / kPageBytes + 1) * kPageBytes);
    const auto at = static_cast<std::uint32_t>(offset % kPageBytes);
    f(offset / kPageBytes, at, static_cast<std::uint32_t>(stop - offset));
    offset = stop;
  }
}

// What work does to memory that is as the access found, seen from another stream.
Message in_another_stream(const WorkName& work, Says access) {
  const Says verb = work.kernel == kAllocates ? Says::stream_allocates
                    : work.kernel == kFrees   ? Says::stream_frees
                                              : access;
  return Message(verb, work.called);
}

} // namespace

StreamRaces::StreamRaces() = default;
StreamRaces::~StreamRaces() {
  forget();
}

void StreamRaces::begin(const StreamOrder& order, StreamOrder::Work work, const Program* program,
                        WorkName name, ConstantVariables* constants) {
  constants_ = constants;
  const std::size_t sites = program ? program->sites().size() + 1 : 1;
  if (sites > std::numeric_limits<Toucher>::max() - next_) forget();
  first_ = next_;
  next_ += static_cast<Toucher>(sites);
  const auto known = streams_.try_emplace(work.stream, static_cast<u32>(streams_.size()));
  stream_ = known.first->second;
  works_.push_back({first_, next_, program, std::move(name), stream_, work.asked_for()});
  begun_.resize(streams_.size());
  begun_[stream_].push_back({work.number, first_});
  earlier_.reset();
  if (const auto beside = order.beside(); beside && streams_.contains(beside->stream)) {
    const auto& begun = begun_[streams_.at(beside->stream)];
    const std::pair<u32, Toucher> its{beside->number, 0};
    const auto found = std::lower_bound(begun.begin(), begun.end(), its);
    if (found != begun.end()) earlier_ = number_of(found->second);
  }
  unordered_.assign(streams_.size(), 0);
  for (const auto& [stream, number] : streams_) {
    const std::pair<u32, Toucher> behind{order.known(stream) + 1, 0};
    const auto& begun = begun_[number];
    const auto next = std::lower_bound(begun.begin(), begun.end(), behind);
    unordered_[number] = std::max(unordered_[number], next == begun.end() ? first_ : next->second);
    // The last one of the stream has been behind those before it. Its own first is the last here.
    auto last = next;
    if (last != begun.begin() && std::prev(last)->second == first_) --last;
    if (last != begun.begin()) join(unordered_, works_[number_of(std::prev(last)->second)].at_end);
  }
  // It begins when the other has come to its end at last, but does not see what that has done.
  if (earlier_) join(unordered_, works_[*earlier_].at_end);
  works_.back().at_end = unordered_;
}

void StreamRaces::join(Before& one, const Before& other) {
  one.resize(std::max(one.size(), other.size()));
  for (std::size_t stream = 0; stream < other.size(); ++stream)
    one[stream] = std::max(one[stream], other[stream]);
}

void StreamRaces::be_behind(Before& one, const Work& work) const {
  join(one, work.at_end);
  one[work.stream] = std::max(one[work.stream], work.end);
}

StreamRaces::Kind StreamRaces::kind_of(const Warp& warp, const MemoryOperand& access) {
  // A scope of one block does not reach another launch.
  const bool strong = is_strong(access) && order_of(warp, access).scope == Scope::device;
  if (access.direction == Direction::load) return strong ? strong_read : read;
  return strong ? strong_change : write;
}

StreamPage& StreamRaces::page(Allocation& memory, std::uint64_t index) {
  if (auto* pages = std::atomic_ref(memory.stream_pages).load(std::memory_order_acquire))
    if (StreamPage* known = pages[index].load(std::memory_order_acquire)) return *known;
  const std::lock_guard lock(mutex_);
  std::atomic_ref all(memory.stream_pages);
  if (!all.load(std::memory_order_relaxed)) {
    all.store(
        new std::atomic<StreamPage*>[memory.size / kPageBytes + 2] {}, std::memory_order_release);
    touched_.push_back(&memory);
  }
  auto& place = all.load(std::memory_order_relaxed)[index];
  if (!place.load(std::memory_order_relaxed))
    place.store(&pages_.emplace_back(), std::memory_order_release);
  return *place.load(std::memory_order_relaxed);
}

// Of this work's stream.
StreamRaces::Array* StreamRaces::array(StreamPage& page, Kind kind, bool bytes) {
  const auto find = [&] {
    StreamPage::Stream* mine = page.first.load(std::memory_order_acquire);
    while (mine && mine->number != stream_) mine = mine->next;
    return mine;
  };
  StreamPage::Stream* mine = find();
  if (mine)
    if (Array* made = mine->of[kind][bytes].load(std::memory_order_acquire)) return made;
  const std::lock_guard lock(mutex_);
  mine = find();
  if (!mine) {
    mine = &page.streams.emplace_back();
    mine->number = stream_;
    mine->next = page.first.load(std::memory_order_relaxed);
    page.first.store(mine, std::memory_order_release);
  }
  auto& place = mine->of[kind][bytes];
  if (!place.load(std::memory_order_relaxed)) {
    arrays_.push_back(std::make_unique<Array[]>(bytes ? kPageBytes : kPageBytes / kWord));
    place.store(arrays_.back().get(), std::memory_order_release);
  }
  return place.load(std::memory_order_relaxed);
}

StreamRaces::Conflict StreamRaces::conflict(const StreamPage& page, std::uint32_t at,
                                            std::uint32_t width, Kind kind) const {
  static constexpr bool kRaces[kKinds][kKinds] = {{false, true, false, true},
                                                  {true, true, true, true},
                                                  {false, true, false, false},
                                                  {true, true, false, false}};
  Conflict found;
  for (const auto* other = page.first.load(std::memory_order_acquire); other; other = other->next) {
    if (other->number == stream_ || other->number >= unordered_.size()) continue;
    const Toucher since = unordered_[other->number];
    if (since >= first_) continue;
    for (std::size_t theirs = 0; theirs < kKinds; ++theirs) {
      if (!kRaces[kind][theirs]) continue;
      for (const bool bytes : {false, true}) {
        const Array* array = other->of[theirs][bytes].load(std::memory_order_acquire);
        if (!array) continue;
        const u32 unit = bytes ? 1 : kWord;
        for (u32 k = at / unit; k <= (at + width - 1) / unit; ++k) {
          const Toucher who = array[k].load(std::memory_order_relaxed);
          // Several may be found: the first of the program, so that it is always the same one.
          if (who >= since && (!found.who || who < found.who))
            found = {who, static_cast<Kind>(theirs)};
        }
      }
    }
  }
  return found;
}

StreamRaces::Conflict StreamRaces::touch(StreamPage& page, std::uint32_t at, std::uint32_t width,
                                         Kind kind, Toucher who) {
  const Conflict found = conflict(page, at, width, kind);
  const auto note = [&](bool bytes, u32 from, u32 to) {
    Array* array = this->array(page, kind, bytes);
    for (u32 k = from; k < to; ++k) {
      Toucher before = array[k].load(std::memory_order_relaxed);
      while ((before < first_ || before > who) &&
             !array[k].compare_exchange_weak(before, who, std::memory_order_relaxed)) {
      }
    }
  };
  const u32 end = at + width;
  const u32 first = std::min(end, (at + kWord - 1) / kWord * kWord), last = end / kWord * kWord;
  if (first >= last) {
    note(true, at, end);
    return found;
  }
  if (at < first) note(true, at, first);
  note(false, first / kWord, last / kWord);
  if (last < end) note(true, last, end);
  return found;
}

void StreamRaces::note(Warp& warp, const MemoryOperand& access, std::uint32_t mask,
                       Allocation& memory, const LaneAddresses& at) {
  const Kind kind = kind_of(warp, access);
  const Toucher who = first_ + access.id;
  const u32 width = access.width();
  if (mask == kAllLanes && width >= kWord && neighbours(at, width)) { // most: all lanes at once
    bool any = false;
    for_pieces(at.of[0] - memory.base, std::uint64_t{width} * kLanes,
               [&](u64 index, u32 begin, u32 bytes) {
                 any = touch(page(memory, index), begin, bytes, kind, who).who != 0 || any;
               });
    if (!any) return;
  }
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    for_pieces(at.of[lane] - memory.base, width, [&](u64 index, u32 begin, u32 bytes) {
      const Conflict found = touch(page(memory, index), begin, bytes, kind, who);
      if (found.who) [[unlikely]]
        report(warp, access, lane, memory, index * kPageBytes + begin, found);
    });
  }
}

void StreamRaces::note_constant(Warp& warp, const MemoryOperand& access, std::uint32_t mask,
                                const LaneOffsets& at) {
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    auto variable = constants_->upper_bound(at.of[lane]);
    if (variable == constants_->begin()) continue;
    --variable;
    LaneAddresses address;
    address.of[lane] = variable->second.base + (at.of[lane] - variable->first);
    note(warp, access, 1u << lane, variable->second, address);
  }
}

std::vector<device::Finding> StreamRaces::note(Allocation& memory, std::uint64_t offset,
                                               std::uint64_t size, bool writes) {
  std::map<Toucher, device::Finding> found; // by line of the other work
  const Kind kind = writes ? write : read;
  for_pieces(offset, size, [&](u64 index, u32 begin, u32 width) {
    StreamPage& here = page(memory, index);
    const auto* other = here.first.load(std::memory_order_acquire);
    const bool alone = !other || (!other->next && other->number == stream_);
    for (u32 at = begin; !alone && at < begin + width; at = at / kWord * kWord + kWord) {
      const Conflict with = conflict(here, at, 1, kind);
      if (!with.who) continue;
      const auto [place, is_new] = found.try_emplace(with.who);
      device::Finding& finding = place->second;
      finding.count += is_new ? 0 : 1;
      if (!is_new) continue;
      const Work& work = works_[number_of(with.who)];
      finding.kind = device::FindingKind::race;
      finding.meeting = device::Meeting::between_streams;
      finding.kernel = work.name.kernel;
      if (work.program) {
        const ptx::SourceLine& line = work.program->sites()[with.who - work.first].source;
        finding.file = work.program->file_of(line);
        finding.line = line.line;
      }
      const Says did = work.name.kernel == kAllocates                  ? Says::allocates
                       : with.kind == read || with.kind == strong_read ? Says::reads
                                                                       : Says::writes;
      finding.message = Message(
          Says::meets,
          Message(did, memory.element((index * kPageBytes + at) / kWord * kWord, kWord)),
          in_another_stream(works_.back().name, writes ? Says::stream_writes : Says::stream_reads),
          Message(Says::no_order_event));
    }
    touch(here, begin, width, kind, first_);
  });
  std::vector<device::Finding> findings;
  findings.reserve(found.size());
  for (auto& [who, finding] : found) findings.push_back(std::move(finding));
  return findings;
}

std::size_t StreamRaces::number_of(Toucher who) const {
  const auto behind = std::upper_bound(works_.begin(), works_.end(), who,
                                       [](Toucher at, const Work& w) { return at < w.first; });
  return static_cast<std::size_t>(behind - works_.begin()) - 1;
}

void StreamRaces::keep(const ReleasedPlaces& places) {
  for (const auto& [address, place] : places)
    if (place.to_device) released_[address] = works_.size() - 1;
}

void StreamRaces::acquire(Warp& warp, std::uint32_t lane, device::Address address) {
  const auto found = released_.find(address);
  if (found == released_.end()) return;
  put_behind(warp, lane, found->second);
}

void StreamRaces::wait_for_earlier(Warp& warp, std::uint32_t lane) {
  if (earlier_) put_behind(warp, lane, *earlier_);
}

void wait_for_earlier_launch(Warp& warp, const Operation&, std::uint32_t mask) {
  StreamRaces* const races = warp.block->launch->stream_races;
  if (!races || !warp.block->checks || !warp.block->checker->order.active()) return;
  for (u32 left = mask; left; left &= left - 1) races->wait_for_earlier(warp, lowest(left));
}

void StreamRaces::put_behind(Warp& warp, std::uint32_t lane, std::size_t work) {
  if (works_.back().acquired.insert(work).second) be_behind(works_.back().at_end, works_[work]);
  Knowledge whole;
  whole.all = std::numeric_limits<u32>::max();
  Clock& clock = warp.block->checker->order.own(warp.index * kLanes + lane);
  clock.seen = with(clock.seen, kLaunches + work, whole);
}

// Whether a lane is behind all of another work, by what it has acquired.
bool StreamRaces::is_behind(const Warp& warp, std::uint32_t lane, std::size_t work) const {
  const BlockOrder& order = warp.block->checker->order;
  const auto knows = [&](const Before& before) {
    return works_[work].stream < before.size() && works_[work].first < before[works_[work].stream];
  };
  return std::ranges::any_of(works_.back().acquired, [&](std::size_t from) {
    return (from == work || knows(works_[from].at_end)) &&
           order.covers(warp.index * kLanes + lane, kLaunches + from, 0);
  });
}

void StreamRaces::report(Warp& warp, const MemoryOperand& access, std::uint32_t lane,
                         const Allocation& memory, std::uint64_t offset, const Conflict& with) {
  const std::size_t number = number_of(with.who);
  if (is_behind(warp, lane, number)) return;
  const Work& work = works_[number];
  const Site* site = work.program ? &work.program->sites()[with.who - work.first] : nullptr;
  Block& block = *warp.block;
  const Program& program = *block.launch->program;
  const Site& here = program.sites()[access.id];
  u32 other_line = 0; // of the same file
  if (site && work.program->file_of(site->source) == program.file_of(here.source))
    other_line = site->source.line;
  // What makes two findings one has to be the same whoever comes first.
  const u64 other = device::splitmix64(std::hash<std::string>()(work.name.kernel) + other_line);
  block.checker->report_across(access.id, static_cast<u32>(other), other_line, warp, lane, [&] {
    const bool reads = with.kind == read || with.kind == strong_read;
    const bool updates = site && site->access && site->access->direction == Direction::atomic;
    Message mine = does(access, memory.element(offset, access.width()));
    if (earlier_ && work.asked_for == works_.back().asked_for) {
      const Says did = reads     ? Says::earlier_reads
                       : updates ? Says::earlier_updates
                                 : Says::earlier_writes;
      return Message(Says::meets, std::move(mine), Message(did, work.name.called),
                     Message(Says::no_order_early));
    }
    const Says did = reads     ? Says::stream_reads
                     : updates ? Says::stream_updates
                               : Says::stream_writes;
    return Message(Says::meets, std::move(mine), in_another_stream(work.name, did),
                   Message(Says::no_order_event));
  });
}

void StreamRaces::forget() {
  const std::lock_guard lock(mutex_);
  earlier_.reset();
  for (Allocation* memory : touched_) {
    delete[] memory->stream_pages;
    memory->stream_pages = nullptr;
  }
  touched_.clear();
  pages_.clear();
  arrays_.clear();
  streams_.clear();
  begun_.clear();
  works_.clear();
  released_.clear();
  unordered_.clear();
  first_ = 0;
  next_ = 1;
}

void StreamRaces::forget(Allocation& memory) {
  const std::lock_guard lock(mutex_);
  if (std::erase(touched_, &memory) == 0) return;
  delete[] memory.stream_pages;
  memory.stream_pages = nullptr;
}

} // namespace course::emulator
