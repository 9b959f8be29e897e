// Any bytes as a cubin: the accesses of its kernels, which are then looked for in PTX, or an error.
#include "device/code/ptx/parse.hpp"
#include "device/code/sass/access_widths.hpp"
#include "device/code/sass/resources.hpp"
#include "device/code/sass/self_check.hpp"

namespace course::sass {
namespace {

// A kernel with an access in each of its first lines, as one that nvcc makes has.
ptx::Module kernel() {
  std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n"
                     ".visible .entry kernel(.param .u64 data)\n{\n"
                     ".reg .f32 %f<8>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .shared .b32 tile[64];\n";
  for (int i = 0; i < 20; ++i)
    text += "ld.shared.f32 %f1, [tile];\nld.global.v4.f32 {%f2, %f3, %f4, %f5}, [%rd1];\n"
            "st.shared.v2.b32 [tile], {%r1, %r2};\natom.shared.add.u32 %r3, [tile], 1;\n"
            "st.b64 [%rd2], %rd3;\natom.add.f32 %f6, [%rd4], %f7;\n"
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r5];\n"
            "cp.async.cg.shared.global [%r6], [%rd5], 16;\n"
            "ld.const.b32 %r1, [%rd6]; ld.const.b32 %r2, [%rd6+4];\n";
  return std::get<ptx::Module>(ptx::parse(text + "ret;\n}\n"));
}

void read_and_match(std::span<const std::byte> bytes) {
  static const ptx::Module module = kernel();
  resources(bytes);
  auto result = read(bytes);
  if (const auto* error = std::get_if<Error>(&result)) {
    if (error->message.empty()) __builtin_trap();
    return;
  }
  auto& cubin = std::get<Cubin>(result);
  difference(module, cubin);
  const Matcher matcher(std::move(cubin));
  for (const Match& match : matcher.match(module.functions[0])) {
    if (match.status != Match::Status::found) continue;
    if (match.begins.empty()) __builtin_trap();
  }
}

} // namespace
} // namespace course::sass

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  course::sass::read_and_match(std::as_bytes(std::span(bytes, size)));
  return 0;
}
