#include "device/code/sass/blocks.hpp"

#include "device/code/sass/decode.hpp"
#include "elf/elf_file.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace course::sass {
namespace {

struct Jump {
  bool conditional = false;
  std::optional<std::int64_t> target; // address; nothing where the thread ends
};

bool always(Word word) {
  constexpr std::uint64_t kTrue = 7;
  return (word.low >> 12 & 15) == kTrue;
}

std::int64_t distance(Word word) {
  const std::uint64_t upper = word.low >> 34 | (word.high & 0x3ffff) << 30;
  const std::uint64_t steps = upper << 8 | (word.low >> 16 & 0xff);
  constexpr int kUnused = 8; // bits above the 56 of the number
  return (static_cast<std::int64_t>(steps << kUnused) >> kUnused) * 4;
}

enum class Kind { goes_on, branch, ends, anywhere };

Kind kind_of(Word word) {
  switch (word.low & 0x1ff) {
  case 0x147:
    return Kind::branch;
  case 0x14d:
  case 0x150:
    return Kind::ends;
  case 0x149:
  case 0x14a:
  case 0x14c:
    return Kind::anywhere;
  default:
    return Kind::goes_on;
  }
}

Jump jump(Word word, std::uint64_t at) {
  if (kind_of(word) == Kind::ends) return {!always(word), std::nullopt};
  constexpr std::uint64_t kOfWarp = 0x3ff, kTrue = 7;
  const bool plain =
      always(word) && (word.low >> 24 & kOfWarp) == 0 && (word.high >> 23 & 15) == kTrue;
  return {!plain, static_cast<std::int64_t>(at + kInstructionBytes) + distance(word)};
}

} // namespace

std::vector<Block> blocks(std::span<const std::byte> code) {
  const std::uint64_t size = code.size() / kInstructionBytes * kInstructionBytes;
  std::set<std::uint64_t> begins;
  if (size > 0) begins.insert(0);
  for (std::uint64_t at = 0; at < size; at += kInstructionBytes) {
    const auto word = elf::read_at<Word>(code, at);
    const Kind kind = kind_of(word);
    if (kind == Kind::anywhere) return {};
    if (kind == Kind::goes_on) continue;
    if (at + kInstructionBytes < size) begins.insert(at + kInstructionBytes);
    const auto target = jump(word, at).target;
    if (!target) continue;
    const auto in_code = *target >= 0 && static_cast<std::uint64_t>(*target) < size &&
                         *target % kInstructionBytes == 0;
    if (!in_code) return {};
    begins.insert(static_cast<std::uint64_t>(*target));
  }

  const std::vector<std::uint64_t> order(begins.begin(), begins.end());
  const auto index = [&](std::uint64_t address) {
    return static_cast<std::uint32_t>(std::lower_bound(order.begin(), order.end(), address) -
                                      order.begin());
  };
  const auto end = static_cast<std::uint32_t>(order.size());
  std::vector<Block> result;
  for (std::uint32_t i = 0; i < end; ++i) {
    Block& block = result.emplace_back();
    block.begin = static_cast<std::uint32_t>(order[i]);
    block.end = static_cast<std::uint32_t>(i + 1 < end ? order[i + 1] : size);
    const std::uint64_t last = block.end - kInstructionBytes;
    const auto word = elf::read_at<Word>(code, last);
    Jump leaves{true, std::nullopt};
    const bool goes_on = kind_of(word) == Kind::goes_on;
    if (!goes_on) leaves = jump(word, last);
    if (leaves.conditional) block.successors.push_back(i + 1); // the end, behind the last block
    if (!goes_on) {
      const std::uint32_t to =
          leaves.target ? index(static_cast<std::uint64_t>(*leaves.target)) : end;
      if (block.successors.empty() || block.successors[0] != to) block.successors.push_back(to);
    }
  }
  return result;
}

} // namespace course::sass
