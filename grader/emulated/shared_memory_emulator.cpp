// What the public header promises, by Machine: a launch at a time, each with its own counts.
#include "shared_memory_emulator.hpp"

#include "device/code/fatbin/device_code.hpp"
#include "device/code/inspect/display_name.hpp"
#include "device/code/inspect/same_program.hpp"
#include "device/emulator/check/findings.hpp"
#include "device/emulator/machine.hpp"
#include "device/message_id.hpp"
#include "device/module_info.hpp"
#include "report/words/finding_words.hpp"
#include "report/words/message_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <new>

namespace course::emulated {

struct Module::Parts {
  device::Module code;
  device::ModuleInfo info;
};

namespace {

std::shared_ptr<const Module::Parts> parts_of(device::Module code) {
  auto info = device::inspect(code);
  if (!info.error.empty()) throw Error(info.error);
  if (!code::same_program(code))
    throw Error(report::in_words(device::Message(device::MessageId::another_program)));
  return std::make_shared<const Module::Parts>(Module::Parts{std::move(code), std::move(info)});
}

const device::KernelInfo& kernel_called(const device::ModuleInfo& info, const std::string& name) {
  if (const auto* exact = info.kernel(name)) return *exact;
  const device::KernelInfo* found = nullptr;
  std::string all;
  for (const auto& kernel : info.kernels) {
    const auto shown = code::display_name(kernel.name);
    all += (all.empty() ? "" : ", ") + shown;
    if (shown != name) continue;
    if (found)
      throw Error(fmt::format("several kernels are called {}: one of them is {}, another {}", name,
                              found->name, kernel.name));
    found = &kernel;
  }
  if (!found)
    throw Error(
        fmt::format("the module has no kernel {}; it has {}", name, all.empty() ? "none" : all));
  return *found;
}

device::Bytes laid_out(const device::KernelInfo& kernel, std::span<const Bytes> arguments) {
  const auto shown = code::display_name(kernel.name);
  if (arguments.size() != kernel.parameter_sizes.size())
    throw Error(fmt::format("{} has {} parameters, and {} arguments were given", shown,
                            kernel.parameter_sizes.size(), arguments.size()));
  device::Bytes bytes(kernel.argument_bytes);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].size() != kernel.parameter_sizes[i])
      throw Error(fmt::format("parameter {} of {} has {} bytes, and its argument {}", i + 1, shown,
                              kernel.parameter_sizes[i], arguments[i].size()));
    std::ranges::copy(arguments[i], bytes.begin() + kernel.parameter_offsets[i]);
  }
  return bytes;
}

device::Dim3 inside(const Dim3& size) {
  return {size.x, size.y, size.z};
}
Dim3 outside(const device::Dim3& size) {
  return {size.x, size.y, size.z};
}

LineCounts said(const device::LineCounts& line) {
  LineCounts said;
  said.file = line.file;
  said.line = line.line;
  said.access = model::name_of(line.kind);
  said.requests = line.requests;
  said.wavefronts = line.wavefronts;
  // What an asynchronous copy takes beyond its ideal are no bank conflicts.
  if (line.kind.access != model::RequestKind::cp_async) said.bank_conflicts = line.conflicts();
  said.sectors = line.sectors;
  said.exact = line.exact();
  return said;
}

Finding said(const device::Finding& finding) {
  Finding said;
  said.kind = device::name(finding.kind);
  said.words = report::what_happened(finding) + ": " + report::in_words(finding.message);
  said.note = device::is_note(finding.kind);
  said.kernel = finding.kernel;
  said.file = finding.file;
  said.line = finding.line;
  said.other_line = finding.other_line;
  said.block = outside(finding.block);
  said.thread = outside(finding.thread);
  said.count = finding.count;
  return said;
}

emulator::Options inside(const Options& options) {
  emulator::Options inside;
  inside.threads = options.threads;
  inside.check_memory = options.find_races;
  return inside;
}

// What the emulator throws, in words.
template <typename Work>
auto in_words(Work work) {
  try {
    return work();
  } catch (const emulator::Refusal& refusal) {
    throw Unsupported(report::in_words(refusal.reason));
  } catch (const emulator::Failure& failure) {
    throw Error(report::in_words(failure.reason));
  } catch (const std::bad_alloc&) {
    throw Error(report::in_words(device::Message(device::MessageId::no_memory_here)));
  }
}

} // namespace

Module Module::from_fatbin(Bytes bytes, const std::string& source) {
  auto chosen = code::choose_device_code(*emulator::Options().gpu, bytes);
  if (const auto* why = std::get_if<std::string>(&chosen)) throw Unsupported(*why);
  auto& code = std::get<device::Module>(chosen);
  code.source = source;
  return Module(parts_of(std::move(code)));
}

Module Module::from_ptx(const std::string& ptx, Bytes cubin, const std::string& source) {
  return Module(parts_of({ptx, {cubin.begin(), cubin.end()}, source}));
}

std::vector<std::string> Module::kernels() const {
  std::vector<std::string> names;
  for (const auto& kernel : parts_->info.kernels) names.push_back(code::display_name(kernel.name));
  return names;
}

bool Result::clean() const {
  return ended.empty() && std::ranges::all_of(findings, &Finding::note);
}

struct Gpu::State {
  explicit State(const Options& wanted)
      : options(wanted), cores(wanted.threads), machine(cores, inside(wanted)) {
    if (wanted.seed) machine.set_order({device::Order::Kind::at_liberty, wanted.seed});
  }

  std::uint32_t number_of(const std::shared_ptr<const Module::Parts>&);
  Result kept(const emulator::GridResult&, std::uint32_t module, const std::string& kernel);

  Options options;
  emulator::Cores cores;
  struct Known {
    Known(std::shared_ptr<const Module::Parts> of, std::uint32_t number)
        : parts(std::move(of)), program(parts->code, number) {}
    std::shared_ptr<const Module::Parts> parts;
    emulator::Program program;
  };
  std::deque<Known> modules; // by their number
  emulator::Machine machine;
  // Far enough apart that what reaches past one is in no other.
  static constexpr std::uint64_t kApart = 2u << 20;
  Address next = 0x10'0000'0000;
  std::string ended;
};

std::uint32_t Gpu::State::number_of(const std::shared_ptr<const Module::Parts>& parts) {
  const auto known = std::ranges::find(modules, parts, &Known::parts);
  if (known != modules.end()) return static_cast<std::uint32_t>(known - modules.begin());
  const auto number = static_cast<std::uint32_t>(modules.size());
  modules.emplace_back(parts, number);
  try {
    machine.load(modules.back().program);
  } catch (const emulator::Failure&) { // as if it had not been asked for
    modules.pop_back();
    throw;
  }
  return number;
}

Result Gpu::State::kept(const emulator::GridResult& grid, std::uint32_t module,
                        const std::string& kernel) {
  Result result;
  emulator::LineRows rows;
  rows.add(modules[module].program, kernel, grid.counts.kernel, grid.counters);
  for (const auto& line : rows.rows()) {
    result.lines.push_back(said(line));
    result.bank_conflicts += result.lines.back().bank_conflicts;
  }
  for (const auto& [place, found] : grid.findings.entries()) {
    result.findings.push_back(said(found.finding));
    const bool ends = found.finding.fatal || emulator::ends_kernel(found.finding);
    if (ends && (result.ended.empty() || found.finding.fatal))
      ended = result.ended = result.findings.back().words;
  }
  result.printed = grid.printed;
  result.instructions = grid.counts.instructions;
  result.barriers = grid.counts.barriers;
  result.order_matters = grid.order_matters;
  return result;
}

Gpu::Gpu(const Options& options) : state_(std::make_unique<State>(options)) {}
Gpu::~Gpu() = default;
Gpu::Gpu(Gpu&&) noexcept = default;
Gpu& Gpu::operator=(Gpu&&) noexcept = default;

Address Gpu::allocate(std::uint64_t bytes, const std::string& name) {
  const Address address = state_->next;
  in_words([&] { state_->machine.place(address, bytes, name, false); });
  state_->next += (bytes / State::kApart + 1) * State::kApart;
  return address;
}

void Gpu::free(Address address) {
  in_words([&] { state_->machine.step(device::Free{address}, 0); });
}

void Gpu::write(Address address, Bytes bytes) {
  in_words([&] { state_->machine.step(device::Upload{address, {bytes.begin(), bytes.end()}}, 0); });
}

std::vector<std::byte> Gpu::read(Address address, std::uint64_t bytes) const {
  return in_words([&] {
    const std::byte* from = state_->machine.download(address, bytes);
    return std::vector<std::byte>(from, from + bytes);
  });
}

void Gpu::write(const Module& module, const std::string& variable, Bytes bytes) {
  in_words([&] {
    const auto number = state_->number_of(module.parts_);
    state_->machine.step(device::SymbolUpload{number, variable, 0, {bytes.begin(), bytes.end()}},
                         0);
  });
}

std::vector<std::byte> Gpu::read(const Module& module, const std::string& variable) {
  return in_words([&] {
    const auto number = state_->number_of(module.parts_);
    const auto* symbol = module.parts_->info.symbol(variable);
    const auto bytes = symbol ? symbol->size : 0; // the machine says that there is none
    const std::byte* from = state_->machine.download(number, variable, 0, bytes);
    return std::vector<std::byte>(from, from + bytes);
  });
}

Result Gpu::launch_with(const Module& module, const Launch& launch,
                        std::span<const Bytes> arguments) {
  if (!state_->ended.empty())
    throw Error("an earlier launch was ended (" + state_->ended +
                "): nothing is launched after it");
  const auto& kernel = kernel_called(module.parts_->info, launch.kernel);
  device::Launch step;
  step.kernel = kernel.name;
  step.grid = inside(launch.grid);
  step.block = inside(launch.block);
  step.dynamic_shared = launch.dynamic_shared;
  step.arguments = laid_out(kernel, arguments);
  step.cooperative = launch.cooperative;
  step.cluster = inside(launch.cluster);
  return in_words([&] {
    step.module = state_->number_of(module.parts_);
    const auto module_number = step.module;
    const auto grid = state_->machine.step(std::move(step), state_->options.instructions);
    return state_->kept(*grid, module_number, kernel.name);
  });
}

} // namespace course::emulated
