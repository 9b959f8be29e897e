#include "device/code/fatbin/device_code.hpp"

#include "device/code/fatbin/fatbin_image.hpp"

#include <doctest/doctest.h>

namespace course::code {
namespace {

using device::Bytes;

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::string why(const Bytes& image) {
  const auto chosen = choose_device_code(model::default_gpu(), image);
  REQUIRE(std::holds_alternative<std::string>(chosen));
  return std::get<std::string>(chosen);
}

device::Module module(const Bytes& image) {
  const auto chosen = choose_device_code(model::default_gpu(), image);
  REQUIRE(std::holds_alternative<device::Module>(chosen));
  return std::get<device::Module>(chosen);
}

} // namespace

TEST_CASE("the newest PTX that an H200 translates is executed") {
  const auto image = fatbin_container(
      fatbin_entry(kPtxKind, 75, "old") + fatbin_entry(kPtxKind, 90, "hopper") +
      fatbin_entry(kPtxKind, 120, "newer") + fatbin_entry(kElfKind, 90, "a cubin.."));
  CHECK(module(image).ptx == "hopper");
  CHECK_FALSE(module(image).cubin.empty());
}

TEST_CASE("what is for sm_90a alone comes before what is for any Hopper, with its own cubin") {
  constexpr std::uint64_t kSpecific = 0x100000;
  const auto image = fatbin_container(
      fatbin_entry(kPtxKind, 90, "general") + fatbin_entry(kElfKind, 90, "cubin90.") +
      fatbin_entry(kElfKind, 90, "cubin90a", kSpecific) +
      fatbin_entry(kPtxKind, 90, "specific", kSpecific) + fatbin_entry(kPtxKind, 80, "ampere"));
  CHECK(module(image).ptx == "specific");
  CHECK(module(image).cubin.size() == 8);
  CHECK(static_cast<char>(module(image).cubin.back()) == 'a');
}

TEST_CASE("machine code of another architecture says nothing about widths") {
  const auto image =
      fatbin_container(fatbin_entry(kPtxKind, 75, "old") + fatbin_entry(kElfKind, 90, "code") +
                       fatbin_entry(kElfKind, 75, "turing"));
  CHECK(module(image).ptx == "old");
  CHECK(module(image).cubin.empty());
}

TEST_CASE("without PTX the message says what there is and how to build it") {
  CHECK(why(fatbin_container(fatbin_entry(kElfKind, 90, "code"))) ==
        "it has machine code for sm_90 but no PTX, which is what is executed here; build it with "
        "nvcc -arch=sm_90, which puts both in");
  CHECK(why(fatbin_container(fatbin_entry(kPtxKind, 100, "newer"))).find("compute_100, newer") !=
        std::string::npos);
  CHECK(why({}).find("it has no device code") == 0);
}

TEST_CASE("bytes that are no fat binary are refused") {
  auto image = fatbin_of_ptx("text");
  CHECK(why(Bytes(100, std::byte{7})).find("cannot be read") != std::string::npos);
  for (std::size_t size = 1; size < image.size(); ++size) {
    CAPTURE(size);
    const auto chosen = choose_device_code(model::default_gpu(), std::span(image).first(size));
    CHECK(std::holds_alternative<std::string>(chosen));
  }
}

} // namespace course::code
