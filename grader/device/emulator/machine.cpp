#include "device/emulator/machine.hpp"

#include "device/code/inspect/variable_name.hpp"
#include "device/emulator/decode/windows.hpp"
#include "device/message_id.hpp"

#include <algorithm>
#include <cstring>

namespace course::emulator {
namespace {

using device::Message;
using Says = device::MessageId;

// What is done to memory without a kernel.
const WorkName kFill("a fill", Says::a_fill), kCopy("a copy", Says::a_copy),
    kFromHost("a copy from the host", Says::a_copy_from_host),
    kToHost("a copy to the host", Says::a_copy_to_host);

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
  recent_.clear();
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
  if (memory_.was_freed(address, size)) recent_.clear();
}

void Machine::place(device::Address address, std::uint64_t size, const std::string& name,
                    bool written) {
  claim(address, size, name);
  memory_.allocate(address, size, name, written || !options_.check_memory);
}

void Machine::share(device::Address address, std::uint64_t size, std::byte* bytes, bool read_only,
                    const device::Message& named) {
  recent_.clear();
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
  recent_.clear();
  std::memcpy(bytes, memory->bytes.get(), memory->size);
  memory->bytes = std::unique_ptr<std::byte, ReleaseBytes>(bytes, ReleaseBytes{false});
  shares_ = true;
}

std::uint64_t Machine::create_texture(const device::Texture& texture) {
  textures_[next_texture_] = texture;
  return next_texture_++;
}

bool Machine::destroy_texture(std::uint64_t object) {
  recent_.clear();
  return textures_.erase(object) != 0;
}

std::optional<device::Finding> Machine::host_touches(device::Address address, bool writes) {
  recent_.clear();
  const Allocation* memory = memory_.find(address);
  return memory ? host_races_.touch(*memory, address, writes) : std::nullopt;
}

std::byte* Machine::range(device::Address address, std::uint64_t size, Says what, bool writes) {
  if (std::byte* constant = constant_range(address, size, what)) return constant;
  Allocation* memory = memory_.find(address);
  if (!memory || memory->freed || !memory->holds(address, size))
    throw Failure{Message(Says::step_is, Message(what), size, memory_.describe(address))};
  if (writes && !memory->is_written(address - memory->base, size)) {
    memory->set_written(address - memory->base, size);
    memory->contents.changed(address - memory->base, size);
  }
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
  Allocation* const memory = memory_.find(s.address);
  const std::uint64_t size = memory ? memory->size : 0;
  if (s.in_stream && size) touch(begin_work(nullptr, WorkName(kFrees)), s.address, size, true);
  if (memory) stream_races_.forget(*memory);
  if (!memory || !memory_.free(s.address)) throw Failure{Message(Says::plan_frees_unallocated)};
  memory_used_ -= size;
  if (!s.in_stream) recent_.clear(); // cudaFree waits for what is under way
  recent_.freed(*memory);
}

// Of what is about to be changed, where that may have to be done again.
std::optional<Undo> Machine::undo_of(device::Address address, std::uint64_t size) {
  if (recent_.empty()) return std::nullopt;
  if (Allocation* memory = memory_.find(address))
    return Undo::of(*memory, address - memory->base, size);
  return Undo::of(constant_range(address, size, Says::an_upload), size);
}

void Machine::may_be_again(std::optional<Undo> undo, std::function<void()> again) {
  if (undo) recent_.add(stream_order_, work_, std::move(*undo), std::move(again));
}

void Machine::step(const device::Fill& s) {
  if (s.size == 0) return;
  std::byte* to = range(s.address, s.size, Says::a_fill, true);
  auto undo = undo_of(s.address, s.size);
  const auto differs = [&s](std::byte byte) { return byte != s.value; };
  if (std::any_of(to, to + s.size, differs)) changes(s.address, s.size);
  std::fill_n(to, s.size, s.value);
  touch(begin_work(nullptr, kFill), s.address, s.size, true);
  may_be_again(std::move(undo),
               [to, size = s.size, value = s.value] { std::fill_n(to, size, value); });
}

void Machine::step(const device::Copy& s) {
  if (s.size == 0) return;
  const std::byte* from = range(s.from, s.size, Says::source_of_copy, false);
  std::byte* to = range(s.to, s.size, Says::target_of_copy, true);
  auto undo = undo_of(s.to, s.size);
  if (std::memcmp(to, from, s.size) != 0) changes(s.to, s.size);
  std::memmove(to, from, s.size);
  StreamRaces* races = begin_work(nullptr, kCopy);
  touch(races, s.from, s.size, false);
  touch(races, s.to, s.size, true);
  may_be_again(std::move(undo), [to, from, size = s.size] { std::memmove(to, from, size); });
}

void Machine::step(const device::Upload& s) {
  if (s.bytes.empty()) return;
  std::byte* to = range(s.to, s.bytes.size(), Says::an_upload, true);
  put(s.to, to, s.bytes);
}

void Machine::step(const device::SymbolUpload& s) {
  std::byte* to = symbol(s.module, s.symbol, s.offset, s.bytes.size());
  if (s.bytes.empty()) return;
  if (const auto address = address_of(s.module, s.symbol)) put(*address + s.offset, to, s.bytes);
}

// Bytes there become others. Of constants no launch says that it reads them.
void Machine::changes(device::Address address, std::uint64_t size) {
  if (Allocation* memory = memory_.find(address))
    memory->contents.changed(address - memory->base, size);
  else if (known_)
    known_->forget();
}

// What comes from the host.
void Machine::put(device::Address address, std::byte* to, const device::Bytes& bytes) {
  auto undo = undo_of(address, bytes.size());
  if (std::memcmp(to, bytes.data(), bytes.size()) != 0) changes(address, bytes.size());
  std::ranges::copy(bytes, to);
  touch(begin_work(nullptr, kFromHost), address, bytes.size(), true);
  if (undo) may_be_again(std::move(undo), [to, bytes] { std::ranges::copy(bytes, to); });
}

const std::byte* Machine::download(device::Address address, std::uint64_t size) {
  const std::byte* from = range(address, size, Says::a_copy_to_host, false);
  if (size) take_to_host(address, size);
  return from;
}

const std::byte* Machine::download(std::uint32_t module, const std::string& name,
                                   std::uint64_t offset, std::uint64_t size) {
  const std::byte* from = symbol(module, name, offset, size);
  if (const auto address = address_of(module, name); address && size)
    take_to_host(*address + offset, size);
  return from;
}

// What the host gets now it cannot get otherwise later.
void Machine::take_to_host(device::Address address, std::uint64_t size) {
  touch(begin_work(nullptr, kToHost), address, size, false);
  recent_.stays_before(stream_order_);
}

// Work of the stream in use begins. nullptr: nobody could be unordered with it.
StreamRaces* Machine::begin_work(const Program* program, const WorkName& name,
                                 ConstantVariables* constants, StreamOrder::LetsNext lets_next) {
  work_ = stream_order_.begin(lets_next);
  work_name_ = name.kernel;
  host_races_.begin(work_);
  if (!options_.check_memory || ways_ || !stream_order_.concurrent()) return nullptr;
  stream_races_.begin(stream_order_, work_, program, name, constants);
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
      host_races_.note(*memory, address, size, writes, work_name_);
  Allocation* memory = races ? memory_.find(address) : nullptr;
  if (races && !memory) memory = constant_variable(address);
  if (!memory) return;
  for (device::Finding& finding : races->note(*memory, address - memory->base, size, writes))
    findings_.push_back(std::move(finding));
}

void Machine::step(const device::StreamCall& s) {
  stream_order_.apply(s);
  if (s.what == device::StreamCall::What::record) host_races_.part();
  host_races_.waited(stream_order_);
  recent_.host_waited(stream_order_);
  if (!stream_order_.take_settled()) return;
  recent_.clear();
  stream_races_.forget();
  host_races_.forget();
}

std::shared_ptr<const GridResult> Machine::step(const device::Step& step, std::uint64_t budget) {
  if (const auto* wanted = std::get_if<device::Launch>(&step)) return launch(*wanted, budget);
  std::visit(
      [this]<class Step>(const Step& s) {
        if constexpr (!std::is_same_v<Step, device::Launch>) this->step(s);
      },
      step);
  return nullptr;
}

} // namespace course::emulator
