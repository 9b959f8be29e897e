// Any bytes as what a program sends: each message gets a reply, or the session ends.
//
// The first byte says how to read the rest: bit 0 chooses the emulated device or a recorder, bit 1
// a raw stream of frames. Otherwise the rest is a sequence of {u8 kind, u16 size, fields of the
// message}, of which frames are made whose header and call are right.
#include "device/code/fatbin/device_code.hpp"
#include "device/code/fatbin/fatbin_image.hpp"
#include "device/emulator/emulator.hpp"
#include "device/spelled.hpp"
#include "runtime/live_executor.hpp"
#include "runtime/recorder.hpp"
#include "runtime/sample_ptx.hpp"
#include "runtime/session.hpp"

#include <algorithm>

namespace course::runtime {
namespace {

void require(bool holds) {
  if (!holds) __builtin_trap();
}

bool is_printable(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

// Looks at the program's device code, and loads its own in its place: a live program may run for
// ever, a fuzzer may not.
class BoundedExecutor : public LiveExecutor {
public:
  using LiveExecutor::LiveExecutor;

  std::variant<std::uint32_t, device::Message> load(std::span<const std::byte> image) override {
    static const Bytes own = code::fatbin_of_ptx(kSamplePtx);
    code::choose_device_code(gpu(), image);
    return LiveExecutor::load(own);
  }
  Answer execute(device::Step step) override {
    const auto* launch = std::get_if<device::Launch>(&step);
    if (launch && launch->grid.count() > 64) return {};
    return LiveExecutor::execute(std::move(step));
  }
};

// Frames whose header and call are right.
std::vector<Bytes> frames_of(std::span<const std::byte> rest) {
  std::vector<Bytes> frames;
  while (rest.size() >= 3) {
    const auto at = [&](std::size_t i) { return std::to_integer<std::uint16_t>(rest[i]); };
    const std::size_t size = std::min<std::size_t>(at(1) | at(2) << 8, rest.size() - 3);
    const std::string call = "cudaTest";
    Bytes frame;
    Writer put(frame);
    put(static_cast<std::uint32_t>(4 + call.size() + size));
    put(at(0)), put(protocol::kVersion), put.text(call, call.size());
    const auto body = rest.subspan(3, size);
    frame.insert(frame.end(), body.begin(), body.end());
    frames.push_back(std::move(frame));
    rest = rest.subspan(3 + size);
  }
  return frames;
}

std::vector<Bytes> frames_of_stream(std::span<const std::byte> stream) {
  std::vector<Bytes> all;
  protocol::Frames frames;
  while (!stream.empty()) { // as it may come from a socket, in pieces
    const auto piece = stream.first(std::min<std::size_t>(stream.size(), 100));
    frames.append(piece);
    stream = stream.subspan(piece.size());
    while (auto frame = frames.next()) all.push_back(std::move(*frame));
  }
  return all;
}

void converse(Executor& executor, const std::vector<Bytes>& frames, std::optional<Call> call) {
  Session session(executor, std::move(call), {.messages = 1000, .memory = 1 << 22, .errors = 20});
  for (const auto& frame : frames) {
    // There is one way to write a message.
    const auto message = protocol::decode_message(frame);
    if (const auto* read = std::get_if<protocol::Message>(&message))
      require(protocol::encode(*read) == frame);
    const auto reply = session.handle(frame);
    require(reply.empty() ==
                (session.end() != Session::End::open && session.end() != Session::End::returned) ||
            session.end() == Session::End::returned);
    if (reply.empty()) break;
    const auto understood = protocol::decode_reply(reply);
    require(std::holds_alternative<protocol::Reply>(understood));
    require(protocol::encode(std::get<protocol::Reply>(understood)) == reply);
  }
  for (const auto& error : session.errors())
    require(is_printable(error.call + device::spelled(error.why)));
  for (const auto& name : session.unsupported()) require(is_printable(name));
}

void record(const std::vector<Bytes>& frames) {
  static const std::vector<device::Module> modules = {{kSamplePtx, {}}};
  Recorder recorder(model::default_gpu(), modules, {device::inspect(modules[0])});
  Call call;
  call.function = "add(float*, int)";
  call.arguments = {{Call::Value::Kind::pointer, kFirstAddress}, {Call::Value::Kind::i32, 64}};
  call.memory = {{kFirstAddress, 1024}};
  converse(recorder, frames, call);
  for (const auto& step : recorder.take_plan().steps)
    if (const auto* launch = std::get_if<device::Launch>(&step))
      require(launch->block.count() <= 1024 && launch->block.count() > 0);
}

void live(const std::vector<Bytes>& frames) {
  emulator::Options options;
  options.threads = 1;
  const auto device = emulator::make_live(options);
  BoundedExecutor executor(*device);
  converse(executor, frames, std::nullopt);
  device->launches();
}

} // namespace
} // namespace course::runtime

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace course::runtime;
  if (size == 0) return 0;
  const auto rest = std::as_bytes(std::span(bytes, size)).subspan(1);
  const auto frames = bytes[0] & 2 ? frames_of_stream(rest) : frames_of(rest);
  if (bytes[0] & 1) {
    live(frames);
  } else {
    record(frames);
  }
  return 0;
}
