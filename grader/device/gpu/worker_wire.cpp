#include "device/gpu/worker_wire.hpp"

#include <algorithm>

namespace course::gpu {
namespace {

enum class Block : std::uint8_t { literal, repeated };

bool is_one_byte_repeated(const device::Bytes& bytes) {
  return bytes.size() > 64 && std::equal(bytes.begin() + 1, bytes.end(), bytes.begin());
}

} // namespace

void Writer::append(const void* data, std::size_t size) {
  const auto* first = static_cast<const std::byte*>(data);
  bytes_.insert(bytes_.end(), first, first + size);
}

void Writer::put(const std::string& text) {
  put(std::uint64_t{text.size()});
  append(text.data(), text.size());
}

void Writer::put(const device::Bytes& block) {
  const bool repeated = is_one_byte_repeated(block);
  put(repeated ? Block::repeated : Block::literal);
  put(std::uint64_t{block.size()});
  append(block.data(), repeated ? 1 : block.size());
}

void Reader::copy(void* to, std::size_t size) {
  if (size > rest_.size()) ok_ = false;
  if (!ok_ || size == 0) return;
  std::memcpy(to, rest_.data(), size);
  rest_ = rest_.subspan(size);
}

void Reader::get(std::string& text) {
  std::uint64_t size = 0;
  get(size);
  if (size > rest_.size()) ok_ = false;
  if (!ok_) return;
  text.resize(size);
  copy(text.data(), size);
}

void Reader::get(device::Bytes& block) {
  Block form{};
  std::uint64_t size = 0;
  get(form);
  get(size);
  if (!ok_) return;
  if (form == Block::literal) {
    if (size > rest_.size()) ok_ = false;
    if (!ok_) return;
    block.resize(size);
    copy(block.data(), size);
  } else if (form == Block::repeated && size <= expansion_) {
    std::byte value{};
    copy(&value, 1);
    if (!ok_) return;
    expansion_ -= size;
    block.assign(size, value);
  } else {
    ok_ = false;
  }
}

} // namespace course::gpu
