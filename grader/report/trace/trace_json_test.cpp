#include "report/trace/trace_json.hpp"

#include <doctest/doctest.h>

#include <string>

namespace course::report {
namespace {

emulator::TracedRequest of_line(std::uint32_t line, const char* type, std::uint64_t value) {
  emulator::TracedRequest traced;
  traced.watched.kernel = "k";
  traced.watched.kind = model::kind_of("shared_load_4").value();
  traced.watched.request.active = 0b101;
  traced.watched.request.width = 4;
  traced.watched.request.offset[0] = 0;
  traced.watched.request.offset[2] = 128;
  traced.file = "program.cu";
  traced.line = line;
  traced.type = type;
  traced.values = {value, value};
  return traced;
}

std::string value_of(const char* type, std::uint64_t value) {
  emulator::WarpTrace trace;
  trace.requests.push_back(of_line(1, type, value));
  return json(trace, "program.cu")["requests"][0]["lanes"][0]["value"].get<std::string>();
}

} // namespace

TEST_CASE("a warp's requests say what they are and cost, and of each active lane where it goes") {
  emulator::WarpTrace trace;
  trace.block = {1, 2, 3};
  trace.warp = 4;
  trace.requests = {of_line(7, "f32", 0x3f000000), of_line(9, "f32", 0)};
  trace.requests[1].file = "cuda_runtime.h"; // not the program's own
  trace.in_all[{"k", "program.cu", 7}] = 900;
  const auto all = json(trace, "program.cu");
  CHECK(all["block"][2] == 3);
  CHECK(all["warp"] == 4);
  CHECK(all["lines"][0]["in_all"] == 900);
  REQUIRE(all["requests"].size() == 1);
  const auto& one = all["requests"][0];
  CHECK(one["line"] == 7);
  CHECK(one["memory"] == "shared");
  CHECK(one["cost"] == "2 wavefronts where 1 would do: 2-way");
  REQUIRE(one["lanes"].size() == 2);
  CHECK(one["lanes"][1]["lane"] == 2);
  CHECK(one["lanes"][1]["at"] == 128);
  CHECK(one["lanes"][1]["value"] == "0.5");
}

TEST_CASE("a value that is not known is not there") {
  emulator::WarpTrace trace;
  trace.requests.push_back(of_line(1, "f32", 0));
  trace.requests[0].values.clear();
  CHECK_FALSE(json(trace, "program.cu")["requests"][0]["lanes"][0].contains("value"));
}

TEST_CASE("a value is read as PTX says it, and bits as what they can be") {
  CHECK(value_of("f32", 0xbf800000) == "-1");
  CHECK(value_of("s32", 0xffffffff) == "-1");
  CHECK(value_of("u32", 0xffffffff) == "4294967295");
  CHECK(value_of("b32", 0x40200000) == "2.5");
  CHECK(value_of("b32", 17) == "17");
  CHECK(value_of("b32", 0) == "0");
  CHECK(value_of("b64", 0x1000) == "0x1000");
}

} // namespace course::report
