#include "report/picture/lane_picture.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "device/model/shared.hpp"
#include "language/columns.hpp"
#include "language/translate.hpp"
#include "report/picture/bank_turns.hpp"

namespace course::report {
namespace {

using language::right;
using model::kBanks;
using model::kLanes;
using model::kWordBytes;
using model::Request;
using model::RequestKind;

constexpr const char* kRed = "\x1b[31m";
constexpr const char* kDim = "\x1b[2m";
constexpr const char* kPlain = "\x1b[0m";

std::string painted(const std::string& text, const char* colour, const PictureOptions& options) {
  return options.colour ? colour + text + kPlain : text;
}

std::string margin(const PictureOptions& options) {
  return std::string(std::max(options.indent, 0), ' ');
}

char lane_digit(int lane) {
  return static_cast<char>(lane < 10 ? '0' + lane : 'a' + lane - 10);
}

bool several(const BankMark& mark) {
  return std::popcount(mark.lanes) > 1;
}

std::string row_text(const BankTurn& row, bool wide, const PictureOptions& options) {
  std::string text;
  for (const BankMark& mark : row.bank) {
    if (mark.lanes == 0)
      text += painted(".", kDim, options);
    else if (row.first_of_group)
      text += lane_digit(mark.lane());
    else
      text += painted(std::string(1, lane_digit(mark.lane())), kRed, options);
    if (wide) text += several(mark) ? '+' : ' ';
  }
  while (text.back() == ' ') text.pop_back();
  return text;
}

std::string legend(const std::vector<BankTurn>& rows, bool wide) {
  bool letters = false, more = false;
  for (const BankTurn& row : rows)
    for (const BankMark& mark : row.bank) {
      letters |= mark.lanes != 0 && mark.lane() >= 10;
      more |= several(mark);
    }
  const auto text = letters ? tr("lanes 0-9, a = 10 to v = 31") : tr("lanes 0-9");
  return more && wide ? tr("{}; + with others that want the same word", text) : text;
}

// What stands before the rows of lane_rows, as wide as the widest of them.
std::array<std::string, 3> titles() {
  std::array<std::string, 3> all{trc("of a picture", "lane"), trc("of a picture", "word"),
                                 trc("of a picture", "bank")};
  std::size_t widest = 0;
  for (const auto& title : all) widest = std::max(widest, language::columns(title));
  for (auto& title : all) title = language::padded(title, widest);
  return all;
}

// One lane's column of lane_rows.
struct Column {
  std::string lane, word, bank;
  bool extra_pass = false;
};

// The banks of a lane: "5", or "4-7" where it has several.
std::string banks_text(const Request& request, int lane, const model::Architecture& architecture) {
  const std::uint32_t begin = first_word(request, lane) * kWordBytes;
  const std::uint32_t end = begin + (model::words_a_lane(request) - 1) * kWordBytes;
  const int first = model::bank_of(architecture, begin), last = model::bank_of(architecture, end);
  return first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
}

std::vector<Column> columns_of(const Request& request, const model::Architecture& architecture) {
  std::vector<Column> columns(kLanes);
  for (int lane = 0; lane < kLanes; ++lane) {
    columns[lane] = {std::to_string(lane), "-", "-"};
    if ((request.active >> lane & 1) == 0) continue;
    columns[lane].word = std::to_string(first_word(request, lane));
    columns[lane].bank = banks_text(request, lane, architecture);
  }
  if (architecture.rule != model::BankRule::since_5_0) return columns;
  for (const BankTurn& row : bank_turns(request))
    for (const BankMark& mark : row.bank)
      for (int lane = 0; lane < kLanes; ++lane)
        if (!row.first_of_group && (mark.lanes >> lane & 1)) columns[lane].extra_pass = true;
  return columns;
}

std::string three_rows(const std::vector<Column>& columns, std::size_t width,
                       const PictureOptions& options) {
  const auto [of_lanes, of_words, of_banks] = titles();
  std::string lane = margin(options) + of_lanes, word = margin(options) + of_words,
              bank = margin(options) + of_banks;
  for (const Column& column : columns) {
    lane += right(column.lane, width);
    word += right(column.word, width);
    const std::string text = right(column.bank, width);
    bank += column.extra_pass ? painted(text, kRed, options) : text;
  }
  return lane + "\n" + word + "\n" + bank + "\n";
}

// The first columns, dots, those that are wanted, dots, and the last two: `fitting` in all, but no
// fewer than it takes for two at the front.
std::vector<Column> shortened(const std::vector<Column>& columns, int fitting,
                              const std::vector<int>& wanted) {
  const Column dots{"...", "...", "..."};
  const auto first = [&](std::size_t others) {
    return std::max(fitting - static_cast<int>(others) - 3, 2);
  };
  std::vector<Column> middle;
  for (const int lane : wanted) {
    if (lane >= first(0) && lane < kLanes - 2) middle.push_back(columns[lane]);
  }
  if (!middle.empty()) middle.insert(middle.begin(), dots);
  std::vector<Column> result(columns.begin(), columns.begin() + first(middle.size()));
  result.insert(result.end(), middle.begin(), middle.end());
  result.push_back(dots);
  result.insert(result.end(), columns.end() - 2, columns.end());
  return result;
}

} // namespace

std::string lane_rows(const Request& request, Fit fit, const PictureOptions& options) {
  const std::vector<Column> columns = columns_of(request, options.architecture);
  std::size_t width = 4;
  for (const Column& column : columns)
    width = std::max({width, column.word.size() + 2, column.bank.size() + 2});

  constexpr int kDots = 5;
  const int title = static_cast<int>(language::columns(titles()[0]));
  const int room = std::max(options.columns - std::max(options.indent, 0) - title, 0);
  const int fitting = room / static_cast<int>(width);
  if (fitting >= kLanes) return three_rows(columns, width, options);
  if (fit == Fit::shorten) {
    width = std::max<std::size_t>(width, kDots);
    return three_rows(shortened(columns, room / static_cast<int>(width), options.lanes), width,
                      options);
  }

  // A power of two in a line, so that lanes a multiple apart stand below each other.
  const int in_line = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(fitting, 1))));
  std::string text;
  for (int first = 0; first < kLanes; first += in_line) {
    if (first > 0) text += "\n";
    text +=
        three_rows({columns.begin() + first, columns.begin() + first + in_line}, width, options);
  }
  return text;
}

std::string bank_rows(const Request& request, int most_rows, const PictureOptions& options) {
  if (request.active == 0 || !model::has_rule(request.access, request.width)) return "";
  const std::vector<BankTurn> rows = bank_turns(request);
  const int count = static_cast<int>(rows.size());
  const bool turns = count != model::shared_passes(request).wavefronts;
  const std::string title = turns ? trc("of a picture", "turn") : trc("of a picture", "pass");
  const auto banks = trc("of a picture", "bank");
  const auto titled = std::max(language::columns(title), language::columns(banks));
  const bool wide = options.columns - std::max(options.indent, 0) >= 73;

  std::string text = margin(options) + language::padded(banks, titled + 4);
  for (int bank = 0; bank < kBanks; bank += 4) {
    const std::string number = std::to_string(bank);
    text += number;
    if (bank + 4 < kBanks) text += std::string((wide ? 8 : 4) - number.size(), ' ');
  }
  text += "\n";
  const int shown = std::max(most_rows, 3);
  const int left_out = count > shown ? count - (shown - 1) : 0;
  for (int row = 0; row < count; ++row) {
    if (left_out > 0 && row == shown - 2) {
      const auto more = static_cast<std::uint64_t>(left_out);
      text += margin(options) + "  ...   " +
              (turns ? trn("{} more turn", "{} more turns", more, more)
                     : trn("{} more pass", "{} more passes", more, more)) +
              "\n";
      row += left_out;
    }
    text += margin(options) + language::padded(title, titled) + right(std::to_string(row + 1), 3) +
            " " + row_text(rows[row], wide, options) + "\n";
  }
  return text + margin(options) + legend(rows, wide) + "\n";
}

} // namespace course::report
