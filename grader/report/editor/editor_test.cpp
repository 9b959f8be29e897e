#include "report/editor/editor.hpp"

#include "report/hand_made_verdicts.hpp"
#include "report/text.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace course::report {
namespace {

// A file whose lines 22 and 29 are those of the staged verdicts.
std::string staged_source() {
  std::string text;
  for (int line = 1; line <= 40; ++line)
    text += line == 5    ? "__global__ void transpose_tile(float* out, const float* in) {\n"
            : line == 6  ? "  __shared__ float tile[32][32];\n"
            : line == 22 ? "  tile[threadIdx.y][threadIdx.x] = in[in_row * cols + in_col];\n"
            : line == 29 ? "  out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];\n"
                         : "//\n";
  return text;
}

EditorView staged_view(const std::string& name) {
  return editor_view(hand_made::verdicts().at(name), staged_source());
}

const EditorPage* page_of_line(const EditorView& view, std::uint32_t line) {
  for (const auto& page : view.files.front().pages)
    if (page.line == line) return &page;
  return nullptr;
}

bool includes(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

device::LineCounts counts_in(const char* file, std::uint32_t line, const char* access) {
  device::LineCounts counts;
  counts.kernel = "turn";
  counts.file = file;
  counts.line = line;
  counts.kind = model::kind_of(access).value();
  counts.requests = counts.ideal = 64;
  counts.worst.active = 0xffffffff;
  counts.worst.width = 4;
  return counts;
}

LaunchReport staged_launches() {
  device::LaunchSum sum;
  sum.counts.kernel = "turn";
  sum.launches = 1;
  sum.lines = {counts_in("/home/me/turn.cu", 3, "shared_load_4"),
               counts_in("/home/me/part.cuh", 2, "shared_store_4"),
               counts_in("/usr/include/library.h", 1, "shared_load_4")};
  for (auto& line : sum.lines) line.wavefronts = 64;
  sum.lines[0].wavefronts = 128;
  sum.lines[0].ways[2] = 64;
  for (unsigned lane = 0; lane < 32; ++lane) sum.lines[0].worst.offset[lane] = lane * 8;
  LaunchReport report;
  report.program = "/home/me/turn.cu";
  report.launches = {sum};
  device::Finding race;
  race.kind = device::FindingKind::race;
  race.message = "`tile`[3] is read while another warp writes it";
  race.kernel = "turn";
  race.file = "/home/me/turn.cu";
  race.line = 3;
  race.other_line = 2;
  report.findings = {race};
  return report;
}

const std::vector<SourceText> kSources{
    {"/home/me/turn.cu", "__shared__ int tile[64];\n  tile[i] = 1;\n  int x = tile[2 * i];\n"},
    {"/home/me/part.cuh", "//\n//\n"}};

} // namespace

TEST_CASE("conflicts are a warning under the access that has them") {
  const auto view = staged_view("conflicts");
  REQUIRE(view.files.size() == 1);
  REQUIRE(view.files[0].marks.size() == 1);
  const auto& mark = view.files[0].marks[0];
  CHECK(mark.line == 29);
  CHECK(mark.from == 34);
  CHECK(mark.to == 64);
  CHECK(mark.level == MarkLevel::warning);
  CHECK(mark.rule == "conflicts");
  CHECK(mark.message ==
        "conflicts: 31 per request, limit 0. 1,024 requests took 32,768 passes; 1,024 would do.");
  CHECK(view.summary == "Not solved yet: 45 of 60 points.");
}

TEST_CASE("lines that were counted have words behind them, and a page with their picture") {
  const auto view = staged_view("conflicts");
  const auto& words = view.files[0].words;
  REQUIRE(words.size() == 2);
  CHECK(words[0].line == 22);
  CHECK(words[0].text == "no conflicts, 4 sectors per request");
  CHECK(words[1].text == "31 conflicts, 4 sectors per request");
  CHECK(words[1].end == 65);
  const auto* page = page_of_line(view, 29);
  REQUIRE(page);
  CHECK(includes(page->text, "2_pad.cu:29   32-way conflict"));
  CHECK(includes(page->text, "bank    0    0    0"));
  CHECK(includes(page->text, "would they have to be"));
  CHECK(includes(page->text, "global store 4"));
  CHECK_FALSE(includes(page->text, "shared load 4:")); // the check has drawn it
}

TEST_CASE("a file that passes has words and no marks") {
  const auto view = staged_view("passed");
  CHECK(view.files[0].marks.empty());
  CHECK(view.files[0].words.size() == 2);
  CHECK(view.summary == "Solved: 60 of 60 points.");
  auto later = hand_made::verdicts().at("conflicts");
  later.solved_before = {60, 60};
  CHECK(editor_view(later, staged_source()).summary ==
        "It stays solved: 60 of 60 points; this text has 45.");
}

TEST_CASE("a race is an error at one of its lines, and names the other") {
  const auto view = staged_view("race");
  const auto mark = std::ranges::find(view.files[0].marks, "race", &EditorMark::rule);
  REQUIRE(mark != view.files[0].marks.end());
  CHECK(mark->line == 29);
  CHECK(mark->level == MarkLevel::error);
  CHECK(mark->other_line == 22);
  CHECK(mark->message == "reads tile[31][0] (byte 3968), which thread (0,31,0) wrote, and no "
                         "barrier is between the two.");
  // Said once: not also as the check that it fails.
  CHECK(std::ranges::count(view.files[0].marks, "memory", &EditorMark::rule) == 0);
  CHECK(includes(page_of_line(view, 29)->text, "Threads do not run in step"));
}

TEST_CASE("a wrong output stands where its kernel begins") {
  const auto view = staged_view("edges");
  const auto& marks = view.files[0].marks;
  const auto mark = std::ranges::find(marks, "output", &EditorMark::rule);
  REQUIRE(mark != marks.end());
  CHECK(mark->line == 5);
  CHECK(mark->level == MarkLevel::error);
  CHECK(includes(mark->message, "out[0][64]"));
  CHECK(includes(page_of_line(view, 5)->text, "last whole tile"));
}

TEST_CASE("what nvcc refuses is at its line, in nvcc's words") {
  const auto view = staged_view("did_not_compile");
  REQUIRE(view.files[0].marks.size() == 1);
  CHECK(view.files[0].marks[0].line == 22);
  CHECK(view.files[0].marks[0].rule == "compile");
  CHECK(view.files[0].marks[0].message == "identifier \"tiel\" is undefined.");
  CHECK(view.files[0].words.empty());
}

TEST_CASE("what nvcc says of a header is not shown at a line of the file") {
  auto verdict = hand_made::verdicts().at("did_not_compile");
  verdict.compiler = "/usr/include/some.h(22): error: expected a ;\n";
  const auto view = editor_view(verdict, staged_source());
  REQUIRE(view.files[0].marks.size() == 1);
  CHECK(view.files[0].marks[0].line == 1);
  CHECK(includes(view.files[0].marks[0].message, "2_pad.cu does not compile."));
}

TEST_CASE("a crash has no line, and is said at the first") {
  const auto view = staged_view("crashed");
  REQUIRE(view.files[0].marks.size() == 1);
  CHECK(view.files[0].marks[0].line == 1);
  CHECK(includes(view.files[0].marks[0].message, "divided by zero"));
}

TEST_CASE("what the machine lacks is no mark in anybody's file") {
  const auto view = staged_view("set_up");
  CHECK(view.files.empty());
  CHECK(includes(view.trouble, "no nvcc"));
}

TEST_CASE("every staged verdict is shown within its file, and comes through JSON as it was") {
  for (const auto& [name, verdict] : hand_made::verdicts()) {
    const auto view = editor_view(verdict, staged_source());
    const auto text = json(view).dump();
    CHECK_MESSAGE(json(editor_view_of(text)).dump() == text, name);
    const bool failed = verdict.ending != judge::Ending::passed;
    for (const auto& file : view.files) {
      CHECK_MESSAGE(file.marks.empty() != failed, name);
      for (const auto& mark : file.marks) {
        CHECK_MESSAGE(mark.line >= 1, name);
        CHECK_MESSAGE(mark.line <= 40, name);
        CHECK_MESSAGE(mark.from <= mark.to, name);
      }
    }
  }
}

TEST_CASE("an empty file has its marks at its first line") {
  const auto view = editor_view(hand_made::verdicts().at("race"), "");
  for (const auto& mark : view.files[0].marks) CHECK(mark.line == 1);
}

TEST_CASE("a program's waste and findings stand in its own files, and not in a library's") {
  const auto view = editor_view(staged_launches(), kSources);
  REQUIRE(view.files.size() == 2);
  const auto& own = view.files[0];
  REQUIRE(own.marks.size() == 2);
  CHECK(own.marks[0].rule == "bank-conflicts");
  CHECK(own.marks[0].level == MarkLevel::warning);
  CHECK(own.marks[0].from == 10); // under tile[2 * i]
  CHECK(own.marks[0].to == 21);
  CHECK(own.marks[1].rule == "race"); // the worst of a line comes last
  CHECK(own.marks[1].level == MarkLevel::error);
  CHECK(own.marks[1].other_line == 2);
  REQUIRE(own.words.size() == 1);
  CHECK(own.words[0].text == "1 conflict per request");
  CHECK(includes(own.pages[0].text, "Threads do not run in step"));
  CHECK(includes(own.pages[0].text, "2-way conflict"));
  CHECK(view.files[1].path == "/home/me/part.cuh");
  CHECK(view.files[1].marks.empty());
  CHECK(view.files[1].words.size() == 1);
}

TEST_CASE("what a program's calls came to has no line") {
  auto report = staged_launches();
  report.errors = {{"cudaMemcpy", "cudaErrorInvalidValue", "the pointer is not one of the device"}};
  report.unsupported = {"cudaGraphCreate"};
  const auto view = editor_view(report, kSources);
  CHECK(view.files[0].marks[0].message ==
        "cudaMemcpy returned cudaErrorInvalidValue: the pointer is not one of the device.");
  CHECK(view.files[0].marks[1].rule == "not-supported");
}

TEST_CASE("a run that was stopped says so") {
  auto report = staged_launches();
  report.stopped_by = "--limit 20s";
  CHECK(editor_view(report, kSources).summary.starts_with("Not complete: --limit 20s stopped it."));
}

TEST_CASE("a program that does not compile has nvcc's messages, of either compiler") {
  const auto view =
      editor_view_of_compiler("/home/me/turn.cu(2): error: identifier \"tyle\" is undefined\n"
                              "/home/me/turn.cu:3:5: warning: unused variable 'x'\n"
                              "course run: nvcc did not compile it\n",
                              kSources[0]);
  const auto& marks = view.files[0].marks;
  REQUIRE(marks.size() == 2);
  CHECK(marks[0].line == 2);
  CHECK(marks[0].level == MarkLevel::error);
  CHECK(marks[1].line == 3);
  CHECK(marks[1].level == MarkLevel::warning);
  const auto linked = editor_view_of_compiler("undefined reference to `f()'\n", kSources[0]);
  REQUIRE(linked.files[0].marks.size() == 1);
  CHECK(linked.files[0].marks[0].line == 1);
}

TEST_CASE("what is no view says so") {
  CHECK_FALSE(editor_view_of("").trouble.empty());
  CHECK_FALSE(editor_view_of("{}").trouble.empty());
  CHECK_FALSE(editor_view_of(R"({"summary":1,"trouble":"","files":[]})").trouble.empty());
}

} // namespace course::report
