#include "report/editor/lines_in_words.hpp"

#include "judge/hand_made.hpp"
#include "report/text.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace course::report {
namespace {

using judge::hand_made::global;
using judge::hand_made::row;
using judge::hand_made::shared;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

} // namespace

TEST_CASE("a line is told in a few words: what a request costs beyond what it has to") {
  const auto conflicted = shared(29, "shared_load_4", 8192, 32);
  const auto free = shared(29, "shared_load_4", 8192, 1);
  const auto stored = global(29, "global_store_4", 8192, 4);
  CHECK(in_few_words({&conflicted}) == "31 conflicts per request");
  CHECK(in_few_words({&conflicted, &stored}) == "31 conflicts, 4 sectors per request");
  CHECK(in_few_words({&free}) == "no conflicts");
  CHECK(in_few_words({&free, &stored}) == "no conflicts, 4 sectors per request");
  CHECK(in_few_words({}).empty());
}

TEST_CASE("words say where a count is not that of a GPU") {
  auto atomics = shared(9, "shared_atomic_add_4", 10, 3);
  atomics.at_least = atomics.conflicts_at_least = true;
  CHECK(in_few_words({&atomics}) == "at least 2 conflicts per request");
  auto in_turn = shared(9, "red_shared_max_u64", 10, 1);
  in_turn.at_least = true;
  CHECK(in_few_words({&in_turn}) == "no conflicts");
  std::string said = drawn({&in_turn});
  std::ranges::replace(said, '\n', ' '); // it is wrapped
  CHECK(said.find("more passes where warps try again, but no more conflicts") != said.npos);
  auto unknown = shared(9, "shared_load_4", 10, 3);
  unknown.width_from_sass = false;
  CHECK(in_few_words({&unknown}) == "2 conflicts per request (as the PTX has it)");
}

TEST_CASE("constant memory has replays, and other memories nothing to say") {
  auto constant = row(5, "constant_load_4", 4);
  CHECK(in_few_words({&constant}) == "no replays");
  constant.replays = 12;
  CHECK(in_few_words({&constant}) == "3 replays per request");
  const auto nothing = row(5, "texture_2d", 4);
  CHECK(in_few_words({&nothing}).empty());
}

TEST_CASE("shared memory of another block is paid in sectors, and no bank is asked") {
  auto remote = row(7, "dshared_load_4", 16);
  remote.sectors = 64;
  CHECK(in_few_words({&remote}) == "4 remote sectors per request");
  CHECK(in_sentences({&remote}) == "16 requests to shared memory of other blocks: 64 sectors.");
  CHECK(drawn({&remote}).empty());
}

TEST_CASE("the same in sentences names every memory") {
  const auto loaded = shared(29, "shared_load_4", 8192, 32);
  const auto stored = global(29, "global_store_4", 8192, 4);
  CHECK(in_sentences({&loaded, &stored}) ==
        "8,192 requests to shared memory: 262,144 wavefronts where 8,192 would do. 8,192 requests "
        "to global memory: 32,768 sectors.");
}

TEST_CASE("the drawing of a line has its lanes and banks, its sectors, and the questions") {
  const auto loaded = shared(29, "shared_load_4", 8192, 32);
  const auto stored = global(29, "global_store_4", 8192, 32);
  const auto text = drawn({&stored, &loaded});
  CHECK(text.starts_with("shared load 4: 32-way conflict. 8,192 requests took 262,144 passes"));
  CHECK(contains(text, "  bank    0    0    0"));
  CHECK(contains(text, "32 is the number"));
  CHECK(contains(text, "global store 4: 8,192 requests, 32 sectors of 32 bytes each."));
  CHECK(contains(text, "  sector      0     12"));
  CHECK(contains(text, "bytes apart, where 4 would do"));
  for (const auto& line : lines_of(text)) CHECK(columns(line) <= kPageColumns);
}

TEST_CASE("where nothing is wasted, nothing is asked") {
  const auto loaded = shared(29, "shared_load_4", 8192, 1);
  const auto stored = global(29, "global_store_4", 8192, 4);
  const auto text = drawn({&loaded, &stored});
  CHECK(contains(text, "no conflicts."));
  CHECK_FALSE(contains(text, "?"));
}

} // namespace course::report
