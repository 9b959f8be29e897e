#include "report/trace/trace.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace course::report {
namespace {

device::WatchedRequest request(const char* access, std::uint64_t stride, std::uint64_t begin = 0) {
  device::WatchedRequest watched;
  watched.kernel = "k";
  watched.kind = model::kind_of(access).value();
  watched.request.active = 0xffffffff;
  watched.request.width = 4;
  for (std::uint64_t lane = 0; lane < 32; ++lane)
    watched.request.offset[lane] = begin + lane * stride;
  return watched;
}

constexpr const char* kSource = "__shared__ float tile[32][32];\n"
                                "out[i] = tile[threadIdx.x][k];\n";

Trace trace(std::vector<device::WatchedRequest> requests) {
  Trace made;
  made.file = "2_pad.cu";
  made.line = 2;
  made.source = kSource;
  made.block = {1, 2, 0};
  made.warp = 3;
  made.in_all = requests.size();
  made.requests = std::move(requests);
  return made;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

} // namespace

TEST_CASE("steps that only move on stand together") {
  const auto steps = steps_of({request("shared_load_4", 128), request("shared_load_4", 128, 4),
                               request("shared_load_4", 128, 8), request("shared_load_4", 4),
                               request("shared_load_4", 4)});
  REQUIRE(steps.size() == 4);
  CHECK(steps[0].cost == "32 wavefronts where 1 would do: 32-way");
  CHECK_FALSE(steps[0].same_as_before);
  CHECK(steps[1].first == 2);
  CHECK(steps[1].last == 3);
  CHECK(steps[1].moved == 4);
  CHECK(steps[2].cost == "1 wavefront, no conflict");
  CHECK_FALSE(steps[2].same_as_before);
  CHECK(steps[3].moved == 0);
}

TEST_CASE("two requests in turn are drawn once each, and what breaks the turn again") {
  std::vector<device::WatchedRequest> loop;
  for (std::uint64_t k = 0; k < 8; ++k) {
    loop.push_back(request("global_load_4", 4, k * 128));
    loop.push_back(request("shared_store_4", 128, 0));
  }
  const auto steps = steps_of(loop);
  REQUIRE(steps.size() == 3);
  CHECK(steps[2].first == 3);
  CHECK(steps[2].last == 16);
  CHECK(steps[2].in_turn == std::vector<std::int64_t>{128, 0});
  CHECK(has(trace_text(trace(loop), {200, false}),
            "steps 3 to 16 the last two in turn: the first 128 bytes further on each time, the "
            "second where it was"));
  loop[9] = request("shared_store_4", 4, 0); // the fifth store has no conflict
  const auto broken = steps_of(loop);
  REQUIRE(broken.size() >= 5);
  CHECK(broken[2].last == 8); // whole turns: the fifth is drawn
  CHECK(broken[3].first == 9);
  CHECK(broken[4].first == 10);
  CHECK_FALSE(broken[4].same_as_before);
  loop.resize(4); // a pair that comes once more is drawn once more
  CHECK(steps_of(loop).size() == 4);
  loop.resize(3); // a load, a store and one more load are no pair that is repeated
  CHECK(steps_of(loop).size() == 3);
}

TEST_CASE("a loop that was unrolled has more than two requests in turn") {
  std::vector<device::WatchedRequest> loop;
  for (std::uint64_t k = 0; k < 4; ++k) {
    loop.push_back(request("shared_load_16", 0, k * 16));
    for (std::uint64_t row = 0; row < 4; ++row)
      loop.push_back(request("shared_load_4", 4, 4096 + 128 * (4 * k + row)));
  }
  const auto steps = steps_of(loop);
  REQUIRE(steps.size() == 4); // a wide load, a row, three more rows, and all of that in turn
  CHECK(steps[3].first == 6);
  CHECK(steps[3].last == 20);
  CHECK(steps[3].in_turn == std::vector<std::int64_t>{16, 512, 512, 512, 512});
  CHECK(has(trace_text(trace(loop), {}),
            "steps 6 to 20 the last 5 in turn, each moved by as much every time"));
}

TEST_CASE("a move that changes the cost is a step of its own") {
  // Two sectors instead of one, as the four bytes of each lane straddle the block of 32.
  auto one = request("global_load_4", 4), other = request("global_load_4", 4, 16);
  one.request.active = other.request.active = 0xff;
  const auto steps = steps_of({one, other});
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].cost == "1 sector of 32 bytes for 32 bytes");
  CHECK(steps[1].cost == "2 sectors of 32 bytes for 32 bytes");
  CHECK_FALSE(steps[1].same_as_before);
}

TEST_CASE("other lanes, other widths and other accesses are no repetition") {
  const auto first = request("shared_load_4", 4);
  auto lanes = first, kind = first;
  lanes.request.active = 1;
  kind.kind = model::kind_of("shared_store_4").value();
  for (const auto& other : {lanes, kind}) CHECK_FALSE(steps_of({first, other})[1].same_as_before);
}

TEST_CASE("the text has the line, the lanes, and each bank's turns") {
  const auto text = trace_text(trace({request("shared_load_4", 128)}), {});
  CHECK(has(text, "2_pad.cu:2 block (1, 2, 0), warp 3: 1 request\n"));
  CHECK(has(text, "    2 | out[i] = tile[threadIdx.x][k];\n"));
  CHECK(has(text, "~~~~~~~~~~~~~~~~~~~~"));
  CHECK(has(text, "step 1 shared load 4: 32 wavefronts where 1 would do: 32-way"));
  CHECK(has(text, "bank    0    0    0"));
  CHECK(has(text, "pass  1 0"));
}

TEST_CASE("the text fits its terminal") {
  const auto steps = trace({request("shared_load_4", 128), request("global_store_4", 4096),
                            request("constant_load_4", 4), request("cp_async_cg_16", 16)});
  for (const int width : {80, 60, 50}) {
    CAPTURE(width);
    for (const auto& line : lines_of(trace_text(steps, {width, false})))
      CHECK(columns(line) <= static_cast<std::size_t>(width));
  }
}

TEST_CASE("requests that were not kept are counted") {
  auto many = trace({request("shared_load_4", 4)});
  many.in_all = 5000;
  CHECK(has(trace_text(many, {}), "and 4,999 requests that are not shown"));
}

TEST_CASE("the picture is one document with a cell for each bank of each pass") {
  const auto svg = trace_svg(trace({request("shared_load_4", 128)}));
  CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(count(svg, "<rect class=\"served\"") == 1);
  CHECK(count(svg, "<rect class=\"extra\"") == 31);
  CHECK(count(svg, "<rect class=\"idle\"") == 32 * 31);
  CHECK(has(svg, "prefers-color-scheme: dark"));
}

TEST_CASE("the picture of global memory has the sector of each lane") {
  const auto svg = trace_svg(trace({request("global_load_4", 4)}));
  CHECK(count(svg, "<rect class=\"served\"") == 16); // four sectors, by turns in two colours
  CHECK(count(svg, "<rect class=\"other\"") == 16);
  CHECK(has(svg, "lane 31: byte 124, sector 3"));
}

TEST_CASE("a request to another block has sectors and lines, and one drawn after them") {
  const auto text = trace_text(trace({request("dshared_load_4", 33 * 4, 1u << 24)}), {});
  CHECK(has(text, "step 1 dshared load 4: 32 sectors in 32 lines of 128 bytes of another block's"));
  CHECK(has(text, "sector"));
  CHECK_FALSE(has(text, "bank"));
  CHECK(has(steps_of({request("dshared_store_4", 4)})[0].cost, "4 sectors in 1 line of 128 bytes"));
  // All lanes add to one word: nothing merges on the way.
  CHECK(has(steps_of({request("dshared_atomic_4", 0)})[0].cost, "32 sectors of another block's"));
}

TEST_CASE("of a copy and a product the bytes are said, and that nothing is drawn") {
  auto copy = request("bulk_global_load", 0), product = request("wgmma_n64", 0);
  copy.request.active = 1;
  copy.bytes = 4096;
  product.bytes = 1024;
  for (const auto& [one, cost] :
       {std::pair(copy, "4,096 bytes, by one thread's copy"),
        std::pair(product, "8 wavefronts for 1,024 bytes of its operands, in any layout")}) {
    const auto text = trace_text(trace({one, one}), {200, false});
    CHECK(has(text, cost));
    CHECK(has(text, "it is not drawn\n"));
    CHECK(has(text, "the same once more"));
    CHECK_FALSE(has(text, "\n    lane"));
    CHECK_FALSE(has(trace_svg(trace({one})), "In a cell"));
  }
}

TEST_CASE("source text cannot close the document") {
  auto hostile = trace({request("shared_load_4", 4)});
  hostile.source = "\n</text></svg><script>alert(1)</script> & more\n";
  const auto svg = trace_svg(hostile);
  CHECK_FALSE(has(svg, "<script"));
  CHECK(count(svg, "</svg>") == 1);
  CHECK(has(svg, "&amp; more"));
}

} // namespace course::report
