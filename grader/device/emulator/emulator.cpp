#include "device/emulator/emulator.hpp"

#include "device/code/inspect/same_program.hpp"
#include "device/emulator/check/findings.hpp"
#include "device/emulator/check/way_trace.hpp"
#include "device/emulator/count/line_rows.hpp"
#include "device/emulator/count/request_log.hpp"
#include "device/emulator/machine.hpp"
#include "device/message_id.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <optional>

namespace course::emulator {
namespace {

using device::Observation;

class EmulatedDevice final : public device::Device, public device::Follower {
public:
  explicit EmulatedDevice(const Options& options) : options_(options), cores_(options.threads) {}

  std::string name() const override { return options_.gpu->emulated(); }
  Observation execute(const device::Job& job) override;
  device::Followed follow(const device::Job& job) override;

private:
  std::optional<std::vector<Program*>> programs(const device::Job&);

  Options options_;
  Cores cores_;
  // Decoded modules, by place in the job and text; the oldest are forgotten.
  static constexpr std::size_t kMostPrograms = 16;
  struct Known {
    std::uint32_t index;
    std::string ptx;
    device::Bytes cubin;
    std::string source;
    std::unique_ptr<Program> program;
    bool of_its_cubin; // same_program.hpp
  };
  const Known& known(const device::Module&, std::uint32_t index);
  std::vector<Known> programs_;
};

const EmulatedDevice::Known& EmulatedDevice::known(const device::Module& module,
                                                   std::uint32_t index) {
  for (const Known& known : programs_)
    if (known.index == index && known.ptx == module.ptx && known.cubin == module.cubin &&
        known.source == module.source)
      return known;
  programs_.push_back({index, module.ptx, module.cubin, module.source,
                       std::make_unique<Program>(module, index), code::same_program(module)});
  return programs_.back();
}

// What no GPU would execute.
Observation of_another_program(const device::Job& job) {
  Observation result;
  result.status = Observation::Status::unsupported;
  result.reason = device::Message(device::MessageId::another_program);
  for (const device::Buffer& buffer : job.buffers) result.buffers.push_back(buffer.bytes);
  return result;
}

// One job from a fresh state.
class Execution {
public:
  Execution(const device::Job& job, const Options& options, Cores& cores,
            std::vector<Program*> programs, WayTrace* ways = nullptr)
      : job_(job), machine_(cores, options), programs_(std::move(programs)),
        budget_(job.instruction_budget), log_(job.watch), ways_(ways) {
    machine_.set_order(job.order);
    machine_.set_strict_acquires(job.strict_acquires);
    machine_.watch(log_.wanted() ? &log_ : nullptr, job.watch.instructions, ways);
  }

  Observation run();

private:
  void prepare();
  void keep(const device::Launch&, const GridResult&);

  const device::Job& job_;
  Machine machine_;
  std::vector<Program*> programs_;
  std::uint64_t budget_;
  RequestLog log_;
  WayTrace* ways_; // absent when nobody follows data
  // Of each kernel over its launches.
  struct Sum {
    std::string kernel;
    Counters counters;
    Executed executed;
  };
  std::map<std::pair<std::uint32_t, std::string>, Sum> sums_; // by module and name
  Observation observation_;
  bool ended_ = false;
};

// Memory and variables that are there before the first step.
void Execution::prepare() {
  for (const device::Buffer& buffer : job_.buffers) {
    machine_.place(buffer.address, buffer.bytes.size(), buffer.name, buffer.initialised);
    if (!buffer.bytes.empty())
      std::memcpy(machine_.memory().find(buffer.address)->bytes.get(), buffer.bytes.data(),
                  buffer.bytes.size());
    if (ways_ && buffer.initialised) ways_->begin_at(buffer.address, buffer.bytes.size());
  }
  for (Program* program : programs_) machine_.load(*program);
}

void Execution::keep(const device::Launch& step, const GridResult& result) {
  budget_ -= std::min(budget_, result.counts.instructions + result.clearing);
  Sum& sum = sums_[{step.module, step.kernel}];
  sum.kernel = result.counts.kernel;
  add(sum.counters, result.counters);
  add(sum.executed, result.executed);
  observation_.launches.push_back(result.counts);
  if (observation_.printed.size() < kMostPrinted) observation_.printed += result.printed;
  observation_.printed.resize(std::min(observation_.printed.size(), kMostPrinted));
  for (const auto& [place, found] : result.findings.entries())
    merge_finding(observation_.findings, found.finding);
  observation_.order_matters = observation_.order_matters || result.order_matters;
  if (!result.ended) return;
  ended_ = true;
  for (const device::Finding& finding : observation_.findings)
    if (finding.fatal)
      observation_.reason =
          device::Message(device::MessageId::of_kernel, finding.kernel, finding.message);
}

bool begins_early(const device::Step& step) {
  const auto* call = std::get_if<device::StreamCall>(&step);
  return call && call->what == device::StreamCall::What::begins_early;
}

Observation Execution::run() {
  try {
    prepare();
    if (std::ranges::any_of(job_.plan.steps, begins_early)) machine_.expect_early_launches();
    for (const device::Step& next : job_.plan.steps) {
      auto launched = machine_.step(next, budget_);
      for (const device::Finding& finding : machine_.take_findings())
        merge_finding(observation_.findings, finding);
      if (launched) keep(std::get<device::Launch>(next), *launched);
      if (ended_) break;
    }
    if (ended_) observation_.status = Observation::Status::failed;
  } catch (const Refusal& refusal) {
    observation_.status = Observation::Status::unsupported;
    observation_.reason = refusal.reason;
  } catch (const Failure& failure) {
    observation_.status = Observation::Status::failed;
    observation_.reason = failure.reason;
  } catch (const std::bad_alloc&) {
    observation_.status = Observation::Status::failed;
    observation_.reason = device::Message(device::MessageId::no_memory_for_plan);
  }
  for (const device::Buffer& buffer : job_.buffers) {
    const Allocation* memory = machine_.memory().find(buffer.address);
    const bool there = memory && !memory->freed && memory->base == buffer.address &&
                       memory->size == buffer.bytes.size();
    const std::byte* first = there ? memory->bytes.get() : buffer.bytes.data();
    device::Bytes& bytes = observation_.buffers.emplace_back();
    bytes.reserve(buffer.bytes.size());
    in_large_pages(bytes.data(), buffer.bytes.size());
    bytes.assign(first, first + buffer.bytes.size());
  }
  LineRows lines;
  InstructionRows instructions;
  for (const auto& [key, sum] : sums_) {
    lines.add(*programs_[key.first], key.second, sum.kernel, sum.counters);
    instructions.add(*programs_[key.first], sum.kernel, sum.executed);
  }
  observation_.lines = lines.rows();
  observation_.instructions = instructions.rows();
  observation_.watched_in_all = log_.seen();
  observation_.watched = log_.take();
  return std::move(observation_);
}

// Nothing where a module is not what its machine code was made of.
std::optional<std::vector<Program*>> EmulatedDevice::programs(const device::Job& job) {
  if (programs_.size() > kMostPrograms) programs_.clear();
  std::vector<Program*> programs;
  programs.reserve(job.modules.size());
  for (std::uint32_t m = 0; m < job.modules.size(); ++m) {
    const Known& one = known(job.modules[m], m);
    if (!one.of_its_cubin) return std::nullopt;
    programs.push_back(one.program.get());
  }
  return programs;
}

Observation EmulatedDevice::execute(const device::Job& job) {
  auto all = programs(job);
  if (!all) return of_another_program(job);
  return Execution(job, options_, cores_, std::move(*all)).run();
}

device::Followed EmulatedDevice::follow(const device::Job& job) {
  WayTrace trace;
  Options unchecked = options_; // what is checked may be executed more than once
  unchecked.check_memory = false;
  auto all = programs(job);
  if (all) Execution(job, unchecked, cores_, std::move(*all), &trace).run();
  device::Followed followed;
  for (const device::Buffer& buffer : job.buffers)
    followed.ways.push_back(trace.ways(buffer.address, buffer.bytes.size()));
  followed.used = trace.used();
  return followed;
}

} // namespace

std::unique_ptr<device::Device> make_device(const Options& options) {
  return std::make_unique<EmulatedDevice>(options);
}

} // namespace course::emulator
