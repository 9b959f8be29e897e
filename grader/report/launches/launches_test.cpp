// Over 400 lines, as all that a report says is looked at on the same few launches.
#include "device/model/known_gpus.hpp"
#include "report/launches/fitted_table.hpp"
#include "report/launches/launch_faults.hpp"
#include "report/launches/launches.hpp"
#include "report/launches/summary.hpp"
#include "report/sarif.hpp"
#include "report/schema_checks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

namespace course::report {
namespace {

device::LineCounts shared_load(std::uint32_t line, std::uint64_t requests,
                               std::uint64_t wavefronts) {
  device::LineCounts counts;
  counts.kernel = "transpose";
  counts.file = "/home/me/copy.cu";
  counts.line = line;
  counts.kind = model::kind_of("shared_load_4").value();
  counts.requests = counts.ideal = requests;
  counts.wavefronts = wavefronts;
  counts.ways[wavefronts / requests] = requests;
  return counts;
}

device::LineCounts global(const char* access, std::uint64_t requests, std::uint64_t sectors) {
  device::LineCounts counts;
  counts.file = "copy.cu";
  counts.line = 7;
  counts.kind = model::kind_of(access).value();
  counts.requests = requests;
  counts.sectors = sectors;
  return counts;
}

LaunchReport two_launches() {
  device::LaunchSum sum;
  sum.counts.kernel = "transpose";
  sum.counts.grid = {64, 32, 1};
  sum.counts.block = {32, 8, 1};
  sum.counts.instructions = 123'456;
  sum.launches = 2;
  sum.lines = {global("global_load_4", 2048, 8192), global("global_store_4", 2048, 65'536),
               shared_load(9, 2048, 65'536)};
  LaunchReport report;
  report.banks = &model::default_gpu().architecture;
  report.program = "./copy";
  report.device = "emulated H200";
  report.launches = {sum};
  return report;
}

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  for (const auto& line : lines_of(text)) most = std::max(most, columns(line));
  return most;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

} // namespace

TEST_CASE("launches are a heading and a row for each line and access") {
  CHECK(launch_text(two_launches(), {}) ==
        "  ./copy on the emulated H200: 2 launches\n"
        "  Bank conflicts: 63,488 of 65,536 wavefronts (97%), most at copy.cu:9: 32 per\n"
        "  request where 1 would do.\n"
        "  Wasted sectors: 57,344 of 73,728 (78%), most at copy.cu:7: 32 per request\n"
        "  where 4 would do.\n"
        "\n"
        "  transpose\n"
        "  grid 64 x 32, block 32 x 8; 2 launches, 123,456 warp instructions in all\n"
        "    line       access          requests  wavefronts  ideal  conflicts  sectors\n"
        "    copy.cu:7  global load 4      2,048                                  8,192\n"
        "    copy.cu:7  global store 4     2,048                                 65,536\n"
        "    copy.cu:9  shared load 4      2,048      65,536  2,048     63,488\n");
}

TEST_CASE("the name of a kernel is cut where it does not fit, in the text") {
  auto report = two_launches();
  report.launches[0].counts.kernel = std::string(300, 'k');
  CHECK(widest(launch_text(report, {60, false})) <= 60);
  CHECK(launch_json(report)["launches"].at(0)["kernel"] == std::string(300, 'k'));
}

TEST_CASE("a narrow terminal gets fewer columns, and keeps the conflicts") {
  for (const int columns : {100, 80, 60, 50}) {
    CAPTURE(columns);
    const auto text = launch_text(two_launches(), {columns, false});
    CHECK(widest(text) <= static_cast<std::size_t>(columns));
    CHECK(has(text, "63,488"));
  }
  CHECK_FALSE(has(launch_text(two_launches(), {60, false}), "ideal"));
}

TEST_CASE("a column that nobody fills is not there") {
  Table table({{"name", false, 0}, {"never", true, 1}, {"count", true, 0}});
  table.add({{"a"}, {""}, {"1"}});
  table.add({{"long"}, {""}, {"10,000"}});
  CHECK(table.text({}, 1) == " name   count\n a          1\n long  10,000\n");
}

TEST_CASE("findings and errors come before the tables, and what is not supported behind them") {
  auto report = two_launches();
  device::Finding race;
  race.kind = device::FindingKind::race;
  race.kernel = "transpose";
  race.file = "copy.cu";
  race.line = 9;
  race.other_line = 7;
  race.message = "writes tile[3]";
  race.count = 64;
  device::Finding note = race;
  note.kind = device::FindingKind::same_value;
  report.findings = {note, race, race};
  report.findings[2].other_line = 8;
  report.findings[2].called_from = {20}; // one entry a line: the first speaks for it
  device::Finding missed = race;
  missed.kind = device::FindingKind::barrier;
  missed.line = 5, missed.other_line = 0;
  report.findings.push_back(missed);
  report.errors = {{"cudaMemcpy", "cudaErrorInvalidValue", "a null pointer"}};
  report.unsupported = {"cudaGraphCreate"};
  const auto text = launch_text(report, {});
  CHECK(has(text, "copy.cu:9 and 7, 8 race in transpose"));
  CHECK(has(text, "writes tile[3]. 128 times in all."));
  CHECK(text.find("barrier in transpose") < text.find(" race in transpose"));
  CHECK(text.find("race in transpose") < text.find("cudaMemcpy:"));
  CHECK(text.find("cudaMemcpy:") < text.find("shared load 4"));
  CHECK(text.find("shared load 4") < text.find("cudaGraphCreate is not"));
  CHECK(text.find("same value (a note) in transpose") > text.find(" race in transpose"));
  CHECK(has(text, "cudaMemcpy: cudaErrorInvalidValue: a null pointer"));
  CHECK(has(text, "cudaGraphCreate is not supported on the emulated device."));
}

TEST_CASE("of a launch that a copy of another stream races with, no thread is named") {
  auto report = two_launches();
  device::Finding race;
  race.kind = device::FindingKind::race;
  race.meeting = device::Meeting::between_streams;
  race.kernel = "a fill"; // a copy raced with one
  race.message = "writes out";
  report.findings = {race};
  const auto text = launch_text(report, {});
  CHECK(has(text, "  race in a fill"));
  CHECK_FALSE(has(text, "a fill race")); // nothing has a line
  CHECK(has(text, "writes out."));
  CHECK_FALSE(has(text, "thread ("));
}

TEST_CASE("what cannot be told is said: no line numbers, widths as in the PTX, older devices") {
  auto report = two_launches();
  CHECK_FALSE(has(launch_text(report, {}), "*"));
  report.launches[0].lines[2].width_from_sass = false;
  report.launches[0].lines[0].line = 0;
  report.banks = &model::k1x;
  const auto text = launch_text(report, {});
  CHECK(has(text, "shared load 4*"));
  CHECK_FALSE(has(text, "+ at least"));
  report.launches[0].lines[2].at_least = true;
  CHECK(has(launch_text(report, {}), "shared load 4*+"));
  CHECK(has(launch_text(report, {}), "+ at least"));
  CHECK(has(text, "nvcc -lineinfo"));
  CHECK(has(text, "compute capability 1.x"));
  CHECK_FALSE(has(text, "copy.cu:0"));
}

TEST_CASE("the summary has what matters most, in three sentences, and one where all is well") {
  auto report = two_launches();
  device::Finding race;
  race.kind = device::FindingKind::race;
  race.line = 9;
  report.findings = {race, race};
  race.kind = device::FindingKind::same_value; // a note is not wrong
  report.findings.push_back(race);
  auto lines = summary_of(report);
  REQUIRE(lines.size() == 3);
  CHECK(lines[2] == "Found wrong: race at 1 line; more below.");
  report.findings.clear();
  report.launches[0].lines = {global("global_load_4", 2048, 8192), shared_load(9, 2048, 2048),
                              global("red_global_add_u32_constant_1", 10, 320)};
  CHECK(summary_of(report) == std::vector<std::string>{"No bank conflicts, no wasted sectors, and "
                                                       "nothing was found wrong."});
  const std::vector<std::string> not_all{"No bank conflicts, and no wasted sectors."};
  report.stopped_by = "Ctrl-C";
  CHECK(summary_of(report) == not_all);
  report.stopped_by.clear();
  report.unsupported = {"cudaGraphCreate"}; // it may have done something else for it
  CHECK(summary_of(report) == not_all);
  report.unsupported.clear();
  report.errors = {{"cudaMemcpy", "cudaErrorInvalidValue", "a null pointer"}};
  CHECK(summary_of(report) == not_all);
  report.launches.clear();
  CHECK(summary_of(report).empty());
}

TEST_CASE("one kernel is shown by a part of its name, and each launch by itself") {
  auto report = two_launches();
  report.launches.push_back(report.launches[0]);
  report.launches[1].counts.kernel = "sum";
  report.each_launch.resize(3);
  report.each_launch[1].kind = 1;
  report.each_launch[1].stopped = true;
  report.each_launch[2].wavefronts = 64;
  report.each_launch[2].sectors_atomic = 5;
  auto text = launch_text(report, {}, {.kernel = "su"});
  CHECK(has(text, "  sum\n"));
  CHECK_FALSE(has(text, "  transpose\n"));
  text = launch_text(report, {}, {.kernel = "nobody"});
  CHECK(has(text, "No kernel has nobody in its name. There are: transpose, sum."));
  text = launch_text(report, {}, {.each_launch = true});
  CHECK(has(text, "2...  sum        64 x 32  32 x 8"));
  CHECK(has(text, "3  transpose  64 x 32  32 x 8"));
  CHECK_FALSE(has(text, "shared load"));
  const auto json = launch_json(report);
  REQUIRE(json["each_launch"].size() == 3);
  CHECK(json["each_launch"][1]["launch"] == 1);
  CHECK(json["each_launch"][1]["complete"] == false);
  CHECK(json["each_launch"][2]["conflicts"] == 64);
  CHECK(json["each_launch"][2]["sectors"] == 5);
}

TEST_CASE("sectors of atomics are in the totals, and those of asynchronous copies are loads") {
  auto report = two_launches();
  report.launches[0].lines = {global("global_load_4", 1, 4), global("global_store_4", 1, 8),
                              global("red_global_add_u32", 1, 16), global("cp_async_cg_16", 1, 32)};
  const auto launch = launch_json(report)["launches"][0];
  CHECK(launch["sectors_load"] == 36);
  CHECK(launch["sectors_store"] == 8);
  CHECK(launch["sectors_atomic"] == 16);
  CHECK(launch["sectors"] == 60);
}

TEST_CASE("what no bank serves has lines and bytes, in columns of its own and in the JSON") {
  auto report = two_launches();
  CHECK_FALSE(has(launch_text(report, {}), "dshared"));
  auto load = global("dshared_load_4", 2, 8), atomic = global("dshared_atomic_4", 1, 32);
  load.remote_lines = 3;
  load.bytes = 256;
  atomic.bytes = 2048;
  auto in = global("bulk_global_load", 1, 512), out = global("tensor_global_store", 1, 32),
       between = global("bulk_dshared_store", 4, 0), product = shared_load(9, 4, 128);
  in.bytes = 16'384;
  out.bytes = 1000;
  between.bytes = 4096;
  product.kind = model::kind_of("wgmma_n256").value();
  product.bytes = 128 * 128;
  report.launches[0].lines = {load, atomic, in, out, between, product};
  auto text = launch_text(report, {300, false});
  text.erase(
      std::unique(text.begin(), text.end(), [](char a, char b) { return a == ' ' && b == ' '; }),
      text.end());
  CHECK(has(text, " sectors lines bytes\n"));
  CHECK(has(text, " dshared load 4 2 8 3 256\n"));
  CHECK(has(text, " dshared atomic 4 1 32 2,048\n"));
  CHECK(has(text, " bulk global load 1 512 16,384\n"));
  CHECK(has(text, "No counter of shared memory's wavefronts or bank conflicts sees them."));
  CHECK(has(text, "Of atomics there the lines are not known for certain"));
  const auto json = launch_json(report)["launches"][0];
  CHECK(json["remote_shared_requests"] == 3);
  CHECK(json["remote_shared_sectors"] == 40);
  CHECK(json["remote_shared_lines"] == 3);
  CHECK(json["remote_shared_bytes"] == 2304);
  CHECK(json["bytes_copied_in"] == 16'384);
  CHECK(json["bytes_copied_out"] == 1000);
  CHECK(json["bytes_copied_between_blocks"] == 4096);
  CHECK(json["bytes_of_products"] == 16'384);
  CHECK(json["shared_store_requests"] == 0);
  CHECK(json["lines"][0]["remote_lines"] == 3);
  CHECK(json["lines"][0]["bytes"] == 256);
}

TEST_CASE("a run that was stopped says so, first and in the JSON; the same error is said once") {
  auto report = two_launches();
  CHECK(launch_json(report)["complete"] == true);
  report.stopped_by = "Ctrl-C";
  report.errors.assign(7, {"cudaLaunchKernel", "cudaErrorNotSupported", "cannot execute x"});
  const auto text = launch_text(report, {});
  CHECK(has(text, "2 launches\n  Not complete: Ctrl-C stopped it."));
  CHECK(has(text, "cannot execute x (7 times)\n"));
  device::Finding here;
  here.kind = device::FindingKind::budget;
  here.line = 3;
  here.file = "copy.cu";
  here.kernel = "spin";
  report.findings = {here};
  CHECK(has(launch_text(report, {}), "copy.cu:3 stopped in spin"));
  CHECK_FALSE(has(launch_text(report, {}), "Found wrong")); // nobody knows yet
  CHECK(launch_faults(report, "").size() == 2);
  CHECK(text.find("cudaLaunchKernel") == text.rfind("cudaLaunchKernel"));
  CHECK(launch_json(report)["complete"] == false);
}

TEST_CASE(
    "a sample says which share was executed, in words and in the JSON; a whole run says nothing") {
  auto report = two_launches();
  report.each_launch.resize(2);
  CHECK_FALSE(has(launch_text(report, {}), "sample"));
  CHECK_FALSE(launch_json(report).contains("sample"));
  report.launches[0].left_out = 4000;
  report.each_launch[1].left_out = 2000;
  auto text = launch_text(report, {200, false});
  CHECK(has(text, "2 launches\n  A sample: 96 of 4,096 blocks were executed (2%). Results are not "
                  "the program's, and counts are those of these blocks alone.\n"));
  CHECK(has(text, "123,456 warp instructions in all; 96 of 4,096 blocks\n"));
  text = launch_text(report, {200, false}, {.each_launch = true});
  CHECK(has(text, "  executed  "));
  CHECK(has(text, "32 x 8  48 of 2,048 blocks  "));
  const auto json = launch_json(report);
  CHECK(json["sample"]["blocks"] == 4096);
  CHECK(json["sample"]["blocks_executed"] == 96);
  CHECK(json["launches"][0]["blocks_executed"] == 96);
  CHECK_FALSE(json["each_launch"][0].contains("blocks"));
  CHECK(json["each_launch"][1]["blocks"] == 2048);
  CHECK(json["each_launch"][1]["blocks_executed"] == 48);
  report.findings.emplace_back().kind = device::FindingKind::out_of_bounds;
  CHECK(has(launch_text(report, {200, false}), "may come of what the others did not write."));
  report.launches[0].left_out = 1;
  CHECK(has(launch_text(report, {}), "(over 99%)"));
}

TEST_CASE("where nothing was checked, nobody says that nothing is wrong") {
  auto report = two_launches();
  CHECK(launch_json(report)["checked"] == true);
  report.launches[0].lines = {shared_load(9, 2048, 2048)};
  report.checked = false;
  CHECK(summary_of(report) ==
        std::vector<std::string>{"No bank conflicts, and no wasted sectors."});
  CHECK(has(launch_text(report, {200, false}), "Not checked: nobody looked for races, nor for "
                                               "reads of what nothing has written.\n"));
  CHECK(launch_json(report)["checked"] == false);
}

TEST_CASE("findings and waste are faults by line, with paths as an editor wants them") {
  auto report = two_launches();
  device::Finding race;
  race.kind = device::FindingKind::use_after_free;
  race.kernel = "transpose";
  race.file = "/home/me/src/a.cu";
  race.line = 9;
  race.other_line = 7;
  race.message = "reads tile";
  report.findings = {race};
  const auto faults = launch_faults(report, "/home/me");
  REQUIRE(faults.size() == 3);
  CHECK(faults[0].rule == "use-after-free");
  CHECK(faults[0].path == "src/a.cu");
  CHECK(faults[0].other_line == 7);
  CHECK(faults[0].serious);
  CHECK(faults[0].message == "transpose: reads tile.");
  CHECK(faults[1].rule == "bank-conflicts");
  CHECK(faults[1].path == "copy.cu");
  CHECK_FALSE(faults[1].serious);
  CHECK(faults[1].message ==
        "63,488 of 65,536 wavefronts are conflicts: 32 per request where 1 would do.");
  CHECK(faults[2].rule == "wasted-sectors");
  CHECK(faults[2].line == 7);
  CHECK(launch_faults(report, "/elsewhere")[0].path == "/home/me/src/a.cu");
  report.findings[0].line = 0; // as of copies, which must not be overlooked
  report.findings[0].file.clear();
  CHECK(launch_faults(report, "/home/me")[0].path == "./copy");
  CHECK(launch_faults(report, "/home/me")[0].line == 0);
  CHECK(launch_faults(report, "/home/me")[0].serious);
  const auto json = sarif(faults, "course run: ", "1");
  const auto& first = json["runs"][0]["results"][0];
  CHECK(first["level"] == "error");
  CHECK(first["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 7);
  CHECK_FALSE(json["runs"][0]["results"][1].contains("relatedLocations"));
}

TEST_CASE("names from a program cannot steer the terminal") {
  auto report = two_launches();
  report.program = "./a\033[2J";
  report.launches[0].counts.kernel = "k\033]0;title\a";
  report.errors = {{"cudaMalloc", "cudaErrorMemoryAllocation", "\033[31m"}};
  const auto text = launch_text(report, {});
  CHECK(std::none_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\n'; }));
}

TEST_CASE("the JSON has the totals of each launch, and its lines as in a verdict") {
  const auto json = launch_json(two_launches());
  const auto& launch = json["launches"].at(0);
  CHECK(launch["kernel"] == "transpose");
  CHECK(launch["grid"] == nlohmann::json({64, 32, 1}));
  CHECK(launch["count"] == 2);
  CHECK(launch["shared_load_requests"] == 2048);
  CHECK(launch["shared_store_requests"] == 0);
  CHECK(launch["wavefronts"] == 65'536);
  CHECK(launch["conflicts"] == 63'488);
  CHECK(launch["sectors_load"] == 8192);
  CHECK(launch["sectors_store"] == 65'536);
  CHECK(launch["instructions"] == 123'456);
  CHECK(launch["lines"].size() == 3);
  CHECK(launch["lines"].at(2)["conflicts"] == 63'488);
  CHECK(launch["lines"].at(2)["ways"] == 32);
  CHECK(json["findings"].empty());
}

TEST_CASE("many kinds of launches have a row each, and the worst of them their lines") {
  auto report = two_launches();
  report.launches.resize(7, report.launches[0]);
  for (std::size_t i = 0; i < 7; ++i)
    report.launches[i].counts.kernel = "kernel_" + std::to_string(i);
  for (const std::size_t mild : {0, 2, 4, 6}) report.launches[mild].lines.resize(1);
  const auto text = launch_text(report, {});
  CHECK(has(text, "14 launches, 864,192 warp instructions\n"));
  CHECK(has(text,
            "  kernel_6  64 x 32  32 x 8         2       123,456          0               0\n"));
  CHECK(has(text,
            "  kernel_1  64 x 32  32 x 8         2       123,456     63,488          57,344\n"));
  CHECK(has(text, "\n  kernel_1\n  grid 64 x 32"));
  CHECK(has(text, "\n  kernel_5\n  grid 64 x 32"));
  CHECK_FALSE(has(text, "\n  kernel_6\n  grid 64 x 32"));
  CHECK(has(text, "--kernel NAME shows others"));
  CHECK(has(launch_text(report, {}, {.kernel = "kernel_6"}), "\n  kernel_6\n  grid 64 x 32"));
  report.launches.resize(6);
  CHECK(has(launch_text(report, {}), "\n  kernel_0\n  grid 64 x 32"));
  report.launches.resize(1000, report.launches[0]);
  CHECK(lines_of(launch_text(report, {})).size() < 300);
  CHECK(has(launch_text(report, {}), "and 800 more"));
  CHECK(has(launch_text(report, {}, {.kernel = "kernel"}), "and 960 more kinds of launches"));
}

TEST_CASE("instances of one template are told apart where their names are too long for a row") {
  auto report = two_launches();
  report.launches.resize(7, report.launches[0]);
  for (std::size_t i = 0; i < 7; ++i)
    report.launches[i].counts.kernel =
        "transpose_with_a_rather_long_name<" + std::to_string(i) + ", float, false, 1>";
  const auto text = launch_text(report, {80, false});
  CHECK(has(text, "...<0, float, false, 1> "));
  CHECK(has(text, "...<6, float, false, 1> "));
}

TEST_CASE("tables of one report have the same columns, where there is anything in them") {
  auto report = two_launches();
  report.launches.push_back(report.launches[0]);
  report.launches[1].lines.resize(1); // none of shared memory
  report.launches.push_back(report.launches[0]);
  const auto titles = [&](int columns) {
    std::vector<std::string> rows;
    for (auto& line : lines_of(launch_text(report, {columns, false})))
      if (has(line, "access")) rows.push_back(line);
    return rows;
  };
  auto rows = titles(100);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].ends_with("requests  wavefronts  ideal  conflicts  sectors"));
  CHECK(rows[1].ends_with("requests  sectors"));
  // One that has no room for all, and so none has them; what matters rather stands closer.
  report.launches[2].lines[0].file = "/a_name_that_is_somewhat_longer_than_usual.cu";
  rows = titles(104);
  CHECK(rows[0].ends_with("requests wavefronts conflicts sectors"));
  CHECK(rows[2].ends_with("requests wavefronts conflicts sectors"));
  rows = titles(95);
  CHECK(rows[0].ends_with("requests conflicts sectors"));
  CHECK(rows[2].ends_with("requests conflicts sectors"));
}

TEST_CASE("calls that fail as a kernel did are one line, and a long run says how long it took") {
  auto report = two_launches();
  report.errors = {{"cudaDeviceSynchronize", "cudaErrorIllegalAddress", "k: out"}};
  for (const char* call : {"cudaMemcpy", "cudaFree", "cudaFree"})
    report.errors.push_back({call, "cudaErrorIllegalAddress", "a kernel failed before"});
  report.seconds = 12.3;
  const auto text = launch_text(report, {200, false});
  CHECK(has(text, "cudaDeviceSynchronize: cudaErrorIllegalAddress: k: out\n  As a kernel failed, 3 "
                  "calls behind it failed as well, and no later kernel was executed: cudaMemcpy, "
                  "cudaFree.\n"));
  for (const char* call : {"a", "b", "c", "d"})
    report.errors.push_back({call, "cudaErrorIllegalAddress", "a kernel failed before"});
  CHECK(has(launch_text(report, {200, false}), ": cudaMemcpy, cudaFree, a, b, c and others.\n"));
  CHECK(has(text, "2 launches, 12 s, 0.0 M/s\n"));
  report.seconds = 1;
  CHECK(has(launch_text(report, {}), "2 launches\n"));
}

TEST_CASE("extra wavefronts of asynchronous copies are no bank conflicts") {
  auto report = two_launches();
  auto copy = shared_load(8, 16, 512);
  copy.kind = model::kind_of("cp_async_cg_16").value();
  copy.ideal = 64;
  report.launches[0].lines = {copy};
  const auto lines = summary_of(report);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].starts_with("Extra wavefronts of asynchronous copies: 448 of 512 (88%), most at "
                             "copy.cu:8: 32 per request where 4 would do."));
  CHECK_FALSE(has(launch_text(report, {}), "Bank conflicts"));
  REQUIRE(launch_faults(report, "").size() == 1);
  CHECK(launch_faults(report, "")[0].rule == "extra-wavefronts");

  report.each_launch.resize(2);
  report.each_launch[0] = {.kind = 0, .wavefronts = 576, .ideal = 128, .extra_of_copies = 448};
  report.each_launch[1] = {.kind = 0, .wavefronts = 576, .ideal = 120, .extra_of_copies = 448};
  const auto alone = lines_of(launch_text(report, {200, false}, {.each_launch = true}));
  CHECK(has(alone[alone.size() - 2], " 576          0"));
  CHECK(has(alone.back(), " 576          8"));

  auto load = shared_load(9, 16, 24); // 8 are conflicts
  report.launches[0].lines.push_back(load);
  report.launches.resize(7, report.launches[0]); // a row each
  const auto text = launch_text(report, {200, false});
  CHECK(
      has(text, "transpose  64 x 32  32 x 8         2       123,456          8               0\n"));
}

TEST_CASE("columns stand closer before the wavefronts are left out") {
  auto report = two_launches();
  report.launches[0].lines[2].file = "/a_longer_name_.cu";
  const auto text = launch_text(report, {80, false});
  INFO(text);
  CHECK(has(text, " requests wavefronts conflicts sectors\n"));
}

TEST_CASE(
    "what --json writes fits its schema, and what is none is refused") { // as report_schema says
  std::ifstream file(COURSE_SOURCE_DIR "/grader/report/launches/run.schema.json");
  const auto schema = nlohmann::json::parse(file);
  auto report = two_launches();
  report.each_launch.resize(2);
  hold_to_schema("run_plain", launch_json(report), schema);
  report.stopped_by = "Ctrl-C";
  report.launches[0].left_out = 4000;
  report.order = 3;
  report.findings.emplace_back().kind = device::FindingKind::race;
  report.errors = {{"cudaMemcpy", "cudaErrorInvalidValue", "a null pointer"}};
  report.orders.emplace().otherwise.emplace_back();
  auto json = launch_json(report);
  hold_to_schema("run_all", json, schema);
  json.erase("findings");
  hold_to_schema("run_refused", json, schema, false);
}

} // namespace course::report
