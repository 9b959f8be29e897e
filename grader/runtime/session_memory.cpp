// The half of the session that is about memory. Observed on an H200 with CUDA 13.0 and kept: every
// bad address or size is cudaErrorInvalidValue, a freed one too; cudaFree(nullptr) succeeds.
#include "runtime/session.hpp"

#include "device/code/inspect/display_name.hpp"
#include "device/message_id.hpp"

#include <fmt/format.h>
#include <limits>
#include <utility>

namespace course::runtime {

namespace {

// Rows from end to end are one stretch: one step of a plan instead of many.
void join_rows(std::uint64_t& width, std::uint64_t& height, bool contiguous) {
  if (!contiguous || height <= 1) return;
  width *= height; // both were found to lie in one allocation
  height = 1;
}

} // namespace

// What messages call memory of a program that has no names for it: nobody knows it by its address.
device::Message Session::name_of_allocation() {
  using Id = device::MessageId;
  // The runtime's header makes a cudaHostAlloc of a cudaMallocHost for a typed pointer.
  const bool pinned = call_name_ == "cudaHostAlloc" || call_name_ == "cudaMallocHost";
  const std::string call = pinned ? "cudaMallocHost/cudaHostAlloc" : call_name_;
  const auto number = ++allocations_of_[call];
  const auto place = std::exchange(called_from_, {});
  const bool pitched = call_name_ == "cudaMallocPitch";
  if (place.empty())
    return device::Message(pitched ? Id::memory_of_pitched_call : Id::memory_of_call, call, number);
  return device::Message(pitched ? Id::memory_of_pitched_call_at : Id::memory_of_call_at, call,
                         number, place);
}

Session::Payload Session::answer(protocol::CalledFrom& from) {
  called_from_ = executor_.place_of(from.addresses);
  return protocol::Nothing{};
}

Session::Payload Session::answer(protocol::Allocate& ask) {
  return allocate(ask.size, false);
}
Session::Payload Session::answer(protocol::AllocateInStream& ask) {
  return allocate(ask.size, true);
}

Session::Payload Session::allocate(std::uint64_t size, bool in_stream) {
  if (size == 0) return protocol::Address{0};
  const auto address = memory_.allocate(size);
  if (!address) {
    auto why = fmt::format("{} bytes; this device has {}", size, gpu().memory);
    if (size <= gpu().memory) {
      why = fmt::format("{} bytes beside {} allocated ones; the course allows {} MiB in all", size,
                        memory_.allocated(), memory_.capacity() >> 20);
    }
    return fail(CudaStatus::memory_allocation, std::move(why));
  }
  device::Allocate step{*address, size, in_stream};
  if (executor_.is_live()) step.named = name_of_allocation();
  if (!done(executor_.execute(std::move(step)))) return protocol::Nothing{};
  return protocol::Address{*address};
}

Session::Payload Session::answer(protocol::AllocateManaged& ask) {
  if (ask.size == 0) return fail(CudaStatus::invalid_value, "no bytes");
  if (!executor_.is_live()) { // what host code writes there comes as an upload
    auto made = allocate(ask.size, false);
    const auto* at = std::get_if<protocol::Address>(&made);
    if (!at) return made;
    managed_[at->address] = call_name_;
    return protocol::Shared{at->address, {}};
  }
  const auto address = memory_.allocate(ask.size);
  if (!address) return fail(CudaStatus::memory_allocation, fmt::format("{} bytes", ask.size));
  protocol::Shared shared{*address, {}};
  const auto named = name_of_allocation();
  if (!done(executor_.allocate_managed(*address, ask.size, named, shared.path))) {
    memory_.release(*address);
    return protocol::Nothing{};
  }
  return shared;
}

Session::Payload Session::answer(protocol::ShareHost& ask) {
  if (!executor_.is_live()) {
    refuse({});
    return refuse_call();
  }
  if (ask.size == 0) return fail(CudaStatus::invalid_value, "no bytes");
  if (ask.size > limits_.memory) return fail(CudaStatus::memory_allocation);
  if (!memory_.adopt(ask.address, ask.size, ask.read_only))
    return fail(CudaStatus::host_memory_already_registered,
                "some of it is registered, or memory of CUDA's own");
  protocol::HostPieces pieces;
  std::vector<HostPages::Piece> fresh;
  const auto named = name_of_allocation();
  if (!done(executor_.share_host(ask.address, ask.size, ask.read_only, named, fresh))) {
    memory_.release(ask.address);
    return protocol::Nothing{};
  }
  for (auto& piece : fresh) {
    pieces.begins.push_back(piece.begin);
    pieces.ends.push_back(piece.end);
    pieces.paths.push_back(std::move(piece.path));
  }
  return pieces;
}

Session::Payload Session::answer(protocol::UnshareHost& ask) {
  const auto* range = memory_.holding(ask.address);
  if (!range || !range->hosts)
    return fail(CudaStatus::host_memory_not_registered, "this memory is not registered");
  if (range->address != ask.address)
    return fail(CudaStatus::invalid_value, "this is not where what was registered begins");
  memory_.release(ask.address);
  done(executor_.execute(device::Free{ask.address}));
  return protocol::Nothing{};
}

// A __managed__ variable, which lies where a program can map it.
Session::Payload Session::answer(protocol::ShareSymbol& ask) {
  const Symbol* of = symbol(ask.symbol);
  if (!of) return protocol::Nothing{};
  if (!executor_.is_live()) { // it is for the verdict, which names the variable
    refuse(code::display_name(of->info->name));
    return refuse_call();
  }
  protocol::Shared shared;
  if (!done(executor_.share_symbol(of->module, of->info->name, shared.address, shared.path)))
    return protocol::Nothing{};
  memory_.reserve(shared.address, of->info->size);
  return shared;
}

Session::Payload Session::answer(protocol::HostPages&) {
  protocol::Data data;
  Writer put(data.bytes);
  constexpr std::size_t kMost = 1024; // ranges
  std::size_t count = 0;
  for (const auto& range : executor_.touched_pages()) {
    if (count++ == kMost) break;
    put(range.begin), put(range.end);
    put(std::uint64_t{range.changed} | std::uint64_t{range.for_host} << 1);
  }
  return data;
}

Session::Payload Session::answer(protocol::HostTouched& touched) {
  // Of a context that is lost nothing is expected.
  if (lost_ == CudaStatus::success)
    executor_.host_touches(touched.address, touched.writes, touched.from);
  return protocol::Nothing{};
}

Session::Payload Session::answer(protocol::HostWaited&) {
  executor_.host_waits();
  return protocol::Nothing{};
}

Session::Payload Session::answer(protocol::Free& ask) {
  return free(ask.address, false);
}
Session::Payload Session::answer(protocol::FreeInStream& ask) {
  return free(ask.address, true);
}

Session::Payload Session::free(device::Address address, bool in_stream) {
  if (address == 0) return protocol::Nothing{};
  if (const auto* range = memory_.holding(address); range && range->hosts)
    return fail(CudaStatus::invalid_value, "this is memory of the host");
  if (auto why = memory_.release(address)) {
    return fail(CudaStatus::invalid_value, std::move(*why));
  }
  done(executor_.execute(device::Free{address, in_stream}));
  return protocol::Nothing{};
}

// Whether rows are well formed and lie in one allocation, with all the `extent` that a larger copy
// spans from their start.
bool Session::valid(const protocol::Rows& rows, std::uint64_t width, std::uint64_t height,
                    std::uint64_t extent, Side side) {
  if (width == 0 || height == 0) {
    malformed("a copy or a fill of no bytes");
    return false;
  }
  if (height > 1 && rows.pitch < width) {
    fail(CudaStatus::invalid_pitch,
         fmt::format("rows of {} bytes at a pitch of {}", width, rows.pitch));
    return false;
  }
  const auto most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t span = most;
  if (height == 1)
    span = width;
  else if (rows.pitch <= (most - width) / (height - 1))
    span = rows.pitch * (height - 1) + width;
  const bool writes = side == Side::destination;
  span = std::max(span, extent);
  if (auto why =
          writes ? memory_.fault_of_write(rows.address, span) : memory_.fault(rows.address, span)) {
    fail(CudaStatus::invalid_value, fmt::format("{}: {}", writes ? "destination" : "source", *why));
    return false;
  }
  return true;
}

Session::Payload Session::answer(protocol::Upload& up) {
  if (!valid(up.to, up.width, up.height, up.extent, Side::destination)) return protocol::Nothing{};
  if (up.width > up.bytes.size() || up.height > up.bytes.size() ||
      up.width * up.height != up.bytes.size()) {
    malformed(fmt::format("a copy of {} x {} bytes with {} of data", up.height, up.width,
                          up.bytes.size()));
    return protocol::Nothing{};
  }
  join_rows(up.width, up.height, up.to.pitch == up.width);
  if (up.height == 1) {
    done(executor_.execute(device::Upload{up.to.address, std::move(up.bytes)}));
    return protocol::Nothing{};
  }
  for (std::uint64_t row = 0; row < up.height; ++row) {
    const auto first = up.bytes.begin() + static_cast<std::ptrdiff_t>(row * up.width);
    device::Upload step{up.to.address + row * up.to.pitch,
                        {first, first + static_cast<std::ptrdiff_t>(up.width)}};
    if (!done(executor_.execute(std::move(step)))) break;
  }
  return protocol::Nothing{};
}

Session::Payload Session::answer(protocol::Download& down) {
  if (!valid(down.from, down.width, down.height, down.extent, Side::source)) {
    return protocol::Nothing{};
  }
  if (down.width > protocol::kMostData || down.height > protocol::kMostData ||
      down.width * down.height > protocol::kMostData) {
    malformed("a copy to the host larger than a reply");
    return protocol::Nothing{};
  }
  protocol::Data data;
  join_rows(down.width, down.height, down.from.pitch == down.width);
  for (std::uint64_t row = 0; row < down.height; ++row) {
    device::Bytes bytes;
    const auto from = down.from.address + row * down.from.pitch;
    if (!done(executor_.read(from, down.width, bytes))) return protocol::Nothing{};
    data.bytes.insert(data.bytes.end(), bytes.begin(), bytes.end());
  }
  return data;
}

Session::Payload Session::answer(protocol::Copy& copy) {
  if (!valid(copy.to, copy.width, copy.height, 0, Side::destination) ||
      !valid(copy.from, copy.width, copy.height, 0, Side::source)) {
    return protocol::Nothing{};
  }
  join_rows(copy.width, copy.height, copy.to.pitch == copy.width && copy.from.pitch == copy.width);
  for (std::uint64_t row = 0; row < copy.height; ++row) {
    const device::Copy step{copy.to.address + row * copy.to.pitch,
                            copy.from.address + row * copy.from.pitch, copy.width};
    if (!done(executor_.execute(step))) break;
  }
  return protocol::Nothing{};
}

Session::Payload Session::answer(protocol::Fill& fill) {
  if (fill.height > 1 && fill.to.pitch < fill.width) { // a bad pitch only in copies
    return fail(CudaStatus::invalid_value,
                fmt::format("rows of {} bytes at a pitch of {}", fill.width, fill.to.pitch));
  }
  if (!valid(fill.to, fill.width, fill.height, 0, Side::destination)) return protocol::Nothing{};
  join_rows(fill.width, fill.height, fill.to.pitch == fill.width);
  for (std::uint64_t row = 0; row < fill.height; ++row) {
    const device::Fill step{fill.to.address + row * fill.to.pitch, std::byte{fill.value},
                            fill.width};
    if (!done(executor_.execute(step))) break;
  }
  return protocol::Nothing{};
}

bool Session::valid(const Symbol& of, std::uint64_t offset, std::uint64_t size,
                    std::uint64_t extent) {
  const auto whole = std::max(size, extent);
  if (offset <= of.info->size && whole <= of.info->size - offset) return true;
  fail(CudaStatus::invalid_value, fmt::format("{} bytes from byte {} of '{}', which has {}", whole,
                                              offset, of.info->name, of.info->size));
  return false;
}

Session::Payload Session::answer(protocol::SymbolUpload& up) {
  const Symbol* of = symbol(up.symbol);
  if (!of || !valid(*of, up.offset, up.bytes.size(), up.extent)) return protocol::Nothing{};
  if (up.bytes.empty()) {
    malformed("a copy of no bytes to a symbol");
    return protocol::Nothing{};
  }
  done(executor_.execute(
      device::SymbolUpload{of->module, of->info->name, up.offset, std::move(up.bytes)}));
  return protocol::Nothing{};
}

Session::Payload Session::answer(protocol::SymbolDownload& down) {
  const Symbol* of = symbol(down.symbol);
  if (!of || !valid(*of, down.offset, down.size, down.extent)) return protocol::Nothing{};
  if (down.size > protocol::kMostData) {
    malformed("a copy to the host larger than a reply");
    return protocol::Nothing{};
  }
  protocol::Data data;
  const auto answer =
      executor_.read_symbol(of->module, of->info->name, down.offset, down.size, data.bytes);
  if (!done(answer)) return protocol::Nothing{};
  return data;
}

Session::Payload Session::answer(protocol::SymbolAddress& ask) {
  const Symbol* of = symbol(ask.symbol);
  if (!of) return protocol::Nothing{};
  device::Address address = 0;
  if (!done(executor_.symbol_address(of->module, of->info->name, address))) {
    return protocol::Nothing{};
  }
  memory_.reserve(address, of->info->size);
  return protocol::Address{address};
}

Session::Payload Session::answer(protocol::MemoryInfo&) {
  return protocol::Memory{gpu().memory - memory_.allocated(), gpu().memory};
}

Session::Payload Session::answer(protocol::RangeOf& ask) {
  if (const auto* range = memory_.holding(ask.address)) {
    return protocol::Range{range->address, range->size};
  }
  return protocol::Range{};
}

namespace {

// Whether it can be read as it says: what comes from a program may be anything.
std::optional<std::string> fault_of(const device::Texture& texture, const AddressSpace& memory) {
  using T = device::Texture;
  const bool channels = texture.channels == 1 || texture.channels == 2 || texture.channels == 4;
  const bool bits = texture.bits == 8 || texture.bits == 16 || texture.bits == 32;
  bool known = channels && bits && texture.format <= T::Format::floating &&
               !(texture.format == T::Format::floating && texture.bits == 8);
  for (const auto beyond : texture.beyond) known = known && beyond <= T::Beyond::border;
  if (!known || texture.width == 0) return "there is no such texture";
  const std::uint64_t rows = std::max(1u, texture.height), slices = std::max(1u, texture.depth);
  const std::uint64_t row = std::uint64_t{texture.width} * texture.element();
  constexpr std::uint64_t kMost = 1ull << 42; // bytes
  if (texture.pitch > kMost / rows || texture.slice > kMost / slices)
    return "it is larger than the device's memory";
  if ((rows > 1 && texture.pitch < row) || (slices > 1 && texture.slice < row))
    return "its rows overlap";
  return memory.fault(texture.address,
                      texture.slice * (slices - 1) + texture.pitch * (rows - 1) + row);
}

} // namespace

Session::Payload Session::answer(protocol::CreateTexture& ask) {
  if (!executor_.is_live()) {
    refuse({});
    return refuse_call();
  }
  if (auto why = fault_of(ask.texture, memory_))
    return fail(CudaStatus::invalid_value, std::move(*why));
  return protocol::Address{executor_.create_texture(ask.texture)};
}

Session::Payload Session::answer(protocol::DestroyTexture& ask) {
  if (ask.object != 0 && !executor_.destroy_texture(ask.object))
    return fail(CudaStatus::invalid_value,
                ask.surface ? "this is not a surface object" : "this is not a texture object");
  return protocol::Nothing{};
}

Session::Payload Session::answer(protocol::HeapLimit& limit) {
  executor_.set_heap_limit(limit.bytes);
  return protocol::Nothing{};
}

} // namespace course::runtime
