#include "device/emulator/check/stream_order.hpp"

#include <algorithm>
#include <utility>

namespace course::emulator {

void StreamOrder::join(Clock& clock, const Clock& other) {
  for (const auto& [stream, number] : other) clock[stream] = std::max(clock[stream], number);
}

// The clock of a stream, when something is put into it.
StreamOrder::Clock& StreamOrder::enter(std::uint32_t stream) {
  Clock& clock = streams_[stream];
  join(clock, host_);
  const auto join_of = [&](std::uint32_t other) {
    for (std::uint32_t each = other; each < kBeside; each += kOneBeside)
      if (const auto found = streams_.find(each); found != streams_.end())
        join(clock, found->second);
  };
  if (any_early_) join_of(stream);
  if (stream == 0) {
    for (const auto& [other, blocking] : blocking_)
      if (blocking) join_of(other);
  } else if (const auto made = blocking_.find(stream); made == blocking_.end() || made->second) {
    join_of(0);
  }
  return clock;
}

void StreamOrder::apply(const device::StreamCall& call) {
  using What = device::StreamCall::What;
  switch (call.what) {
  case What::create_blocking:
  case What::create_non_blocking: {
    const bool blocking = call.what == What::create_blocking;
    if (call.stream == 0 || !blocking_.emplace(call.stream, blocking).second) return;
    non_blocking_ += blocking ? 0 : 1;
    return;
  }
  case What::use:
    in_use_ = call.stream;
    return;
  case What::begins_early:
    any_early_ = true;
    early_ = call.stream;
    return;
  case What::record:
    last_.erase(call.stream);
    if (events_.size() < kMost) events_[call.event] = enter(call.stream);
    return;
  case What::wait:
    last_.erase(call.stream);
    if (const auto event = events_.find(call.event); event != events_.end())
      join(enter(call.stream), event->second);
    return;
  case What::host_waits:
    join(host_, enter(call.stream));
    return settle();
  case What::host_waits_event:
    if (const auto event = events_.find(call.event); event != events_.end())
      join(host_, event->second);
    return settle();
  case What::host_waits_for_all:
    for (const auto& [stream, clock] : streams_) join(host_, clock);
    return settle();
  }
}

// What the host has waited for is before all that it asks for later.
void StreamOrder::settle() {
  for (const auto& [stream, clock] : streams_) {
    const auto last = clock.find(stream);
    const auto waited = host_.find(stream);
    if (last == clock.end()) continue;
    if (waited == host_.end() || waited->second < last->second) return;
  }
  streams_.clear();
  events_.clear();
  last_.clear();
  host_.clear();
  settled_ = true;
}

bool StreamOrder::concurrent() const {
  return (non_blocking_ > 0 || blocking_.size() > 1 || any_early_) && blocking_.size() <= kMost &&
         events_.size() <= kMost;
}

std::uint32_t StreamOrder::beside(std::uint32_t stream) {
  const std::uint32_t next = stream + kOneBeside;
  return next < kBeside ? next : stream & ~kBeside;
}

StreamOrder::Work StreamOrder::begin(LetsNext lets) {
  any_early_ = any_early_ || lets == LetsNext::itself;
  const bool lets_next = any_early_ && lets != LetsNext::when_done;
  beside_.reset();
  const auto last = last_.find(in_use_);
  const bool early = std::exchange(early_, std::nullopt) == in_use_ && last != last_.end();
  if (early) {
    beside_ = last->second.work;
    working_ = beside(beside_->stream);
    join(streams_[working_], last->second.before);
    join(streams_[working_], host_);
  } else {
    working_ = in_use_;
    enter(working_);
  }
  Clock& clock = streams_[working_];
  last_.erase(in_use_);
  if (lets_next) last_[in_use_].before = clock;
  const Work work{working_, ++clock[working_]};
  if (lets_next) last_[in_use_].work = work;
  return work;
}

std::uint32_t StreamOrder::known(std::uint32_t stream) const {
  const auto clock = streams_.find(working_);
  if (clock == streams_.end()) return 0;
  const auto number = clock->second.find(stream);
  return number == clock->second.end() ? 0 : number->second;
}

bool StreamOrder::host_knows(Work work) const {
  const auto number = host_.find(work.stream);
  return number != host_.end() && number->second >= work.number;
}

bool StreamOrder::take_settled() {
  return std::exchange(settled_, false);
}

} // namespace course::emulator
