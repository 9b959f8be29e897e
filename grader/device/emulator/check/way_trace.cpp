// Long, because each kind of instruction takes a few lines, and all share the frames that they read
// and write.
#include "device/emulator/check/way_trace.hpp"

#include "device/code/ptx/registers.hpp"
#include "device/emulator/decode/actions.hpp"
#include "device/emulator/decode/instruction_set.hpp"
#include "device/emulator/state/cluster.hpp"
#include "device/emulator/state/lane_places.hpp"
#include "device/emulator/state/launch.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace course::emulator {
namespace {

using device::Way;
namespace way = device::way;

// Of copies that end at barriers in memory, which are left is not known: nothing asks for more.
constexpr std::uint64_t kEnoughBatches = 4;
// What a warp's sums leave in shared memory for each of its shuffles, at most: eight lanes that
// have a sum between them take three, and four such sums are four words.
constexpr std::int64_t kWordsOfShuffle = 2;
// Of a table, that are told apart: no exercise asks for more.
constexpr std::size_t kMostBytesRead = 4096;
constexpr Way kBetweenLanes = way::shuffled | way::voted | way::multiplied;

bool has_come(Way data) {
  return (data & ~way::details) != 0;
}

// Data that goes on `by` something is no longer what its own lane loaded.
Way handed_over(Way data, Way by) {
  return has_come(data) ? static_cast<Way>((data & ~way::direct) | by) : data;
}

// What an instruction counts as, once it is executed.
std::optional<device::Used> used_by(const ptx::Instruction& instruction) {
  const auto has = [&](const char* modifier) {
    return std::ranges::count(instruction.modifiers, modifier) > 0;
  };
  const bool arrives = has("arrive") || has("arrive_drop");
  if (arrives && (instruction.row->kind == ptx::Class::mbarrier ||
                  instruction.row->opcode == ptx::Opcode::cp_async_mbarrier))
    return device::Used::phase_arrivals;
  if (instruction.row->kind == ptx::Class::load && has("const"))
    return device::Used::constant_loads;
  return std::nullopt;
}

// nullptr: there is no such block.
const Block* block_of_rank(const Cluster& cluster, std::uint64_t rank) {
  return rank < cluster.blocks.size() ? cluster.blocks[rank] : nullptr;
}

// The lanes in which a factor is zero.
u32 zeros(const Warp& warp, bool of_floats, Slot slot) {
  const u32* value = lanes_at<const u32>(warp.frame, slot);
  u32 all = 0;
  for (u32 lane = 0; lane < kLanes; ++lane)
    all |= (of_floats ? value[lane] << 1 : value[lane]) == 0 ? 1u << lane : 0;
  return all;
}

template <typename F>
void for_lanes(u32 lanes, F&& f) {
  for (; lanes; lanes &= lanes - 1) f(lowest(lanes));
}

} // namespace

// ---- instructions

WayTrace::Flow WayTrace::flow_of(const ptx::Instruction& instruction) {
  using K = ptx::Flow;
  Flow flow;
  const auto numbers = [](const std::vector<ptx::Register>& registers) {
    std::vector<std::uint32_t> all;
    all.reserve(registers.size());
    for (const auto one : registers) all.push_back(one.index);
    return all;
  };
  flow.results = numbers(ptx::results(instruction));
  flow.sources = numbers(ptx::sources(instruction));
  flow.kind = instruction.row->flow;
  flow.opcode = instruction.row->opcode;
  flow.used = used_by(instruction);
  flow.made = instruction.row->opcode == ptx::Opcode::wgmma_mma_async
                  ? way::multiplied | way::warpgroup
                  : way::multiplied;
  flow.writes_carry = std::ranges::count(instruction.modifiers, "cc") > 0;
  const auto registers = [](const ptx::Operand& operand) {
    const auto* vector = std::get_if<ptx::Vector>(&operand.value);
    std::vector<std::uint32_t> all;
    for (const auto& part : vector ? vector->elements : std::vector{operand}) {
      const auto* reg = std::get_if<ptx::Register>(&part.value);
      all.push_back(reg ? reg->index : kNoRegister);
    }
    return all;
  };
  if (flow.kind == K::select && instruction.operands.size() == 4 && !instruction.guard) {
    for (std::size_t i = 1; i < 4; ++i)
      flow.values.push_back(registers(instruction.operands[i])[0]);
    flow.selects = flow.values[2] != kNoRegister && !instruction.operands[3].negated;
  }
  const auto is_one_of = [&](std::initializer_list<const char*> modifiers) {
    return std::ranges::any_of(modifiers, [&](const char* modifier) {
      return std::ranges::count(instruction.modifiers, modifier) > 0;
    });
  };
  using O = ptx::Opcode;
  const bool multiplies = flow.opcode == O::mul || flow.opcode == O::fma || flow.opcode == O::mad;
  if ((multiplies || flow.opcode == O::and_) && !instruction.guard &&
      is_one_of({"f32", "s32", "u32", "b32"}) && !is_one_of({"wide"})) {
    for (std::size_t i = 1; i < instruction.operands.size(); ++i)
      flow.values.push_back(registers(instruction.operands[i])[0]);
    flow.has_zero = true;
    flow.of_floats = is_one_of({"f32"});
  }
  if (flow.kind == K::shuffle) {
    flow.values = registers(instruction.operands[1]);
    for (std::size_t i = 2; i < instruction.operands.size(); ++i)
      flow.base.push_back(registers(instruction.operands[i])[0]);
    if (instruction.guard) flow.base.push_back(instruction.guard->predicate.index);
  }
  if (flow.kind == K::product)
    for (const std::size_t factor : {1, 2}) {
      const auto some = registers(instruction.operands[factor]);
      flow.values.insert(flow.values.end(), some.begin(), some.end());
    }
  const bool loads = flow.kind == K::load || flow.kind == K::load_rows;
  if (!loads && flow.kind != K::store && flow.kind != K::store_rows && flow.kind != K::atomic &&
      flow.kind != K::copy)
    return flow;

  bool first_value = true;
  for (const auto& operand : instruction.operands) {
    if (const auto* memory = std::get_if<ptx::Memory>(&operand.value)) {
      if (const auto* base = std::get_if<ptx::Register>(&memory->base))
        flow.base.push_back(base->index);
      continue;
    }
    const bool result = first_value && !loads && !flow.results.empty();
    first_value = false;
    if (result) continue; // of an atomic: it is among the results
    const auto some = registers(operand);
    flow.values.insert(flow.values.end(), some.begin(), some.end());
  }
  if (instruction.guard) flow.base.push_back(instruction.guard->predicate.index);
  return flow;
}

const WayTrace::Flow& WayTrace::flow_of(const Code& code, const Operation& op) {
  auto& flows = flows_[&code];
  if (flows.empty())
    for (const auto& instruction : code.function->body) flows.push_back(flow_of(instruction));
  static const Flow kNothing;
  const auto at = code.instruction[static_cast<std::size_t>(&op - code.operations.data())];
  return at < flows.size() ? flows[at] : kNothing;
}

WayTrace::Frame& WayTrace::frame(const Warp& warp, std::uint32_t activation, const Code& code) {
  auto& frames = of(warp).frames;
  if (frames.size() <= activation) frames.resize(activation + 1);
  auto& frame = frames[activation];
  if (frame.registers.size() < code.function->registers.size())
    frame.registers.resize(code.function->registers.size());
  return frame;
}

Way WayTrace::sources(const Frame& frame, const std::vector<std::uint32_t>& registers,
                      std::uint32_t lane) const {
  Way all = 0;
  for (const auto number : registers)
    if (number != kNoRegister) all |= frame.registers[number][lane];
  return all;
}

void WayTrace::write(Frame& frame, const std::vector<std::uint32_t>& registers, std::uint32_t lane,
                     Way way) {
  for (const auto number : registers)
    if (number != kNoRegister) frame.registers[number][lane] = way;
}

WayTrace::BlockWays& WayTrace::of(const Block& block) {
  if (last_ != &block) {
    last_ = &block;
    of_last_ = &blocks_[&block];
  }
  return *of_last_;
}

// ---- steps

void WayTrace::begin_block(const Block& block) {
  BlockWays& ways = of(block);
  ways.warps.assign(block.warps.size(), {});
  ways.shared.assign(block.launch->shared.guarded_bytes(), 0);
  ways.writer.assign(ways.shared.size(), kNobody);
  for (ByteSet* set : {&ways.filled, &ways.unread, &ways.lent, &ways.unwritten})
    set->assign(ways.shared.size());
  ways.under_way = 0;
  ways.busiest = 0;
  ways.by_barriers = false;
  ways.number = ++begun_;
  for (const auto& array : block.launch->shared.arrays())
    for (u32 byte = 0; array.dynamic && byte < array.size; ++byte)
      ways.unwritten.put(array.begin + byte);
  ways.dynamic_bytes = ways.unwritten.count();
}

void WayTrace::before(Warp& warp, const Split& split, const Operation& op, std::uint32_t lanes) {
  const Code& code = *warp.activations[split.activation].code;
  const Flow& flow = flow_of(code, op);
  Frame& mine = frame(warp, split.activation, code);
  using K = ptx::Flow;
  if (op.kind == OperationKind::branch || op.kind == OperationKind::indirect_branch) {
    // The lanes that go and those that stay have both learnt something.
    auto& control = of(warp).control;
    for_lanes(split.lanes, [&](u32 lane) {
      control[lane] |= sources(mine, flow.sources, lane) & kBetweenLanes;
    });
    return;
  }
  if (!lanes) return;
  copy_step(warp, flow, op);
  if (flow.used && op.counted) count(*flow.used);
  if (flow.kind == K::load_tile && op.counted) // each of its accesses adds to this
    for_lanes(lanes, [&](u32 lane) {
      write(mine, flow.results, lane, sources(mine, flow.sources, lane) | of(warp).control[lane]);
    });
  if (op.kind == OperationKind::rendezvous) return;
  if (op.kind == OperationKind::barrier) {
    barrier(warp, code.barriers[op.target], lanes);
    if (!flow.results.empty()) exchange(warp, mine, flow, lanes, way::voted);
    return;
  }
  switch (flow.kind) {
  case K::compute:
  case K::carry:
  case K::select:
    if (op.counted) compute(warp, mine, code, flow, op, lanes);
    break;
  case K::copy:
    if (op.execute == start_copy) copy(warp, mine, flow, op, lanes);
    break;
  case K::load:
  case K::store:
  case K::atomic:
  case K::load_tile:
  case K::store_tile:
    if (op.access) access(warp, mine, flow, *op.access, lanes);
    break;
  default: // an exchange, or a bulk copy, which tells itself
    break;
  }
}

void WayTrace::before_exchange(Warp& warp, std::uint32_t activation, const Operation& op,
                               std::uint32_t lanes) {
  const Code& code = *warp.activations[activation].code;
  const Flow& flow = flow_of(code, op);
  Frame& mine = frame(warp, activation, code);
  using K = ptx::Flow;
  if (flow.kind == K::load_rows || flow.kind == K::store_rows) rows(warp, mine, flow, op, lanes);
  if (flow.kind == K::shuffle) shuffle(warp, mine, flow, op, lanes);
  if (flow.kind == K::vote) exchange(warp, mine, flow, lanes, way::voted);
  if (flow.kind == K::product)
    exchange(warp, mine, flow, lanes, flow.made,
             operands(warp, op, lanes) | loose_operands(mine, flow, lanes));
}

// A product joins the ways of its operands, so that one that came as rows would hide another.
Way WayTrace::loose_operands(const Frame& frame, const Flow& flow, std::uint32_t lanes) const {
  bool loose = false;
  for (const auto number : flow.values)
    for_lanes(lanes, [&](u32 lane) {
      const Way came = number == kNoRegister ? Way{0} : frame.registers[number][lane];
      loose = loose || (has_come(came) && (came & way::rows) == 0);
    });
  return loose ? way::loose : Way{0};
}

// What a product reads in shared memory by itself.
Way WayTrace::operands(const Warp& warp, const Operation& op, std::uint32_t lanes) {
  if (!op.access || !op.access->product) return 0;
  load_meanwhile(warp, lanes, model::kProductChunk);
  Way all = 0;
  const auto chunks = chunks_of(warp, *op.access->product,
                                descriptors_of(warp, *op.access->product, lowest(lanes)));
  for (const auto* side : {&chunks.of_a, &chunks.of_b})
    for (const u32 chunk : *side)
      for (u32 byte = 0; byte < model::kProductChunk; ++byte)
        if (const Way* there = shared(*warp.block, std::uint64_t{chunk} + byte)) {
          all |= *there;
          of(*warp.block).unread.take(std::uint64_t{chunk} + byte);
        }
  return all;
}

void WayTrace::compute(const Warp& warp, Frame& frame, const Code& code, const Flow& flow,
                       const Operation& op, std::uint32_t lanes) {
  Ways all = of(warp).control;
  const auto add = [&](const Ways& ways, u32 of = kAllLanes) {
    for (u32 lane = 0; lane < kLanes; ++lane) all[lane] |= of >> lane & 1 ? ways[lane] : 0;
  };
  const auto& from = flow.sources;
  const auto at = static_cast<std::size_t>(&op - code.operations.data());
  const bool alone = code.instruction[at + 1] != code.instruction[at]; // no other operation for it
  if (flow.selects && alone) {
    // The value that is chosen, and what chooses.
    const u32 first = predicate_at(warp.frame, op.slot[3]);
    for (std::size_t i = 0; i < 2; ++i)
      if (flow.values[i] != kNoRegister)
        add(frame.registers[flow.values[i]], i == 0 ? first : ~first);
    add(frame.registers[flow.values[2]]);
  } else if (flow.has_zero && alone) {
    for (std::size_t i = 0; i < flow.values.size(); ++i)
      if (flow.values[i] != kNoRegister)
        add(frame.registers[flow.values[i]],
            i < 2 ? ~zeros(warp, flow.of_floats, op.slot[2 - i]) : kAllLanes);
  } else {
    for (const auto number : from) add(frame.registers[number]);
  }
  if (flow.kind == ptx::Flow::carry) add(frame.carry);
  const auto set = [&](Ways& ways) {
    for (u32 lane = 0; lane < kLanes; ++lane)
      ways[lane] = lanes >> lane & 1 ? all[lane] : ways[lane];
  };
  if (flow.writes_carry) set(frame.carry);
  for (const auto number : flow.results) set(frame.registers[number]);
}

// A lane that gets its own value was handed nothing by it.
void WayTrace::shuffle(const Warp& warp, Frame& frame, const Flow& flow, const Operation& op,
                       std::uint32_t lanes) {
  const auto from = shuffled_from(warp, op, lanes);
  const auto& control = of(warp).control;
  Ways given{};
  bool hands_over = false;
  for_lanes(lanes, [&](u32 lane) {
    const Way value = sources(frame, flow.values, from[lane]) | control[from[lane]];
    hands_over = hands_over || (from[lane] != lane && has_come(value));
    const Way all = value | sources(frame, flow.base, lane) | control[lane];
    given[lane] = from[lane] == lane ? all : handed_over(all, way::shuffled);
  });
  if (hands_over) count_alone(of(warp), -kWordsOfShuffle);
  for_lanes(lanes, [&](u32 lane) { write(frame, flow.results, lane, given[lane]); });
}

// Which lane gets what from whom is not followed: each may get anything from any.
void WayTrace::exchange(const Warp& warp, Frame& frame, const Flow& flow, std::uint32_t lanes,
                        Way by, Way besides) {
  const auto& control = of(warp).control;
  Way all = besides;
  for_lanes(lanes, [&](u32 lane) { all |= sources(frame, flow.sources, lane) | control[lane]; });
  const bool product = (by & way::multiplied) && has_come(all);
  const Way made = product ? static_cast<Way>(all | by) : handed_over(all, by);
  for_lanes(lanes, [&](u32 lane) { write(frame, flow.results, lane, made); });
}

// One without a number of threads is for all of the block.
void WayTrace::barrier(const Warp& warp, const BarrierUse& use, std::uint32_t lanes) {
  const u32 threads = use.count ? lanes_at<const u32>(warp.frame, *use.count)[lowest(lanes)] : 0;
  if (threads == 0 || threads >= warp.block->launch->threads())
    count(device::Used::barriers_of_all);
}

// ---- copies that are under way

// A batch of cp.async is under way until its warp waits for it.
void WayTrace::copy_step(const Warp& warp, const Flow& flow, const Operation& op) {
  using O = ptx::Opcode;
  auto& mine = of(warp);
  switch (flow.opcode) {
  case O::cp_async_ca:
  case O::cp_async_cg:
    if (!mine.begun) ++of(*warp.block).under_way;
    mine.begun = true;
    break;
  case O::cp_async_commit_group:
    mine.batches.push_back(std::exchange(mine.begun, false));
    break;
  case O::cp_async_wait_group:
    end_batches(*warp.block, mine, op.immediate);
    break;
  case O::cp_async_wait_all:
    mine.batches.push_back(std::exchange(mine.begun, false));
    end_batches(*warp.block, mine, 0);
    break;
  case O::cp_async_mbarrier:
    of(*warp.block).by_barriers = true;
    break;
  default:
    break;
  }
}

// All but the latest.
void WayTrace::end_batches(const Block& block, WarpWays& warp, std::size_t but) {
  for (; warp.batches.size() > but; warp.batches.pop_front())
    of(block).under_way -= warp.batches.front() ? 1 : 0;
}

void WayTrace::load_meanwhile(const Warp& warp, std::uint32_t lanes, std::uint32_t bytes) {
  const auto& ways = of(*warp.block);
  const auto loads = static_cast<std::uint64_t>(std::popcount(lanes));
  if (ways.under_way > 0 || ways.by_barriers) count(device::Used::loads_meanwhile, loads);
  const auto& mine = of(warp);
  const auto batches = ways.by_barriers
                           ? kEnoughBatches
                           : static_cast<std::uint64_t>(std::ranges::count(mine.batches, true)) +
                                 (mine.begun ? 1 : 0);
  count(device::Used::copies_ahead, loads * bytes * batches);
}

// ---- memory

Way* WayTrace::shared(const Block& block, std::uint64_t offset) {
  auto& bytes = of(block).shared;
  return offset < bytes.size() ? &bytes[offset] : nullptr;
}

Way WayTrace::read_shared(const Block& block, std::uint64_t offset, const Warp& by) {
  const Way* there = shared(block, offset);
  if (!there) return 0;
  of(block).unread.take(offset);
  const auto writer = of(block).writer[offset];
  const bool elsewhere = &block != by.block;
  if (elsewhere) lend(of(block), offset);
  const bool of_another = writer != kNobody && (writer != by.index || elsewhere);
  return static_cast<Way>(*there | (of_another && has_come(*there) ? way::warps : 0) |
                          (elsewhere ? way::blocks : 0));
}

void WayTrace::write_shared(const Block& block, std::uint64_t offset, const Warp& by, Way way,
                            bool keep) {
  Way* there = shared(block, offset);
  if (!there) return;
  *there = static_cast<Way>((keep ? *there : 0) | way | (&block != by.block ? way::blocks : 0));
  of(block).writer[offset] = static_cast<std::uint16_t>(by.index);
  written(of(block), offset);
}

// A byte of shared memory has a new value.
void WayTrace::written(BlockWays& ways, std::uint64_t offset) {
  if (has_come(ways.shared[offset]) && ways.unread.put(offset))
    at_most_yet(device::Used::bytes_ahead, ways.unread.count());
  if (ways.unwritten.take(offset))
    at_most_yet(device::Used::dynamic_bytes, ways.dynamic_bytes - ways.unwritten.count());
}

void WayTrace::lend(BlockWays& ways, std::uint64_t offset) {
  if (ways.lent.put(offset)) at_most_yet(device::Used::lent_bytes, ways.lent.count());
}

void WayTrace::at_most_yet(device::Used what, std::uint64_t of_a_block) {
  auto& most = used_[static_cast<std::size_t>(what)];
  most = std::max(most, of_a_block);
}

// Shuffles for show make up for few words, and those that a warp needs for more than it stores.
void WayTrace::count_alone(WarpWays& warp, std::int64_t more) {
  auto& all = used_[static_cast<std::size_t>(device::Used::words_alone)];
  all -= static_cast<std::uint64_t>(std::max<std::int64_t>(warp.alone, 0));
  warp.alone += more;
  all += static_cast<std::uint64_t>(std::max<std::int64_t>(warp.alone, 0));
}

void WayTrace::count_once(device::Used what, BytesRead& read, std::uint64_t address,
                          std::uint32_t width) {
  const std::pair here{address, width};
  if (here == read.last || read.addresses.size() >= kMostBytesRead) return;
  read.last = here;
  for (u32 byte = 0; byte < width; ++byte) read.addresses.insert(address + byte);
  at_most_yet(what, read.addresses.size());
}

// The bytes there, where no kernel has written the first of them.
std::uint64_t WayTrace::inputs_at(device::Address address, std::uint32_t width) {
  const auto& [way, writer] = in_global(address);
  return way != 0 && writer == 0 ? width : 0;
}

void WayTrace::count_loaded(const Warp& warp, std::uint64_t bytes) {
  auto& busiest = of(*warp.block).busiest;
  auto& loaded = of(warp).loaded;
  loaded += bytes;
  if (loaded <= busiest) return;
  count(device::Used::busiest_bytes, loaded - busiest);
  busiest = loaded;
}

void WayTrace::fill(const Block& block, std::uint64_t offset, Way way, const Warp* by) {
  Way* there = shared(block, offset);
  if (!there) return;
  *there = way;
  auto& ways = of(block);
  ways.writer[offset] = by ? static_cast<std::uint16_t>(by->index) : kNobody;
  written(ways, offset);
  if (ways.filled.put(offset)) at_most_yet(device::Used::copied_bytes, ways.filled.count());
}

WayTrace::GlobalWay& WayTrace::in_global(device::Address address) {
  auto& page = pages_[address / 4096];
  return page[address % 4096];
}

Way WayTrace::loaded_from_global(device::Address address, std::uint32_t width, const Block& by) {
  Way all = 0;
  const u32 reader = of(by).number;
  for (u32 byte = 0; byte < width; ++byte) {
    const auto& [way, writer] = in_global(address + byte);
    all |= !writer ? way : handed_over(way, way::global | (writer != reader ? way::results : 0));
  }
  return all;
}

void WayTrace::begin_at(device::Address address, std::uint64_t size) {
  for (std::uint64_t byte = 0; byte < size; ++byte) in_global(address + byte).way = way::direct;
}

std::vector<Way> WayTrace::ways(device::Address address, std::uint64_t size) const {
  std::vector<Way> all(size);
  for (std::uint64_t byte = 0; byte < size; ++byte) {
    const auto page = pages_.find((address + byte) / 4096);
    if (page != pages_.end()) all[byte] = page->second[(address + byte) % 4096].way;
  }
  return all;
}

void WayTrace::access(Warp& warp, Frame& frame, const Flow& flow, const MemoryOperand& access,
                      std::uint32_t lanes) {
  if (access.area_bytes) { // of a call
    const auto& control = of(warp).control;
    auto& area = frame.areas[access.area];
    for_lanes(lanes, [&](u32 lane) {
      if (flow.kind == ptx::Flow::store)
        area[lane] = sources(frame, flow.sources, lane) | control[lane];
      else
        write(frame, flow.results, lane, area[lane]);
    });
    return;
  }
  const bool wide = !access.asynchronous &&
                    (access.space == ptx::Space::global || access.space == ptx::Space::generic);
  LaneAddresses at;
  LaneOffsets offsets;
  if (wide) {
    point(warp, access, at);
  } else {
    if (access.of_cluster || access.asynchronous)
      point_in_cluster(warp, access, offsets);
    else
      point(warp, access, offsets);
    std::ranges::copy(offsets.of, at.of.begin());
  }
  for_lanes(lanes, [&](u32 lane) { this->access(warp, frame, flow, access, lane, at.of[lane]); });
}

// One lane's part: loads write registers, stores memory, atomics both.
void WayTrace::access(const Warp& warp, Frame& frame, const Flow& flow, const MemoryOperand& access,
                      std::uint32_t lane, std::uint64_t address) {
  using S = ptx::Space;
  using K = ptx::Flow;
  S space = access.asynchronous ? S::shared : access.space;
  bool anywhere = access.of_cluster || access.asynchronous; // in the cluster
  if (space == S::generic) {
    const auto within = [&](std::uint64_t window, S what) {
      if (!in_window(address, window)) return false;
      space = what;
      address -= window;
      return true;
    };
    anywhere = within(kSharedWindow, S::shared);
    if (!anywhere && !within(kLocalWindow, S::local) && !within(kConstantWindow, S::constant))
      space = S::global;
  }
  const Block* block = warp.block;
  if (space == S::shared) {
    if (anywhere && block->cluster) block = block_of_rank(*block->cluster, address >> kRankShift);
    address &= ~std::uint64_t{kRankBits};
  }
  if (!block) return; // there is no such rank
  if (space == S::local) count(device::Used::local_accesses);
  if (space == S::shared && (flow.kind == K::store || flow.kind == K::atomic))
    count(device::Used::shared_updates);
  if (space == S::shared && (flow.kind == K::load || flow.kind == K::load_tile))
    load_meanwhile(warp, 1, access.width());
  auto& mine = of(warp);
  const Way chosen = sources(frame, flow.base, lane) | mine.control[lane];
  const auto load = [&](std::uint64_t from, u32 width) {
    Way way = chosen;
    if (space == S::global) {
      way |= loaded_from_global(from, width, *warp.block);
      const auto inputs = inputs_at(from, width);
      count_loaded(warp, inputs);
      if (inputs == 0) count_once(device::Used::table_bytes, of_tables_, from, width);
    }
    if (space == S::constant) {
      way |= way::constant;
      count_once(device::Used::constant_bytes, of_constants_, from, width);
    }
    for (u32 byte = 0; byte < width; ++byte) {
      if (space == S::shared) way |= read_shared(*block, from + byte, warp);
      if (space == S::local) way |= mine.local[lane << 20 | static_cast<u32>(from + byte)];
    }
    return way;
  };
  const auto store = [&](std::uint64_t to, u32 width, Way way, bool keep) {
    way |= chosen;
    if (space == S::shared && has_come(way)) count_alone(mine, 1);
    for (u32 byte = 0; byte < width; ++byte) {
      if (space == S::shared)
        write_shared(*block, to + byte, warp, handed_over(way, way::stored), keep);
      if (space == S::local)
        mine.local[lane << 20 | static_cast<u32>(to + byte)] =
            static_cast<Way>(has_come(way) ? way | way::local : way);
      if (space == S::global) {
        const Way kept = keep ? loaded_from_global(to + byte, 1, *warp.block) : 0;
        in_global(to + byte) = {kept | way, of(*warp.block).number};
      }
    }
  };
  const std::uint32_t width = access.element;
  switch (flow.kind) {
  case K::atomic: {
    const Way before = load(address, width);
    store(address, width, sources(frame, flow.values, lane), true);
    write(frame, flow.results, lane, before);
    return;
  }
  case K::load_tile: {
    const Way way = load(address, access.width());
    for (const auto number : flow.results) frame.registers[number][lane] |= way;
    return;
  }
  case K::store_tile:
    store(address, access.width(), sources(frame, flow.sources, lane), false);
    return;
  default:
    break;
  }
  for (u32 c = 0; c < access.components; ++c) {
    const auto at = address + std::uint64_t{c} * width;
    const std::vector<std::uint32_t> value{flow.values[c]};
    if (flow.kind == K::store)
      store(at, width, sources(frame, value, lane), false);
    else
      write(frame, value, lane, load(at, width));
  }
}

// Which piece of which row a lane gets is not followed: each may get any.
void WayTrace::rows(Warp& warp, Frame& frame, const Flow& flow, const Operation& op,
                    std::uint32_t lanes) {
  const MemoryOperand& access = *op.access;
  LaneOffsets at;
  point(warp, access, at);
  const u32 of_rows = op.immediate >= 4 ? kAllLanes : (1u << 8 * op.immediate) - 1;
  const auto for_bytes = [&](auto&& f) {
    for_lanes(lanes & of_rows, [&](u32 lane) {
      for (u32 byte = 0; byte < access.element; ++byte)
        f((at.of[lane] & ~kRankBits) + std::uint64_t{byte});
    });
  };
  Way all = 0;
  for_lanes(lanes, [&](u32 lane) { all |= of(warp).control[lane]; });
  if (flow.kind == ptx::Flow::load_rows) {
    for_bytes([&](std::uint64_t offset) { all |= read_shared(*warp.block, offset, warp); });
    if (has_come(all)) all |= way::rows;
    load_meanwhile(warp, lanes, access.element);
    for_lanes(lanes, [&](u32 lane) { write(frame, flow.values, lane, all); });
  } else {
    for_lanes(lanes, [&](u32 lane) { all |= sources(frame, flow.values, lane); });
    for_bytes([&](std::uint64_t offset) {
      write_shared(*warp.block, offset, warp, handed_over(all, way::stored), false);
    });
  }
}

void WayTrace::copy(Warp& warp, Frame& frame, const Flow& flow, const Operation& op,
                    std::uint32_t lanes) {
  const MemoryOperand& access = *op.access;
  LaneOffsets to;
  LaneAddresses from;
  point(warp, access, to);
  point(warp, *access.global, from);
  const u32* sizes = lanes_at<const u32>(warp.frame, op.slot[1]);
  const auto& control = of(warp).control;
  for_lanes(lanes, [&](u32 lane) {
    const Way chosen = sources(frame, flow.sources, lane) | control[lane];
    for (u32 byte = 0; byte < access.element; ++byte) {
      const bool zero = byte >= sizes[lane];
      const Way data = zero ? Way{0} : loaded_from_global(from.of[lane] + byte, 1, *warp.block);
      fill(*warp.block, (to.of[lane] & ~kRankBits) + std::uint64_t{byte},
           handed_over(data | chosen, way::copied), &warp);
    }
  });
}

void WayTrace::bulk_copy_in(const Warp& by_warp, const Block& target, std::uint32_t to,
                            device::Address from, std::uint32_t size, bool by_map) {
  const Way by = way::copied | way::bulk | (by_map ? way::map : 0);
  of(target).by_barriers = true;
  for (u32 byte = 0; byte < size; ++byte)
    fill(target, std::uint64_t{to} + byte,
         handed_over(loaded_from_global(from + byte, 1, target), by), &by_warp);
}

void WayTrace::bulk_copy_across(const Block& target, std::uint32_t to, const Block& source,
                                std::uint32_t from, std::uint32_t size) {
  for (u32 byte = 0; byte < size; ++byte) {
    const Way* here = shared(source, std::uint64_t{from} + byte);
    if (here && &target != &source) lend(of(source), std::uint64_t{from} + byte);
    if (here)
      fill(target, std::uint64_t{to} + byte,
           handed_over(*here, way::copied | way::bulk) | (&target != &source ? way::blocks : 0));
  }
}

void WayTrace::bulk_copy_out(device::Address to, const Block& source, std::uint32_t from,
                             std::uint32_t size) {
  for (u32 byte = 0; byte < size; ++byte)
    if (const Way* there = shared(source, std::uint64_t{from} + byte)) {
      in_global(to + byte) = {*there | way::out, of(source).number};
      of(source).unread.take(std::uint64_t{from} + byte);
    }
}

// ---- calls

void WayTrace::call(const Warp& warp, std::uint32_t caller, std::uint32_t callee,
                    const CallUse& use, const Code& code) {
  auto& frames = of(warp).frames;
  if (frames.size() <= std::max(caller, callee)) frames.resize(std::max(caller, callee) + 1);
  frames[callee] = {};
  for (std::size_t i = 0; i < use.arguments.size(); ++i)
    frames[callee].areas[code.argument_areas[i].area] = frames[caller].areas[use.arguments[i].area];
}

void WayTrace::leave(const Warp& warp, std::uint32_t callee, std::uint32_t caller,
                     const CallUse& use, const Code& code) {
  auto& frames = of(warp).frames;
  if (frames.size() <= std::max(caller, callee)) frames.resize(std::max(caller, callee) + 1);
  for (std::size_t i = 0; i < use.results.size(); ++i)
    frames[caller].areas[use.results[i].area] = frames[callee].areas[code.result_areas[i].area];
}

} // namespace course::emulator
