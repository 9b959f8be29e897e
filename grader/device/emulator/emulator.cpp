#include "device/emulator/emulator.hpp"

#include "device/emulator/grid.hpp"
#include "device/emulator/kernel_calls.hpp"
#include "device/emulator/windows.hpp"
#include "device/model/occupancy.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <thread>

namespace course::emulator {
namespace {

using device::Observation;

constexpr std::uint64_t kMostMemory = 141ull << 30; // bytes, as an H200 has
constexpr std::uint64_t kMostGridX = (1ull << 31) - 1, kMostGridYz = 65535;

// Steps that a plan can only have by mistake end the job with a sentence.
struct Failure {
  std::string reason;
};

std::string why_not_launched(const device::Launch& launch, const Code& entry,
                             std::uint64_t shared_bytes) {
  const auto limits = model::kH200Multiprocessor;
  const device::Dim3 &grid = launch.grid, &block = launch.block;
  const std::uint64_t threads = block.count();
  const std::string kernel = entry.shown;
  if (threads == 0 || grid.count() == 0) return kernel + " is launched without threads";
  if (threads > static_cast<std::uint64_t>(limits.threads_a_block) || block.x > 1024 ||
      block.y > 1024 || block.z > 64)
    return kernel + " is launched with " + std::to_string(threads) +
           " threads a block; this device allows 1024 (1024, 1024 and 64 in x, y and z)";
  if (grid.x > kMostGridX || grid.y > kMostGridYz || grid.z > kMostGridYz)
    return kernel + " is launched with a grid that is too large";
  if (shared_bytes > limits.shared_bytes_a_block)
    return kernel + " needs " + std::to_string(shared_bytes) +
           " bytes of shared memory a block; this device has " +
           std::to_string(limits.shared_bytes_a_block);
  if (entry.function->max_threads && threads > *entry.function->max_threads)
    return kernel + " is launched with " + std::to_string(threads) +
           " threads a block; its __launch_bounds__ allow " +
           std::to_string(*entry.function->max_threads);
  return {};
}

class EmulatedDevice final : public device::Device {
public:
  explicit EmulatedDevice(const Options& options)
      : options_(options),
        workers_(options.threads ? options.threads
                                 : std::max(1u, std::thread::hardware_concurrency())) {}

  std::string name() const override { return "emulated H200"; }
  Observation execute(const device::Job& job) override;

private:
  Program& program(const device::Module&, std::uint32_t index);

  Options options_;
  Workers workers_;
  std::vector<std::unique_ptr<Block>> blocks_;
  // Decoded modules, by place in the job and text; the oldest are forgotten.
  static constexpr std::size_t kMostPrograms = 16;
  struct Known {
    std::uint32_t index;
    std::string ptx;
    device::Bytes cubin;
    std::unique_ptr<Program> program;
  };
  std::vector<Known> programs_;
};

Program& EmulatedDevice::program(const device::Module& module, std::uint32_t index) {
  for (const Known& known : programs_)
    if (known.index == index && known.ptx == module.ptx && known.cubin == module.cubin)
      return *known.program;
  programs_.push_back({index, module.ptx, module.cubin, std::make_unique<Program>(module, index)});
  return *programs_.back().program;
}

// One job from a fresh state.
class Execution {
public:
  Execution(const device::Job& job, const Options& options, Workers& workers,
            std::vector<std::unique_ptr<Block>>& blocks, std::vector<Program*> programs)
      : job_(job), options_(options), workers_(workers), blocks_(blocks),
        programs_(std::move(programs)), budget_(job.instruction_budget) {}

  Observation run();

private:
  void step(const device::Allocate&);
  void step(const device::Free&);
  void step(const device::Fill&);
  void step(const device::Copy&);
  void step(const device::Upload&);
  void step(const device::SymbolUpload&);
  void step(const device::Launch&);

  void place(device::Address, std::uint64_t size, const std::string& name, bool written);
  std::byte* range(device::Address, std::uint64_t size, const char* what, bool writes);
  void place_globals(std::uint32_t module);
  void keep(const device::Finding&);
  void collect_lines();

  const device::Job& job_;
  const Options& options_;
  Workers& workers_;
  std::vector<std::unique_ptr<Block>>& blocks_;
  std::vector<Program*> programs_;
  std::uint64_t budget_;
  std::uint64_t memory_used_ = 0;
  GlobalMemory memory_;
  std::vector<device::Bytes> constants_; // of each module
  // Counters of each kernel over its launches: by module and entry.
  std::map<std::pair<std::uint32_t, const Code*>, Counters> counters_;
  Observation observation_;
  std::uint32_t launches_ = 0;
  bool ended_ = false;
};

void Execution::place(device::Address address, std::uint64_t size, const std::string& name,
                      bool written) {
  if (size > kMostMemory - memory_used_ || address > kSharedWindow - kMostMemory)
    throw Failure{"the plan allocates more memory than the device has (141 GiB)"};
  const device::Address last = address + std::max<std::uint64_t>(size, 1) - 1;
  for (const device::Address at : {address, last})
    if (const Allocation* there = memory_.find(at); there && !there->freed)
      throw Failure{"the plan allocates " + (name.empty() ? "memory" : name) + " over " +
                    there->name};
  memory_used_ += size;
  memory_.allocate(address, size, name, written);
}

std::byte* Execution::range(device::Address address, std::uint64_t size, const char* what,
                            bool writes) {
  Allocation* memory = memory_.find(address);
  if (!memory || memory->freed || !memory->holds(address, size))
    throw Failure{std::string(what) + " of " + std::to_string(size) + " bytes is " +
                  memory_.describe(address)};
  if (writes) memory->set_written(address - memory->base, size);
  return memory->bytes.get() + (address - memory->base);
}

void Execution::place_globals(std::uint32_t module) {
  Program& program = *programs_[module];
  for (const Program::GlobalVariable& global : program.globals()) {
    memory_used_ += global.variable->size;
    if (memory_used_ > kMostMemory) throw Failure{"the module's variables exceed the memory"};
    Allocation& memory =
        memory_.allocate(global.address, global.variable->size, global.variable->name, true);
    const device::Bytes bytes = program.initial_bytes(*global.variable);
    std::copy_n(bytes.begin(), std::min<std::uint64_t>(bytes.size(), memory.size),
                memory.bytes.get());
  }
}

void Execution::step(const device::Allocate& s) {
  place(s.address, s.size, {}, false);
}

void Execution::step(const device::Free& s) {
  const Allocation* memory = memory_.find(s.address);
  const std::uint64_t size = memory ? memory->size : 0;
  if (!memory_.free(s.address)) throw Failure{"the plan frees what it has not allocated"};
  memory_used_ -= size;
}

void Execution::step(const device::Fill& s) {
  if (s.size == 0) return;
  std::fill_n(range(s.address, s.size, "a fill", true), s.size, s.value);
}

void Execution::step(const device::Copy& s) {
  if (s.size == 0) return;
  const std::byte* from = range(s.from, s.size, "the source of a copy", false);
  std::memmove(range(s.to, s.size, "the target of a copy", true), from, s.size);
}

void Execution::step(const device::Upload& s) {
  if (s.bytes.empty()) return;
  std::memcpy(range(s.to, s.bytes.size(), "an upload", true), s.bytes.data(), s.bytes.size());
}

void Execution::step(const device::SymbolUpload& s) {
  if (s.module >= programs_.size()) throw Failure{"a symbol of a module that does not exist"};
  Program& program = *programs_[s.module];
  const ptx::Variable* variable = program.variable(s.symbol);
  const auto address = program.address_of(s.symbol);
  if (!variable || !address) throw Failure{"the module has no symbol " + s.symbol};
  if (s.offset > variable->size || s.bytes.size() > variable->size - s.offset)
    throw Failure{"a copy of " + std::to_string(s.bytes.size()) + " bytes to symbol " + s.symbol +
                  ", which has " + std::to_string(variable->size)};
  if (s.bytes.empty()) return;
  if (variable->space == ptx::Space::constant)
    std::memcpy(constants_[s.module].data() + *address + s.offset, s.bytes.data(), s.bytes.size());
  else
    step(device::Upload{*address + s.offset, s.bytes});
}

void Execution::step(const device::Launch& s) {
  if (s.module >= programs_.size()) throw Failure{"a kernel of a module that does not exist"};
  Program& program = *programs_[s.module];
  const Code& entry = program.entry(s.kernel);

  Launch launch;
  launch.program = &program;
  launch.entry = &entry;
  launch.grid = s.grid;
  launch.block = s.block;
  launch.dynamic_shared = s.dynamic_shared;
  launch.arguments = &s.arguments;
  launch.memory = &memory_;
  launch.constants = &constants_[s.module];
  launch.shared = entry.shared;
  launch.shared.resize_last(s.dynamic_shared);
  launch.checks = options_.check_memory;
  launch.budget = budget_;
  launch.number = launches_++;
  if (std::string why = why_not_launched(s, entry, launch.shared.bytes()); !why.empty())
    throw Failure{why};
  const std::uint32_t argument_bytes = ptx::parameter_offsets(*entry.function).back();
  if (s.arguments.size() < argument_bytes)
    throw Failure{entry.shown + " is launched with " + std::to_string(s.arguments.size()) +
                  " bytes of arguments and has parameters of " + std::to_string(argument_bytes)};

  GridResult result = run_grid(launch, workers_, blocks_);
  budget_ -= std::min(budget_, result.counts.instructions);
  add(counters_[{s.module, &entry}], result.counters);
  observation_.launches.push_back(result.counts);
  if (observation_.printed.size() < kMostPrinted) observation_.printed += result.printed;
  observation_.printed.resize(std::min(observation_.printed.size(), kMostPrinted));
  for (const auto& [place, found] : result.findings.entries()) keep(found.finding);
  if (!result.ended) return;
  ended_ = true;
  for (const device::Finding& finding : observation_.findings)
    if (finding.fatal) observation_.reason = finding.kernel + ": " + finding.message;
}

// Of findings of one kind and line, however many instructions and launches it has, one is kept.
void Execution::keep(const device::Finding& finding) {
  const auto same = [&](const device::Finding& kept) {
    return kept.kind == finding.kind && kept.line == finding.line &&
           kept.other_line == finding.other_line && kept.file == finding.file &&
           kept.kernel == finding.kernel && kept.fatal == finding.fatal;
  };
  auto& findings = observation_.findings;
  const auto kept = std::find_if(findings.begin(), findings.end(), same);
  if (kept != findings.end())
    kept->count += finding.count;
  else if (findings.size() < kMostFindings || finding.fatal)
    findings.push_back(finding);
}

// Counters of accesses on one line and of one kind become one row.
void Execution::collect_lines() {
  std::map<std::tuple<std::string, std::string, std::uint32_t, std::string>,
           std::pair<device::LineCounts, AccessCounter>>
      rows;
  for (const auto& [key, counters] : counters_) {
    const Program& program = *programs_[key.first];
    for (std::size_t id = 0; id < counters.size(); ++id) {
      if (!counters[id] || !counters[id]->requests) continue;
      const Site& site = program.sites()[id];
      const std::string file = program.file_of(site.source);
      const std::string access = access_name(*site.access);
      auto& [row, sum] = rows[{key.second->shown, file, site.source.line, access}];
      row.kernel = key.second->shown;
      row.file = file;
      row.line = site.source.line;
      row.access = access;
      if (site.access->space == ptx::Space::shared)
        row.width_from_sass = row.width_from_sass && site.access->width_from_sass;
      sum.add(*counters[id]);
    }
  }
  for (auto& [key, entry] : rows) {
    auto& [row, sum] = entry;
    row.requests = sum.requests;
    row.wavefronts = sum.wavefronts;
    row.ideal = sum.ideal;
    row.sectors = sum.sectors;
    row.replays = sum.replays;
    row.ways = sum.ways;
    row.worst = sum.worst;
    observation_.lines.push_back(std::move(row));
  }
}

Observation Execution::run() {
  try {
    for (const device::Buffer& buffer : job_.buffers) {
      place(buffer.address, buffer.bytes.size(), buffer.name, buffer.initialised);
      if (!buffer.bytes.empty())
        std::memcpy(memory_.find(buffer.address)->bytes.get(), buffer.bytes.data(),
                    buffer.bytes.size());
    }
    for (std::uint32_t m = 0; m < programs_.size(); ++m) {
      constants_.push_back(programs_[m]->constant_bytes());
      place_globals(m);
    }
    for (const device::Step& next : job_.plan.steps) {
      std::visit([this](const auto& s) { step(s); }, next);
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
    observation_.reason = "this machine has not enough memory for what the plan allocates";
  }
  for (const device::Buffer& buffer : job_.buffers) {
    const Allocation* memory = memory_.find(buffer.address);
    device::Bytes bytes = buffer.bytes;
    if (memory && !memory->freed && memory->base == buffer.address &&
        memory->size == bytes.size() && !bytes.empty())
      std::memcpy(bytes.data(), memory->bytes.get(), bytes.size());
    observation_.buffers.push_back(std::move(bytes));
  }
  collect_lines();
  return std::move(observation_);
}

Observation EmulatedDevice::execute(const device::Job& job) {
  if (programs_.size() > kMostPrograms) programs_.clear();
  std::vector<Program*> programs;
  for (std::uint32_t m = 0; m < job.modules.size(); ++m)
    programs.push_back(&program(job.modules[m], m));
  return Execution(job, options_, workers_, blocks_, std::move(programs)).run();
}

} // namespace

std::unique_ptr<device::Device> make_device(const Options& options) {
  return std::make_unique<EmulatedDevice>(options);
}

} // namespace course::emulator
