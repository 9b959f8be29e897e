#include "conformance/hopper_text.hpp"

#include "device/model/remote_pattern.hpp"

#include <bit>

namespace course::conformance {
namespace {

std::string digits(std::uint64_t value) {
  return std::to_string(value);
}

// 8.1 has all of these instructions.
constexpr const char* kHead = R"(.version 8.1
.target sm_90a
.address_size 64
.file 1 "row"
)";
constexpr const char *kCounted = "  .loc 1 2 0\n", *kElse = "  .loc 1 1 0\n";

// Of every kernel. The window has zeros by a bulk copy, which makes no request of a warp's.
constexpr const char* kRegisters = R"({
  .reg .pred %mine, %first, %done, %go;
  .reg .b32 %t, %lane, %bit, %base, %bar, %there, %their_bar, %a, %o, %rank, %x<4>, %r<160>;
  .reg .b64 %p, %q, %zeros, %out, %off, %da, %db, %state;
  .shared .align 1024 .b8 window[16384];
  .shared .align 8 .b64 bar;
  .shared .align 8 .b64 told;
  .loc 1 1 0
  mov.u32 %t, %tid.x;
  and.b32 %lane, %t, 31;
  mov.u32 %base, window;
  mov.u32 %bar, bar;
  setp.eq.u32 %first, %t, 0;
)";

std::string wait(const std::string& barrier, const std::string& label) {
  return label + ":\n  mbarrier.try_wait.parity.shared::cta.b64 %done, [" + barrier +
         "], 0;\n  @!%done bra " + label + ";\n";
}

// `fetch`: what the first thread asks for, of `bytes`, once the barrier is made.
std::string fetched(std::uint32_t bytes, const std::string& fetch) {
  return "  @!%first bra $made;\n"
         "  mbarrier.init.shared::cta.b64 [%bar], 1;\n"
         "  fence.mbarrier_init.release.cluster;\n"
         "  mbarrier.arrive.expect_tx.shared::cta.b64 %state, [%bar], " +
         digits(bytes) + ";\n" + fetch + "$made:\n  bar.sync 0;\n" + wait("%bar", "$come");
}

std::string zeros() {
  return fetched(kWindowBytes,
                 "  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%base], "
                 "[%zeros], " +
                     digits(kWindowBytes) + ", [%bar];\n");
}

std::string parameter(const std::string& reg, const std::string& name) {
  return "  ld.param.u64 " + reg + ", [" + name + "];\n";
}

// Stores %x0 to %x3 of each lane, added up, to its word of the results.
constexpr const char* kStored = R"(  xor.b32 %x0, %x0, %x1;
  xor.b32 %x2, %x2, %x3;
  xor.b32 %x0, %x0, %x2;
  mul.wide.u32 %q, %t, 4;
  add.u64 %out, %out, %q;
  st.global.u32 [%out], %x0;
)";

constexpr const char* kClusterBarrier =
    "  barrier.cluster.arrive.aligned;\n  barrier.cluster.wait.aligned;\n";

std::string vector_of(int width) { // of words
  return width == 16 ? ".v4.u32" : width == 8 ? ".v2.u32" : ".u32";
}
std::string values_of(int width) {
  return width == 16 ? "{%x0, %x1, %x2, %x3}" : width == 8 ? "{%x0, %x1}" : "%x0";
}

std::string request(const RemoteText& text) {
  const auto form = vector_of(text.width), values = values_of(text.width);
  if (text.operation == "ld") return "ld.shared::cluster" + form + " " + values + ", [%there]";
  if (text.operation == "st") return "st.shared::cluster" + form + " [%there], " + values;
  if (text.operation == "atom") return "atom.shared::cluster.add.u32 %x0, [%there], %x1";
  if (text.operation == "red") return "red.shared::cluster.add.u32 [%there], %x1";
  return "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%there], %x1, [%their_bar]";
}

// %there: the lane's place, by its offset.
std::string place_asked(Asked asked) {
  if (asked == Asked::several)
    return "  shr.u32 %there, %o, " + digits(model::kRemoteRankShift) + ";\n  and.b32 %o, %o, " +
           digits((1u << model::kRemoteRankShift) - 1) +
           ";\n  add.u32 %a, %base, %o;\n"
           "  mapa.shared::cluster.u32 %there, %a, %there;\n";
  return "  add.u32 %a, %base, %o;\n  mapa.shared::cluster.u32 %there, %a, " +
         digits(asked == Asked::own ? 0 : 1) + ";\n";
}

} // namespace

std::string remote_text(const RemoteText& text) {
  const bool tells = text.operation == "st.async";
  const auto sent = static_cast<std::uint32_t>(std::popcount(text.active) * text.width);
  std::string ptx =
      std::string(kHead) +
      ".visible .entry row(.param .u64 offsets, .param .u64 zero, .param .u64 out)\n" + kRegisters +
      parameter("%off", "offsets") + parameter("%zeros", "zero") + parameter("%out", "out") +
      "  mov.u32 %rank, %cluster_ctarank;\n" + zeros();
  if (tells) // told: block 1's, of all bytes
    ptx += "  mov.u32 %a, told;\n"
           "  setp.eq.and.u32 %done, %rank, 1, %first;\n"
           "  @%done mbarrier.init.shared::cta.b64 [%a], 1;\n"
           "  @%done fence.mbarrier_init.release.cluster;\n"
           "  @%done mbarrier.arrive.expect_tx.shared::cta.b64 %state, [%a], " +
           digits(sent) + ";\n  mapa.shared::cluster.u32 %their_bar, %a, 1;\n";
  ptx += "  mul.wide.u32 %q, %lane, 4;\n"
         "  add.u64 %off, %off, %q;\n"
         "  ld.global.u32 %o, [%off];\n" +
         place_asked(text.asked) +
         "  mov.u32 %bit, 1;\n"
         "  shl.b32 %bit, %bit, %lane;\n"
         "  and.b32 %bit, %bit, " +
         digits(text.active) +
         ";\n"
         "  setp.ne.u32 %mine, %bit, 0;\n"
         "  setp.eq.and.u32 %go, %rank, 0, %mine;\n"
         "  add.u32 %x0, %lane, 1;\n  mov.u32 %x1, %lane;\n"
         "  mov.u32 %x2, %lane;\n  mov.u32 %x3, %lane;\n" +
         std::string(kClusterBarrier) + kCounted + "  @%go " + request(text) + ";\n" + kElse;
  if (tells) // block 1 waits for what it is told
    ptx += "  setp.eq.u32 %done, %rank, 0;\n  @%done bra $end;\n  mov.u32 %a, told;\n" +
           wait("%a", "$told") + "$end:\n";
  return ptx + kClusterBarrier + "  setp.ne.u32 %done, %rank, 0;\n  @%done bra $out;\n" + kStored +
         "$out:\n  ret;\n}\n";
}

std::string tile_read_text(int width, std::uint32_t bytes) {
  const auto fetch = "  mov.u32 %a, 0;\n"
                     "  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
                     "bytes [%base], [%p, {%a, %a}], [%bar];\n";
  return std::string(kHead) +
         ".visible .entry row(.param .align 64 .b8 map[128], .param .u64 offsets, "
         ".param .u64 out)\n" +
         kRegisters + parameter("%off", "offsets") + parameter("%out", "out") +
         "  mov.b64 %p, map;\n  cvta.param.u64 %p, %p;\n" + fetched(bytes, fetch) +
         "  mul.wide.u32 %q, %lane, 4;\n"
         "  add.u64 %off, %off, %q;\n"
         "  ld.global.u32 %o, [%off];\n"
         "  add.u32 %a, %base, %o;\n"
         "  mov.u32 %x0, 0;\n  mov.u32 %x1, 0;\n  mov.u32 %x2, 0;\n  mov.u32 %x3, 0;\n" +
         kCounted + "  ld.shared" + vector_of(width) + " " + values_of(width) + ", [%a];\n" +
         kElse + kStored + "  ret;\n}\n";
}

namespace {

// Rows of 32 bytes of K, not swizzled: columns of 16 bytes, or by M or N, groups of eight of K.
std::uint64_t descriptor(bool by_mn, std::uint32_t lines) {
  const std::uint64_t leading = by_mn ? lines / 8 * 128 : lines * 16, stride = 128;
  return leading >> 4 << 16 | stride >> 4 << 32;
}

std::string registers(const char* name, int first, int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i)
    text += (i ? ", " : "") + std::string(name) + std::to_string(first + i);
  return text + "}";
}

} // namespace

std::string product_text(const ProductText& text) {
  const std::uint32_t of_a = 64 * 32; // bytes
  const int depth = text.type == "tf32" ? 8 : text.type == "bf16" ? 16 : 32;
  const int sums = text.columns / 2;
  std::string ptx =
      std::string(kHead) + ".visible .entry row(.param .u64 zero, .param .u64 out)\n" + kRegisters +
      parameter("%zeros", "zero") + parameter("%out", "out") + zeros() +
      "  shr.u32 %a, %base, 4;\n  cvt.u64.u32 %q, %a;\n"
      "  add.u64 %da, %q, " +
      digits(descriptor(text.a_is_mn, 64)) + ";\n  add.u64 %db, %q, " +
      digits(descriptor(text.b_is_mn, static_cast<std::uint32_t>(text.columns)) + of_a / 16) +
      ";\n";
  for (int i = 0; i < sums + 4; ++i) ptx += "  mov.b32 %r" + std::to_string(i) + ", 0;\n";
  ptx += std::string("  setp.ne.b32 %go, %base, 0xffffffff;\n  wgmma.fence.sync.aligned;\n") +
         kCounted + "  wgmma.mma_async.sync.aligned.m64n" + std::to_string(text.columns) + "k" +
         std::to_string(depth) + ".f32." + text.type + "." + text.type + " " +
         registers("%r", 0, sums) + ", " +
         (text.a_in_registers ? registers("%r", sums, 4) : std::string("%da")) + ", %db, %go, 1, 1";
  if (text.type == "bf16") {
    if (!text.a_in_registers) ptx += text.a_is_mn ? ", 1" : ", 0";
    ptx += text.b_is_mn ? ", 1" : ", 0";
  }
  ptx += std::string(";\n") + kElse +
         "  wgmma.commit_group.sync.aligned;\n  wgmma.wait_group.sync.aligned 0;\n";
  for (int i = 1; i < sums; ++i) ptx += "  xor.b32 %r0, %r0, %r" + std::to_string(i) + ";\n";
  return ptx + "  mov.b32 %x0, %r0;\n  mov.u32 %x1, 0;\n  mov.u32 %x2, 0;\n  mov.u32 %x3, 0;\n" +
         kStored + "  ret;\n}\n";
}

} // namespace course::conformance
