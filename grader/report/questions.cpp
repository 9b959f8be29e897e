#include "report/questions.hpp"

#include "judge/blame.hpp"
#include "judge/counts.hpp"
#include "language/of_course.hpp"
#include "language/translate.hpp"
#include "report/words/check_table.hpp"
#include "report/words/numbers.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

namespace course::report {
namespace {

constexpr std::int64_t kBanks = 32;
constexpr std::int64_t kWord = 4; // bytes
// Lanes so many bytes apart leave out what belongs to the same element, or to the same thread.
constexpr std::int64_t kGapsOfOneThread = 64;

bool active(const device::RequestSample& request, int lane) {
  return (request.active >> lane & 1) != 0;
}

// How often active neighbours are so many bytes apart.
std::map<std::int64_t, int> distances(const device::RequestSample& request) {
  std::map<std::int64_t, int> found;
  for (int lane = 0; lane + 1 < 32; ++lane)
    if (active(request, lane) && active(request, lane + 1))
      ++found[static_cast<std::int64_t>(request.offset[lane + 1] - request.offset[lane])];
  return found;
}

// The distance, where it is always the same.
std::optional<std::int64_t> stride(const device::RequestSample& request) {
  const auto all = distances(request);
  return all.size() == 1 ? std::optional(all.begin()->first) : std::nullopt;
}

// The distance, where most neighbours keep it: the rows of a tile may break it in between.
std::optional<std::int64_t> usual_stride(const device::RequestSample& request) {
  const auto all = distances(request);
  const auto count = [](int sum, const auto& one) { return sum + one.second; };
  const auto most = std::ranges::max_element(all, {}, [](const auto& one) { return one.second; });
  if (most == all.end() || 4 * most->second < 3 * std::accumulate(all.begin(), all.end(), 0, count))
    return std::nullopt;
  return most->first;
}

// Of 8 bytes per lane half a warp is served at a time, of 16 a quarter.
bool at_once(const device::RequestSample& request, int a, int b) {
  const auto lanes =
      std::max<std::int64_t>(kBanks * kWord / std::max<std::int64_t>(request.width, kWord), 1);
  return a / lanes == b / lanes;
}

// The first two lanes, of those that are served at a time, whose words are as `asked`.
template <class Asked>
std::optional<std::pair<int, int>> two_lanes(const device::RequestSample& request, Asked asked) {
  for (int a = 0; a < 32; ++a)
    for (int b = a + 1; b < 32; ++b)
      if (active(request, a) && active(request, b) && at_once(request, a, b) &&
          asked(request.offset[a] / kWord, request.offset[b] / kWord))
        return std::pair{a, b};
  return std::nullopt;
}

std::optional<std::pair<int, int>> rivals(const device::RequestSample& request) {
  return two_lanes(
      request, [](auto one, auto other) { return one != other && one % kBanks == other % kBanks; });
}

bool updates(const device::LineCounts& line) {
  const auto [memory, direction] = line.kind.use();
  return model::is_plain(memory) && direction == model::Direction::atomic;
}

std::string verb(const device::LineCounts& line) {
  const auto [memory, direction] = line.kind.use();
  if (!model::is_plain(memory)) return trc("of lanes", "touch");
  switch (direction) {
  case model::Direction::load:
    return trc("of lanes", "read");
  case model::Direction::store:
    return trc("of lanes", "write");
  case model::Direction::atomic:
    return trc("of lanes", "update");
  }
  return trc("of lanes", "touch");
}

// Whether the line's requests would be few enough if none touched more sectors than it fills.
bool would_do_without_excess(const judge::Check& check, const device::LineCounts& line) {
  const auto excess = judge::sectors_in_excess(line);
  return std::ranges::all_of(check.measures, [&](const judge::Measure& one) {
    return one.holds() || one.value - std::min(one.value, excess) <= one.high;
  });
}

// Of requests that move one element each: there can only be too many of them. Empty for others.
std::string ask_about_lone_elements(const device::LineCounts& line) {
  const auto& request = line.worst;
  if (line.sectors > line.requests * ((request.width + 31) / 32)) return "";
  if (std::popcount(request.active) == 1 && updates(line))
    return tr("One lane alone updates a word in each of these requests, and there are too many of "
              "them. If it is always the same word: how often does a thread come here, and does it "
              "wait for another block, which need not have begun? If not: which lanes could update "
              "the words beside it at the same time?");
  if (std::popcount(request.active) == 1)
    return tr("One lane alone takes part in each of these requests, which have room for "
              "32. Which lanes could {} the elements beside it at the same time?",
              verb(line));
  if (usual_stride(request) != std::int64_t{0}) return "";
  if (updates(line))
    return tr(
        "Each of these requests updates one address for all its lanes, and there are too many "
        "of them. How could the values of many threads be brought together before one thread "
        "updates it?");
  return tr("The lanes of each request {} one and the same address; there are just too "
            "many requests. How often does each element come this way, and who could "
            "keep it in between?",
            verb(line));
}

std::string ask_about_stride(const std::string& verb, std::int64_t words) {
  const auto apart = std::abs(words);
  if (apart == kBanks)
    return tr("Neighbouring lanes {} words 32 apart, and 32 is the number of banks. How "
              "far apart would they have to be for each to land in a bank of its own?",
              verb);
  if (apart % kBanks == 0)
    return tr("Neighbouring lanes {} words {} apart, a multiple of 32, the number of "
              "banks. How far apart would they have to be for each to land in a bank of "
              "its own?",
              verb, apart);
  const auto common = std::gcd(apart, kBanks);
  return tr("Neighbouring lanes {} words {} apart, so they come back to the same bank "
            "after {} lanes, and {} of the 32 banks have nothing to do. Which distances "
            "lead through all 32?",
            verb, apart, kBanks / common, kBanks - kBanks / common);
}

// Of an asynchronous copy whose places in shared memory do not say what it waits for
// (model/async_copy.hpp has the rules).
std::string ask_about_copy_sides(bool around_l1) {
  if (around_l1)
    return tr("An asynchronous copy of 16 bytes per lane carries whole sectors of 32 bytes, and a "
              "sector of global memory that does not arrive as one of shared memory goes in "
              "pieces, one after another. Counted from a multiple of 128 bytes: where does a lane "
              "read, and where does it write?");
  return tr("An asynchronous copy has a bank on either side: that of the word which a lane reads "
            "in global memory counts as well, its number modulo 32. On which side do several "
            "lanes share a bank?");
}

// Words between one lane and the next, where there is a distance that explains a conflict.
std::optional<std::int64_t> word_stride(const device::RequestSample& request) {
  const auto step = stride(request);
  if (!step || *step == 0 || *step % kWord != 0 || request.width != kWord) return std::nullopt;
  const auto words = *step / kWord;
  return words % 2 == 0 ? std::optional(words) : std::nullopt;
}

// What is known of why it failed, or else what the author asks; may be empty.
std::string own_question(const judge::Check& check) {
  if (check.shape.again)
    return tr(
        "The function was called several times by one program, each time with other numbers "
        "and, where there are any, with other sizes; by itself, each call came out right. What "
        "does a call leave in a variable, of the host or of the device, that the next takes "
        "for its own?");
  if (check.right_in_another_order && check.shape.drawn_order)
    return tr(
        "In another order this shape came out right. Here threads, warps and blocks are "
        "stopped where others can tell, waits end early, and copies and stores come late, as CUDA "
        "allows; and a variable that nothing has set holds anything. What does the kernel take "
        "for granted about who comes first, how long a wait lasts, or what it begins with?");
  if (check.right_in_another_order)
    return tr(
        "With blocks in another order this shape came out right. What does the kernel take "
        "for granted about which block, or which warp, comes first? Or does it read a variable "
        "that nothing has set, which there holds anything?");
  if (const auto& removed = check.removed)
    return tr("The compiler removed `{}` of {}, line {}: what a thread loads from it, it has "
              "stored itself, or nobody loads it. What, between the store and the load, would "
              "oblige the compiler to go through memory?",
              removed->name, removed->kernel, removed->line);
  return language::of_course(check.question);
}

// The author's question is about a value that is there.
std::string who_is_in_charge(const judge::Check& check, const judge::WrongOutput& wrong) {
  const bool unwritten = wrong.comparison.unwritten == wrong.comparison.wrong;
  return own_question(check).empty() || unwritten
             ? tr("Which thread is in charge of it, and what keeps it out?")
             : own_question(check);
}

std::string sectors_a_request(const device::LineCounts& line) {
  return line.sectors == line.requests
             ? counted(1, "{} sector", "{} sectors")
             : tr("{} sectors", ratio(line.sectors, std::max<std::uint64_t>(line.requests, 1)));
}

std::string ask_about_counted(const judge::Check& check) {
  const auto* about = about_check(check.name);
  if (check.measures.empty() || !about) return "";
  const auto& measure = check.measures.front();
  const char* question = measure.value < measure.low ? about->too_few
                         : measure.high == 0         ? about->where_none_is_allowed
                                                     : about->too_many;
  return *question ? language::translated(question) : "";
}

} // namespace

std::vector<int> lanes_in_conflict(const device::LineCounts& line) {
  if (word_stride(line.worst)) return {};
  const auto two = rivals(line.worst);
  return two ? std::vector<int>{two->first, two->second} : std::vector<int>{};
}

std::string ask_about_conflicts(const device::LineCounts& line) {
  const auto& request = line.worst;
  if (const auto words = word_stride(request)) return ask_about_stride(verb(line), *words);
  if (const auto two = rivals(request); two && request.width > kWord && !updates(line)) {
    const auto a = request.offset[two->first] / kWord, b = request.offset[two->second] / kWord;
    return tr(
        "Each lane moves {} bytes with one instruction here, whether your code says so or the "
        "compiler made one of several, so {} lanes are served at a time. Lanes {} and {} {} "
        "words from {} and {} on, and both begin in bank {}. What would move one of them to "
        "other banks?",
        request.width, kBanks * kWord / request.width, two->first, two->second, verb(line), a, b,
        a % kBanks);
  }
  if (const auto two = rivals(request)) {
    const auto first = request.offset[two->first] / kWord;
    const auto second = request.offset[two->second] / kWord;
    return tr("Lanes {} and {} {} words {} and {}, and both words are in bank {}: a bank "
              "serves one word at a time. What would move one of them to another bank, "
              "and leave the others apart?",
              two->first, two->second, verb(line), first, second, first % kBanks);
  }
  const auto two = two_lanes(request, [](auto one, auto other) { return one == other; });
  if (two && updates(line))
    return tr("Lanes {} and {} update word {}, and lanes that update one word take turns. "
              "Who could do it for both, or which other word could one of them update?",
              two->first, two->second, request.offset[two->first] / kWord);
  if (line.kind.access == model::RequestKind::cp_async)
    return ask_about_copy_sides(line.kind.around_l1);
  return tr("Several lanes need the same bank at the same time. Which of them could go elsewhere?");
}

std::string ask_about_sectors(const judge::Check& check, const device::LineCounts& line) {
  if (auto lone = ask_about_lone_elements(line); !lone.empty()) return lone;
  const auto step = usual_stride(line.worst);
  const auto width = static_cast<std::int64_t>(line.worst.width);
  if (step && width > 0 && *step > width && *step <= kGapsOfOneThread)
    return tr("Neighbouring lanes {0} {1} bytes of every {2}, and the sectors are carried "
              "whole, 32 bytes. Who {0}s the {3} bytes between, and with which request?",
              verb(line), width, *step, *step - width);
  if (step && std::abs(*step) > width && width > 0)
    return tr("Neighbouring lanes {} addresses {} bytes apart, where {} would do: the "
              "sectors are carried whole, 32 bytes, and most of each is for nobody. "
              "Which index should grow with threadIdx.x for neighbours to {} "
              "neighbours?",
              verb(line), thousands(std::abs(*step)), width, verb(line));
  if (!own_question(check).empty()) return own_question(check);
  if (const int lanes = std::popcount(line.worst.active); step == width && lanes < 32)
    return tr("The lanes of each request {} neighbours, and {} of the 32 take part: there are more "
              "requests than full warps would need, and each may begin and end within a sector. "
              "Who has nothing to do here, and how often does each element come this way?",
              verb(line), lanes);
  if (judge::sectors_in_excess(line) == 0 ||
      (step == width && !would_do_without_excess(check, line)))
    return tr("The lanes of each request {} neighbours; there are just too many requests. "
              "How often does each element come this way, and who could keep it in "
              "between?",
              verb(line));
  if (step == width && line.sectors <= line.requests * (line.worst.width + 1) &&
      would_do_without_excess(check, line))
    return tr("The lanes of each request {} neighbours, but the first of them in the "
              "middle of a sector, so that one sector more is touched than would do. At "
              "which multiple of 32 bytes could a warp begin?",
              verb(line));
  if (model::is_bulk(line.kind.access))
    return tr("Each of these requests is one bulk copy, whichever call made it, and touches {} of "
              "32 bytes. Are all the bytes of those sectors wanted, and how many neighbours could "
              "come with one copy?",
              sectors_a_request(line));
  return tr("The lanes of one request {} {} of 32 bytes. Are all the bytes of those sectors "
            "wanted, and wanted once?",
            verb(line), sectors_a_request(line));
}

std::string ask_about_output(const judge::Check& check, const judge::WrongOutput& wrong) {
  using judge::Pattern;
  const auto& name = wrong.buffer;
  switch (wrong.comparison.pattern) {
  case Pattern::all_unwritten:
    return tr("Nothing at all was written to `{}`. Which line stores to it, and for which "
              "threads is that line reached?",
              name);
  case Pattern::equals_input:
    return tr("`{}` is the input, in the input's order. Where should a row become a "
              "column?",
              name);
  case Pattern::last_row:
    return tr("Only the last row is wrong. {}", who_is_in_charge(check, wrong));
  case Pattern::last_column:
    return wrong.comparison.extent.rows == 1
               ? tr("Only the last element is wrong. {}", who_is_in_charge(check, wrong))
               : tr("Only the last column is wrong. {}", who_is_in_charge(check, wrong));
  case Pattern::past_tiles:
    return tr(
        "Every wrong element lies beyond the last whole tile of 32 x 32. How many blocks does "
        "it take to cover the matrix, and how many are launched?");
  case Pattern::all_wrong:
  case Pattern::none:
    break;
  }
  if (wrong.comparison.unwritten == wrong.comparison.wrong)
    return tr("What is written is right, but not everything is written. Which threads should write "
              "the rest?");
  if (wrong.comparison.zeros == wrong.comparison.elements && wrong.comparison.elements > 1)
    return tr("Every element of `{}` is 0. {}", name,
              own_question(check).empty()
                  ? tr("Which of the things that it is made of is still 0, and "
                       "who should have filled it?")
                  : own_question(check));
  if (!own_question(check).empty()) return own_question(check);
  if (const auto& home = wrong.comparison.belongs; home && wrong.comparison.first) {
    const auto extent = wrong.comparison.extent;
    return tr("The value found in {} is the one that belongs in {}. Which index sent it "
              "there?",
              judge::subscript(name, *wrong.comparison.first, extent),
              judge::subscript(name, *home, extent));
  }
  return tr("Follow this one element by hand: which thread writes it, and where does that thread "
            "read?");
}

std::string ask_about(const judge::Check& check) {
  const bool astray = !check.measures.empty() && check.measures.front().what == "elements_astray";
  // An exercise's own question of what its answer is made of is one of the way; others ask of
  // amounts.
  if (astray && check.kind() == judge::CheckKind::uses && !own_question(check).empty())
    return own_question(check);
  if (astray)
    return tr("What comes from which thread is followed, whatever else is loaded and stored beside "
              "it. By which instructions does this value get from the thread that loads it to the "
              "one that writes it?");
  if (check.kind() == judge::CheckKind::traffic && own_question(check).empty() &&
      !check.measures.empty()) {
    bool none = true, less = false;
    for (const auto& measure : check.measures) {
      none = none && measure.value == 0;
      less = less || measure.value < measure.low;
    }
    if (none)
      return tr(
          "The exercise is about shared memory, and here none is touched. Through which array "
          "should an element go on its way?");
    if (less)
      return tr("Shared memory moves less here than the work takes in tiles of the task's size. "
                "What does not pass through it, or passes fewer times?");
    return tr("Shared memory moves more here than the work takes in tiles of the task's size. "
              "Which line moves elements again, or what is no element?");
  }
  if (std::holds_alternative<judge::facts::NothingLaunched>(check.facts))
    return tr("Which line launches the kernel, and what has to be true for it to be reached?");
  if (const auto* refused = std::get_if<judge::facts::CallRefused>(&check.facts))
    return refused->is_launch()
               ? tr("A launch that is refused says nothing by itself: cudaGetLastError() after it "
                    "does. Is there anything to launch for this shape, and how much does this "
                    "device allow?")
               : tr("A call that is refused returns why, and what builds on it fails as well. What "
                    "does this device allow?");
  return own_question(check).empty() ? ask_about_counted(check) : own_question(check);
}

} // namespace course::report
