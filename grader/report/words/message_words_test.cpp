#include "device/message_id.hpp"
#include "language/translate.hpp"
#include "report/words/by_form.hpp"
#include "report/words/finding_words.hpp"
#include "report/words/message_words.hpp"

#include <doctest/doctest.h>

#include <set>

namespace course::report {
namespace {

using device::Count;
using device::Dim3;
using device::LaneAccess;
using device::Lanes;
using device::Message;
using device::Pointer;
using Id = device::MessageId;

constexpr std::size_t kAll = std::size(device::kMessages);

// A message of the list with some part at each place: its number, so that none is like another.
Message any_of(std::size_t id) {
  Message made;
  made.id = static_cast<Id>(id);
  for (std::size_t i = 0; i < device::kMessages[id].parts; ++i)
    made.parts.emplace_back(Count{701 + i});
  return made;
}

const Message kElement(Id::element, "s[1]", 4);
Message load(std::uint32_t bytes, Id how, Message where) {
  return Message(how, LaneAccess{LaneAccess::Does::load, bytes}, std::move(where));
}

} // namespace

TEST_CASE("every message of devices has words, which say each of its parts") {
  std::set<std::string> all;
  for (std::size_t id = 1; id < kAll; ++id) {
    CAPTURE(device::kMessages[id].name);
    const auto said = in_words(any_of(id));
    CHECK(!said.empty());
    CHECK(said.find_first_of("{}") == said.npos);
    for (std::size_t i = 0; i < device::kMessages[id].parts; ++i)
      CHECK(said.find(std::to_string(701 + i)) != said.npos);
    CHECK_MESSAGE(all.insert(said).second, said);
  }
}

TEST_CASE("a message is said whole or not at all") {
  CHECK(in_words(Message()) == "");
  CHECK(in_words("as nvcc has it: {}") == "as nvcc has it: {}");
  Message lacking(Id::past_end, Count{4});
  CHECK(in_words(lacking) == "");
  CHECK(in_words(load(4, Id::access_is, lacking)) == "");
  Message unknown;
  unknown.id = static_cast<Id>(kAll);
  CHECK(in_words(unknown) == "");
}

TEST_CASE("places are called as the author of a kernel would") {
  CHECK(in_words(kElement) == "s[1] (byte 4)");
  CHECK(in_words(Message(Id::elements, "a[132]", "a[135]", 132)) == "a[132] to a[135] (byte 132)");
  const Message dynamic(Id::sized_dynamic, "memory", Count{34'572});
  CHECK(in_words(Message(Id::past_end, Count{1428}, dynamic)) ==
        "1,428 bytes past the end of memory (dynamic shared memory, 34,572 bytes at this launch)");
  const Message nameless(Id::memory_at, Pointer{0x1100000000});
  CHECK(in_words(Message(Id::element_of, nameless, 31, 124)) ==
        "memory at 0x1100000000[31] (byte 124)");
}

TEST_CASE("an access that may not be is said by its width") {
  CHECK(in_words(load(4, Id::goes_through, Message(Id::null_pointer_plus, 8))) ==
        "a 4-byte load goes through a null pointer plus 8 bytes");
  CHECK(in_words(Message(Id::past_array, LaneAccess{LaneAccess::Does::store, 8},
                         Message(Id::byte_of, 256, "a"), Count{260})) ==
        "an 8-byte store at byte 256 of a reaches past the end of its array, of 260 bytes");
}

TEST_CASE("a race is said by what one does, what the other did, and what would order the two") {
  const Message wrote(Id::wrote, Message(Id::thread, Dim3{1, 0, 0}));
  CHECK(in_words(Message(Id::meets, Message(Id::reads, kElement), wrote,
                         Message(Id::no_warp_barrier))) ==
        "reads s[1] (byte 4), which thread (1,0,0) wrote, and no __syncwarp or barrier is between "
        "the two");
  CHECK(in_words(Message(Id::meets, Message(Id::writes, kElement),
                         Message(Id::stream_writes, Message(Id::a_fill)),
                         Message(Id::no_order_event))) ==
        "writes s[1] (byte 4), which a fill in another stream writes, and nothing orders the two: "
        "an event between them would");
}

TEST_CASE("lanes are said as ranges") {
  CHECK(in_words(Message(Id::needs_whole_warp, Lanes{0x8000008f})) ==
        "a matrix instruction needs all 32 lanes of the warp, and only lanes 0-3, 7, 31 came here");
  CHECK(in_words(Message(Id::needs_whole_warp, Lanes{0xffffffff})).find("lanes 0-31 ") !=
        std::string::npos);
}

TEST_CASE("one lane is no lanes, and a mask may be empty") {
  CHECK(in_words(Message(Id::not_in_own_mask, 0, Lanes{0})) ==
        "lane 0 is not in its own mask (no lane), which is undefined");
  CHECK(in_words(Message(Id::lanes_never_come, Lanes{1}, 0, Lanes{0xfffffffe})) ==
        "lane 0 of warp 0 came here and waited for lanes 1-31, which the mask names as well and "
        "which never came");
  CHECK(in_words(Message(Id::reads_from_all_but_one, 3, 5, Lanes{8})).find("(only lane 3 does)") !=
        std::string::npos);
}

TEST_CASE(
    "why a launch was refused is said in the reader's language, and other words are handed on") {
  const Message refused(
      Id::of_kernel, "turn",
      Message(Id::threads_beyond_device, device::Count{2048}, device::Count{1024}));
  CHECK(in_words(refused) == "turn: 2,048 threads per block; this device allows 1,024");
  CHECK(in_words(Message(Id::shared_beyond_attribute, device::Count{100'000}, device::Count{49'152},
                         100'000)) ==
        "100,000 bytes of dynamic shared memory per block; this kernel may have 49,152 until "
        "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000)");
  REQUIRE(language::speak("zh_CN"));
  CHECK(in_words(refused) == "turn：每块 2,048 个线程；这个设备至多允许 1,024 个");
  CHECK(in_words(Message(Id::no_extent_of_grid, "x")) == "网格在 x 方向上的长度是 0");
  for (const char* handed_on : {"terminate called", "a: b: c", "ptxas: 4 errors", "{} threads"})
    CHECK(in_words(Message(handed_on)) == handed_on);
  language::speak("");
}

TEST_CASE("only what reads from a lane is called a shuffle") {
  device::Finding found;
  found.kind = device::FindingKind::shuffle;
  found.message = Message(Id::reads_from_idle_lane, 8, 16, Lanes{0xffff});
  CHECK(what_happened(found) == "a shuffle from a lane that takes no part");
  for (const auto& other : {Message(Id::lanes_never_come, Lanes{1}, 0, Lanes{2}), // of a match, say
                            Message(Id::not_in_own_mask, 1, Lanes{2}),
                            Message(Id::exchange_nothing, Lanes{1}, Lanes{2})}) {
    found.message = other;
    CHECK(what_happened(found) == "an exchange of lanes without all that its mask names");
  }
  found.message = Message(Id::needs_whole_warp, Lanes{1});
  CHECK(what_happened(found) == "a matrix instruction without its whole warp");
}

TEST_CASE("a number decides between one and many where a sentence has both") {
  const auto missing = [](std::uint64_t pending, std::uint64_t expected) {
    const Message of(Id::phase, 0, "barrier");
    return in_words(Message(Id::never_ends, Count{pending}, of,
                            Message(Id::arrivals_missing, Count{pending}, Count{expected})));
  };
  CHECK(missing(1, 128) == "1 lane waits here for phase 0 of barrier, which never ends: 1 of its "
                           "128 arrivals is missing");
  CHECK(missing(32, 1128) == "32 lanes wait here for phase 0 of barrier, which never ends: 32 of "
                             "its 1,128 arrivals are missing");
}

TEST_CASE("a race is said in Chinese, its parts in the order that Chinese has") {
  REQUIRE(language::speak("zh_CN"));
  const Message race(Id::meets, Message(Id::reads, kElement),
                     Message(Id::wrote, Message(Id::thread, Dim3{1, 0, 0})),
                     Message(Id::no_barrier));
  const auto said = in_words(race);
  const auto in_english = [&] {
    const language::InEnglish here;
    return in_words(race);
  }();
  language::speak("");
  CHECK(said == "读取 s[1]（字节 4），而线程 (1,0,0) 写入过它，两者之间没有屏障");
  CHECK(in_english == in_words(race));
}

} // namespace course::report
