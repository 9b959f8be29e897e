// Host code that touches managed memory which a kernel may still be using.
//
// Here a kernel is done when its launch returns. So that such a race shows all the same, the pages
// that launches have touched are protected until the host waits: what a kernel changed cannot be
// reached at all, what it only read cannot be written. The first touch of a page lands in a signal
// handler, which notes it and lets it pass. The grader, which knows each word that kernels touched,
// says whether it is a race.
//
// Where a page has words that are there for host code to look at meanwhile, others of it may be
// read too early, or behind such a look: it is protected again when the instruction is done, for
// which the processor traps behind it.
#include "runtime/client/caller.hpp"
#include "runtime/client/grader.hpp"
#include "runtime/client/managed.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <iterator>
#include <mutex>
#include <sys/mman.h>
#include <sys/ucontext.h>
#include <vector>

namespace course::client {

namespace {

constexpr std::size_t kMostRanges = 1024, kMostTouches = 1024; // more are let pass

struct Range {
  std::atomic<std::uint64_t> begin{0}, end{0};
  std::atomic<int> protection{PROT_NONE};
  std::atomic<bool> for_host{false}; // each instruction that touches it is told
};

// Read by the signal handler.
std::array<Range, kMostRanges> ranges;
std::atomic<std::size_t> range_count{0};
struct Touch {
  std::atomic<std::uint64_t> address; // and 1 for a write
  OwnFrames from;
};
std::array<Touch, kMostTouches> touches;
std::atomic<std::size_t> touch_count{0};
struct sigaction before_us, before_traps;
bool traps = false; // come to us
std::mutex changing;

// Odd while pages and `ranges` are being changed: a thread may fault on a page that another one
// is opening or protecting.
std::atomic<std::uint64_t> changes{0};
struct OfThread {
  bool changes = false; // it is this thread that changes them
  std::uint64_t last_fault = 0, changes_at_last_fault = 0;
  // Pages that are open for one instruction.
  static constexpr std::size_t kMost = 4;
  std::array<std::uint64_t, kMost> open{};
  std::size_t open_count = 0;
};
// The handler reads it, and other models of storage of threads may allocate.
[[gnu::tls_model("initial-exec")]] thread_local OfThread of_thread;

class Changing {
public:
  Changing() : lock_(changing) {
    of_thread.changes = true;
    ++changes;
  }
  ~Changing() {
    ++changes;
    of_thread.changes = false;
  }
  Changing(const Changing&) = delete;

private:
  std::lock_guard<std::mutex> lock_;
};

const Range* range_at(std::uint64_t address) { // nullptr: it is not guarded
  for (std::size_t i = 0; i < range_count; ++i)
    if (address >= ranges[i].begin && address < ranges[i].end) return &ranges[i];
  return nullptr;
}

void open_up(std::uint64_t begin, std::uint64_t end) {
  mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE);
}

// Whether the page has been opened since the access that faulted, so that it only has to be tried
// again. Not where it was tried, and nothing has changed since.
bool may_be_open(std::uint64_t address, std::uint64_t now) {
  if (of_thread.last_fault == address && of_thread.changes_at_last_fault == now) return false;
  of_thread.last_fault = address;
  of_thread.changes_at_last_fault = now;
  return now != 0;
}

constexpr greg_t kTrapBehind = 0x100; // of the processor's flags: behind the next instruction

void on_trap(int, siginfo_t*, void* context) {
  if (of_thread.open_count == 0) {
    sigaction(SIGTRAP, &before_traps, nullptr);
    raise(SIGTRAP);
    return;
  }
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~kTrapBehind;
  const std::uint64_t now = changes;
  while (of_thread.open_count) {
    const std::uint64_t page = of_thread.open[--of_thread.open_count];
    const Range* range = (now & 1) ? nullptr : range_at(page);
    if (!range) continue;
    mprotect(reinterpret_cast<void*>(page), kPage, range->protection);
    if (changes != now) open_up(page, page + kPage); // another thread is at it
  }
}

// For one instruction, where it is to be told of the next one as well; else from now on.
void let_pass(std::uint64_t page, bool one_instruction, greg_t& flags) {
  if (one_instruction && traps && of_thread.open_count < OfThread::kMost) {
    of_thread.open[of_thread.open_count++] = page;
    flags |= kTrapBehind;
  }
  open_up(page, page + kPage);
}

void on_fault(int, siginfo_t* info, void* context) {
  constexpr greg_t kWrite = 2;
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  std::uint64_t now = 0;
  bool guarded = false, for_host = false;
  do {
    now = changes;
    const Range* range = range_at(address);
    guarded = range != nullptr;
    for_host = range && range->for_host;
  } while (!of_thread.changes && ((now & 1) || changes != now));
  if (!guarded) {
    if (may_be_open(address, now)) return;
    sigaction(SIGSEGV, &before_us, nullptr); // and the fault comes again
    return;
  }
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const bool writes = registers[REG_ERR] & kWrite;
  const auto place = touch_count.fetch_add(1);
  if (place < kMostTouches) {
    touches[place].address = (address & ~std::uint64_t{1}) | (writes ? 1 : 0);
    touches[place].from = own_frames(static_cast<std::uint64_t>(registers[REG_RIP]));
  }
  let_pass(address / kPage * kPage, for_host && place < kMostTouches, registers[REG_EFL]);
}

// Traps come to us where nobody else wants them.
void handle_traps() {
  struct sigaction now {};
  sigaction(SIGTRAP, nullptr, &now);
  traps = (now.sa_flags & SA_SIGINFO) ? now.sa_sigaction == on_trap : now.sa_handler == SIG_DFL;
  if (!traps || (now.sa_flags & SA_SIGINFO)) return;
  struct sigaction ours {};
  ours.sa_sigaction = on_trap;
  ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  traps = sigaction(SIGTRAP, &ours, &before_traps) == 0;
}

// Whether faults come to us: a program may have a handler of its own.
bool handles_faults() {
  struct sigaction now {};
  sigaction(SIGSEGV, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault) return true;
  if (now.sa_handler != SIG_DFL) return false;
  prepare_frames();
  struct sigaction ours {};
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  return sigaction(SIGSEGV, &ours, &before_us) == 0;
}

} // namespace

void tell_touches(const char* call) {
  const std::size_t count = std::min(touch_count.exchange(0), kMostTouches);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t touch = touches[i].address;
    const auto& from = touches[i].from;
    tell(call,
         protocol::HostTouched{touch & ~std::uint64_t{1},
                               (touch & 1) != 0,
                               {from.addresses.begin(), from.addresses.begin() + from.count}});
  }
}

namespace {

struct Guarded {
  Pages pages;
  bool changed = false; // by kernels
  bool for_host = false;
};

// What the grader says has to be guarded, by address.
std::vector<Guarded> wanted_guards(const runtime::Bytes& bytes) {
  // Begin, end, whether kernels changed it (1), and it is for host code to look at (2).
  std::array<std::uint64_t, 3> range{};
  std::vector<Guarded> wanted;
  for (std::size_t at = 0; at + sizeof range <= bytes.size(); at += sizeof range) {
    std::memcpy(range.data(), bytes.data() + at, sizeof range);
    for (const auto& pages : without_edges({range[0], range[1]}))
      if (wanted.size() < kMostRanges)
        wanted.push_back({pages, (range[2] & 1) != 0, (range[2] & 2) != 0});
  }
  std::ranges::sort(wanted, {}, [](const Guarded& one) { return one.pages.begin; });
  return wanted;
}

bool is_among(const std::vector<Guarded>& wanted, std::uint64_t begin, std::uint64_t end) {
  const auto after = std::ranges::upper_bound(wanted, begin, {},
                                              [](const Guarded& one) { return one.pages.begin; });
  return after != wanted.begin() && end <= std::prev(after)->pages.end;
}

} // namespace

void guard_managed(const char* call) {
  if (!any_managed()) return;
  const Changing change;
  if (!handles_faults()) return;
  ask<protocol::Data>(call, protocol::HostPages{}, [](const auto& data) {
    const auto wanted = wanted_guards(data.bytes);
    // Where another thread has waited meanwhile, less is wanted than this process guards.
    for (std::size_t i = 0; i < range_count; ++i)
      if (!is_among(wanted, ranges[i].begin, ranges[i].end))
        open_up(ranges[i].begin, ranges[i].end);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto& [pages, changed, for_host] = wanted[i];
      ranges[i].begin = pages.begin;
      ranges[i].end = pages.end;
      ranges[i].protection = changed ? PROT_NONE : PROT_READ;
      ranges[i].for_host = for_host;
      if (for_host) handle_traps();
      mprotect(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin, ranges[i].protection);
    }
    range_count = wanted.size();
  });
}

void open_managed(const char* call) {
  const Changing change;
  tell_touches(call);
  const std::size_t count = range_count;
  for (std::size_t i = 0; i < count; ++i) open_up(ranges[i].begin, ranges[i].end);
  range_count = 0;
}

void release_managed(const char* call) {
  if (range_count == 0) return;
  open_managed(call);
  tell(call, protocol::HostWaited{});
}

namespace {

// What was touched after the last call. Nothing is told when the grader is gone.
__attribute__((destructor)) void tell_last_touches() {
  if (touch_count != 0) tell_touches("exit");
}

} // namespace

} // namespace course::client
