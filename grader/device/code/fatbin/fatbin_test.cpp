#include "device/code/fatbin/fatbin.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#ifdef COURSE_HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef COURSE_HAVE_LZ4
#include <lz4.h>
#endif

namespace course::code {
namespace {

constexpr std::uint64_t kZstd = 0x8000, kLz4 = 0x2000, kSpecific = 0x100000;
const std::string kPtx = ".version 9.0\n.target sm_90\n.visible .entry k() { ret; }\n";

template <class Number>
void put(std::string& to, Number value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

struct Packed {
  std::string data;
  std::uint64_t flags = 0, full_size = 0;
};

std::string entry(std::uint16_t kind, std::uint32_t architecture, const Packed& packed) {
  std::string padded = packed.data;
  padded.resize((padded.size() + 7) / 8 * 8);
  std::string bytes;
  put(bytes, kind);
  put(bytes, std::uint16_t{0x101});
  put(bytes, std::uint32_t{64});
  put(bytes, std::uint64_t{padded.size()});
  put(bytes, static_cast<std::uint32_t>(packed.data.size()));
  put(bytes, std::uint32_t{0});
  put(bytes, std::uint32_t{0}); // minor, major
  put(bytes, architecture);
  put(bytes, std::uint64_t{0}); // name
  put(bytes, packed.flags);
  put(bytes, std::uint64_t{0});
  put(bytes, packed.full_size);
  return bytes + padded;
}

std::string container(const std::string& entries) {
  std::string bytes;
  put(bytes, std::uint32_t{0xBA55ED50});
  put(bytes, std::uint16_t{1});
  put(bytes, std::uint16_t{16});
  put(bytes, std::uint64_t{entries.size()});
  return bytes + entries;
}

elf::View view(const std::string& bytes) {
  return std::as_bytes(std::span(bytes));
}

std::string text(const device::Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

TEST_CASE("a module is the PTX and the cubin of compute capability 9.0 of a container") {
  const std::string bytes = container(entry(1, 120, {"other"}) + entry(1, 90, {kPtx}) +
                                      entry(2, 120, {"blackwell"}) + entry(2, 90, {"hopper!!"}));
  const auto modules = modules_of_fatbin(view(bytes), model::default_gpu());
  REQUIRE(modules.size() == 1);
  CHECK(modules[0].ptx == kPtx);
  CHECK(text(modules[0].cubin) == "hopper!!");
}

TEST_CASE("what is for sm_90a alone is taken before what is for any Hopper") {
  const std::string bytes =
      container(entry(1, 90, {kPtx}) + entry(2, 90, {"hopper!!"}) +
                entry(2, 90, {"specific", kSpecific}) + entry(1, 90, {"its PTX.", kSpecific}));
  const auto modules = modules_of_fatbin(view(bytes), model::default_gpu());
  REQUIRE(modules.size() == 1);
  CHECK(modules[0].ptx == "its PTX.");
  CHECK(text(modules[0].cubin) == "specific");
}

TEST_CASE("containers follow each other, with zeros between") {
  std::string bytes = container(entry(1, 90, {kPtx}) + entry(2, 90, {"one"}));
  bytes += std::string(48, '\0') + container(entry(1, 90, {kPtx}));
  const auto modules = modules_of_fatbin(view(bytes), model::default_gpu());
  REQUIRE(modules.size() == 2);
  CHECK(modules[1].cubin.empty());
}

TEST_CASE("a container without PTX, as the device linker makes, is no module") {
  CHECK(modules_of_fatbin(view(container(entry(2, 90, {"linked"}))), model::default_gpu()).empty());
  CHECK(modules_of_fatbin(view(container("")), model::default_gpu()).empty());
  CHECK(modules_of_fatbin({}, model::default_gpu()).empty());
}

TEST_CASE("entries of unknown kinds are passed over") {
  const std::string bytes = container(entry(8, 90, {"?"}) + entry(1, 90, {kPtx}));
  CHECK(read_fatbin(view(bytes)).at(0).size() == 1);
}

#ifdef COURSE_HAVE_ZSTD
TEST_CASE("device code compressed with zstd is decompressed") {
  Packed packed{std::string(ZSTD_compressBound(kPtx.size()), '\0'), kZstd, kPtx.size()};
  packed.data.resize(
      ZSTD_compress(packed.data.data(), packed.data.size(), kPtx.data(), kPtx.size(), 3));
  CHECK(modules_of_fatbin(view(container(entry(1, 90, packed))), model::default_gpu()).at(0).ptx ==
        kPtx);

  packed.full_size += 1;
  CHECK_THROWS_WITH_AS(read_fatbin(view(container(entry(1, 90, packed)))),
                       "device code compressed with 'zstd' is damaged", BadFatbin);
}

TEST_CASE("a small entry that claims to be huge, or many of them, is refused") {
  const std::string zeros(100 << 20, '\0');
  Packed packed{std::string(ZSTD_compressBound(zeros.size()), '\0'), kZstd, zeros.size()};
  packed.data.resize(
      ZSTD_compress(packed.data.data(), packed.data.size(), zeros.data(), zeros.size(), 1));
  CHECK(packed.data.size() < 1 << 20);
  const std::string one = entry(2, 90, packed);
  CHECK_NOTHROW(read_fatbin(view(container(one + one))));
  CHECK_THROWS_AS(read_fatbin(view(container(one + one + one))), BadFatbin);
  packed.full_size = ~std::uint64_t{0};
  CHECK_THROWS_AS(read_fatbin(view(container(entry(2, 90, packed)))), BadFatbin);
}
#endif

TEST_CASE("device code compressed with LZ4 is decompressed, or the missing library is named") {
#ifdef COURSE_HAVE_LZ4
  const int size = static_cast<int>(kPtx.size());
  Packed packed{std::string(LZ4_compressBound(size), '\0'), kLz4, kPtx.size()};
  packed.data.resize(LZ4_compress_default(kPtx.data(), packed.data.data(), size,
                                          static_cast<int>(packed.data.size())));
  CHECK(modules_of_fatbin(view(container(entry(1, 90, packed))), model::default_gpu()).at(0).ptx ==
        kPtx);
#else
  const Packed packed{"anything", kLz4, 100};
  CHECK_THROWS_WITH_AS(read_fatbin(view(container(entry(1, 90, packed)))),
                       doctest::Contains("liblz4-dev"), BadFatbin);
#endif
}

TEST_CASE("what is cut off, or has sizes that leave it, is refused") {
  const std::string whole = container(entry(1, 90, {kPtx}));
  for (std::size_t size = 1; size < whole.size(); ++size)
    CHECK_THROWS_AS(read_fatbin(view(whole.substr(0, size))), BadFatbin);
  std::string bytes = whole;
  const std::uint64_t wraps = ~std::uint64_t{0} - 7;
  std::memcpy(bytes.data() + 16 + 8, &wraps, sizeof(wraps)); // the entry's size
  CHECK_THROWS_AS(read_fatbin(view(bytes)), BadFatbin);
  bytes = whole;
  std::memset(bytes.data() + 16 + 4, 0, 4); // a header of no bytes would never end
  CHECK_THROWS_AS(read_fatbin(view(bytes)), BadFatbin);
}

TEST_CASE("what is no fat binary says so, and where") {
  CHECK_THROWS_WITH_AS(read_fatbin(view(std::string(16, '\0') + "an ELF file perhaps")),
                       "no fat binary of a known version at offset 16 of the fat binary",
                       BadFatbin);
}

TEST_CASE("no damage to a fat binary does more than make it bad") {
  const std::string whole = container(entry(1, 90, {kPtx}) + entry(2, 90, {"cubin", kZstd, 100})) +
                            container(entry(1, 90, {kPtx}));
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = whole;
    for (int edits = 1 + random() % 4; edits > 0; --edits)
      bytes[random() % bytes.size()] = static_cast<char>(random() % 2 ? random() : 0xff);
    try {
      modules_of_fatbin(view(bytes), model::default_gpu());
    } catch (const BadFatbin&) {
      ++refused;
    }
  }
  CHECK(refused > 1'000);
}

} // namespace course::code
