#include "report/trace/trace_json.hpp"

#include "report/trace/steps.hpp"
#include "report/words/access_words.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace course::report {
namespace {

using emulator::TracedRequest;
using Json = nlohmann::ordered_json;

template <typename T>
T as(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// What has no type in PTX is bits: a number with a fraction where those of one would be far from 1.
std::string of_bits(std::uint64_t bits) {
  const auto number = as<float>(bits);
  const auto size = std::abs(number);
  const bool is_float = std::isfinite(number) && size > 1e-9f && size < 1e9f;
  return is_float ? fmt::format("{:g}", number) : fmt::format("{}", as<std::int32_t>(bits));
}

std::string value_text(const std::string& type, std::uint64_t bits) {
  if (type == "f32") return fmt::format("{:g}", as<float>(bits));
  if (type == "f64") return fmt::format("{:g}", as<double>(bits));
  if (type == "s32") return fmt::format("{}", as<std::int32_t>(bits));
  if (type == "s64") return fmt::format("{}", as<std::int64_t>(bits));
  if (type == "s16") return fmt::format("{}", as<std::int16_t>(bits));
  if (type == "s8") return fmt::format("{}", as<std::int8_t>(bits));
  if (type == "b32") return of_bits(bits);
  if (type.starts_with("u") || type == "b8" || type == "b16") return fmt::format("{}", bits);
  return fmt::format("0x{:x}", bits);
}

const char* memory_of(const device::WatchedRequest& watched) {
  if (shared_request(watched)) return "shared";
  if (takes_sectors(watched))
    return watched.kind.is_on(model::Memory::remote) ? "remote" : "global";
  return watched.kind.is_on(model::Memory::constant) ? "constant" : "other";
}

// Lanes, and of each where it goes and what it moves.
Json lanes_of(const TracedRequest& traced) {
  const auto& request = traced.watched.request;
  Json lanes = Json::array();
  if (request.width == 0) return lanes; // no lane makes it
  std::size_t next = 0;
  for (int lane = 0; lane < 32; ++lane) {
    if ((request.active >> lane & 1) == 0) continue;
    Json one{{"lane", lane}, {"at", request.offset[static_cast<std::size_t>(lane)]}};
    if (!traced.values.empty()) {
      std::string text;
      for (std::uint32_t c = 0; c < traced.components; ++c)
        text += (c > 0 ? ", " : "") + value_text(traced.type, traced.values[next++]);
      one["value"] = text;
    }
    lanes.push_back(std::move(one));
  }
  return lanes;
}

} // namespace

Json json(const emulator::WarpTrace& trace, const std::string& path) {
  Json requests = Json::array(), lines = Json::array();
  for (const auto& one : trace.requests) {
    if (one.file != path) continue;
    const auto& watched = one.watched;
    requests.push_back({{"kernel", watched.kernel},
                        {"line", one.line},
                        {"what", access_words(watched.kind)},
                        {"cost", cost_of(watched)},
                        {"memory", memory_of(watched)},
                        {"width", watched.request.width},
                        {"lanes", lanes_of(one)}});
  }
  for (const auto& [place, in_all] : trace.in_all) {
    const auto& [kernel, file, line] = place;
    if (file == path) lines.push_back({{"kernel", kernel}, {"line", line}, {"in_all", in_all}});
  }
  return {{"block", {trace.block.x, trace.block.y, trace.block.z}},
          {"warp", trace.warp},
          {"each", trace.each},
          {"lines", std::move(lines)},
          {"requests", std::move(requests)}};
}

} // namespace course::report
