// Follows values that nobody defined: what a load brought from memory that nothing had written, and
// in drawn orders what a register holds that nothing has written.
//
// To read such a value is no mistake: a bit-field is set by reading its byte, and a merge reads the
// element behind the last and does not look at it. It is one where the value decides something: a
// branch, an address, what is in global memory. So a block keeps for each bit of a register whether
// it is undefined, and where it came from. Moves, masks and shifts keep track of each bit; of other
// arithmetic all that an undefined bit may change is undefined.
//
// Nothing is kept, and nothing costs, before a warp has read an undefined value; only then are its
// operations looked at one by one. What is not followed (atomics, copies, matrices) makes the read
// a finding as soon as it gets such a value. So does global memory, but for a byte that is stored
// where it was read, with some bits set: it counts as defined from then on.
#pragma once

#include "device/emulator/decode/decoded_module.hpp"
#include "device/emulator/state/warp.hpp"

#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace course::emulator {

struct Allocation;
struct Block;

class Undefined {
public:
  // What an undefined value has come to.
  enum class Use : std::uint8_t { branch, address, store, other };

  explicit Undefined(Block& block) : block_(block) {}
  void begin_block();
  // At a barrier of the block, and at its end. What another thread has written since was read too
  // early: that is a race, and reported as one.
  void judge();

  // Loads that have met what nothing has written; the warp is watched from then on.
  void load_shared(Warp&, const MemoryOperand&, std::uint32_t lanes, const LaneOffsets&);
  void load_local(Warp&, const MemoryOperand&, std::uint32_t lane, std::uint32_t offset,
                  const std::uint8_t* defined);
  void load_global(Warp&, const MemoryOperand&, std::uint32_t lanes, const Allocation&,
                   const LaneAddresses&);

  // Registers of a function that begins in `begin` of Warp::registers, that no lane has written.
  void begin_function(Warp&, const Code&, std::uint32_t begin, std::uint32_t lanes);

  // Before an operation is executed by `lanes`; of a rendezvous, before the exchange itself.
  void before(Warp&, const Split&, const Operation&, std::uint32_t lanes);
  void before_exchange(Warp&, std::uint32_t activation, const Operation&, std::uint32_t lanes);

  // After a watched warp has stored.
  void store_shared(Warp&, const MemoryOperand&, std::uint32_t lanes, const LaneOffsets&);
  void store_local(Warp&, const MemoryOperand&, std::uint32_t lane, std::uint8_t* defined);
  void store_global(Warp&, const MemoryOperand&, std::uint32_t lanes, const LaneAddresses&);

  // Bytes of shared memory that hold undefined bits, though something has written them.
  bool keeps_shared() const { return !shared_.empty(); }
  void overwrite(const MemoryOperand&, std::uint32_t lanes, const LaneOffsets&);
  std::uint32_t reads(const MemoryOperand&, std::uint32_t lanes, const LaneOffsets&) const;
  // Somebody reads them whose values are not followed.
  void read_by_others(std::uint32_t offset, std::uint32_t bytes);

  void call(Warp&, const Activation& caller, const Activation& callee, const CallUse&);
  void leave(Warp&, const Activation& callee, const Activation& caller, const CallUse&,
             std::uint32_t lanes);

private:
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;

  // A register of all lanes: those that have undefined bits, these, and whence.
  struct Value {
    u32 lanes = 0;
    std::array<u64, kLanes> bits{};
    std::array<u32, kLanes> origin{}; // in origins_
    void set(u32 lane, u64 undefined, u32 from) {
      lanes = undefined ? lanes | 1u << lane : lanes & ~(1u << lane);
      bits[lane] = undefined;
      origin[lane] = from;
    }
    // The same of all `those` lanes.
    void set(u32 those, const std::array<u64, kLanes>& undefined,
             const std::array<u32, kLanes>& from);
  };
  // Of a warp, by position in Warp::registers. A byte of a call's parameter is a value of its own.
  class Values {
  public:
    bool empty() const { return all_.empty(); }
    Value* find(u32 position) {
      Known& known = known_[position * 0x9e3779b1u >> (32 - kLogKnown)];
      if (known.position != position) {
        const auto found = all_.find(position);
        known = {position, found == all_.end() ? nullptr : &found->second};
      }
      return known.value;
    }
    Value& operator[](u32 position) {
      if (Value* there = find(position)) return *there;
      return *(known_[position * 0x9e3779b1u >> (32 - kLogKnown)].value = &all_[position]);
    }
    template <typename Condition>
    void erase_if(Condition condition) {
      if (std::erase_if(all_, condition)) known_.fill({});
    }
    void clear() {
      all_.clear();
      known_.fill({});
    }

  private:
    struct Known { // what was found there last
      u32 position = ~u32{0};
      Value* value = nullptr;
    };
    static constexpr u32 kLogKnown = 6;
    std::unordered_map<u32, Value> all_;
    std::array<Known, 1u << kLogKnown> known_;
  };

  struct Origin {
    enum class State : std::uint8_t {
      open,   // the next barrier says whether it was read too early
      real,   // nothing had written it
      settled // it has been reported, or never will be
    };
    State state = State::real;
    std::optional<Use> used;
    std::uint8_t width = 0;
    u32 lane = 0, granule_at = 0; // of shared memory: the first byte that was not written
    Warp* warp = nullptr;
    const MemoryOperand* access = nullptr; // nullptr: of a register
    u32 site = 0;                          // that read it
    u64 at = 0;                            // offset or address
    ptx::SourceLine used_at;
  };
  struct SharedByte {
    std::uint8_t bits = 0;
    u32 origin = 0;
  };

  // How an operation treats undefined bits.
  enum class Rule : std::uint8_t {
    none,   // it has nothing to do with them
    all,    // any makes all of the result undefined
    upward, // it changes bits from the lowest undefined one on
    same,   // the result's are the source's
    moved,  // data is moved to where other operands say
    logical_and,
    logical_or,
    logical_xor,
    table, // lop3
    select,
    compare,
    pack,
    unpack,
    load,
    store,
    branch,
  };
  struct Step {
    Rule rule = Rule::none;
    bool sinks = false; // the instruction's values are not followed: any undefined one is a use
    bool carries = false, is_signed = false, pair = false;
    char comparison = 0;      // '=' for eq and ne, '<' for those with an order, 0: not known
    char combined = 0;        // with a predicate: & or |, ^ for others
    std::uint8_t data = 0;    // moved: which operands are data, a bit each
    std::string_view letters; // of the operands, as Form has them
  };
  const Step& step_of(const Code&, const Operation&);
  static Step made_step(const Code&, const Operation&);

  Value* find(const Warp&, Slot);
  Value& value(const Warp&, Slot);
  void clear(const Warp&, Slot, u32 lanes);
  using Bits = std::array<u64, kLanes>; // of a register of all lanes
  static Bits real(const Warp&, Slot, char letter);

  void compute(Warp&, const Step&, const Operation&, u32 lanes, const Value* guard, u32 chosen);
  static Bits bits_of(const Warp&, const Step&, const Operation&, const std::array<Value*, 6>&);
  static Bits move_bits(Warp&, const Step&, const Operation&, const std::array<Value*, 6>&);
  void pack(Warp&, const Operation&, u32 lanes, u32 part);
  void unpack(Warp&, const Operation&, u32 lanes, u32 part);
  void load_parameter(Warp&, const MemoryOperand&, u32 lanes);
  void store_parameter(Warp&, const MemoryOperand&, u32 lanes);
  void use_sources(Warp&, const Code&, const Operation&, u32 lanes);
  void clear_results(Warp&, const Code&, const Operation&, u32 lanes);

  static void set_read(Origin&, Warp&, const MemoryOperand&, u32 lane, u64 at);
  u32 add(const Origin&);
  u32 add_read(Warp&, const MemoryOperand&, u32 lane, u64 at);
  void follow(u32 origin);
  void bring(Warp&, const MemoryOperand&, u32 lane, u32 origin, const std::uint8_t* undefined);
  void matters(const Value&, u32 lanes, Use, const Code&, const Operation&);
  void matters(u32 origin, Use, ptx::SourceLine);
  void report(Origin&);

  Block& block_;
  std::vector<Origin> origins_;
  std::vector<u32> open_;
  u32 looked_at_ = 0; // operations, since values that are no more were last forgotten
  std::vector<Values> warps_;
  std::unordered_map<u32, SharedByte> shared_;
  using Steps = std::vector<std::optional<Step>>;
  std::unordered_map<const Code*, Steps> steps_;
  const Code* code_ = nullptr; // that was looked at last
  Steps* steps_of_code_ = nullptr;
};

} // namespace course::emulator
