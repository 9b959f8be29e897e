// cp.async: when copies arrive, and who is told that they had not.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace course::emulator {
namespace {

using device::FindingKind;

struct AsyncRun : TestRun {
  explicit AsyncRun(std::size_t count = 128, std::size_t results = 128) : TestRun("async.ptx") {
    in.resize(count);
    std::iota(in.begin(), in.end(), 1);
    out_at = buffer("out", std::vector<int>(results), false);
    in_at = buffer("in", in);
  }
  std::vector<int> in;
  device::Address out_at = 0, in_at = 0;
};

} // namespace

TEST_CASE("a tile is copied while the one before it is read") {
  for (const bool waits : {true, false}) {
    CAPTURE(waits);
    TestRun run("async.ptx");
    std::vector<float> in(5 * 128), expected(128);
    std::iota(in.begin(), in.end(), 1.0f);
    for (std::size_t t = 0; t < 128; ++t)
      for (std::size_t round = 0; round < 5; ++round) expected[t] += in[round * 128 + 127 - t];
    const auto out = run.buffer("out", std::vector<float>(128), false);
    const auto from = run.buffer("in", in);
    run.launch("two_in_flight", {1}, {128}, 0, out, from, 5, waits ? 1 : 0).run();
    CHECK(run.why() == "");
    if (waits) {
      CHECK(run.findings() == "");
      CHECK(run.result<float>(0) == expected);
      CHECK(run.counts("cp_async_cg_16").requests == 5);
      // 512 bytes each, in order on both sides.
      CHECK(run.counts("cp_async_cg_16").sectors == 5 * 16);
      CHECK(run.counts("cp_async_cg_16").wavefronts == 5 * 4);
      CHECK(run.counts("cp_async_cg_16").ideal == 5 * 4);
      CHECK(run.counts("global_load_16").sectors == 5 * 16);
    } else {
      CHECK(run.found(FindingKind::race));
      CHECK(run.findings().find("copy_still_writes(") != std::string::npos);
    }
  }
}

TEST_CASE("waiting for all but the last N groups brings exactly the others") {
  for (const int prior : {0, 1, 2}) {
    CAPTURE(prior);
    const auto come = std::size_t{32} * static_cast<std::size_t>(3 - prior);
    AsyncRun run(96, come);
    run.launch("groups<" + std::to_string(prior) + ">", {1}, {32}, 0, run.out_at, run.in_at).run();
    CHECK(run.why() == "");
    CHECK(run.findings() == "");
    std::vector<int> expected = run.in;
    expected.resize(come);
    CHECK(run.result<int>(0) == expected);
    CHECK(run.counts("cp_async_ca_4").requests == 3);
  }
}

TEST_CASE("reading a group that is still in flight is a race of the two lines") {
  AsyncRun run;
  run.launch("reads_one_too_many", {1}, {32}, 0, run.out_at, run.in_at).run();
  REQUIRE(run.seen.findings.size() == 1);
  CHECK(
      run.findings() ==
      "race line 49 and 45: copy_still_writes(reads(element(tile[1][0], 128)), thread((0,0,0)))\n");
}

TEST_CASE("wait_all also brings what was never committed") {
  AsyncRun run;
  run.launch("wait_for_everything", {1}, {32}, 0, run.out_at, run.in_at).run();
  CHECK(run.findings() == "");
  CHECK(run.result<int>(0)[31] == 32);
}

TEST_CASE("bytes beyond the source's are zero, and nothing is read for them") {
  for (const int zeros : {0, 4, 8, 16}) {
    CAPTURE(zeros);
    AsyncRun run;
    run.launch("zeros_behind", {1}, {32}, 0, run.out_at, run.in_at, zeros).run();
    CHECK(run.why() == "");
    CHECK(run.findings() == "");
    const auto result = run.result<int>(0);
    for (std::size_t i = 0; i < 128; ++i) {
      const bool zero = i / 4 % 2 && i % 4 * 4 >= static_cast<std::size_t>(16 - zeros);
      CHECK(result[i] == (zero ? 0 : run.in[i]));
    }
    // With 16, only half of each 32-byte sector is read; else by two instructions, or one.
    if (zeros % 16 == 0) CHECK(run.counts("global_load_16").sectors == 16);
  }
  // A source that does not exist may be named when nothing is read from it.
  AsyncRun nowhere(64);
  nowhere.launch("zeros_behind", {1}, {32}, 0, nowhere.out_at, nowhere.in_at, 16);
  nowhere.run();
  CHECK(nowhere.found(FindingKind::out_of_bounds)); // the even lanes read there
  CHECK(nowhere.seen.findings[0].count == 8);
}

TEST_CASE("lanes that fill with zeros are counted, and a count of bytes is counted by both ways") {
  struct Expected {
    int zeros; // of the odd lanes; the even ones read all
    std::uint64_t wavefronts, ideal, sectors;
  };
  for (const Expected& expected :
       {Expected{0, 4, 4, 16}, {16, 4 + 4, 2 + 2, 16}, {8, 4 + 4 + 4, 2 + 2 + 2, 16 + 16}}) {
    CAPTURE(expected.zeros);
    AsyncRun run;
    run.launch("zeros_behind", {1}, {32}, 0, run.out_at, run.in_at, expected.zeros).run();
    const auto counts = run.counts("cp_async_cg_16");
    CHECK(counts.wavefronts == expected.wavefronts);
    CHECK(counts.ideal == expected.ideal);
    CHECK(counts.sectors == expected.sectors);
  }
}

TEST_CASE("storing to, adding to or copying to what is in flight is a race") {
  for (const std::string kernel : {"stores_meanwhile", "adds_meanwhile", "copies_meanwhile"}) {
    CAPTURE(kernel);
    AsyncRun run;
    run.launch(kernel, {1}, {32}, 0, run.out_at, run.in_at).run();
    CHECK(run.why() == "");
    REQUIRE(run.found(FindingKind::race));
    CHECK(run.findings().find("writes(element(tile[") != std::string::npos);
    CHECK(run.findings().find("copy_still_writes(") != std::string::npos);
  }
}

TEST_CASE("lanes that copy to one place must bring the same") {
  AsyncRun same;
  same.launch("all_to_one_place", {1}, {32}, 0, same.out_at, same.in_at, 0).run();
  CHECK(same.findings() == "");
  CHECK(same.result<int>(0)[5] == 1);

  AsyncRun different;
  different.launch("all_to_one_place", {1}, {32}, 0, different.out_at, different.in_at, 1).run();
  REQUIRE(different.found(FindingKind::race));
  CHECK(different.findings().find("other_bytes_at_once(") != std::string::npos);
}

TEST_CASE("what a thread waited for is other threads' only behind a barrier") {
  AsyncRun run;
  run.launch("no_barrier_behind", {1}, {32}, 0, run.out_at, run.in_at).run();
  REQUIRE(run.found(FindingKind::race));
  CHECK(run.findings().find("no_warp_barrier()") != std::string::npos);
}

TEST_CASE("a warp that never waits does not fill memory with copies") {
  AsyncRun run;
  Options unchecked; // each copy is in conflict with all that are under way
  unchecked.check_memory = false;
  run.launch("never_waits", {1}, {32}, 0, run.out_at, run.in_at, 3000).run(unchecked);
  CHECK(run.seen.status == device::Observation::Status::completed);
  CHECK(run.counts("cp_async_ca_4").requests == 3000);
}

TEST_CASE("copying what nothing has written, or from nowhere, is found") {
  TestRun run("async.ptx");
  const auto out = run.buffer("out", std::vector<int>(128), false);
  const auto in = run.buffer("in", std::vector<int>(96), false);
  run.launch("groups<0>", {1}, {32}, 0, out, in).run();
  CHECK(run.found(FindingKind::uninitialised));

  AsyncRun far(64);
  far.launch("groups<0>", {1}, {32}, 0, far.out_at, far.in_at).run();
  REQUIRE(far.found(FindingKind::out_of_bounds));
  CHECK(far.seen.findings[0].count == 32);
}

TEST_CASE("what a copy reads may be stored behind the wait for it, and not before") {
  struct Case {
    const char* kernel;
    int apart;
    const char* says; // of the race; empty: none
  };
  for (const Case& each : {Case{"source_stored<true, false>", 0, ""},
                           {"source_stored<true, true>", 33, ""},
                           {"source_stored<false, false>", 128, ""},
                           {"source_told<true>", 0, ""},
                           {"source_told<true>", 33, ""},
                           {"source_stored<false, false>", 0, "copy_still_reads_source("},
                           {"source_stored<false, true>", 33, "copy_still_reads_source("},
                           {"source_told<false>", 0, "copy_still_reads_source("},
                           {"source_stored<true, false>", 33, "meets("},
                           {"source_barrier_early", 33, ""}})
    for (const auto kind : {device::Order::Kind::by_index, device::Order::Kind::drawn,
                            device::Order::Kind::backwards}) {
      CAPTURE(each.kernel);
      CAPTURE(each.apart);
      AsyncRun run(256);
      run.job.order = {kind, 5};
      const bool early = each.kernel == std::string("source_barrier_early");
      run.launch(each.kernel, {1}, {128}, 0, run.out_at, run.in_at, each.apart).run();
      CHECK(run.why() == "");
      CHECK(run.found(FindingKind::race) == (early || *each.says != 0));
      CHECK(run.findings().find(each.says) != std::string::npos);
      if (!early && *each.says == 0) CHECK(run.findings() == "");
    }
}

TEST_CASE("the next launch may store what a copy of this one reads, waited for or not") {
  AsyncRun run(256);
  run.launch("never_waits", {1}, {32}, 0, run.out_at, run.in_at, 1);
  run.launch("source_stored<true, false>", {1}, {128}, 0, run.out_at, run.in_at, 0).run();
  CHECK(run.findings() == "");
}

TEST_CASE("other asynchronous copies are refused by name, with the line") {
  const auto refusal = [](const std::string& instruction) {
    TestRun run(std::string(".version 8.0\n.target sm_90\n.address_size 64\n"
                            ".file 1 \"kernel.cu\"\n.visible .entry k()\n{\n.reg .b32 %r<4>;\n"
                            ".reg .b64 %rd<4>;\n.reg .pred %p<4>;\n.loc 1 7 3\n") +
                instruction + "\nret;\n}\n");
    run.launch("k", {1}, {32}, 0).run();
    CHECK(run.seen.status == device::Observation::Status::unsupported);
    CHECK(run.why().find(", kernel.cu, 7)") != std::string::npos);
    return run.why();
  };
  for (const std::string instruction :
       {"cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd1], [%r1], %r2, %r3;",
        "cp.async.bulk.commit_group.read;", "cp.async.ca.shared.global [%r1], [%rd1], 12;",
        "cp.async.cg.shared.global [%r1], [%rd1], 4;",
        "cp.async.ca.shared.global [%r1], [%rd1], 16, %p1;"}) {
    const std::string name = instruction.substr(0, instruction.find(' '));
    CHECK(refusal(instruction).find(name.substr(0, name.find(';'))) != std::string::npos);
  }
}

} // namespace course::emulator
