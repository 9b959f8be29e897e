#include "cli/banks/one_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "cli/banks/lane_expression.hpp"
#include "cli/banks/remedy.hpp"
#include "device/model/shared.hpp"
#include "language/columns.hpp"
#include "language/translate.hpp"
#include "report/picture/lane_picture.hpp"

namespace course::cli {
namespace {

using model::kLanes;
using model::Passes;
using model::Request;

bool is_on(std::uint32_t active, int lane) {
  return active >> lane & 1;
}

std::string access_name(model::RequestKind access) {
  return access == model::RequestKind::shared_load    ? trc("an access", "load")
         : access == model::RequestKind::shared_store ? trc("an access", "store")
                                                      : trc("an access", "atomic add");
}

// What is wrong with the options, apart from the expression.
std::optional<std::string> unanswerable(const Question& question) {
  const bool atomic = question.access == model::RequestKind::shared_atomic;
  if (atomic && question.width != 4 && question.width != 8)
    return tr("--width {}: atomics on shared memory add 4 or 8 bytes", question.width);
  if (!model::has_rule(*question.architecture, question.access, atomic ? 4 : question.width))
    return tr("--access atomic: how {} devices serve atomics is not documented; ask about loads "
              "or stores, or the h200",
              question.architecture->name);
  if (question.swizzle != model::Swizzle::none && !question.architecture->tensor_maps)
    return tr("--swizzle: {} devices have no tensor maps; ask about the h200",
              question.architecture->name);
  if (question.active == 0) return tr("--mask 0: a request has at least one active lane");
  return std::nullopt;
}

Refusal refused(const Question& question, const std::string& problem, std::size_t position = 0) {
  return {with_caret(question.index, {position, problem})};
}

// The indices of the active lanes, within the memory that a block can have.
std::variant<IndexedRequest, Refusal> indexed(const Question& question) {
  const auto parsed = LaneExpression::parse(question.index);
  if (const auto* error = std::get_if<ExpressionError>(&parsed))
    return Refusal{with_caret(question.index, *error)};

  IndexedRequest request{question.architecture, question.access,  question.width,
                         question.active,       question.swizzle, {}};
  if (question.access == model::RequestKind::shared_atomic && question.width == 8)
    request.access = model::RequestKind::shared_atomic_loop;
  const std::int64_t bytes = static_cast<std::int64_t>(question.architecture->shared_bytes_a_block);
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!is_on(question.active, lane)) continue;
    const auto value = std::get<LaneExpression>(parsed).value_at(lane);
    if (const auto* error = std::get_if<ExpressionError>(&value))
      return Refusal{with_caret(question.index, *error)};
    const std::int64_t index = std::get<std::int64_t>(value);
    if (index < 0) return refused(question, tr("index {} in lane {} is negative", index, lane));
    if (index >= bytes / question.width)
      return refused(question, tr("index {} in lane {}: a block's shared memory has room for {}",
                                  index, lane, bytes / question.width));
    request.index[lane] = index;
  }
  return request;
}

// "a 2-way", "an 8-way"
std::string conflict(int ways) {
  const bool an = ways == 8 || ways == 11 || ways == 18;
  return an ? tr("an {}-way conflict", ways) : tr("a {}-way conflict", ways);
}

std::string title(const Question& question) {
  const int lanes = std::popcount(question.active);
  auto text =
      trn("{}-byte {}, lane t at element {}, {} lane active\n  on {}\n",
          "{}-byte {}, lane t at element {}, {} lanes active\n  on {}\n",
          static_cast<std::uint64_t>(lanes), question.width, access_name(question.access),
          question.index, lanes,
          language::translated("architecture", std::string(question.architecture->title).c_str()));
  if (question.swizzle != model::Swizzle::none)
    text += tr("  in a tile that a tensor map brought with a swizzle of {} bytes\n",
               model::swizzle_span(question.swizzle));
  return text;
}

// The bank that most distinct words, or in an atomic most lanes, want; the lowest of several.
int fullest_bank(const IndexedRequest& indexed, const Request& request) {
  // With one lane fewer in it the fullest bank has less to serve, and any other has not: so take
  // each bank's lanes alone and see what they cost.
  int fullest = 0, most = 0;
  for (int bank = 0; bank < indexed.architecture->banks; ++bank) {
    Request alone = request;
    alone.active = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t first = request.offset[lane] / request.width * request.width;
      for (std::uint32_t byte = first; byte < first + request.width; byte += model::kWordBytes)
        if (is_on(request.active, lane) && model::bank_of(*indexed.architecture, byte) == bank)
          alone.active |= 1u << lane;
    }
    const int ways = model::shared_passes(*indexed.architecture, alone).ways;
    if (ways > most) {
      most = ways;
      fullest = bank;
    }
  }
  return fullest;
}

std::string row(const std::string& title, int number) {
  return fmt::format("  {} {:5}\n", language::padded(title, 10), number);
}

std::string numbers(const IndexedRequest& indexed, const Request& request, const Passes& passes) {
  const bool atomic = indexed.access != model::RequestKind::shared_load &&
                      indexed.access != model::RequestKind::shared_store;
  const int bank = passes.ways == 1 ? 0 : fullest_bank(indexed, request);
  const auto fullest = passes.ways == 1 ? tr("none has more than one word to serve")
                                        : (atomic ? tr("{}, with {} lanes one after another: {}",
                                                       bank, passes.ways, conflict(passes.ways))
                                                  : tr("{}, with {} different words: {}", bank,
                                                       passes.ways, conflict(passes.ways)));
  return fmt::format("  {}   {}\n", language::padded(tr("fullest bank"), 12), fullest) +
         row(trc("a column", "wavefronts"), passes.wavefronts) +
         row(trc("a column", "ideal"), passes.ideal) +
         row(trc("a column", "conflicts"), passes.conflicts());
}

std::string advice(const IndexedRequest& indexed, const Request& request, const Passes& passes) {
  const bool atomic = indexed.access != model::RequestKind::shared_load &&
                      indexed.access != model::RequestKind::shared_store;
  const int on_one_word = atomic ? most_lanes_of_a_word(request) : 1;
  std::string text;
  if (on_one_word > 1)
    text += tr("\n  {} lanes update one word, which no layout can change: add up in the "
               "warp first,\n  or give lanes words of their own.\n",
               on_one_word);
  if (passes.ways <= on_one_word) {
    if (!atomic && passes.conflicts() > 0)
      text +=
          tr("\n  No two lanes meet in a bank. The lanes are in groups that are served one by "
             "one;\n  fewer bytes per lane, or lanes closer together, would take fewer passes.\n");
    else if (on_one_word == 1)
      text += tr("\n  Nothing to fix.\n");
    return text;
  }

  if (indexed.swizzle != model::Swizzle::none)
    return text +
           tr("\n  A tensor map has no padding, and its swizzle moves 16 bytes as one: what lies "
              "in them\n  stays in the same banks. Let a lane take 16 bytes (--width 16), or "
              "another element.\n");
  const std::vector<Remedy> found = remedies(indexed);
  if (found.empty())
    return text + tr("\n  No padding of up to a row of the banks helps, nor does a swizzle: change "
                     "which lane\n  takes which element.\n");
  text += tr("\n  What would fix it:\n");
  for (const Remedy& remedy : found)
    text += fmt::format("    {}\n      ", remedy.text) +
            trn("{} wavefront, {} conflicts\n", "{} wavefronts, {} conflicts\n",
                static_cast<std::uint64_t>(remedy.after.wavefronts), remedy.after.wavefronts,
                remedy.after.conflicts());
  return text;
}

} // namespace

std::variant<std::string, Refusal> answer(const Question& question) {
  if (const auto problem = unanswerable(question)) return Refusal{*problem};
  const auto lanes = indexed(question);
  if (const auto* refusal = std::get_if<Refusal>(&lanes)) return *refusal;

  const IndexedRequest& asked = std::get<IndexedRequest>(lanes);
  const Request request = request_of(asked);
  const Passes passes = model::shared_passes(*asked.architecture, request);
  report::PictureOptions options{question.columns, 2, question.colour, *question.architecture};
  std::string text = title(question) + "\n";
  text += report::lane_rows(request, report::Fit::wrap, options) + "\n";
  if (question.architecture->rule == model::BankRule::since_5_0)
    text += report::bank_rows(request, 8, options) + "\n";
  text += numbers(asked, request, passes);
  if (question.advice) text += advice(asked, request, passes);
  return text;
}

std::variant<Served, Refusal> served(const Question& question) {
  if (const auto problem = unanswerable(question)) return Refusal{*problem};
  const auto lanes = indexed(question);
  if (const auto* refusal = std::get_if<Refusal>(&lanes)) return *refusal;
  const auto& asked = std::get<IndexedRequest>(lanes);
  Served served{request_of(asked), {}, {}};
  served.passes = model::shared_passes(*asked.architecture, served.request);
  if (question.advice) served.remedies = remedies(asked);
  return served;
}

} // namespace course::cli
