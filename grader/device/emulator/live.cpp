#include "device/emulator/emulator.hpp"

#include "device/emulator/check/findings.hpp"
#include "device/emulator/count/line_rows.hpp"
#include "device/emulator/count/request_log.hpp"
#include "device/emulator/machine.hpp"
#include "device/emulator/state/device_heap.hpp"
#include "device/message_id.hpp"

#include <cstring>
#include <map>
#include <new>
#include <optional>
#include <tuple>
#include <utility>

namespace course::emulator {
namespace {

using device::Live;

// A program may run as long as it likes. A little below the largest number, so that adding to it
// does not overflow.
constexpr std::uint64_t kNoBudget = 1ull << 62;

class EmulatedLive final : public Live {
public:
  explicit EmulatedLive(const Options& options)
      : cores_(options.threads), machine_(cores_, options),
        budget_(options.budget ? options.budget : kNoBudget) {
    machine_.set_order(options.order);
    machine_.set_pace(&pace());
    if (options.trace) log_.emplace(*options.trace);
    machine_.watch(log_ ? &*log_ : nullptr, options.count_instructions);
    if (options.knows_launches) machine_.know_launches();
  }

  const model::Gpu& gpu() const override { return machine_.gpu(); }
  Answer load(device::Module, std::uint32_t& number) override;
  Answer execute(const device::Step&) override;
  Answer share(device::Address, std::byte* bytes, std::uint64_t size, bool read_only,
               const device::Message& named) override;
  Answer share_symbol(std::uint32_t module, const std::string& symbol, std::byte* bytes) override {
    return attempt([&]() -> Answer {
      machine_.share(module, symbol, bytes);
      return {};
    });
  }
  std::vector<device::TouchedPages> touched_pages() const override {
    return machine_.host_races().touched();
  }
  void host_touches(device::Address address, bool writes,
                    const std::function<std::string()>& place) override {
    auto race = machine_.host_touches(address, writes);
    if (!race) return;
    if (auto at = place(); !at.empty())
      race->message =
          device::Message(device::MessageId::host_place, std::move(race->message), std::move(at));
    merge_finding(findings_, *race);
  }
  std::uint64_t create_texture(const device::Texture& texture) override {
    return machine_.create_texture(texture);
  }
  bool destroy_texture(std::uint64_t object) override { return machine_.destroy_texture(object); }
  void set_heap_limit(std::uint64_t bytes) override { machine_.memory().heap().set_limit(bytes); }
  void host_waits() override { machine_.host_races().forget(); }
  Answer read(device::Address, std::uint64_t size, device::Bytes& out) override;
  Answer read_symbol(std::uint32_t module, const std::string& symbol, std::uint64_t offset,
                     std::uint64_t size, device::Bytes& out) override;
  Answer symbol_address(std::uint32_t module, const std::string& symbol,
                        device::Address& out) override;
  std::string take_printed() override { return std::exchange(printed_, {}); }
  std::vector<device::LaunchSum> launches() const override;
  std::vector<device::LineInstructions> instructions() const override;
  const std::vector<device::OneLaunch>& each_launch() const override { return each_; }
  const std::vector<device::Finding>& findings() const override { return findings_; }
  bool order_matters() const override { return order_matters_; }
  std::uint64_t known_launches() const override { return machine_.known_launches(); }

private:
  // Module, kernel, grid, block, dynamic shared memory.
  using Key = std::tuple<std::uint32_t, std::string, std::array<std::uint32_t, 7>>;
  struct Sum {
    device::LaunchCounts counts;
    std::uint64_t launches = 0, left_out = 0;
    Counters counters;
    Executed executed;
    std::size_t order = 0; // of its first launch among the sums
  };

  template <typename Work>
  Answer attempt(Work work);
  Answer keep(const device::Launch&, const GridResult&);
  void keep_alone(const device::Launch&, const GridResult&, std::size_t kind);
  void keep_pace(const GridResult&);
  void keep_findings() { // of copies and fills
    for (const device::Finding& finding : machine_.take_findings())
      merge_finding(findings_, finding);
  }

  Cores cores_;
  std::optional<RequestLog> log_; // of Options::trace
  Machine machine_;
  std::uint64_t budget_; // that is left
  std::vector<std::unique_ptr<Program>> programs_;
  std::map<Key, Sum> sums_;
  std::vector<device::OneLaunch> each_;
  std::vector<device::Finding> findings_;
  std::string printed_;
  bool order_matters_ = false;
};

// What goes wrong in a step becomes its answer.
template <typename Work>
Live::Answer EmulatedLive::attempt(Work work) {
  try {
    return work();
  } catch (const Refusal& refusal) {
    return {Answer::Status::unsupported, refusal.reason, {}};
  } catch (const Failure& failure) {
    return {Answer::Status::failed, failure.reason, {}};
  } catch (const std::bad_alloc&) {
    return {Answer::Status::failed, device::Message(device::MessageId::no_memory_here), {}};
  }
}

Live::Answer EmulatedLive::load(device::Module module, std::uint32_t& number) {
  return attempt([&]() -> Answer {
    number = static_cast<std::uint32_t>(programs_.size());
    programs_.push_back(std::make_unique<Program>(module, number));
    try {
      machine_.load(*programs_.back());
    } catch (const Failure&) { // as if it had not been asked for
      programs_.pop_back();
      throw;
    }
    return {};
  });
}

Live::Answer EmulatedLive::execute(const device::Step& step) {
  return attempt([&]() -> Answer {
    if (pace().stop && std::holds_alternative<device::Launch>(step))
      return {Answer::Status::failed, device::Message(device::MessageId::stopped_before),
              device::FindingKind::budget};
    auto launched = machine_.step(step, budget_);
    keep_findings();
    if (!launched) return {};
    return keep(std::get<device::Launch>(step), *launched);
  });
}

Live::Answer EmulatedLive::keep(const device::Launch& step, const GridResult& result) {
  const Key key{step.module,
                step.kernel,
                {step.grid.x, step.grid.y, step.grid.z, step.block.x, step.block.y, step.block.z,
                 step.dynamic_shared}};
  const auto order = sums_.size();
  const auto [place, is_new] = sums_.try_emplace(key);
  Sum& sum = place->second;
  if (is_new) {
    sum.counts = result.counts;
    sum.order = order;
  } else {
    sum.counts += result.counts;
  }
  ++sum.launches;
  sum.left_out += result.left_out;
  order_matters_ = order_matters_ || result.order_matters;
  budget_ -= std::min(budget_, result.counts.instructions + result.clearing);
  keep_alone(step, result, sum.order);
  keep_pace(result);
  add(sum.counters, result.counters);
  add(sum.executed, result.executed);
  printed_ += result.printed;
  std::optional<device::Finding> fault;
  for (const auto& [at, found] : result.findings.entries()) {
    merge_finding(findings_, found.finding);
    if (found.finding.fatal || (!fault && ends_kernel(found.finding))) fault = found.finding;
  }
  if (!fault) return {};
  return {Answer::Status::failed,
          device::Message(device::MessageId::of_kernel, fault->kernel, fault->message),
          fault->kind};
}

void EmulatedLive::keep_alone(const device::Launch& step, const GridResult& result,
                              std::size_t kind) {
  if (each_.size() == kMostLaunches) return;
  auto& one = each_.emplace_back();
  one.kind = kind;
  one.instructions = result.counts.instructions;
  one.stopped = result.stopped;
  one.left_out = result.left_out;
  const auto& sites = programs_[step.module]->sites();
  for (std::size_t id = 0; id < result.counters.size(); ++id) {
    if (!result.counters[id]) continue;
    const AccessCounter& counter = *result.counters[id];
    const MemoryOperand& access = *sites[id].access;
    if (kind_of(access).is_on(model::Memory::remote)) continue;
    one.wavefronts += counter.wavefronts;
    one.ideal += counter.ideal;
    if (kind_of(access).access == model::RequestKind::cp_async)
      one.extra_of_copies += counter.wavefronts - counter.ideal;
    if (access.space == ptx::Space::shared) one.shared_requests += counter.requests;
    // An asynchronous copy is counted at its store to shared memory; its sectors are loaded.
    const bool loads = access.space == ptx::Space::shared || access.direction == Direction::load;
    (loads                                  ? one.sectors_load
     : access.direction == Direction::store ? one.sectors_store
                                            : one.sectors_atomic) += counter.sectors;
  }
}

void EmulatedLive::keep_pace(const GridResult& result) {
  ++pace().launches;
  pace().instructions += result.counts.instructions;
  pace().blocks = pace().instructions_of_launch = 0;
}

Live::Answer EmulatedLive::share(device::Address address, std::byte* bytes, std::uint64_t size,
                                 bool read_only, const device::Message& named) {
  return attempt([&]() -> Answer {
    machine_.share(address, size, bytes, read_only, named);
    return {};
  });
}

Live::Answer EmulatedLive::read(device::Address address, std::uint64_t size, device::Bytes& out) {
  return attempt([&]() -> Answer {
    const std::byte* from = machine_.download(address, size);
    out.assign(from, from + size);
    keep_findings();
    return {};
  });
}

Live::Answer EmulatedLive::read_symbol(std::uint32_t module, const std::string& symbol,
                                       std::uint64_t offset, std::uint64_t size,
                                       device::Bytes& out) {
  return attempt([&]() -> Answer {
    const std::byte* from = machine_.download(module, symbol, offset, size);
    out.assign(from, from + size);
    keep_findings();
    return {};
  });
}

Live::Answer EmulatedLive::symbol_address(std::uint32_t module, const std::string& symbol,
                                          device::Address& out) {
  const auto address = machine_.address_of(module, symbol);
  if (!address) {
    return {Answer::Status::unsupported, symbol + " has no address that host code could use", {}};
  }
  out = *address;
  return {};
}

std::vector<device::LaunchSum> EmulatedLive::launches() const {
  std::vector<device::LaunchSum> launches(sums_.size());
  for (const auto& [key, sum] : sums_) {
    LineRows rows;
    rows.add(*programs_[std::get<0>(key)], std::get<1>(key), sum.counts.kernel, sum.counters);
    launches[sum.order] = {sum.counts, sum.launches, sum.left_out, rows.rows()};
  }
  return launches;
}

std::vector<device::LineInstructions> EmulatedLive::instructions() const {
  InstructionRows rows;
  for (const auto& [key, sum] : sums_)
    rows.add(*programs_[std::get<0>(key)], sum.counts.kernel, sum.executed);
  return rows.rows();
}

} // namespace

std::unique_ptr<device::Live> make_live(const Options& options) {
  return std::make_unique<EmulatedLive>(options);
}

} // namespace course::emulator
