// Pages that a program and this process have both: here one process plays both.
#include "runtime/host_pages.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace course::runtime {
namespace {

constexpr device::Address kSome = 0x7f12'3456'7000;

// What the program has of a piece, as it would map it.
std::byte* mapped(const HostPages::Piece& piece) {
  const int file = open(piece.path.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(file >= 0);
  CHECK(ftruncate(file, 0) != 0); // what is read here cannot go away
  void* at = mmap(nullptr, piece.end - piece.begin, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  REQUIRE(at != MAP_FAILED);
  return static_cast<std::byte*>(at);
}

} // namespace

TEST_CASE("what is registered is the same bytes on both sides, wherever in a page it begins") {
  HostPages pages;
  std::vector<HostPages::Piece> fresh;
  std::byte* bytes = pages.share(kSome + 100, 5000, fresh);
  REQUIRE(bytes);
  REQUIRE(fresh.size() == 1);
  CHECK(fresh[0].begin == kSome);
  CHECK(fresh[0].end == kSome + 8192);
  std::byte* program = mapped(fresh[0]);
  program[100 + 4999] = std::byte{7};
  CHECK(bytes[4999] == std::byte{7});
  bytes[0] = std::byte{9};
  CHECK(program[100] == std::byte{9});
  CHECK(bytes[5000 + 63] == std::byte{0}); // there is something behind
  munmap(program, 8192);
}

TEST_CASE("neighbours share the page that both lie in, and keep it until neither is registered") {
  HostPages pages;
  std::vector<HostPages::Piece> first, second, third;
  std::byte* one = pages.share(kSome, 100, first);
  std::byte* other = pages.share(kSome + 100, 8000, second);
  REQUIRE(one);
  REQUIRE(other);
  REQUIRE(second.size() == 1);
  CHECK(second[0].begin == kSome + 4096);
  std::byte* program = mapped(first[0]);
  program[99] = std::byte{1}, program[100] = std::byte{2};
  CHECK(one[99] == std::byte{1});
  CHECK(other[0] == std::byte{2});
  pages.unshare(kSome);
  CHECK(other[0] == std::byte{2});
  REQUIRE(pages.share(kSome, 100, third));
  CHECK(third.empty()); // the page is there
  pages.unshare(kSome);
  pages.unshare(kSome + 100);
  pages.unshare(kSome + 100);
  REQUIRE(pages.share(kSome + 5000, 100, third));
  CHECK(third.size() == 1); // and here it is a new one
  munmap(program, 4096);
}

TEST_CASE("a page between two that are shared is the only one to map") {
  HostPages pages;
  std::vector<HostPages::Piece> fresh, between;
  REQUIRE(pages.share(kSome + 4000, 96, fresh));
  REQUIRE(pages.share(kSome + 8192, 10, fresh));
  std::byte* bytes = pages.share(kSome + 4096, 4096, between);
  REQUIRE(bytes);
  REQUIRE(between.size() == 1);
  CHECK(between[0].begin == kSome + 4096);
  CHECK(between[0].end == kSome + 8192);
}

} // namespace course::runtime
