// Launches of a machine: whether one can be, and what it is executed with.
#include "device/emulator/machine.hpp"

#include "device/emulator/decode/windows.hpp"
#include "device/emulator/execute/all_orders.hpp"
#include "device/message_id.hpp"
#include "device/model/occupancy.hpp"

#include <cstring>
#include <utility>

namespace course::emulator {
namespace {

using device::Message;
using Says = device::MessageId;

bool is_within(const device::Dim3& size, const std::array<std::uint32_t, 3>& most) {
  return size.x <= most[0] && size.y <= most[1] && size.z <= most[2];
}

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

std::shared_ptr<const GridResult> Machine::launch(const device::Launch& s, std::uint64_t budget) {
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
  launch.stream_races = begin_work(&program, WorkName(entry.shown), &constant_variables_[s.module],
                                   entry.lets_next_begin ? StreamOrder::LetsNext::itself
                                                         : StreamOrder::LetsNext::at_end);
  std::optional<PastLaunch> now;
  const bool early = launch.stream_races && stream_order_.beside();
  if (may_be_together(launch) && !early) {
    now.emplace(PastLaunch{launch, arguments, {}});
    launch.undo = &now->undo;
  }
  launch.acquires_from_streams =
      launch.stream_races && ((stream_races_.has_released() && entry.tells_order) || early);
  // What streams do at once is looked at access by access.
  const bool may_be_known = known_ && !launch.stream_races && !launch.acquires_from_streams;
  if (may_be_known) {
    if (auto known = known_->find(launch)) {
      recent_.clear();
      ++known_count_;
      return known;
    }
  }
  const auto result = run(launch, may_be_known);
  result->clearing = clearing;
  if (now && !result->ended)
    add_together(std::move(*now), *result);
  else
    recent_.clear();
  if (result->left_out) memory_.count_as_written();
  return result;
}

void Machine::know_launches() {
  const bool each = !options_.check_memory || options_.sample || options_.exploration || log_ ||
                    ways_ || order_.kind != device::Order::Kind::by_index;
  if (!each) known_ = std::make_unique<KnownLaunches>();
}

std::shared_ptr<GridResult> Machine::run(Launch& launch, bool may_be_known) {
  if (!known_) return std::make_shared<GridResult>(run(launch));
  Effects effects;
  launch.effects = &effects;
  memory_.set_read_unseen(false);
  try {
    auto result = std::make_shared<GridResult>(run(launch));
    known_->keep(launch, may_be_known, result, effects);
    return result;
  } catch (...) { // nobody knows how far it came
    known_.reset();
    throw;
  }
}

bool Machine::may_be_together(const Launch& launch) const {
  return launch.stream_races && launch.order.kind == device::Order::Kind::at_liberty &&
         !launch.log && !launch.sample && !options_.exploration;
}

// With those before it, where nothing says that this one is behind them.
void Machine::add_together(PastLaunch now, GridResult& result) {
  const auto together =
      recent_.add(stream_order_, work_, std::move(now), result.counts.instructions);
  if (!together) return;
  result.findings.add_unknown(together->findings);
  result.ended = together->ended;
  result.stopped = together->stopped;
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

} // namespace course::emulator
