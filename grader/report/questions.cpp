#include "report/questions.hpp"

#include "judge/blame.hpp"
#include "judge/counts.hpp"
#include "report/words/check_table.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

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

// The first two lanes whose words are as `asked`.
template <class Asked>
std::optional<std::pair<int, int>> two_lanes(const device::RequestSample& request, Asked asked) {
  for (int a = 0; a < 32; ++a)
    for (int b = a + 1; b < 32; ++b)
      if (active(request, a) && active(request, b) &&
          asked(request.offset[a] / kWord, request.offset[b] / kWord))
        return std::pair{a, b};
  return std::nullopt;
}

std::optional<std::pair<int, int>> rivals(const device::RequestSample& request) {
  return two_lanes(
      request, [](auto one, auto other) { return one != other && one % kBanks == other % kBanks; });
}

const char* verb(const device::LineCounts& line) {
  const auto kind = judge::access(line.access);
  if (!kind) return "touch";
  switch (kind->direction) {
  case judge::Direction::load:
    return "read";
  case judge::Direction::store:
    return "write";
  case judge::Direction::atomic:
    return "update";
  }
  return "touch";
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
  if (std::popcount(request.active) == 1)
    return fmt::format("One lane alone takes part in each of these requests, which have room for "
                       "32. Which lanes could {} the elements beside it at the same time?",
                       verb(line));
  if (usual_stride(request) != std::int64_t{0}) return "";
  if (std::string_view(verb(line)) == "update")
    return "Each of these requests updates one address for all its lanes, and there are too many "
           "of them. How could the values of many threads be brought together before one thread "
           "updates it?";
  return fmt::format("The lanes of each request {} one and the same address; there are just too "
                     "many requests. How often does each element come this way, and who could "
                     "keep it in between?",
                     verb(line));
}

std::string ask_about_stride(const char* verb, std::int64_t words) {
  const auto apart = std::abs(words);
  if (apart == kBanks)
    return fmt::format("Neighbouring lanes {} words 32 apart, and 32 is the number of banks. How "
                       "far apart would they have to be for each to land in a bank of its own?",
                       verb);
  if (apart % kBanks == 0)
    return fmt::format("Neighbouring lanes {} words {} apart, a multiple of 32, the number of "
                       "banks. How far apart would they have to be for each to land in a bank of "
                       "its own?",
                       verb, apart);
  const auto common = std::gcd(apart, kBanks);
  return fmt::format("Neighbouring lanes {} words {} apart, so they come back to the same bank "
                     "after {} lanes, and {} of the 32 banks have nothing to do. Which distances "
                     "lead through all 32?",
                     verb, apart, kBanks / common, kBanks - kBanks / common);
}

// Words between one lane and the next, where there is a distance that explains a conflict.
std::optional<std::int64_t> word_stride(const device::RequestSample& request) {
  const auto step = stride(request);
  if (!step || *step == 0 || *step % kWord != 0 || request.width != kWord) return std::nullopt;
  return *step / kWord;
}

// The author's question is about a value that is there.
std::string who_is_in_charge(const judge::Check& check, const judge::WrongOutput& wrong) {
  const bool unwritten = wrong.comparison.unwritten == wrong.comparison.wrong;
  return check.question.empty() || unwritten
             ? "Which thread is in charge of it, and what keeps it out?"
             : check.question;
}

std::string ask_about_counted(const judge::Check& check) {
  const auto* about = about_check(check.name);
  if (check.measures.empty() || !about) return "";
  const auto& measure = check.measures.front();
  return measure.value < measure.low ? about->too_few
         : measure.high == 0         ? about->where_none_is_allowed
                                     : about->too_many;
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
  if (const auto two = rivals(request)) {
    const auto first = request.offset[two->first] / kWord;
    const auto second = request.offset[two->second] / kWord;
    return fmt::format("Lanes {} and {} {} words {} and {}, and both words are in bank {}: a bank "
                       "serves one word at a time. What would move one of them to another bank, "
                       "and leave the others apart?",
                       two->first, two->second, verb(line), first, second, first % kBanks);
  }
  const auto two = two_lanes(request, [](auto one, auto other) { return one == other; });
  if (two && std::string_view(verb(line)) == "update")
    return fmt::format("Lanes {} and {} update word {}, and lanes that update one word take turns. "
                       "Who could do it for both, or which other word could one of them update?",
                       two->first, two->second, request.offset[two->first] / kWord);
  return "Several lanes need the same bank at the same time. Which of them could go elsewhere?";
}

std::string ask_about_sectors(const judge::Check& check, const device::LineCounts& line) {
  if (auto lone = ask_about_lone_elements(line); !lone.empty()) return lone;
  const auto step = usual_stride(line.worst);
  const auto width = static_cast<std::int64_t>(line.worst.width);
  if (step && width > 0 && *step > width && *step <= kGapsOfOneThread)
    return fmt::format("Neighbouring lanes {0} {1} bytes of every {2}, and the sectors are carried "
                       "whole, 32 bytes. Who {0}s the {3} bytes between, and with which request?",
                       verb(line), width, *step, *step - width);
  if (step && std::abs(*step) > width && width > 0)
    return fmt::format("Neighbouring lanes {} addresses {} bytes apart, where {} would do: the "
                       "sectors are carried whole, 32 bytes, and most of each is for nobody. "
                       "Which index should grow with threadIdx.x for neighbours to {} "
                       "neighbours?",
                       verb(line), thousands(std::abs(*step)), width, verb(line));
  if (!check.question.empty()) return check.question;
  if (judge::sectors_in_excess(line) == 0 ||
      (step == width && !would_do_without_excess(check, line)))
    return fmt::format("The lanes of each request {} neighbours; there are just too many requests. "
                       "How often does each element come this way, and who could keep it in "
                       "between?",
                       verb(line));
  if (step == width && line.sectors <= line.requests * (line.worst.width + 1) &&
      would_do_without_excess(check, line))
    return fmt::format("The lanes of each request {} neighbours, but the first of them in the "
                       "middle of a sector, so that one sector more is touched than would do. At "
                       "which multiple of 32 bytes could a warp begin?",
                       verb(line));
  return fmt::format("The lanes of one request {} {} sectors of 32 bytes. Are all the bytes of "
                     "those sectors wanted, and wanted once?",
                     verb(line), ratio(line.sectors, std::max<std::uint64_t>(line.requests, 1)));
}

std::string ask_about_output(const judge::Check& check, const judge::WrongOutput& wrong) {
  using judge::Pattern;
  const auto& name = wrong.buffer;
  switch (wrong.comparison.pattern) {
  case Pattern::all_unwritten:
    return fmt::format("Nothing at all was written to `{}`. Which line stores to it, and for which "
                       "threads is that line reached?",
                       name);
  case Pattern::equals_input:
    return fmt::format("`{}` is the input, in the input's order. Where should a row become a "
                       "column?",
                       name);
  case Pattern::last_row:
    return "Only the last row is wrong. " + who_is_in_charge(check, wrong);
  case Pattern::last_column:
    return fmt::format("Only the last {} is wrong. ",
                       wrong.comparison.extent.rows == 1 ? "element" : "column") +
           who_is_in_charge(check, wrong);
  case Pattern::past_tiles:
    return "Every wrong element lies beyond the last whole tile of 32 x 32. How many blocks does "
           "it take to cover the matrix, and how many are launched?";
  case Pattern::all_wrong:
  case Pattern::none:
    break;
  }
  if (wrong.comparison.unwritten == wrong.comparison.wrong)
    return "What is written is right, but not everything is written. Which threads should write "
           "the rest?";
  if (wrong.comparison.zeros == wrong.comparison.elements && wrong.comparison.elements > 1)
    return fmt::format("Every element of `{}` is 0. ", name) +
           (check.question.empty() ? "Which of the things that it is made of is still 0, and who "
                                     "should have filled it?"
                                   : check.question);
  if (!check.question.empty()) return check.question;
  if (const auto& home = wrong.comparison.belongs; home && wrong.comparison.first) {
    const auto extent = wrong.comparison.extent;
    return fmt::format("The value found in {} is the one that belongs in {}. Which index sent it "
                       "there?",
                       judge::subscript(name, *wrong.comparison.first, extent),
                       judge::subscript(name, *home, extent));
  }
  return "Follow this one element by hand: which thread writes it, and where does that thread "
         "read?";
}

namespace {

std::string ask_about_blocks(const device::Finding& race) {
  if (race.other_line == 0 || race.other_line == race.line)
    return "Blocks run in any order, and many at the same time. What lets them take turns at this "
           "element?";
  return fmt::format("Blocks run in any order, and many at the same time. What orders line {} of "
                     "one block and line {} of another?",
                     std::min(race.line, race.other_line), std::max(race.line, race.other_line));
}

std::string ask_about_race(const device::Finding& race) {
  switch (race.meeting) {
  case device::Meeting::one_instruction:
    return "Two lanes of one warp have the same place to write to. From which of their indices "
           "does "
           "it follow, and should it be the same for both?";
  case device::Meeting::copy_in_flight:
    return "An asynchronous copy is only on its way when its line is done. What waits for it, and "
           "how do the threads that did not start it learn that it has come?";
  case device::Meeting::between_blocks:
    return ask_about_blocks(race);
  case device::Meeting::between_streams:
    return "Work of two streams may be done at the same time, whatever the order of the calls. "
           "Which event would the later of the two have to wait for, and where is it recorded?";
  case device::Meeting::with_host:
    return "A launch only asks for the kernel. What has host code to call before it can count on "
           "what the kernel does?";
  case device::Meeting::in_any_order:
    break;
  }
  if (race.other_line == 0 || race.other_line == race.line)
    return "Threads do not run in step, not even those of one warp. What keeps two of them from "
           "this element at the same time?";
  return fmt::format("Threads do not run in step, not even those of one warp. What keeps one of "
                     "them from line {1} while another is at line {0}, or, in a loop, from the "
                     "next round's line {0} while another is at line {1}?",
                     std::min(race.line, race.other_line), std::max(race.line, race.other_line));
}

} // namespace

std::string ask_about_finding(const device::Finding& finding) {
  using device::FindingKind;
  switch (finding.kind) {
  case FindingKind::out_of_bounds:
    return "For this block and thread, what is the index, and how large is the array?";
  case FindingKind::misaligned:
    return "An access of 2, 4, 8 or 16 bytes has to start at a multiple of its size. Where does "
           "this one start?";
  case FindingKind::uninitialised:
    return "Who should have written this element before, and was it on time? Or is it another "
           "element that this thread means to have?";
  case FindingKind::race:
    return ask_about_race(finding);
  case FindingKind::use_after_free:
    return "Who frees this memory, and who still needs it?";
  case FindingKind::barrier:
    return "A barrier waits for all threads of the block. Which of them never come here?";
  case FindingKind::warp_barrier:
    return "__syncwarp() is for the lanes that its mask names: all of these have to come, and no "
           "other may. Which lanes are active here?";
  case FindingKind::stack:
    return "For which argument does this function no longer call itself, and is it ever called "
           "with that one?";
  case FindingKind::shuffle:
    return "A lane that takes no part has nothing to give. Which lanes are active here?";
  case FindingKind::read_only:
    return "Which pointer leads here, and what does it point to?";
  case FindingKind::same_value:
    return "All of them write the same. Would one of them do?";
  case FindingKind::phase:
    return "For one phase of this barrier: who arrives, how often, how many bytes come, and who "
           "waits "
           "for it before the next phase can end?";
  case FindingKind::bulk_copy:
    return "A bulk copy moves chunks of 16 bytes between addresses that are multiples of 16. Which "
           "of its three numbers is not one?";
  case FindingKind::proxy:
    return "Ordinary stores and asynchronous copies reach memory by different ways. Which fence "
           "makes the one wait for the other?";
  case FindingKind::wgmma:
    return "Between wgmma.fence and wgmma.wait_group registers belong to the product, and a "
           "descriptor has to say how its tile lies. Which of these does not hold here?";
  case FindingKind::cluster:
    return "Which block of the cluster is done first, and who still needs it?";
  case FindingKind::budget:
    return "For which value should the loop on this line end, and does its variable ever get "
           "there?";
  case FindingKind::trap:
    return "What did the kernel check here, and why did it not hold?";
  }
  return "";
}

std::string ask_about(const judge::Check& check) {
  if (!check.measures.empty() && check.measures.front().what == "elements_astray")
    return "What comes from which thread is followed, whatever else is loaded and stored beside "
           "it. By which instructions does this value get from the thread that loads it to the "
           "one that writes it?";
  if (check.name == "traffic" && check.question.empty() && !check.measures.empty()) {
    bool none = true, less = false;
    for (const auto& measure : check.measures) {
      none = none && measure.value == 0;
      less = less || measure.value < measure.low;
    }
    if (none)
      return "The exercise is about shared memory, and this kernel has none. Through which array "
             "should an element go on its way?";
    if (less) return "Some elements never pass through the tile. Which way do they take?";
    return "Some elements pass through the tile more than once. Which line moves them again?";
  }
  if (std::holds_alternative<judge::facts::NothingLaunched>(check.facts))
    return "Which line launches the kernel, and what has to be true for it to be reached?";
  if (const auto* refused = std::get_if<judge::facts::CallRefused>(&check.facts))
    return refused->is_launch()
               ? "A launch that is refused says nothing by itself: cudaGetLastError() after it "
                 "does. What does this device allow?"
               : "A call that is refused returns why, and what builds on it fails as well. What "
                 "does this device allow?";
  return check.question.empty() ? ask_about_counted(check) : check.question;
}

} // namespace course::report
