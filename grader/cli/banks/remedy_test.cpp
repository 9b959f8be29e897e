#include "cli/banks/remedy.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <random>

#include "device/model/shared.hpp"

namespace course::cli {
namespace {

IndexedRequest indexed(const std::function<std::int64_t(int)>& index, int width = 4) {
  IndexedRequest request;
  request.width = width;
  for (int lane = 0; lane < model::kLanes; ++lane) request.index[lane] = index(lane);
  return request;
}

std::vector<std::string> texts(const IndexedRequest& request) {
  std::vector<std::string> result;
  for (const Remedy& remedy : remedies(request)) result.push_back(remedy.text);
  return result;
}

bool any_starts_with(const IndexedRequest& request, const std::string& start) {
  for (const std::string& text : texts(request))
    if (text.starts_with(start)) return true;
  return false;
}

} // namespace

TEST_CASE("a column of a 32-wide tile is freed by one element a row, or by a swizzle") {
  CHECK(texts(indexed([](int t) { return 32 * t; })) ==
        std::vector<std::string>{
            "a stride of 33 in place of 32: 1 element of padding a row",
            "element i kept at i ^ (i / 32 % 32): a swizzle, which needs no more memory"});
}

TEST_CASE("a base does not change the remedy") {
  CHECK(any_starts_with(indexed([](int t) { return 32 * t + 13; }), "a stride of 33"));
  CHECK(any_starts_with(indexed([](int t) { return 32 * (31 - t); }), "a stride of 33"));
}

TEST_CASE("stride 2 is freed by padding, since stride 3 would spoil rows") {
  const IndexedRequest request = indexed([](int t) { return 2 * t; });
  CHECK(any_starts_with(request, "1 element of padding after every 32"));
  CHECK_FALSE(any_starts_with(request, "a stride of"));
}

TEST_CASE("a column of double words is padded by a double word") {
  CHECK(any_starts_with(indexed([](int t) { return 16 * t; }, 8), "a stride of 17"));
}

TEST_CASE("bytes are padded by whole words, and not swizzled") {
  const auto found = texts(indexed([](int t) { return 128 * t; }, 1));
  REQUIRE(found.size() == 1);
  CHECK(found[0] == "a stride of 132 in place of 128: 4 elements of padding a row");
}

TEST_CASE("a quarter of a tile that needs four elements of padding gets four") {
  CHECK(any_starts_with(indexed([](int t) { return t % 8 * 32 + t / 8; }),
                        "4 elements of padding after every 32"));
}

TEST_CASE("nothing is offered where there is nothing to mend") {
  CHECK(remedies(indexed([](int t) { return 33 * t; })).empty());
  CHECK(remedies(indexed([](int) { return 5; })).empty());
}

TEST_CASE("nothing is offered that does not fit in shared memory") {
  // The last lane's element is one of 58,112. A row of one more moves it by 31.
  CHECK(any_starts_with(indexed([](int t) { return 1872 * t; }), "a stride of 1873"));
  CHECK_FALSE(any_starts_with(indexed([](int t) { return 1874 * t; }), "a stride of"));
}

TEST_CASE("atomics on one word are not mended, those on one bank are") {
  IndexedRequest one_word = indexed([](int) { return 0; });
  one_word.access = model::RequestKind::shared_atomic;
  CHECK(remedies(one_word).empty());
  CHECK(most_lanes_of_a_word(request_of(one_word)) == 32);

  IndexedRequest one_bank = indexed([](int t) { return t / 4 * 32; });
  one_bank.access = model::RequestKind::shared_atomic;
  const auto found = remedies(one_bank);
  REQUIRE_FALSE(found.empty());
  CHECK(found[0].after.wavefronts == 4);
}

TEST_CASE("what is offered holds by the model, for random requests on every device") {
  std::mt19937 random(7);
  int offered = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int stride = random() % 70, inner = 1 << random() % 4;
    IndexedRequest request =
        indexed([&](int t) { return t / inner * stride + t % inner * 32; }, 1 << random() % 5);
    request.architecture = model::architectures()[random() % model::architectures().size()];
    if (random() % 2) request.active = random() | 1;
    for (const Remedy& remedy : remedies(request)) {
      ++offered;
      CHECK(remedy.after.ways == 1);
      CHECK(remedy.after.wavefronts <
            model::shared_passes(*request.architecture, request_of(request)).wavefronts);
    }
  }
  CHECK(offered > 50);
}

} // namespace course::cli
