#include "device/emulator/machine.hpp"

#include "device/code/inspect/variable_name.hpp"
#include "device/emulator/decode/windows.hpp"
#include "device/emulator/execute/all_orders.hpp"
#include "device/message_id.hpp"
#include "device/model/occupancy.hpp"

#include <algorithm>
#include <cstring>

namespace course::emulator {
namespace {

using device::Message;
using Says = device::MessageId;

bool is_within(const device::Dim3& size, const std::array<std::uint32_t, 3>& most) {
  return size.x <= most[0] && size.y <= most[1] && size.z <= most[2];
}

// What is done to memory without a kernel.
const WorkName kFill("a fill", Says::a_fill), kCopy("a copy", Says::a_copy),
    kFromHost("a copy from the host", Says::a_copy_from_host),
    kToHost("a copy to the host", Says::a_copy_to_host);

// Blocks of a cluster: as the launch asks, else as the kernel says.
device::Dim3 cluster_of(const device::Launch& launch, const Code& entry) {
  if (launch.cluster.count()) return launch.cluster;
  const auto& said = entry.function->cluster;
  return said[0] ? device::Dim3{said[0], said[1], said[2]} : device::Dim3{};
}

// An empty message: it can be.
Message why_no_clusters(const model::Gpu& gpu, const device::Launch& launch, const Code& entry) {
  const device::Dim3 cluster = cluster_of(launch, entry);
  const auto& said = entry.function->cluster;
  const auto shown = [](const device::Dim3& size) {
    return Message(Says::size, size.x, size.y, size.z);
  };
  if (said[0] && cluster != device::Dim3{said[0], said[1], said[2]})
    return Message(Says::other_clusters, entry.shown, shown(cluster));
  if (cluster.count() == 0 || cluster.count() > gpu.largest_cluster)
    return Message(Says::too_large_clusters, entry.shown, shown(cluster), gpu.largest_cluster);
  if (launch.grid.x % cluster.x || launch.grid.y % cluster.y || launch.grid.z % cluster.z)
    return Message(Says::no_multiple_of_clusters, entry.shown, shown(launch.grid), shown(cluster));
  if (launch.cooperative && cluster.count() > 1)
    return Message(Says::cooperative_clusters, entry.shown);
  return {};
}

Message why_not_launched(const model::Gpu& gpu, const device::Launch& launch, const Code& entry,
                         std::uint64_t shared_bytes) {
  const auto& limits = gpu.multiprocessor;
  const device::Dim3 &grid = launch.grid, &block = launch.block;
  const std::uint64_t threads = block.count();
  const std::string& kernel = entry.shown;
  if (threads == 0 || grid.count() == 0) return Message(Says::no_threads, kernel);
  const auto& most = gpu.block_dim;
  if (threads > static_cast<std::uint64_t>(limits.threads_a_block) || !is_within(block, most))
    return Message(Says::too_many_threads, kernel, threads, limits.threads_a_block, most[0],
                   most[1], most[2]);
  if (!is_within(grid, gpu.grid_dim)) return Message(Says::too_large_grid, kernel);
  if (shared_bytes > limits.shared_bytes_a_block)
    return Message(Says::too_much_shared, kernel, shared_bytes, limits.shared_bytes_a_block);
  if (entry.function->max_threads && threads > *entry.function->max_threads)
    return Message(Says::beyond_launch_bounds, kernel, threads, *entry.function->max_threads);
  const auto room = gpu.multiprocessors * static_cast<std::uint64_t>(limits.blocks);
  if (Message why = why_no_clusters(gpu, launch, entry); !why.empty()) return why;
  if (launch.cooperative && grid.count() > room)
    return Message(Says::beyond_cooperative, kernel, grid.count(), room);
  return {};
}

// Every block's local memory is cleared, which takes time that no instruction counts: what it is
// worth in warp-instructions, or all of the budget.
std::uint64_t worth_of_clearing(const Code& entry, std::uint64_t warps, std::uint64_t blocks,
                                std::uint64_t budget) {
  constexpr std::uint64_t kBytesALane = 128; // in the time of an instruction, about
  const std::uint64_t a_block = warps * (entry.local_bytes / kBytesALane);
  return a_block == 0 || blocks <= budget / a_block ? blocks * a_block : budget;
}

} // namespace

void Machine::make_sure_of_room(const Program& program) const {
  std::uint64_t left = gpu().memory - memory_used_;
  for (const Program::GlobalVariable& global : program.globals()) {
    if (global.variable->size > left)
      throw Failure{Message(Says::variables_exceed_memory, device::Count{gpu().memory})};
    left -= global.variable->size;
  }
}

void Machine::load(Program& program) {
  make_sure_of_room(program);
  programs_.push_back(&program);
  const device::Address constants = kConstantsOnHost + constants_.size() * kConstantsOfModule;
  constants_.push_back(program.constant_bytes());
  auto& variables = constant_variables_.emplace_back();
  for (const Array& array : program.constant_layout().arrays()) {
    Allocation& variable = variables[array.begin];
    variable.base = constants + array.begin;
    variable.size = array.size;
    variable.name = array.name;
  }
  for (const Program::GlobalVariable& global : program.globals()) {
    memory_used_ += global.variable->size;
    Allocation& memory = memory_.allocate(global.address, global.variable->size,
                                          code::variable_name(global.variable->name), true);
    const device::Bytes bytes = program.initial_bytes(*global.variable);
    std::copy_n(bytes.begin(), std::min<std::uint64_t>(bytes.size(), memory.size),
                memory.bytes.get());
  }
}

// Whether there is room, at this address and at all.
void Machine::claim(device::Address address, std::uint64_t size, const std::string& name) {
  if (size > gpu().memory - memory_used_ || address > kSharedWindow - gpu().memory)
    throw Failure{Message(Says::plan_exceeds_memory, device::Count{gpu().memory})};
  const device::Address last = address + std::max<std::uint64_t>(size, 1) - 1;
  for (const device::Address at : {address, last})
    if (const Allocation* there = memory_.find(at); there && !there->freed)
      throw Failure{Message(Says::plan_allocates_over,
                            name.empty() ? Message(Says::memory) : Message(name), there->called())};
  memory_used_ += size;
}

void Machine::place(device::Address address, std::uint64_t size, const std::string& name,
                    bool written) {
  claim(address, size, name);
  memory_.allocate(address, size, name, written || !options_.check_memory);
}

void Machine::share(device::Address address, std::uint64_t size, std::byte* bytes, bool read_only,
                    const device::Message& named) {
  claim(address, size, {});
  Allocation& memory = memory_.place(address, size, bytes);
  memory.named = named;
  memory.read_only = read_only;
  shares_ = true;
}

void Machine::share(std::uint32_t module, const std::string& symbol, std::byte* bytes) {
  const auto address = address_of(module, symbol);
  Allocation* memory = address ? memory_.find(*address) : nullptr;
  if (!memory) throw Failure{Message(Says::no_managed_variable, symbol)};
  std::memcpy(bytes, memory->bytes.get(), memory->size);
  memory->bytes = std::unique_ptr<std::byte, ReleaseBytes>(bytes, ReleaseBytes{false});
  shares_ = true;
}

std::uint64_t Machine::create_texture(const device::Texture& texture) {
  textures_[next_texture_] = texture;
  return next_texture_++;
}

std::byte* Machine::range(device::Address address, std::uint64_t size, Says what, bool writes) {
  if (std::byte* constant = constant_range(address, size, what)) return constant;
  Allocation* memory = memory_.find(address);
  if (!memory || memory->freed || !memory->holds(address, size))
    throw Failure{Message(Says::step_is, Message(what), size, memory_.describe(address))};
  if (writes) memory->set_written(address - memory->base, size);
  return memory->bytes.get() + (address - memory->base);
}

std::optional<device::Address> Machine::address_of(std::uint32_t module,
                                                   const std::string& name) const {
  if (module >= programs_.size()) return std::nullopt;
  const ptx::Variable* variable = programs_[module]->variable(name);
  if (!variable) return std::nullopt;
  const auto address = programs_[module]->address_of(name);
  if (!address || variable->space == ptx::Space::global) return address;
  if (variable->space != ptx::Space::constant) return std::nullopt;
  return kConstantsOnHost + module * kConstantsOfModule + *address;
}

std::byte* Machine::constant_range(device::Address address, std::uint64_t size, Says what) {
  const std::uint64_t behind = address - kConstantsOnHost;
  const std::uint64_t module = behind / kConstantsOfModule, offset = behind % kConstantsOfModule;
  if (address < kConstantsOnHost || module >= constants_.size()) return nullptr;
  auto& bytes = constants_[module];
  if (offset > bytes.size() || size > bytes.size() - offset)
    throw Failure{Message(Says::step_leaves_constant, Message(what), size)};
  return bytes.data() + offset;
}

std::byte* Machine::symbol(std::uint32_t module, const std::string& name, std::uint64_t offset,
                           std::uint64_t size) {
  if (module >= programs_.size()) throw Failure{Message(Says::no_module_of_symbol)};
  const Program& program = *programs_[module];
  const ptx::Variable* variable = program.variable(name);
  const auto address = program.address_of(name);
  if (!variable || !address) throw Failure{Message(Says::no_symbol, name)};
  if (offset > variable->size || size > variable->size - offset)
    throw Failure{Message(Says::past_symbol, size, name, variable->size)};
  if (variable->space == ptx::Space::constant) return constants_[module].data() + *address + offset;
  return range(*address + offset, size, Says::a_copy, true);
}

// Allocating in a stream's order is as good as a write of it all: what other streams do there has
// to come behind it, and before it is freed.
void Machine::step(const device::Allocate& s) {
  place(s.address, s.size, {}, false);
  if (Allocation* memory = memory_.find(s.address)) memory->named = s.named;
  if (s.in_stream && s.size)
    touch(begin_work(nullptr, WorkName(kAllocates)), s.address, s.size, true);
}

void Machine::step(const device::Free& s) {
  const Allocation* memory = memory_.find(s.address);
  const std::uint64_t size = memory ? memory->size : 0;
  if (s.in_stream && size) touch(begin_work(nullptr, WorkName(kFrees)), s.address, size, true);
  if (Allocation* freed = memory_.find(s.address)) stream_races_.forget(*freed);
  if (!memory_.free(s.address)) throw Failure{Message(Says::plan_frees_unallocated)};
  memory_used_ -= size;
}

void Machine::step(const device::Fill& s) {
  if (s.size == 0) return;
  std::fill_n(range(s.address, s.size, Says::a_fill, true), s.size, s.value);
  touch(begin_work(nullptr, kFill), s.address, s.size, true);
}

void Machine::step(const device::Copy& s) {
  if (s.size == 0) return;
  const std::byte* from = range(s.from, s.size, Says::source_of_copy, false);
  std::memmove(range(s.to, s.size, Says::target_of_copy, true), from, s.size);
  StreamRaces* races = begin_work(nullptr, kCopy);
  touch(races, s.from, s.size, false);
  touch(races, s.to, s.size, true);
}

void Machine::step(const device::Upload& s) {
  if (s.bytes.empty()) return;
  std::memcpy(range(s.to, s.bytes.size(), Says::an_upload, true), s.bytes.data(), s.bytes.size());
  touch(begin_work(nullptr, kFromHost), s.to, s.bytes.size(), true);
}

void Machine::step(const device::SymbolUpload& s) {
  std::byte* to = symbol(s.module, s.symbol, s.offset, s.bytes.size());
  if (s.bytes.empty()) return;
  std::memcpy(to, s.bytes.data(), s.bytes.size());
  if (const auto address = address_of(s.module, s.symbol))
    touch(begin_work(nullptr, kFromHost), *address + s.offset, s.bytes.size(), true);
}

const std::byte* Machine::download(device::Address address, std::uint64_t size) {
  const std::byte* from = range(address, size, Says::a_copy_to_host, false);
  if (size) touch(begin_work(nullptr, kToHost), address, size, false);
  return from;
}

const std::byte* Machine::download(std::uint32_t module, const std::string& name,
                                   std::uint64_t offset, std::uint64_t size) {
  const std::byte* from = symbol(module, name, offset, size);
  if (const auto address = address_of(module, name); address && size)
    touch(begin_work(nullptr, kToHost), *address + offset, size, false);
  return from;
}

// Work of the stream in use begins. nullptr: nobody could be unordered with it.
StreamRaces* Machine::begin_work(const Program* program, const WorkName& name,
                                 ConstantVariables* constants) {
  const StreamOrder::Work work = stream_order_.begin();
  work_ = name.kernel;
  host_races_.begin(work);
  if (!options_.check_memory || ways_ || !stream_order_.concurrent()) return nullptr;
  stream_races_.begin(stream_order_, work, program, name, constants);
  return &stream_races_;
}

Allocation* Machine::constant_variable(device::Address address) {
  const std::uint64_t after = address - kConstantsOnHost, module = after / kConstantsOfModule;
  if (address < kConstantsOnHost || module >= constant_variables_.size()) return nullptr;
  auto& variables = constant_variables_[module];
  const auto behind = variables.upper_bound(static_cast<std::uint32_t>(after % kConstantsOfModule));
  return behind == variables.begin() ? nullptr : &std::prev(behind)->second;
}

void Machine::touch(StreamRaces* races, device::Address address, std::uint64_t size, bool writes) {
  if (shares_ && options_.check_memory && !ways_)
    if (const Allocation* memory = memory_.find(address))
      host_races_.note(*memory, address, size, writes, work_);
  Allocation* memory = races ? memory_.find(address) : nullptr;
  if (races && !memory) memory = constant_variable(address);
  if (!memory) return;
  for (device::Finding& finding : races->note(*memory, address - memory->base, size, writes))
    findings_.push_back(std::move(finding));
}

device::Bytes Machine::placed_arguments(const device::Launch& s) const {
  auto arguments = s.arguments;
  for (const auto& [at, module, name, offset] : s.symbols) {
    const auto found = address_of(module, name);
    if (!found) throw Failure{Message(Says::no_symbol, name)};
    const device::Address address = *found + offset;
    if (at <= arguments.size() && sizeof address <= arguments.size() - at)
      std::memcpy(arguments.data() + at, &address, sizeof address);
  }
  return arguments;
}

GridResult Machine::launch(const device::Launch& s, std::uint64_t budget) {
  if (s.module >= programs_.size()) throw Failure{Message(Says::no_module_of_kernel)};
  Program& program = *programs_[s.module];
  const Code& entry = program.entry(s.kernel);

  Launch launch;
  launch.program = &program;
  launch.entry = &entry;
  launch.grid = s.grid;
  launch.block = s.block;
  launch.dynamic_shared = s.dynamic_shared;
  const auto arguments = placed_arguments(s);
  launch.arguments = &arguments;
  launch.memory = &memory_;
  launch.constants = &constants_[s.module];
  launch.textures = &textures_;
  launch.shared = entry.shared;
  launch.shared.resize_last(s.dynamic_shared);
  launch.checks = options_.check_memory;
  launch.gpu = &gpu();
  launch.banks = options_.banks ? options_.banks : &gpu().architecture;
  launch.log = log_;
  launch.count_operations = count_operations_;
  launch.ways = ways_;
  launch.pace = pace_;
  const std::uint64_t clearing = worth_of_clearing(entry, launch.warps(), s.grid.count(), budget);
  launch.budget = budget - clearing;
  launch.number = launches_++;
  launch.order = order_;
  launch.strict_acquires = strict_acquires_;
  launch.lenient = options_.lenient;
  if (Message why = why_not_launched(gpu(), s, entry, launch.shared.bytes()); !why.empty())
    throw Failure{std::move(why)};
  const std::uint32_t argument_bytes = ptx::parameter_offsets(*entry.function).back();
  if (s.arguments.size() < argument_bytes)
    throw Failure{
        Message(Says::too_few_arguments, entry.shown, s.arguments.size(), argument_bytes)};

  launch.cluster = cluster_of(s, entry);
  launch.explicit_cluster = s.cluster.count() || entry.function->cluster[0];
  launch.clustered = launch.cluster.count() > 1 || entry.has_cluster_barriers;
  if (s.cooperative) launch.grid_workspace = grid_workspace();
  if (shares_ && options_.check_memory && !ways_) launch.host_races = &host_races_;
  launch.sample = options_.sample;
  if (s.cooperative && options_.sample && options_.sample < s.grid.count())
    throw Refusal{Message(Says::of_kernel, entry.shown,
                          Message(Says::sample_of_cooperative, s.grid.count(), options_.sample))};
  launch.stream_races = begin_work(&program, WorkName(entry.shown), &constant_variables_[s.module]);
  GridResult result = run(launch);
  result.clearing = clearing;
  if (result.left_out) memory_.count_as_written();
  return result;
}

GridResult Machine::run(Launch& launch) {
  Exploration* const exploration = options_.exploration;
  const bool chosen = exploration && exploration->chosen.contains(launch.number);
  if (!exploration || !(launch.entry->tells_order || chosen)) return run_grid(launch, cores_);
  const auto why_not = why_not_explored(launch);
  if (why_not == Exploration::WhyNot::none) return run_in_all_orders(launch, cores_, *exploration);
  exploration->launches.push_back({launch.number, launch.entry->shown, 0, why_not, {}});
  return run_grid(launch, cores_);
}

// As no block has come to the barrier yet.
device::Address Machine::grid_workspace() {
  Allocation* memory = memory_.find(kGridWorkspace);
  if (!memory)
    memory = &memory_.allocate(kGridWorkspace, kGridWorkspaceBytes, "the grid's barrier", true);
  std::memset(memory->bytes.get(), 0, kGridWorkspaceBytes);
  return kGridWorkspace;
}

void Machine::step(const device::StreamCall& s) {
  stream_order_.apply(s);
  if (s.what == device::StreamCall::What::record) host_races_.part();
  host_races_.waited(stream_order_);
  if (!stream_order_.take_settled()) return;
  stream_races_.forget();
  host_races_.forget();
}

std::optional<GridResult> Machine::step(const device::Step& step, std::uint64_t budget) {
  if (const auto* wanted = std::get_if<device::Launch>(&step)) return launch(*wanted, budget);
  std::visit(
      [this]<class Step>(const Step& s) {
        if constexpr (!std::is_same_v<Step, device::Launch>) this->step(s);
      },
      step);
  return std::nullopt;
}

} // namespace course::emulator
