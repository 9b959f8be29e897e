#include "device/gpu/replay.hpp"

#include "device/code/inspect/display_name.hpp"
#include "device/gpu/beyond_banks.hpp"
#include "device/gpu/cupti.hpp"
#include "device/gpu/device_memory.hpp"
#include "device/gpu/modules.hpp"
#include "device/gpu/plan_steps.hpp"
#include "device/gpu/range_counter.hpp"
#include "device/gpu/sass_counter.hpp"
#include "device/message_id.hpp"

#include <cstdlib>
#include <memory>

namespace course::gpu {
namespace {

using device::Message;
using device::Observation;
using Says = device::MessageId;

// The source file and line of an instruction, as the cubin's line table has it.
void locate(const Cupti& cupti, const device::Bytes& image, InstructionCounts& counts) {
  CUpti_GetSassToSourceCorrelationParams params{};
  params.size = CUpti_GetSassToSourceCorrelationParamsSize;
  params.cubin = image.data();
  params.cubinSize = image.size();
  params.functionName = counts.kernel.c_str();
  params.pcOffset = counts.pc;
  if (cupti.cuptiGetSassToSourceCorrelation(&params) != CUPTI_SUCCESS) return;
  const std::string file = params.fileName ? params.fileName : "";
  const std::string folder = params.dirName ? params.dirName : "";
  std::free(params.fileName);
  std::free(params.dirName);
  counts.line = params.lineNumber;
  counts.file = folder.empty() || file.starts_with("/") ? file : folder + "/" + file;
}

BeyondBanks beyond_banks(const SassRecord& record) {
  using M = SassMetric;
  return {record[M::remote],       record[M::remote_stores], record[M::remote_atomics],
          record[M::remote_async], record[M::remote_copies], record[M::copies],
          record[M::copies_in],    record[M::copies_out],    record[M::products]};
}

class Replay {
public:
  Replay(const Driver& driver, const Cupti* cupti, const Execute& request)
      : driver_(driver), cupti_(cupti), request_(request), memory_(driver) {}

  Executed run() {
    if (auto failure = prepare()) return fail(*failure);
    std::uint32_t launches = 0;
    for (const auto& step : request_.job.plan.steps) {
      const auto* launch = std::get_if<device::Launch>(&step);
      const bool counted = launch && launches == request_.counted_launch && counts();
      if (counted) start_counting(*launch);
      if (auto failure = overrun_before_free(step)) return fail(*failure);
      if (auto failure = enqueue(driver_, *modules_, memory_, step)) return fail(*failure);
      if (launch) {
        if (auto failure = finish(driver_, launch)) return fail(*failure);
        result_.launches.push_back({{},
                                    code::display_name(launch->kernel),
                                    launch->grid,
                                    launch->block,
                                    shared_bytes(driver_, *modules_, *launch)});
        ++launches;
      }
      if (counted) {
        stop_counting(*launch);
        if (!request_.to_the_end) return std::move(result_);
      }
      remember(step);
    }
    if (auto failure = finish(driver_, nullptr)) return fail(*failure);
    check_guards();
    if (auto failure = read_back()) return fail(*failure);
    return std::move(result_);
  }

private:
  bool counts() const { return cupti_ && request_.counting != Counting::none; }

  std::optional<Failure> prepare() {
    const Span span = address_span(request_.job, memory_.page());
    if (!span.error.empty()) return Failure{Observation::Status::failed, span.error, {}};
    if (const auto error = memory_.reserve(span.region))
      return Failure{Observation::Status::failed, *error, {}};
    auto loaded = Modules::load(driver_, request_.job.modules);
    if (const auto* why = std::get_if<std::string>(&loaded))
      return Failure{Observation::Status::unsupported, *why, {}};
    modules_ = std::make_unique<Modules>(std::move(std::get<Modules>(loaded)));
    for (const auto& buffer : request_.job.buffers) {
      const Region region{buffer.address, buffer.bytes.size()};
      if (const auto error = memory_.map(region))
        return Failure{Observation::Status::failed, *error, {}};
      if (buffer.bytes.empty()) continue;
      const CUresult result =
          driver_.cuMemcpyHtoD(buffer.address, buffer.bytes.data(), buffer.bytes.size());
      if (result != CUDA_SUCCESS)
        return Failure{Observation::Status::failed,
                       "the buffer " + buffer.name +
                           " could not be filled: " + driver_.error(result),
                       {}};
    }
    return finish(driver_, nullptr);
  }

  // Before the counted launch: everything else that launches (memsets too) must be over.
  void start_counting(const device::Launch&) {
    if (auto failure = finish(driver_, nullptr)) return; // the launch will report it
    if (request_.counting == Counting::per_instruction) {
      sass_ =
          std::make_unique<SassCounter>(driver_, *cupti_, goes_beyond_banks(request_.job.modules));
      result_.not_counted = sass_->begin();
      if (!result_.not_counted.empty()) sass_.reset();
    } else {
      const bool remote = request_.counting == Counting::remote_totals;
      range_ = std::make_unique<RangeCounter>(driver_, *cupti_, remote, request_.first_total);
      result_.not_counted = range_->begin();
      if (!result_.not_counted.empty()) range_.reset();
    }
  }

  void stop_counting(const device::Launch& launch) {
    if (sass_) {
      auto ended = sass_->end();
      if (const auto* why = std::get_if<std::string>(&ended)) {
        result_.not_counted = *why;
        return;
      }
      result_.counted_by = "CUPTI SASS metrics";
      result_.image = modules_->image(launch.module);
      for (const auto& record : std::get<std::vector<SassRecord>>(ended)) add(record);
    }
    if (range_) {
      auto ended = range_->end();
      if (const auto* why = std::get_if<std::string>(&ended)) {
        result_.not_counted = *why;
        return;
      }
      result_.counted_by = "CUPTI range profiler, totals of each launch";
      result_.instructions = std::get<std::vector<InstructionCounts>>(ended);
      for (auto& counts : result_.instructions) counts.kernel = launch.kernel;
      result_.next_total = range_->next_total();
    }
  }

  void add(const SassRecord& record) {
    if (record[SassMetric::executed] == 0) return;
    InstructionCounts counts;
    counts.kernel = record.function;
    counts.pc = record.pc;
    counts.executed = record[SassMetric::executed];
    counts.wavefronts = record[SassMetric::wavefronts];
    counts.ideal = record[SassMetric::ideal];
    counts.sectors = record[SassMetric::sectors];
    counts.beyond = beyond_banks(record);
    if (counts.wavefronts || counts.sectors || counts.beyond.any())
      locate(*cupti_, result_.image, counts);
    result_.launches.back().instructions += counts.executed;
    result_.instructions.push_back(std::move(counts));
  }

  // Guards of memory that the plan frees are checked while they are still there.
  std::optional<Failure> overrun_before_free(const device::Step& step) {
    const auto* freed = std::get_if<device::Free>(&step);
    if (!freed) return {};
    if (auto failure = finish(driver_, nullptr)) return failure;
    check_guard(freed->address, Message(Says::memory_of_plan));
    return {};
  }

  void check_guards() {
    for (const auto& buffer : request_.job.buffers) check_guard(buffer.address, buffer.name);
    for (const auto& address : allocated_) check_guard(address, Message(Says::memory_of_plan));
  }

  // The kernel that did it is known only where the plan has one.
  void check_guard(device::Address address, const Message& name) {
    const auto offset = memory_.first_overrun(address);
    if (!offset) return;
    device::Finding finding;
    finding.kind = device::FindingKind::out_of_bounds;
    const bool one_kernel = result_.launches.size() == 1;
    if (one_kernel) finding.kernel = result_.launches.front().kernel;
    const Message kernel = one_kernel ? Message(finding.kernel) : Message(Says::a_kernel);
    finding.message = *offset < 0 ? Message(Says::gpu_before_start, kernel, -*offset, name)
                                  : Message(Says::gpu_past_end, kernel, name, *offset);
    result_.findings.push_back(finding);
  }

  void remember(const device::Step& step) {
    if (const auto* allocate = std::get_if<device::Allocate>(&step))
      allocated_.push_back(allocate->address);
    if (const auto* freed = std::get_if<device::Free>(&step))
      std::erase(allocated_, freed->address);
  }

  std::optional<Failure> read_back() {
    for (const auto& buffer : request_.job.buffers) {
      device::Bytes bytes(buffer.bytes.size());
      if (!bytes.empty()) {
        const CUresult result = driver_.cuMemcpyDtoH(bytes.data(), buffer.address, bytes.size());
        if (result != CUDA_SUCCESS)
          return Failure{Observation::Status::failed,
                         "the buffer " + buffer.name +
                             " could not be read: " + driver_.error(result),
                         {}};
      }
      result_.buffers.push_back(std::move(bytes));
    }
    return {};
  }

  Executed fail(const Failure& failure) {
    result_.status = failure.status;
    result_.reason = failure.reason;
    if (failure.finding) result_.findings.push_back(*failure.finding);
    result_.buffers.clear();
    return std::move(result_);
  }

  const Driver& driver_;
  const Cupti* cupti_;
  const Execute& request_;
  DeviceMemory memory_;
  std::unique_ptr<Modules> modules_;
  std::unique_ptr<SassCounter> sass_;
  std::unique_ptr<RangeCounter> range_;
  std::vector<device::Address> allocated_;
  Executed result_;
};

} // namespace

Executed replay(const Driver& driver, const Cupti* cupti, const std::string& why_no_cupti,
                const Execute& request) {
  Executed result = Replay(driver, cupti, request).run();
  if (!cupti && request.counting != Counting::none) result.not_counted = why_no_cupti;
  return result;
}

} // namespace course::gpu
