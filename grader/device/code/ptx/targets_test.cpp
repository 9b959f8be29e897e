#include "device/code/ptx/targets.hpp"

#include "device/code/ptx/parse.hpp"

#include <doctest/doctest.h>

namespace course::ptx {
namespace {

const std::string kBegin = ".version 9.0\n.target sm_90\n.address_size 64\n";

Needs needs(const std::string& body, const std::string& directive = "") {
  const auto parsed = parse(kBegin + ".visible .entry kernel(.param .u64 p)\n" + directive +
                            "{\n  .reg .b16 %h<9>;\n  .reg .b32 %r<9>;\n  .reg .b64 %d<9>;\n  " +
                            ".reg .pred %p<9>;\n" + body + "\n  ret;\n}\n");
  if (const auto* error = std::get_if<ParseError>(&parsed)) FAIL(error->message);
  return needs_of(std::get<Module>(parsed));
}

} // namespace

TEST_CASE("what every GPU has needs nothing") {
  const auto plain =
      needs("  ld.global.u32 %r1, [%d1];\n  bar.sync 0;\n  st.shared.u32 [%r2], %r1;");
  CHECK(plain.capability == 0);
  CHECK(plain.instruction.empty());
}

TEST_CASE("an instruction needs what it came with, and its name is told with its modifiers") {
  CHECK(needs("  ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];").capability == 75);
  const auto copy = needs("  cp.async.ca.shared.global [%r1], [%d1], 4;");
  CHECK(copy.capability == 80);
  CHECK(copy.instruction == "cp.async.ca.shared.global");
  CHECK_FALSE(copy.alone);
  CHECK(needs("  mbarrier.init.shared.b64 [%r1], %r2;").capability == 80);
  CHECK(needs("  cvt.rn.bf16.f32 %h1, 0f3f800000;").capability == 80);
  CHECK(needs("  redux.sync.add.s32 %r1, %r2, -1;").capability == 80);
  CHECK(needs("  fence.proxy.async.shared::cta;").capability == 90);
  CHECK(needs("  fence.acq_rel.cluster;").capability == 90);
  CHECK(needs("  mov.u32 %r1, %cluster_ctarank;").instruction == "%cluster_ctarank");
}

TEST_CASE("shapes and types of a product decide what it needs") {
  CHECK(
      needs("  mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r1, %r2, %r3, %r4}, {%r5, %r6}, "
            "{%r7}, {%r1, %r2, %r3, %r4};")
          .capability == 75);
  CHECK(needs("  mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%r1, %r2, %r3, %r4}, {%r5, "
              "%r6, %r7, %r8}, {%r5, %r6}, {%r1, %r2, %r3, %r4};")
            .capability == 80);
}

TEST_CASE("the highest of all holds, and the first that has it is named") {
  const auto found = needs("  cp.async.ca.shared.global [%r1], [%d1], 4;\n"
                           "  elect.sync %r1|%p1, -1;\n"
                           "  elect.sync %r2|%p2, 1;");
  CHECK(found.capability == 90);
  CHECK(found.instruction == "elect.sync");
}

TEST_CASE("code for one GPU alone says so") {
  const auto found = needs("  wgmma.fence.sync.aligned;");
  CHECK(found.capability == 90);
  CHECK(found.alone);
  CHECK(needs("  cp.async.bulk.commit_group;\n  setmaxnreg.dec.sync.aligned.u32 40;").alone);
}

TEST_CASE("a kernel of clusters needs them, whatever is in it") {
  const auto found = needs("", ".explicitcluster\n.reqnctapercluster 2, 1, 1\n");
  CHECK(found.capability == 90);
  CHECK(found.instruction == "__cluster_dims__");
}

TEST_CASE("for an older GPU an older target is named, and nothing else changes") {
  const std::string rest = ".address_size 64\n// .target sm_90\n";
  const auto ptx = ".version 9.0\n.target sm_90\n" + rest;
  CHECK(for_gpu(ptx, 75, 90) == ".version 9.0\n.target sm_75\n" + rest);
  CHECK(for_gpu(ptx, 86, 84) == ".version 8.4\n.target sm_86\n" + rest);
  CHECK(for_gpu(ptx, 90, 90) == ptx);
  CHECK(for_gpu(ptx, 120, 91) == ptx);
  CHECK(for_gpu(".version 7.0\n.target sm_70\n", 75, 84) == ".version 7.0\n.target sm_70\n");
  CHECK(for_gpu("", 75, 84) == "");
}

TEST_CASE("code for one GPU alone is named so on that one only") {
  const std::string ptx = ".version 9.0\n.target sm_90a\n";
  CHECK(for_gpu(ptx, 90, 90) == ptx);
  CHECK(for_gpu(ptx, 80, 90) == ".version 9.0\n.target sm_80\n");
  CHECK(for_gpu(ptx, 120, 90) == ".version 9.0\n.target sm_90\n");
}

TEST_CASE("a driver knows the PTX of its CUDA") {
  CHECK(version_of_driver(11080) == 78);
  CHECK(version_of_driver(12000) == 80);
  CHECK(version_of_driver(12040) == 84);
  CHECK(version_of_driver(12060) == 85);
  CHECK(version_of_driver(12080) == 87);
  CHECK(version_of_driver(13000) == 90);
}

} // namespace course::ptx
