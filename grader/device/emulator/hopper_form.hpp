// For tests: kernels of a few instructions that work by themselves, as PTX, and their results.
#pragma once

#include "device/emulator/test_run.hpp"
#include "device/model/tensor_map.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace course::emulator::hopper {

using Word = std::uint32_t;

struct alignas(64) MapBytes {
  model::TensorMapBytes bytes;
};

// A kernel of (map, out, in): %base is 16 KiB of shared memory, %bar a barrier of one arrival,
// which the first thread makes; %t, %rank, %out, %in.
inline std::string kernel(const std::string& body) {
  return R"(.version 8.6
.target sm_90a
.address_size 64
.visible .entry form(.param .align 64 .b8 map[128], .param .u64 out, .param .u64 in)
{
  .reg .pred %p, %q, %first;
  .reg .b16 %h<4>;
  .reg .b32 %t, %rank, %base, %bar, %there, %their_bar, %a, %b, %c, %d, %e, %x<8>;
  .reg .b64 %map, %out, %in, %z, %state, %l<4>;
  .shared .align 1024 .b8 window[16384];
  .shared .align 8 .b64 bar;
  mov.u32 %t, %tid.x;
  mov.u32 %rank, %cluster_ctarank;
  mov.u32 %base, window;
  mov.u32 %bar, bar;
  mov.b64 %map, map;
  cvta.param.u64 %map, %map;
  ld.param.u64 %out, [out];
  ld.param.u64 %in, [in];
  mapa.shared::cluster.u32 %there, %base, 1;
  mapa.shared::cluster.u32 %their_bar, %bar, 1;
  setp.eq.u32 %first, %t, 0;
  @%first mbarrier.init.shared::cta.b64 [%bar], 1;
  @%first fence.mbarrier_init.release.cluster;
  bar.sync 0;
)" + body +
         "  ret;\n}\n";
}

inline std::string expect(std::size_t bytes) {
  return "  @%first mbarrier.arrive.expect_tx.shared::cta.b64 %state, [%bar], " +
         std::to_string(bytes) + ";\n";
}
inline std::string wait(const std::string& test = "try_wait.parity.acquire.cluster") {
  return "$wait:\n  mbarrier." + test + ".shared::cta.b64 %p, [%bar], 0;\n  @!%p bra $wait;\n";
}
inline constexpr const char* kClusterBarrier =
    "  barrier.cluster.arrive;\n  barrier.cluster.wait;\n";

// Every thread stores its words of the window, `count` in all of 32 threads, to out of its block.
inline std::string stored(std::size_t count) {
  std::string text = "  mul.lo.u32 %a, %rank, " + std::to_string(4 * count) +
                     ";\n  cvt.u64.u32 %z, %a;\n  add.u64 %out, %out, %z;\n";
  for (std::size_t i = 0; i < count; i += 32) {
    const std::string at = std::to_string(4 * i);
    text += "  mad.lo.u32 %b, %t, 4, " + at + ";\n  add.u32 %a, %base, %b;\n" +
            "  ld.shared.u32 %c, [%a];\n  cvt.u64.u32 %z, %b;\n  add.u64 %z, %out, %z;\n" +
            "  st.global.u32 [%z], %c;\n";
  }
  return text;
}

struct Form : TestRun {
  explicit Form(const std::string& body, std::vector<Word> from = counted())
      : TestRun(kernel(body)), in(std::move(from)) {
    out_at = buffer("out", std::vector<Word>(4096, 7));
    in_at = buffer("in", in);
    map.rank = 1;
    map.address = in_at;
    map.size = {4096};
    map.stride = {4};
    map.box = {32};
  }
  static std::vector<Word> counted() {
    std::vector<Word> words(4096);
    std::iota(words.begin(), words.end(), 1u);
    return words;
  }
  Form& in_cluster(std::uint32_t blocks) {
    launch("form", {blocks}, {32}, 0, MapBytes{model::encoded(map)}, out_at, in_at);
    if (blocks > 1) std::get<device::Launch>(job.plan.steps[0]).cluster = {blocks, 1, 1};
    job.instruction_budget = 1'000'000;
    run();
    return *this;
  }
  Word out(std::size_t i) const { return result<Word>(0)[i]; }
  bool says(const std::string& part) const { return findings().find(part) != std::string::npos; }

  model::TensorMap map;
  std::vector<Word> in;
  device::Address out_at = 0, in_at = 0;
};

// A tensor of `rank` dimensions whose words are all of `in`, one behind the other.
inline void shape(Form& form, std::size_t rank, const std::array<std::uint64_t, 5>& size,
                  const std::array<std::uint32_t, 5>& box) {
  form.map.rank = static_cast<std::uint8_t>(rank);
  std::uint64_t stride = 4;
  for (std::size_t d = 0; d < rank; ++d) {
    form.map.size[d] = size[d];
    form.map.box[d] = box[d];
    form.map.stride[d] = stride;
    stride *= size[d];
  }
}

// What word `i` of the box at `first` is.
inline Word in_box(const Form& form, const std::array<std::int64_t, 5>& first, std::size_t i) {
  std::size_t at = 0, step = 1;
  for (std::size_t d = 0; d < form.map.rank; ++d) {
    const std::int64_t x = first[d] + static_cast<std::int64_t>(i % form.map.box[d]);
    i /= form.map.box[d];
    if (x < 0 || x >= static_cast<std::int64_t>(form.map.size[d])) return 0;
    at += static_cast<std::size_t>(x) * step;
    step *= form.map.size[d];
  }
  return form.in[at];
}

inline std::string box_in(std::size_t rank, const std::array<std::int64_t, 5>& first,
                          const std::string& multicast = "") {
  std::string text, places;
  for (std::size_t d = 0; d < rank; ++d) {
    text += "  mov.b32 %x" + std::to_string(d) + ", " + std::to_string(first[d]) + ";\n";
    places += (d ? ", %x" : "%x") + std::to_string(d);
  }
  return text + "  @%first cp.async.bulk.tensor." + std::to_string(rank) +
         "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes" +
         (multicast.empty() ? "" : ".multicast::cluster") + " [%base], [%map, {" + places +
         "}], [%bar]" + multicast + ";\n";
}

} // namespace course::emulator::hopper
