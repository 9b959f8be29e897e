// Forms of instructions that work by themselves and that no kernel of data/ has: boxes of other
// dimensions and for several blocks, reductions by bulk copies, wide asynchronous stores, barriers
// told by hand. Results are compared with plain loops.
#include "device/emulator/hopper_form.hpp"

#include <doctest/doctest.h>

#include <cstring>

namespace course::emulator {

using namespace hopper;

TEST_CASE("boxes of one, four and five dimensions bring what plain loops would, edges filled") {
  struct Case {
    std::size_t rank;
    std::array<std::uint64_t, 5> size;
    std::array<std::uint32_t, 5> box;
    std::array<std::int64_t, 5> first;
  };
  for (const Case& one : {Case{1, {4096}, {64}, {4092}}, Case{1, {4096}, {32}, {-8}},
                          Case{4, {8, 8, 8, 8}, {4, 3, 2, 4}, {4, 6, -1, 5}},
                          Case{5, {8, 4, 4, 4, 8}, {4, 2, 2, 2, 4}, {0, 3, 1, 0, 6}}}) {
    std::size_t words = 1;
    for (std::size_t d = 0; d < one.rank; ++d) words *= one.box[d];
    Form form(expect(4 * words) + box_in(one.rank, one.first) + wait() + stored(words));
    shape(form, one.rank, one.size, one.box);
    form.in_cluster(1);
    CAPTURE(one.rank);
    REQUIRE(form.why() == "");
    CHECK(form.findings() == "");
    for (std::size_t i = 0; i < words; ++i) CHECK(form.out(i) == in_box(form, one.first, i));
    CHECK(form.counts("tensor_global_load").requests == 1);
  }
}

TEST_CASE("one box for several blocks comes to each at the same place, and tells its barrier") {
  const std::array<std::int64_t, 5> first{32};
  Form form(std::string(kClusterBarrier) + expect(128) + kClusterBarrier +
            "  setp.eq.and.u32 %first, %rank, 0, %first;\n  mov.b16 %h0, 5;\n" +
            box_in(1, first, ", %h0") + "  setp.eq.u32 %q, %rank, 1;\n  @%q bra $none;\n" + wait() +
            stored(32) + "$none:\n" + kClusterBarrier);
  // Block 1 has no part in it: its barrier expects nothing that comes.
  form.in_cluster(3);
  REQUIRE(form.why() == "");
  CHECK(form.findings() == "");
  for (std::size_t i = 0; i < 32; ++i) {
    CHECK(form.out(i) == in_box(form, first, i));
    CHECK(form.out(32 + i) == 7);
    CHECK(form.out(64 + i) == in_box(form, first, i));
  }
  CHECK(form.counts("tensor_global_load").requests == 1);
  CHECK(form.counts("tensor_global_load").bytes == 128); // are read once
}

TEST_CASE("bulk copies reduce in global memory: the least, and sums of halves") {
  const auto reduced = [](const std::string& how, Word before, Word with) {
    // in -> shared -> reduced into out, whose words are `before`.
    Form form(expect(128) +
                  "  @%first cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                  "[%base], [%in], 128, [%bar];\n" +
                  wait() + "  @%first cp.reduce.async.bulk.global.shared::cta.bulk_group." + how +
                  " [%out], [%base], 128;\n  cp.async.bulk.commit_group;\n"
                  "  cp.async.bulk.wait_group 0;\n",
              std::vector<Word>(4096, with));
    for (auto& buffer : form.job.buffers)
      if (buffer.name == "out")
        for (std::size_t i = 0; i < 64; ++i)
          std::memcpy(buffer.bytes.data() + 4 * i, &before, sizeof before);
    form.in_cluster(1);
    REQUIRE(form.why() == "");
    CHECK(form.findings() == "");
    CHECK(form.counts("bulk_global_store").bytes == 128);
    CHECK(form.out(32) == before); // behind it
    return form.out(31);
  };
  CHECK(reduced("min.s32", 5, static_cast<Word>(-3)) == static_cast<Word>(-3));
  CHECK(reduced("min.u32", 5, static_cast<Word>(-3)) == 5);
  CHECK(reduced("max.u64", 1, 9) == 9);
  // 1.5 + 2.25 and 1 + 1 as halves, in f16 and in bf16.
  CHECK(reduced("add.noftz.f16", 0x3e003c00, 0x40803c00) == 0x43804000);
  CHECK(reduced("add.noftz.bf16", 0x3fc03f80, 0x40103f80) == 0x40704000);
}

TEST_CASE("what is not available of copies and products is refused by its name") {
  const auto refusal = [](const std::string& instruction) {
    return Form("  " + instruction + ";\n").in_cluster(1).why();
  };
  CHECK(refusal("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add."
                "u32 [%there], [%base], 64, [%their_bar]")
            .find("a reduction in another block's shared memory is not available") !=
        std::string::npos);
  CHECK(refusal("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.f16 [%out], [%base], 64")
            .find("max.f16") != std::string::npos);
  CHECK(refusal("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group "
                "[%map, {%a}], [%base]")
            .find("a reduction by a tensor map is not available") != std::string::npos);
  CHECK(refusal("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::"
                "bytes [%base], [%map, {%a, %b, %c}], [%bar], {%h0}")
            .find("im2col") != std::string::npos);
  CHECK(refusal("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%x0, %x1, %x2, %x3}, "
                "{%x4, %x5}, {%x6, %x7}, {%x0, %x1, %x2, %x3}, %a, 0x0")
            .find("mma.sp") != std::string::npos);
}

TEST_CASE("two and four words a lane are stored asynchronously, in any type") {
  for (const auto& [form, values, words] :
       {std::tuple{"v2.u32", "{%x0, %x1}", 2u}, std::tuple{"v4.b32", "{%x0, %x1, %x2, %x3}", 4u},
        std::tuple{"b64", "%l0", 2u}, std::tuple{"v2.u64", "{%l0, %l1}", 4u}}) {
    CAPTURE(form);
    std::string body =
        std::string(kClusterBarrier) + "  setp.eq.and.u32 %first, %rank, 1, %first;\n" +
        expect(128 * words) +
        "  mov.u32 %x0, %t;\n  add.u32 %x1, %t, 100;\n  add.u32 %x2, %t, 200;\n"
        "  add.u32 %x3, %t, 300;\n  mov.b64 %l0, {%x0, %x1};\n"
        "  mov.b64 %l1, {%x2, %x3};\n  setp.eq.u32 %q, %rank, 0;\n  mad.lo.u32 %a, %t, " +
        std::to_string(4 * words) +
        ", %there;\n  @%q st.async.shared::cluster.mbarrier::complete_tx::bytes." + form +
        " [%a], " + values + ", [%their_bar];\n  @%q bra $end;\n" + wait() + stored(32 * words) +
        "$end:\n" + kClusterBarrier;
    Form run(body);
    run.in_cluster(2);
    REQUIRE(run.why() == "");
    CHECK(run.findings() == "");
    for (std::size_t i = 0; i < 32 * words; ++i)
      CHECK(run.out(32 * words + i) == i / words + 100 * (i % words));
    const auto counted = run.counts("dshared_store_async_" + std::to_string(4 * words));
    CHECK(counted.requests == 1);
    CHECK(counted.sectors == 4 * words);
    CHECK(counted.remote_lines == words);
  }
}

TEST_CASE("red.async adds in the block whose barrier it tells") {
  Form run(std::string("  mad.lo.u32 %a, %t, 4, %base;\n  st.shared.u32 [%a], 1000;\n") +
           "  fence.proxy.async.shared::cta;\n" + kClusterBarrier +
           "  setp.eq.and.u32 %first, %rank, 1, %first;\n" + expect(128) +
           "  setp.eq.u32 %q, %rank, 0;\n  mad.lo.u32 %a, %t, 4, %there;\n"
           "  @%q red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
           "[%a], %t, [%their_bar];\n  @%q bra $end;\n" +
           wait() + stored(32) + "$end:\n" + kClusterBarrier);
  run.in_cluster(2);
  REQUIRE(run.why() == "");
  CHECK(run.findings() == "");
  for (Word i = 0; i < 32; ++i) CHECK(run.out(32 + i) == 1000 + i);
  CHECK(run.counts("dshared_red_async_4").requests == 1);
  CHECK(run.counts("dshared_red_async_4").sectors == 4);
  CHECK(run.counts("dshared_red_async_4").bytes == 4 * 64);
}

TEST_CASE("a barrier may be told of bytes by hand, and tested by parity") {
  Form run(expect(48) +
           "  @%first mbarrier.complete_tx.relaxed.cluster.shared::cta.b64 [%bar], 32;\n"
           "  mbarrier.test_wait.parity.shared::cta.b64 %p, [%bar], 0;\n"
           "  selp.u32 %x0, 1, 0, %p;\n  bar.sync 0;\n"
           "  @%first mbarrier.complete_tx.relaxed.cluster.shared::cta.b64 [%bar], 16;\n" +
           wait("test_wait.parity") +
           "  mad.lo.u32 %a, %t, 4, %base;\n  st.shared.u32 [%a], %x0;\n" + stored(32));
  run.in_cluster(1);
  REQUIRE(run.why() == "");
  CHECK(run.findings() == "");
  for (std::size_t i = 0; i < 32; ++i) CHECK(run.out(i) == 0); // not before all bytes were told of
}

TEST_CASE("wide accesses, compare and swap and exchange reach another block") {
  Form run(std::string("  mad.lo.u32 %a, %t, 16, %base;\n  mov.u32 %x0, %t;\n"
                       "  add.u32 %x1, %t, 50;\n"
                       "  st.shared.v4.u32 [%a], {%x0, %x0, %x1, %x1};\n") +
           kClusterBarrier + "  setp.eq.u32 %q, %rank, 1;\n  @%q bra $end;\n" +
           "  mad.lo.u32 %a, %t, 16, %there;\n"
           "  ld.shared::cluster.u64 %l0, [%a];\n"
           "  ld.shared::cluster.v2.u64 {%l1, %l2}, [%a];\n"
           "  ld.shared::cluster.v4.u32 {%x4, %x5, %x6, %x7}, [%a];\n"
           // Words 0 and 1 of a lane: its number, twice; 2 and 3 fifty more.
           "  add.u64 %l0, %l0, 1;\n  st.shared::cluster.u64 [%a], %l0;\n"
           "  atom.shared::cluster.cas.b32 %b, [%a+8], %x6, 900;\n"
           "  atom.shared::cluster.cas.b32 %c, [%a+8], 5000, 1;\n"
           "  atom.shared::cluster.exch.b32 %d, [%a+12], %x4;\n"
           "  atom.shared::cluster.exch.b64 %l3, [%a], %l2;\n"
           "  mov.b64 {%e, %x1}, %l3;\n"
           // Sums of what came back.
           "  add.u32 %x2, %b, %c;\n  add.u32 %x2, %x2, %d;\n  add.u32 %x2, %x2, %e;\n"
           "  mul.wide.u32 %z, %t, 4;\n  add.u64 %z, %out, %z;\n  st.global.u32 [%z], %x2;\n" +
           "$end:\n" + kClusterBarrier + "  @!%q bra $done;\n" + stored(128) + "$done:\n");
  run.in_cluster(2);
  REQUIRE(run.why() == "");
  CHECK(run.findings() == "");
  for (Word t = 0; t < 32; ++t) {
    // cas: t + 50, then 900; exch: t + 50; and t + 1.
    CHECK(run.out(t) == (t + 50) + 900 + (t + 50) + (t + 1));
    CHECK(run.out(128 + 4 * t) == t + 50);
    CHECK(run.out(128 + 4 * t + 1) == t + 50);
    CHECK(run.out(128 + 4 * t + 2) == 900);
    CHECK(run.out(128 + 4 * t + 3) == t);
  }
  CHECK(run.counts("dshared_load_8").sectors == 16);
  CHECK(run.counts("dshared_load_16").sectors == 2 * 16);
  CHECK(run.counts("dshared_load_16").remote_lines == 2 * 4);
  CHECK(run.counts("dshared_store_8").sectors == 16);
  CHECK(run.counts("dshared_atomic_4").requests == 3);
  CHECK(run.counts("dshared_atomic_8").requests == 1);
}

TEST_CASE("through the window to its own block a warp takes the banks' wavefronts") {
  Form run(std::string("  mapa.shared::cluster.u32 %there, %base, %rank;\n"
                       "  mad.lo.u32 %a, %t, 128, %there;\n"
                       "  st.shared::cluster.u32 [%a], %t;\n"
                       "  ld.shared::cluster.u32 %b, [%a];\n"
                       "  red.shared::cluster.add.u32 [%a], %b;\n") +
           kClusterBarrier);
  run.in_cluster(2);
  REQUIRE(run.why() == "");
  CHECK(run.findings() == "");
  for (const char* access : {"shared_load_4", "shared_store_4"}) {
    CAPTURE(access);
    CHECK(run.counts(access).requests == 2); // a warp of each block
    CHECK(run.counts(access).wavefronts == 2 * 32);
    CHECK(run.counts("d" + std::string(access)).requests == 0);
  }
}

} // namespace course::emulator
