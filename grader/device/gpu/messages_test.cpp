#include "device/gpu/messages.hpp"

#include "device/message_id.hpp"

#include <doctest/doctest.h>

#include <random>

namespace course::gpu {
namespace {

device::Job job() {
  device::Job result;
  result.modules.push_back({".version 9.0", device::Bytes(3, std::byte{7})});
  result.buffers.push_back({"out", 0x1000, device::Bytes(8, std::byte{0xff}), false});
  device::Launch launch;
  launch.kernel = "k";
  launch.grid = {2, 3, 4};
  launch.dynamic_shared = 49153;
  launch.arguments = device::Bytes(12, std::byte{1});
  launch.cooperative = true;
  result.plan.steps = {device::Allocate{1, 2},
                       device::Free{3},
                       device::Fill{4, std::byte{5}, 6},
                       device::Copy{7, 8, 9},
                       device::Upload{10, device::Bytes(2)},
                       device::SymbolUpload{0, "s", 4, device::Bytes(1)},
                       launch,
                       device::StreamCall{device::StreamCall::What::wait, 1, 2}};
  return result;
}

using device::Message;
using Says = device::MessageId;

Executed executed() {
  Executed result;
  result.status = device::Observation::Status::failed;
  result.reason = "because";
  device::Finding finding;
  finding.kind = device::FindingKind::misaligned;
  finding.message = Message(
      Says::is_misaligned, device::LaneAccess{device::LaneAccess::Does::store, 8},
      Message(Says::past_end, device::Count{1}, Message(Says::memory_at, device::Pointer{2})), 8);
  result.findings.push_back(finding);
  result.launches.push_back({{10, 2, 3, 0, 0}, "k", {1, 1, 1}, {32, 1, 1}, 4096});
  result.instructions.push_back({"k",
                                 "f.cu",
                                 3,
                                 16,
                                 InstructionCounts::Does::access,
                                 {model::RequestKind::cp_async, 16, true},
                                 0,
                                 8,
                                 7,
                                 6,
                                 5,
                                 {.remote = 4, .copies_out = 3, .products = 2},
                                 9,
                                 10});
  result.next_total = 3;
  result.counted_by = "hand";
  return result;
}

} // namespace

TEST_CASE("a job with every kind of step arrives as it was sent") {
  const auto back = decode_command(encode(Command(Execute{job(), Counting::totals, 2, false})));
  REQUIRE(back);
  const auto& execute = std::get<Execute>(*back);
  CHECK(execute.counting == Counting::totals);
  CHECK(execute.counted_launch == 2);
  CHECK_FALSE(execute.to_the_end);
  const auto& steps = execute.job.plan.steps;
  REQUIRE(steps.size() == 8);
  CHECK(std::get<device::StreamCall>(steps[7]).event == 2);
  CHECK(std::get<device::Fill>(steps[2]).value == std::byte{5});
  CHECK(std::get<device::SymbolUpload>(steps[5]).symbol == "s");
  const auto& launch = std::get<device::Launch>(steps[6]);
  CHECK(launch.grid == device::Dim3{2, 3, 4});
  CHECK(launch.dynamic_shared == 49153);
  CHECK(launch.cooperative);
  CHECK(launch.arguments.size() == 12);
  CHECK_FALSE(execute.job.buffers[0].initialised);
}

TEST_CASE("what is to be timed arrives as it was sent") {
  TimedWork work{job(), job(), false, job(), {}, {1, false, 0.5, 0.25}};
  work.student.buffers.clear();
  work.buffers = {{{0x1000, 8}, true, device::Bytes(8, std::byte{3})}, {{0x2000, 0}, false, {}}};
  const auto back = decode_command(encode_opening(work));
  REQUIRE(back);
  const auto& opened = std::get<OpenTiming>(*back).work;
  CHECK(opened.student.buffers.empty());
  CHECK(opened.peer.plan.steps.size() == 8);
  CHECK_FALSE(opened.peer_is_right);
  CHECK(opened.solution.modules.size() == 1);
  REQUIRE(opened.buffers.size() == 2);
  CHECK(opened.buffers[0].region == Region{0x1000, 8});
  CHECK(opened.buffers[0].input);
  CHECK(opened.buffers[0].contents == work.buffers[0].contents);
  CHECK(opened.output.buffer == 1);
  CHECK_FALSE(opened.output.floats);
  CHECK(opened.output.relative == 0.25);
}

TEST_CASE("an answer arrives as it was sent") {
  const auto back = decode_answer(encode(Answer(executed())));
  REQUIRE(back);
  const auto& got = std::get<Executed>(*back);
  CHECK(got.next_total == 3);
  CHECK(got.instructions.at(0).beyond.remote == 4);
  CHECK(got.instructions[0].beyond.copies_out == 3);
  CHECK(got.instructions[0].beyond.products == 2);
  CHECK(got.instructions[0].remote_lines == 9);
  CHECK(got.instructions[0].bytes == 10);
  CHECK(got.reason == "because");
  CHECK(got.findings[0].kind == device::FindingKind::misaligned);
  CHECK(got.findings[0].message == executed().findings[0].message);
  CHECK(got.launches[0].shared_bytes == 4096);
  CHECK(got.instructions[0].wavefronts == 7);
  CHECK(got.instructions[0].kind == model::RequestType{model::RequestKind::cp_async, 16, true});
  CHECK(got.counted_by == "hand");
}

TEST_CASE("values that no enumeration has are refused") {
  CHECK_FALSE(decode_command(encode(Command(Prepare{static_cast<Side>(2), 0}))));
  CHECK_FALSE(
      decode_command(encode(Command(Execute{device::Job(), static_cast<Counting>(9), 0, true}))));
  auto answer = executed();
  answer.findings[0].kind = static_cast<device::FindingKind>(99);
  CHECK_FALSE(decode_answer(encode(Answer(answer))));
  answer = executed();
  answer.status = static_cast<device::Observation::Status>(-1);
  CHECK_FALSE(decode_answer(encode(Answer(answer))));
}

TEST_CASE("a message that lacks a part, or that no list has, is refused, however deep it is") {
  const auto says = [](Message message) {
    auto answer = executed();
    answer.findings[0].message = std::move(message);
    return decode_answer(encode(Answer(answer))).has_value();
  };
  Message lacking(Says::past_end, device::Count{1}), unknown;
  unknown.id = static_cast<Says>(60'000);
  const device::LaneAccess odd{static_cast<device::LaneAccess::Does>(7), 4};
  CHECK(says(Message(Says::reads, "s[1]")));
  CHECK_FALSE(says(lacking));
  CHECK_FALSE(says(unknown));
  CHECK_FALSE(says(Message(Says::reads, lacking)));
  CHECK_FALSE(says(Message(Says::is_to_constant, odd)));
  Message deep("s[1]");
  for (int i = 0; i < 1000; ++i) deep = Message(Says::reads, Message(std::move(deep)));
  CHECK_FALSE(says(deep));
}

TEST_CASE("no bytes of a hostile worker do more than be refused") {
  std::mt19937 random(7);
  const auto honest = encode(Answer(executed()));
  for (int i = 0; i < 20'000; ++i) {
    auto bytes = honest;
    for (int flips = 0; flips < 3; ++flips)
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    bytes.resize(random() % (bytes.size() + 1));
    const auto back = decode_answer(bytes);
    CHECK((!back || back->index() < std::variant_size_v<Answer>));
  }
}

TEST_CASE("a few bytes that claim to be gigabytes are refused before there is memory for them") {
  Executed large = executed();
  large.buffers = {device::Bytes(1 << 20, std::byte{7})};
  const auto bytes = encode(Answer(large));
  CHECK(bytes.size() < 4096);
  CHECK(decode_answer(bytes, 2 << 20));
  CHECK_FALSE(decode_answer(bytes, (1 << 20) - 1));
}

} // namespace course::gpu
