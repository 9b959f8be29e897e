// Program: a module, decoded. Made once for a module's text, then only read, by all threads.
#pragma once

#include "device/code/inspect/declarations.hpp"
#include "device/code/ptx/module.hpp"
#include "device/device.hpp"
#include "device/emulator/decode/arrangement.hpp"
#include "device/emulator/decode/layout.hpp"
#include "device/emulator/decode/memory_operand.hpp"
#include "device/emulator/decode/memory_order.hpp"
#include "device/emulator/decode/operation.hpp"
#include "device/emulator/decode/warpgroup_product.hpp"

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace course::sass {
class Matcher;
using Addresses = std::map<std::string, std::int64_t>;
} // namespace course::sass

namespace course::emulator {

enum class SpecialRegister : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_smem_size,
  total_smem_size,
  grid_workspace_high, // envreg1 and envreg2: the driver's memory for cooperative launches
  grid_workspace_low,
  zero,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_ctarank,
  cluster_nctarank,
  is_explicit_cluster,
};

// What a frame holds before its function starts: the same value in all lanes.
struct FrameConstant {
  Slot slot = 0;
  std::uint8_t bytes = 4;
  std::uint64_t value = 0;
  bool local_address = false;  // plus the beginning of the activation's local variables
  bool shared_address = false; // plus the block's rank in its cluster
};
struct FrameSpecial {
  Slot slot = 0;
  SpecialRegister which{};
  std::uint8_t bytes = 4;
};
struct FrameParameter { // of an entry: a piece of the launch's arguments
  Slot slot = 0;
  std::uint32_t offset = 0;
  std::uint8_t bytes = 4;
};

// A rendezvous waits for the lanes of its member mask.
struct RendezvousUse {
  Slot members = 0;
  bool orders_memory = false; // __syncwarp
  std::uint32_t site = 0;
};
enum class BarrierAction : std::uint8_t { sync, arrive, popc, logical_and, logical_or };
struct BarrierUse {
  BarrierAction action{};
  std::optional<Slot> id, count; // registers or constants; absent: barrier 0, the whole block
  Slot predicate = 0;
  bool negated = false;
  Slot result = 0;
  std::uint32_t site = 0;
};
struct CallUse {
  const ptx::Function* callee = nullptr; // nullptr: by address, in `address`
  Slot address = 0;
  struct Copy { // between the caller's parameter area and the callee's, by position
    Slot area = 0;
    std::uint32_t bytes = 0;
  };
  std::vector<Copy> arguments, results;
  std::uint32_t site = 0;
};

struct Code {
  const ptx::Function* function = nullptr;
  std::string shown;                      // demangled, without parameters
  std::vector<Operation> operations;      // the last is of kind `leave`
  std::vector<std::uint32_t> instruction; // of each operation, an index in function->body
  std::deque<MemoryOperand> accesses;
  std::deque<WarpgroupProduct> products; // of wgmma, which accesses point to
  std::vector<ProductTouch> touches;
  std::vector<RendezvousUse> rendezvous;
  std::vector<BarrierUse> barriers;
  std::vector<CallUse> calls;
  std::vector<std::vector<std::uint32_t>> branch_tables;
  std::vector<Unrolled> loops; // that ptxas unrolled

  std::uint32_t frame_bytes = 0;
  std::map<std::uint32_t, Slot> register_slots; // by number of the register
  std::vector<FrameConstant> constants;
  std::vector<FrameSpecial> specials;
  std::vector<FrameParameter> parameters;
  struct Cleared { // registers that may be read before they are written
    Slot slot = 0;
    std::uint32_t bytes = 0; // of all lanes
    std::uint32_t site = 0;  // of the first instruction that reads it
  };
  std::vector<Cleared> cleared;
  std::vector<CallUse::Copy> argument_areas, result_areas; // of a .func
  std::uint32_t local_bytes = 0;                           // of its local variables

  // What an entry reaches, itself included. Filled in by Program::entry.
  std::vector<const Code*> reachable;
  Layout shared;              // with the dynamic array last
  bool carves_arrays = false; // several, out of dynamic shared memory
  std::uint32_t shared_granule = 4;
  bool ordered_atomics = false;      // the result depends on the order of blocks
  bool synchronises = false;         // it has fences or releases
  bool releases_to_host = false;     // it has fences or releases of the system's scope
  bool lets_next_begin = false;      // griddepcontrol.launch_dependents
  bool may_wait = false;             // a block may wait for another
  bool tells_order = false;          // it has operations that do
  bool reads_strongly = false;       // it has strong loads
  bool uses_heap = false;            // malloc or free
  bool has_cluster_barriers = false; // or asks for its place in a cluster
  bool has_memory_barriers = false;  // or bulk copies: what orders accesses within a block
  bool has_products = false;         // of warpgroups
  int strong_sizes = 0;              // how many, of strong accesses to shared memory
  std::uint32_t registers = 0;       // a thread, as ptxas allocated them; 0 when unknown
  // A launch allots them in steps of 8 a thread: one with 255 had 256 (register_pool.cpp).
  std::uint32_t registers_held() const { return (registers + 7) / 8 * 8; }
};

// A place in the source that counts and findings refer to.
struct Site {
  const Code* code = nullptr;
  const MemoryOperand* access = nullptr; // nullptr for barriers and the like
  std::uint32_t operation = 0;
  ptx::SourceLine source;
  MemoryOrder order; // of an access
};

// Why a module or a kernel cannot be executed.
struct Refusal {
  device::Message reason;
};

class Program {
public:
  // `index` of the module in its job; it decides where the module's variables are.
  Program(const device::Module&, std::uint32_t index);
  ~Program();

  const std::string& error() const { return error_; } // of the parser; empty when there is none

  // The entry, decoded with all it calls. Throws Refusal.
  const Code& entry(const std::string& name);
  // A function that has been decoded with an entry; nullptr when there is none at the address.
  const Code* at_address(std::uint64_t address) const;
  const Code* code_of(const ptx::Function*) const;
  // Of the shared memory of an entry that was asked for before; nullptr otherwise.
  const Layout* layout_of(const std::string& entry) const;

  const ptx::Module& module() const { return module_; }
  const std::deque<Site>& sites() const { return sites_; }
  const Layout& constant_layout() const { return constants_; }

  struct GlobalVariable {
    const ptx::Variable* variable = nullptr;
    device::Address address = 0;
  };
  const std::vector<GlobalVariable>& globals() const { return globals_; }
  // Initial contents of constant memory, with addresses filled in.
  const device::Bytes& constant_bytes() const { return constant_bytes_; }
  device::Bytes initial_bytes(const ptx::Variable&) const;
  // Where a symbol is: its address in its own space. Nothing when it is not a variable.
  std::optional<std::uint64_t> address_of(const std::string& symbol) const;
  const ptx::Variable* variable(const std::string& symbol) const;
  std::string file_of(const ptx::SourceLine&) const;
  // Whether ptxas has left this setmaxnreg in the machine code. Nothing says so without a cubin.
  bool sets_registers(const ptx::Instruction&) const;

private:
  friend class Decoder;
  const Code& decode(const ptx::Function&);
  void place_variables(std::uint32_t index);
  std::uint32_t place_array(Layout&, const ptx::Variable&) const;
  void note_shared(const ptx::Function& entry, const Layout&);
  void note_arrays(Code& entry, const std::vector<std::string>& dynamic) const;
  void gather(Code& entry);

  ptx::Module module_;
  code::Declarations declarations_;
  std::unique_ptr<sass::Matcher> matcher_;
  std::map<std::string, std::uint32_t> registers_; // a thread, of each kernel
  std::string error_;
  std::map<std::string, const ptx::Variable*> variables_;
  std::map<std::string, std::uint64_t> addresses_;
  sass::Addresses shared_; // without gaps, for the entry that is decoded
  std::vector<GlobalVariable> globals_;
  Layout constants_;
  Layout module_shared_; // shared arrays of module scope, which every kernel has first
  device::Bytes constant_bytes_;
  std::map<const ptx::Function*, std::unique_ptr<Code>> codes_;
  std::map<std::string, device::Message> refusals_; // of entries that were asked for before
  std::deque<Site> sites_;
  std::mutex decoding_;
};

} // namespace course::emulator
