#include "device/emulator/check/checker.hpp"
#include "device/emulator/check/saying.hpp"
#include "device/emulator/decode/instruction_set.hpp"
#include "device/emulator/decode/windows.hpp"
#include "device/emulator/state/device_heap.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/launch.hpp"
#include "device/emulator/state/local_memory.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <optional>

namespace course::emulator {
namespace {

constexpr std::uint32_t kAreaBytes = 16;
constexpr std::size_t kLongestText = 4096;

u64 argument(const Warp& warp, Slot area, u32 lane) {
  u64 value = 0;
  std::memcpy(&value, warp.frame + area + lane * kAreaBytes, sizeof value);
  return value;
}

// `size` bytes at a generic address, for one lane; nothing when they are not all there.
bool read(const Warp& warp, u32 lane, u64 address, void* to, std::size_t size) {
  const Block& block = *warp.block;
  const std::byte* from = nullptr;
  std::size_t room = 0;
  const auto part = [&](const std::byte* bytes, std::size_t total, u64 offset) {
    if (offset > total) return;
    from = bytes + offset;
    room = total - offset;
  };
  if (in_window(address, kLocalWindow)) {
    const u64 offset = address - kLocalWindow, stack = warp.local.size() / kLanes;
    if (offset > stack || size > stack - offset) return false;
    for (std::size_t k = 0; k < size; ++k)
      static_cast<std::byte*>(to)[k] = warp.local[local_place(lane, offset + k)];
    return true;
  }
  if (in_window(address, kConstantWindow)) {
    part(block.launch->constants->data(), block.launch->constants->size(),
         address - kConstantWindow);
  } else if (const Allocation* memory = block.launch->memory->find(address)) {
    block.launch->memory->set_read_unseen();
    if (!memory->freed) part(memory->bytes.get(), memory->size, address - memory->base);
  }
  if (!from || size > room) return false;
  std::memcpy(to, from, size);
  return true;
}

std::string read_text(const Warp& warp, u32 lane, u64 address) {
  std::string text;
  for (char c = 0; text.size() < kLongestText; text += c)
    if (!read(warp, lane, address + text.size(), &c, 1) || c == 0) break;
  return text;
}

// One conversion of a format, "%-8.3f", with its argument.
std::string convert(const Warp& warp, u32 lane, const std::string& conversion, u64 bits) {
  char buffer[512];
  const char kind = conversion.back();
  std::string plain; // flags, width and precision, without a length
  for (const char c : conversion.substr(0, conversion.size() - 1))
    if (c != 'l' && c != 'h' && c != 'z' && c != 'j' && c != 't') plain += c;
  const bool is_long = conversion.find_first_of("lzjt") != std::string::npos;
  int length = 0;
  switch (kind) {
  case 'd':
  case 'i':
    length = std::snprintf(buffer, sizeof buffer, (plain + "lld").c_str(),
                           is_long ? static_cast<long long>(bits)
                                   : static_cast<long long>(static_cast<s32>(bits)));
    break;
  case 'u':
  case 'x':
  case 'X':
  case 'o':
    length =
        std::snprintf(buffer, sizeof buffer, (plain + "ll" + kind).c_str(),
                      static_cast<unsigned long long>(is_long ? bits : static_cast<u32>(bits)));
    break;
  case 'c':
    length = std::snprintf(buffer, sizeof buffer, (plain + "c").c_str(), static_cast<int>(bits));
    break;
  case 'p':
    length = std::snprintf(buffer, sizeof buffer, (plain + "p").c_str(),
                           reinterpret_cast<const void*>(bits));
    break;
  case 's': {
    const std::string text = bits ? read_text(warp, lane, bits) : "(null)";
    length = std::snprintf(buffer, sizeof buffer, (plain + "s").c_str(), text.c_str());
    break;
  }
  default: // e f g a, and their capitals
    length =
        std::snprintf(buffer, sizeof buffer, (plain + kind).c_str(), std::bit_cast<double>(bits));
  }
  return {buffer, static_cast<std::size_t>(std::clamp<int>(length, 0, sizeof buffer - 1))};
}

// A conversion whose width or precision is an argument, "%-*d", with the number in place of each
// '*'. Reads the arguments from `at` on, and moves it behind them.
std::string with_numbers(const Warp& warp, u32 lane, std::string conversion, u64& at) {
  constexpr s32 kWidest = 999;
  for (auto star = conversion.find('*'); star != std::string::npos; star = conversion.find('*')) {
    s32 number = 0;
    at = (at + sizeof number - 1) / sizeof number * sizeof number;
    if (!read(warp, lane, at, &number, sizeof number)) number = 0;
    at += sizeof number;
    const bool is_precision = conversion[star - 1] == '.';
    if (is_precision && number < 0) // as if there were none
      conversion.erase(star - 1, 2);
    else
      conversion.replace(star, 1, std::to_string(std::clamp(number, -kWidest, kWidest)));
  }
  return conversion;
}

// printf's arguments lie one after the other, each at a multiple of its size (int 4, others 8).
std::string formatted(const Warp& warp, u32 lane, u64 format_address, u64 arguments) {
  const std::string format = read_text(warp, lane, format_address);
  std::string out;
  u64 at = arguments;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == '%') {
      out += '%';
      ++i;
      continue;
    }
    const std::size_t end = format.find_first_of("diuxXocpsfFeEgGaA", i + 1);
    std::string conversion =
        format.substr(i, end == std::string::npos ? std::string::npos : end - i + 1);
    // Foreign text: only short conversions of the known shape reach snprintf.
    const bool known =
        end != std::string::npos && conversion.size() <= 16 &&
        conversion.find_first_not_of("-+ #0123456789.*lhzjt", 1) == conversion.size() - 1 &&
        std::count(conversion.begin(), conversion.end(), '*') <= 2;
    if (known) conversion = with_numbers(warp, lane, conversion, at);
    std::size_t digits = 0;
    for (const char c : conversion) digits += c >= '0' && c <= '9';
    if (!known || digits > 6) {
      out += format.substr(i);
      break;
    }
    const char kind = conversion.back();
    const bool wide = conversion.find_first_of("lzjt") != std::string::npos ||
                      std::string("psfFeEgGaA").find(kind) != std::string::npos;
    const u64 size = wide ? 8 : 4;
    at = (at + size - 1) / size * size;
    u64 bits = 0;
    if (!read(warp, lane, at, &bits, size)) {
      out += "(?)";
    } else {
      out += convert(warp, lane, conversion, bits);
    }
    at += size;
    i = end;
  }
  return out;
}

void print(Warp& warp, const Operation& op, u32 mask) {
  Block& block = *warp.block;
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    const s32 result = 0;
    std::memcpy(warp.frame + op.slot[0] + lane * kAreaBytes, &result, sizeof result);
    if (block.printed.size() >= kMostPrinted) continue;
    block.printed +=
        formatted(warp, lane, argument(warp, op.slot[1], lane), argument(warp, op.slot[2], lane));
  }
}

// __assertfail(condition, file, line, function, size of a character)
void fail_assertion(Warp& warp, const Operation& op, u32 mask) {
  const u32 lane = static_cast<u32>(std::countr_zero(mask));
  const std::string condition = read_text(warp, lane, argument(warp, op.slot[1], lane));
  const ptx::SourceLine source = warp.block->launch->program->sites()[op.immediate].source;
  warp.block->checker->fail(device::FindingKind::trap, source, warp, lane,
                            Message(Says::assertion_failed, condition));
}

void allocate_memory(Warp& warp, const Operation& op, u32 mask) {
  Block& block = *warp.block;
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    const u64 size = argument(warp, op.slot[1], lane);
    const u64 address = block.launch->memory->heap().allocate(block.linear, size);
    std::memcpy(warp.frame + op.slot[0] + lane * kAreaBytes, &address, sizeof address);
  }
}

void free_memory(Warp& warp, const Operation& op, u32 mask) {
  Block& block = *warp.block;
  for (u32 left = mask; left; left &= left - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(left));
    const u64 address = argument(warp, op.slot[1], lane);
    using Freed = DeviceHeap::Freed;
    const Freed freed = block.launch->memory->heap().free(address);
    if (freed == Freed::twice)
      block.checker->report(device::FindingKind::use_after_free, op.immediate, kNone, warp, lane,
                            [] { return Message(Says::frees_twice); });
    else if (freed == Freed::nothing_there)
      block.checker->report(
          device::FindingKind::out_of_bounds, op.immediate, kNone, warp, lane,
          [&] { return Message(Says::frees_foreign, block.launch->memory->describe(address)); });
  }
}

} // namespace

Execute provided_function(const std::string& name) {
  if (name == "vprintf") return print;
  if (name == "__assertfail") return fail_assertion;
  if (name == "malloc") return allocate_memory;
  if (name == "free") return free_memory;
  return nullptr;
}

} // namespace course::emulator
