#include "runtime/protocol.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace course::runtime::protocol {

namespace {

Bytes some_bytes(std::size_t size) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + 1);
  return bytes;
}

std::vector<Request> one_of_each_request() {
  return {Begin{},
          LoadModule{some_bytes(40)},
          FindKernel{3, "_Z9transposePfPKfii"},
          FindSymbol{1, "coefficients"},
          Allocate{1ull << 40},
          Free{0x1000000000},
          Upload{{0x1000000000, 128}, 64, 2, 192, some_bytes(128)},
          Download{{0x1000000000, 128}, 64, 2, 192},
          Copy{{1, 2}, {3, 4}, 5, 6},
          Fill{{1, 2}, 3, 4, 0xff},
          SymbolUpload{2, 16, 48, some_bytes(48)},
          SymbolDownload{2, 16, 48, 48},
          SymbolAddress{7},
          SetKernelAttribute{1, 8, -100'000},
          KernelAttributes{1},
          ActiveBlocks{1, -1, 49152},
          AvailableShared{1, 2, 256},
          Launch{1, {4, 5, 6}, {32, 8, 1}, 4224, some_bytes(24)},
          Synchronize{},
          Reset{},
          MemoryInfo{},
          RangeOf{0x1000000004},
          Refused{"with a cluster dimension"},
          Failed{98, "this is not a __global__ function"},
          Returned{},
          Threw{"threw std::runtime_error: no such size"},
          NoFunction{{"transpose(float*)", "transpose()"}},
          NotLoaded{"undefined symbol: f"},
          AllocateManaged{1ull << 30},
          ElapsedTime{},
          CooperativeLaunch{{1, {4, 5, 6}, {32, 8, 1}, 4224, some_bytes(24)}},
          StreamCall{4, 1, 2},
          ClusterLaunch{{1, {4, 2, 1}, {32, 8, 1}, 4224, some_bytes(24)}, {2, 2, 1}},
          ShareSymbol{3},
          AllocateInStream{4096},
          FreeInStream{0x1000000000},
          HostPages{},
          HostTouched{0x1000000004, true, {0x1234}},
          HostWaited{},
          Computed{},
          CreateTexture{{0x1000000000, 256, 4096, 64, 16, 2}},
          DestroyTexture{3, true},
          HeapLimit{16 << 20},
          Faulted{0x1000000004, true},
          ShareHost{0x7f0000000010, 100, true},
          UnshareHost{0x7f0000000010},
          CalledFrom{{0x1234, 0x5678}},
          CalledAgain{}};
}

std::vector<Payload> one_of_each_payload() {
  return {Nothing{},
          Invocation{"transpose(float*)",
                     {{{{4, 0x1000000000}, {0, 32}}}},
                     {{{4, 0x1000000000}, {0, 64}}}},
          Identifier{5},
          Kernel{1, 24, {0, 8, 16}, {8, 8, 4}},
          Symbol{2, 64, true},
          Address{0x1000000000},
          Data{some_bytes(100)},
          Attributes{1, 2, 3, 1024, -1, 49152, -1},
          Count{32},
          Memory{1, 2},
          Range{3, 4},
          Shared{0x1000000000, "/proc/1/fd/4"},
          HostPieces{{0x7f0000000000}, {0x7f0000001000}, {"/proc/1/fd/5"}}};
}

template <class Decoded>
std::string fault_of(const Decoded& decoded) {
  const auto* fault = std::get_if<std::string>(&decoded);
  return fault ? *fault : "";
}

void set_size(Bytes& frame, std::size_t body) {
  for (int i = 0; i < 4; ++i) frame[i] = static_cast<std::byte>(body >> (8 * i));
}

} // namespace

TEST_CASE("every request survives the way there and back") {
  const auto requests = one_of_each_request();
  REQUIRE(requests.size() == std::variant_size_v<AnyRequest>);
  for (const auto& request : requests) {
    CAPTURE(request.index());
    const Bytes frame = encode(Message{"cudaMemcpy", request});
    const auto decoded = decode_message(frame);
    CHECK(fault_of(decoded) == "");
    const auto& message = std::get<Message>(decoded);
    CHECK(message.call == "cudaMemcpy");
    CHECK(message.request.index() == request.index());
    CHECK(encode(message) == frame);
  }
}

TEST_CASE("every reply survives the way there and back") {
  const auto payloads = one_of_each_payload();
  REQUIRE(payloads.size() == std::variant_size_v<AnyPayload>);
  for (const auto& payload : payloads) {
    CAPTURE(payload.index());
    const Bytes frame = encode(Reply{700, true, payload, Bytes(3)});
    const auto decoded = decode_reply(frame);
    CHECK(fault_of(decoded) == "");
    const auto& reply = std::get<Reply>(decoded);
    CHECK(reply.status == 700);
    CHECK(reply.context_lost);
    CHECK(encode(reply) == frame);
  }
}

TEST_CASE("fields arrive as they were sent") {
  const Launch sent{9, {1, 2, 3}, {4, 5, 6}, 7, some_bytes(12)};
  const auto decoded = decode_message(encode(Message{"cudaLaunchKernel", sent}));
  const auto& launch = std::get<Launch>(std::get<Message>(decoded).request);
  CHECK(launch.kernel == 9);
  CHECK(launch.grid == std::array<std::uint32_t, 3>{1, 2, 3});
  CHECK(launch.block == std::array<std::uint32_t, 3>{4, 5, 6});
  CHECK(launch.dynamic_shared == 7);
  CHECK(launch.arguments == some_bytes(12));
}

TEST_CASE("numbers are little-endian, negative ones in two's complement") {
  Bytes out;
  Writer writer(out);
  writer(std::int32_t{-2});
  writer(std::uint16_t{0x0102});
  const Bytes expected = {std::byte{0xfe}, std::byte{0xff}, std::byte{0xff},
                          std::byte{0xff}, std::byte{0x02}, std::byte{0x01}};
  CHECK(out == expected);
}

TEST_CASE("a message that ends early is refused, wherever it ends") {
  for (const auto& request : one_of_each_request()) {
    const Bytes whole = encode(Message{"cudaMemcpy", request});
    for (std::size_t size = 0; size < whole.size(); ++size) {
      CAPTURE(request.index());
      CAPTURE(size);
      Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      CHECK(fault_of(decode_message(cut)) != "");
      if (size < kHeader) continue;
      set_size(cut, size - kHeader); // the header agrees with what there is
      CHECK(fault_of(decode_message(cut)) != "");
    }
  }
}

TEST_CASE("bytes after a message are refused") {
  for (const auto& request : one_of_each_request()) {
    Bytes frame = encode(Message{"cudaMemcpy", request});
    frame.push_back(std::byte{0});
    set_size(frame, frame.size() - kHeader);
    CHECK(fault_of(decode_message(frame)).find("bytes too many") != std::string::npos);
  }
}

TEST_CASE("a kind that does not exist is refused by its number") {
  Bytes frame = encode(Message{"cudaFree", Free{}});
  frame[4] = std::byte{200};
  CHECK(fault_of(decode_message(frame)) == "a message of unknown kind 200");
  CHECK(fault_of(decode_reply(frame)) == "a reply of unknown kind 200");
}

TEST_CASE("another version is refused and both are named") {
  Bytes frame = encode(Message{"cudaFree", Free{}});
  frame[6] = std::byte{9};
  CHECK(fault_of(decode_message(frame)) == "protocol version 9 where 2 is spoken");
}

TEST_CASE("a call's name is a name and nothing that a terminal obeys") {
  for (const std::string name : {"", "cuda Malloc", "\x1b[2J", "cudaMalloc\n", "cudaMällöc"}) {
    CAPTURE(name);
    const auto decoded = decode_message(encode(Message{name, Free{}}));
    CHECK(fault_of(decoded).find("without a proper name") != std::string::npos);
  }
}

TEST_CASE("a length past its bound is refused before anything of that length is made") {
  const auto refused = [](Request request) {
    return fault_of(decode_message(encode(Message{"cudaMalloc", std::move(request)})));
  };
  CHECK(refused(FindKernel{0, std::string(kMostName, 'k')}) == "");
  CHECK(refused(FindKernel{0, std::string(kMostName + 1, 'k')}).find("at most 2048") !=
        std::string::npos);
  CHECK(refused(Launch{0, {}, {}, 0, Bytes(kMostArguments)}) == "");
  CHECK(refused(Launch{0, {}, {}, 0, Bytes(kMostArguments + 1)}).find("at most 32764") !=
        std::string::npos);
  CHECK(refused(NoFunction{std::vector<std::string>(33, "f()")}).find("at most 32") !=
        std::string::npos);
  CHECK(fault_of(decode_message(encode(Message{std::string(65, 'c'), Free{}}))) != "");

  // A length of four billion with nothing behind it.
  Bytes frame = encode(Message{"cudaMalloc", LoadModule{}});
  for (auto at = frame.size() - 4; at < frame.size(); ++at) frame[at] = std::byte{0xff};
  CHECK(fault_of(decode_message(frame)).find("at most 67108864") != std::string::npos);
}

TEST_CASE("a stream is cut into its frames, whatever the pieces it comes in") {
  const auto requests = one_of_each_request();
  Bytes stream;
  for (const auto& request : requests) {
    const Bytes frame = encode(Message{"cudaMemcpy", request});
    stream.insert(stream.end(), frame.begin(), frame.end());
  }
  for (const std::size_t piece : {1u, 7u, 100u, 100'000u}) {
    CAPTURE(piece);
    Frames frames;
    std::size_t found = 0;
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      frames.append(
          std::span<const std::byte>(stream).subspan(at, std::min(piece, stream.size() - at)));
      while (const auto frame = frames.next()) {
        CHECK(*frame == encode(Message{"cudaMemcpy", requests.at(found)}));
        ++found;
      }
    }
    CHECK(found == requests.size());
    CHECK(!frames.fault());
  }
}

TEST_CASE("a stream that is not frames is given up at its first header") {
  Frames frames;
  frames.append(std::as_bytes(std::span("GET / HTTP/1.1\r\n")));
  CHECK(!frames.next());
  REQUIRE(frames.fault());
  CHECK(frames.fault()->find("protocol version") != std::string::npos);
  frames.append(encode(Message{"cudaFree", Free{}}));
  CHECK(!frames.next());
}

TEST_CASE("a frame larger than any message is refused by its header alone") {
  Bytes header = encode(Message{"cudaFree", Free{}});
  header.resize(kHeader);
  set_size(header, kMostBody + 1);
  Frames frames;
  frames.append(header);
  CHECK(!frames.next());
  CHECK(frames.fault().value_or("").find("where at most") != std::string::npos);
}

} // namespace course::runtime::protocol
