#include "device/gpu/worker_wire.hpp"

#include <doctest/doctest.h>

namespace course::gpu {
namespace {

device::Bytes bytes(std::initializer_list<int> values) {
  device::Bytes result;
  for (const int value : values) result.push_back(static_cast<std::byte>(value));
  return result;
}

template <class... T>
device::Bytes written(const T&... values) {
  Writer writer;
  writer(values...);
  return writer.take();
}

using Choice = std::variant<std::uint32_t, std::string>;

} // namespace

TEST_CASE("what is written is read back") {
  const auto wire = written(std::uint32_t{7}, std::string("a\0b", 3), bytes({1, 2, 3}),
                            std::vector<std::string>{"x", ""}, Choice("text"), true, 0.25,
                            std::optional<std::uint32_t>(9));
  std::uint32_t number = 0;
  std::string text;
  device::Bytes block;
  std::vector<std::string> list;
  Choice choice;
  bool flag = false;
  double real = 0;
  std::optional<std::uint32_t> maybe;
  Reader reader(wire);
  reader(number, text, block, list, choice, flag, real, maybe);
  CHECK(reader.finished());
  CHECK(number == 7);
  CHECK(text == std::string("a\0b", 3));
  CHECK(block == bytes({1, 2, 3}));
  CHECK(list == std::vector<std::string>{"x", ""});
  CHECK(std::get<std::string>(choice) == "text");
  CHECK(flag);
  CHECK(real == 0.25);
  CHECK(maybe == 9u);
}

TEST_CASE("a poisoned buffer travels as one byte and its length") {
  const device::Bytes poison(1 << 20, std::byte{0xff});
  const auto wire = written(poison);
  CHECK(wire.size() < 32);
  device::Bytes back;
  Reader reader(wire);
  reader(back);
  CHECK(reader.finished());
  CHECK(back == poison);
}

TEST_CASE("a repeated block that would grow past the bound is refused, and takes no memory") {
  const auto wire = written(device::Bytes(1 << 20, std::byte{1}));
  device::Bytes back;
  Reader reader(wire, 1 << 19);
  reader(back);
  CHECK_FALSE(reader.ok());
  CHECK(back.empty());
}

TEST_CASE("every message cut short is noticed") {
  const auto wire = written(std::string("hello"), std::vector<std::uint32_t>{1, 2, 3},
                            bytes({9, 8}), Choice(std::uint32_t{5}));
  for (std::size_t size = 0; size < wire.size(); ++size) {
    std::string text;
    std::vector<std::uint32_t> list;
    device::Bytes block;
    Choice choice;
    Reader reader(std::span<const std::byte>(wire).first(size));
    reader(text, list, block, choice);
    CHECK_FALSE(reader.ok());
  }
}

TEST_CASE("a length without its bytes, and an unknown alternative, are refused") {
  std::string text;
  const auto huge = written(~std::uint64_t{0});
  Reader reader(huge);
  reader(text);
  CHECK_FALSE(reader.ok());

  std::vector<std::uint64_t> list;
  const auto many = written(std::uint64_t{1} << 60);
  Reader list_reader(many);
  list_reader(list);
  CHECK_FALSE(list_reader.ok());

  Choice choice;
  const auto unknown = written(std::uint8_t{2}, std::uint32_t{0});
  Reader choice_reader(unknown);
  choice_reader(choice);
  CHECK_FALSE(choice_reader.ok());
}

TEST_CASE("bytes left over are not a whole message") {
  const auto wire = written(std::uint32_t{1}, std::uint8_t{0});
  std::uint32_t number = 0;
  Reader reader(wire);
  reader(number);
  CHECK(reader.ok());
  CHECK_FALSE(reader.finished());
}

} // namespace course::gpu
