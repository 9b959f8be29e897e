#include "device/gpu/patterns/kernel.hpp"

#include "device/gpu/patterns/kinds.hpp"
#include "device/model/counted.hpp"

#include <cstring>

namespace course::gpu::patterns {
namespace {

constexpr device::Address kTable = 0x10'0000'0000, kGlobal = 0x10'4000'0000, kSink = 0x10'8000'0000;
constexpr std::uint32_t kFirstLine = 2;  // of the first pattern; line 1 is everything else
constexpr std::uint32_t kTableRow = 256; // bytes a pattern: shared offsets, then global ones

constexpr const char* kOpening = R"(.address_size 64
.file 1 "patterns"
.visible .entry patterns(.param .u64 table, .param .u64 global, .param .u64 sink)
{
  .reg .pred %p<3>;
  .reg .b32 %a, %o, %n, %lane, %bit, %base, %end, %sum, %k0;
  .reg .b32 %k4, %k8, %k16, %odd4, %odd8, %odd16, %any4, %any8, %any16;
  .reg .b32 %v<4>, %x<4>, %z0;
  .reg .b64 %t, %g, %far, %out, %l0, %o64;
  .reg .b64 %w<2>, %y<2>;
  .shared .align 1024 .b8 window[32768];
  .loc 1 1 0
  ld.param.u64 %t, [table];
  ld.param.u64 %far, [global];
  ld.param.u64 %out, [sink];
  mov.u32 %lane, %tid.x;
  mov.u32 %n, 1;
  shl.b32 %bit, %n, %lane;
  mov.u32 %base, window;
  mul.wide.u32 %o64, %lane, 4;
  add.u64 %t, %t, %o64;
  add.u64 %out, %out, %o64;
  ld.volatile.global.u32 %k0, [%out];
  cvt.u64.u32 %l0, %k0;
  add.u32 %k4, %k0, 4;
  add.u32 %k8, %k0, 8;
  add.u32 %k16, %k0, 16;
  and.b32 %o, %lane, 1;
  shl.b32 %odd4, %o, 2;
  shl.b32 %odd8, %o, 3;
  shl.b32 %odd16, %o, 4;
  rem.u32 %o, %lane, 3;
  mad.lo.u32 %any4, %o, 2, %k0;
  mad.lo.u32 %any8, %o, 4, %k0;
  mad.lo.u32 %any16, %o, 8, %k0;
  add.u32 %end, %base, 32768;
  add.u32 %end, %end, %k0;
  add.u32 %v0, %lane, 1;
  add.u32 %v1, %lane, 33;
  add.u32 %v2, %lane, 65;
  add.u32 %v3, %lane, 97;
  cvt.u64.u32 %w0, %v0;
  cvt.u64.u32 %w1, %v1;
  mov.u32 %sum, 0;
)";

// The bound comes from memory, or ptxas would unroll each of these loops.
std::string zero_window(const std::string& label) {
  return "  shl.b32 %z0, %lane, 4;\n"
         "  add.u32 %z0, %z0, %base;\n" +
         label +
         ":\n"
         "  st.volatile.shared.v4.u32 [%z0], {%k0, %k0, %k0, %k0};\n"
         "  add.u32 %z0, %z0, 512;\n"
         "  setp.lt.u32 %p1, %z0, %end;\n"
         "  @%p1 bra " +
         label + ";\n  bar.sync 0;\n";
}

// Results go into a sum that is stored at the end, so that nothing is left out as unused:
// ptxas narrows a load of which only a half is wanted.
std::string use_results(const Kind& kind) {
  std::string text;
  for (std::uint32_t i = 0; i < kind.results_32; ++i)
    text += "  xor.b32 %sum, %sum, %x" + std::to_string(i) + ";\n";
  for (std::uint32_t i = 0; i < kind.results_64; ++i)
    text += "  mov.b64 {%n, %z0}, %y" + std::to_string(i) +
            ";\n  xor.b32 %sum, %sum, %n;\n  xor.b32 %sum, %sum, %z0;\n";
  if (kind.copies) text += "  cp.async.wait_all;\n";
  return text + "  bar.sync 0;\n";
}

std::string one(const Pattern& pattern, const Kind& kind, std::size_t index) {
  const std::string row = std::to_string(index * kTableRow);
  std::string text = "  .loc 1 1 0\n" + zero_window("$zero" + std::to_string(index));
  text += "  ld.volatile.global.u32 %o, [%t+" + row + "];\n  add.u32 %a, %o, %base;\n";
  const std::string far = std::to_string(index * kTableRow + (kind.copies ? 128 : 0));
  text += "  ld.volatile.global.u32 %o, [%t+" + far +
          "];\n  cvt.u64.u32 %g, %o;\n  add.u64 %g, %g, %far;\n";
  for (std::uint32_t i = 0; i < kind.results_32; ++i)
    text += "  mov.u32 %x" + std::to_string(i) + ", 0;\n";
  for (std::uint32_t i = 0; i < kind.results_64; ++i)
    text += "  mov.u64 %y" + std::to_string(i) + ", 0;\n";
  std::string guard;
  if (pattern.active != 0xffffffff) {
    text +=
        "  and.b32 %o, %bit, " + std::to_string(pattern.active) + ";\n  setp.ne.u32 %p2, %o, 0;\n";
    guard = "@%p2 ";
  }
  text += "  .loc 1 " + std::to_string(index + kFirstLine) + " 0\n  " + guard + kind.instruction +
          ";\n  .loc 1 1 0\n" + use_results(kind);
  return text;
}

template <class T>
void append(device::Bytes& bytes, const T& value) {
  bytes.resize(bytes.size() + sizeof value);
  std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
}

} // namespace

std::string kernel_text(const std::vector<Pattern>& patterns, int major, int minor) {
  // 8.0 is the PTX of CUDA 12.0, the oldest driver that the course works with.
  std::string text = ".version 8.0\n.target sm_" + std::to_string(major * 10 + minor) + "\n";
  text += kOpening;
  for (std::size_t i = 0; i < patterns.size(); ++i)
    text += one(patterns[i], *find_kind(patterns[i].access), i);
  return text + "  st.global.u32 [%out], %sum;\n  ret;\n}\n";
}

device::Job job(const std::vector<Pattern>& patterns, int major, int minor) {
  device::Bytes table;
  for (const auto& pattern : patterns) {
    append(table, pattern.lane);
    append(table, pattern.global);
  }
  device::Job job;
  job.modules.push_back({kernel_text(patterns, major, minor), {}});
  job.buffers.push_back({"table", kTable, std::move(table), true});
  job.buffers.push_back({"global", kGlobal, device::Bytes(kWindowBytes), true});
  job.buffers.push_back({"sink", kSink, device::Bytes(128), true});
  device::Launch launch;
  launch.kernel = "patterns";
  launch.block = {32, 1, 1};
  append(launch.arguments, kTable);
  append(launch.arguments, kGlobal);
  append(launch.arguments, kSink);
  job.plan.steps.push_back(launch);
  return job;
}

std::variant<std::vector<Measured>, std::string>
measurements(const device::Observation& observation, std::size_t patterns) {
  if (observation.status != device::Observation::Status::completed)
    return "the kernel did not run: " + device::text_of(observation.reason);
  if (observation.lines.empty()) return "nothing was counted: " + observation.counted_by;
  std::vector<Measured> result(patterns);
  for (const auto& line : observation.lines) {
    if (line.line < kFirstLine || line.line - kFirstLine >= patterns) continue;
    auto& measured = result[line.line - kFirstLine];
    model::add_counts(measured, line);
    if (!measured.steps.empty()) measured.steps += ' ';
    measured.steps += name_of(line.kind) + ":" + std::to_string(line.requests) + ":" +
                      std::to_string(line.wavefronts);
  }
  for (std::size_t i = 0; i < patterns; ++i) {
    if (result[i].steps.empty())
      return "pattern " + std::to_string(i) + " of the launch was not found among the counts";
  }
  return result;
}

} // namespace course::gpu::patterns
