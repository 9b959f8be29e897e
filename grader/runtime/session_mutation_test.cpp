// A session is given 10,000 streams that are nearly right. It may refuse, it may not break: the
// tests also run under AddressSanitizer and UndefinedBehaviorSanitizer.
#include "device/spelled.hpp"
#include "runtime/session_program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

namespace course::runtime {

namespace {

using Random = std::mt19937_64;

// What a program sends that uses everything.
std::vector<Bytes> valid_stream() {
  const auto text = std::string(".version 9.0 of the test");
  const auto image = std::as_bytes(std::span(text));
  const auto a = kFirstAddress;
  const std::vector<protocol::Request> requests = {
      protocol::Begin{},
      protocol::LoadModule{{image.begin(), image.end()}},
      protocol::FindKernel{0, "_Z9transposePfPKfii"},
      protocol::FindKernel{0, "_Z4fillPf"},
      protocol::FindSymbol{0, "coefficients"},
      protocol::SetKernelAttribute{1, 8, 100'000},
      protocol::Allocate{4096},
      protocol::Allocate{100},
      protocol::Upload{{a, 64}, 32, 4, 224, Bytes(128)},
      protocol::Fill{{a, 512}, 512, 2, 7},
      protocol::Copy{{a, 128}, {a + (4 << 20), 256}, 64, 3},
      protocol::SymbolUpload{0, 16, 48, Bytes(48)},
      protocol::Launch{0, {4, 2, 1}, {32, 8, 1}, 0, Bytes(24)},
      protocol::Launch{1, {1, 1, 1}, {64, 1, 1}, 65'536, Bytes(8)},
      protocol::KernelAttributes{1},
      protocol::ActiveBlocks{0, 256, 1024},
      protocol::AvailableShared{0, 2, 256},
      protocol::Synchronize{},
      protocol::Download{{a, 64}, 32, 4, 224},
      protocol::SymbolDownload{0, 0, 64, 64},
      protocol::SymbolAddress{0},
      protocol::MemoryInfo{},
      protocol::RangeOf{a + 4},
      protocol::Refused{"with a cluster dimension"},
      protocol::Failed{13, "no variable"},
      protocol::Free{a + (8 << 20)},
      protocol::Reset{},
      protocol::Returned{},
  };
  std::vector<Bytes> frames;
  frames.reserve(requests.size());
  for (const auto& request : requests) frames.push_back(protocol::encode({"cudaTest", request}));
  return frames;
}

std::size_t below(Random& random, std::size_t bound) {
  return random() % bound;
}

void overwrite(Random& random, Bytes& frame) {
  static constexpr std::uint64_t kEdges[] = {0,          1,          0x7f,       0xff,
                                             0x7fffffff, 0x80000000, 0xffffffff, ~0ull};
  const auto value = random() % 2 ? kEdges[below(random, std::size(kEdges))] : random();
  const auto at = below(random, frame.size());
  const std::size_t width = std::size_t{1} << below(random, 4);
  for (std::size_t i = 0; i < width && at + i < frame.size(); ++i) {
    frame[at + i] = static_cast<std::byte>(value >> (8 * i));
  }
}

void mutate(Random& random, std::vector<Bytes>& frames) {
  auto& frame = frames[below(random, frames.size())];
  switch (below(random, 8)) {
  case 0:
    frame.resize(below(random, frame.size() + 1));
    break;
  case 1:
    frame.insert(frame.end(), below(random, 40), std::byte{0x41});
    break;
  case 2:
    std::swap(frame, frames[below(random, frames.size())]);
    break;
  case 3:
    frame = frames[below(random, frames.size())];
    break;
  default:
    if (!frame.empty()) overwrite(random, frame);
  }
}

// Makes the header's size agree, so that what was changed behind it is looked at.
void repair_size(Bytes& frame) {
  if (frame.size() < protocol::kHeader) return;
  const auto size = frame.size() - protocol::kHeader;
  for (int i = 0; i < 4; ++i) frame[i] = static_cast<std::byte>(size >> (8 * i));
}

} // namespace

TEST_CASE("the stream that the mutations start from is right") {
  Program program;
  for (const auto& frame : valid_stream()) CHECK(!program.session.handle(frame).empty());
  CHECK(program.session.end() == Session::End::returned);
  CHECK(program.recorder.take_plan().steps.size() > 8);
}

TEST_CASE("10,000 mutated streams end in some way, and none breaks the session") {
  Random random(20'241'121);
  const auto valid = valid_stream();
  std::size_t ended[7] = {};
  for (int round = 0; round < 10'000; ++round) {
    auto frames = valid;
    for (auto changes = 1 + below(random, 8); changes > 0; --changes) mutate(random, frames);
    const bool repair = below(random, 4) != 0;
    Program program;
    for (auto& frame : frames) {
      if (repair) repair_size(frame);
      const auto reply = program.session.handle(frame);
      if (reply.empty()) break;
      REQUIRE(std::holds_alternative<protocol::Reply>(protocol::decode_reply(reply)));
    }
    ++ended[static_cast<std::size_t>(program.session.end())];
    for (const auto& error : program.session.errors()) {
      const auto why = device::spelled(error.why);
      REQUIRE(std::all_of(why.begin(), why.end(), [](char c) { return c >= ' ' && c <= '~'; }));
    }
    const auto plan = program.recorder.take_plan();
    for (const auto& step : plan.steps) {
      if (const auto* launch = std::get_if<device::Launch>(&step)) {
        REQUIRE(launch->block.count() <= 1024);
        REQUIRE(launch->arguments.size() == (launch->kernel == "_Z4fillPf" ? 8 : 24));
      }
    }
  }
  CHECK(ended[static_cast<std::size_t>(Session::End::malformed)] > 1000);
  CHECK(ended[static_cast<std::size_t>(Session::End::returned)] > 500);
}

TEST_CASE("bytes by chance are refused as a stream") {
  Random random(7);
  for (int round = 0; round < 1000; ++round) {
    Bytes bytes(below(random, 500));
    for (auto& b : bytes) b = static_cast<std::byte>(random());
    Program program;
    protocol::Frames frames;
    frames.append(bytes);
    while (const auto frame = frames.next()) program.session.handle(*frame);
    CHECK(program.session.end() != Session::End::returned);
  }
}

} // namespace course::runtime
