#include "cli/mcp/ask.hpp"

#include "build/own_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <set>

namespace course::cli::mcp {
namespace {

constexpr std::size_t kMostWords = 64, kLongestWord = 4096, kMostShown = 80;

// A piece of what somebody sent, for a message about it.
std::string shown(const std::string& text) {
  return text.size() <= kMostShown ? text : text.substr(0, kMostShown) + "…";
}

// Arguments by name. The first thing that is wrong with one is kept; those that nobody has asked
// for are wrong, too.
class Arguments {
public:
  explicit Arguments(const Json& json) : json_(json) {}

  bool has(const char* name) {
    known_.insert(name);
    return json_.contains(name) && !json_[name].is_null();
  }

  std::optional<std::string> text(const char* name, std::size_t most = kLongestWord) {
    if (!has(name)) return std::nullopt;
    if (!json_[name].is_string()) return wrong(name, "has to be a string");
    auto value = json_[name].get<std::string>();
    if (value.size() > most) return wrong(name, fmt::format("has more than {} bytes", most));
    if (value.find('\0') != value.npos) return wrong(name, "has a null byte");
    return value;
  }

  std::string one_of(const char* name, const std::vector<std::string>& names) {
    const auto value = text(name).value_or(names.front());
    if (std::ranges::find(names, value) == names.end())
      wrong(name, fmt::format("is {}; there are {}", shown(value), fmt::join(names, ", ")));
    return value;
  }

  std::optional<std::int64_t> number(const char* name, std::int64_t least, std::int64_t most) {
    if (!has(name)) return std::nullopt;
    const auto& json = json_[name];
    const bool whole =
        json.is_number_integer() ||
        (json.is_number() && json.get<double>() >= -1e15 && json.get<double>() <= 1e15 &&
         json.get<double>() == static_cast<double>(json.get<std::int64_t>()));
    const bool huge = json.is_number_unsigned() &&
                      json.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max();
    if (!whole || huge || json.get<std::int64_t>() < least || json.get<std::int64_t>() > most) {
      wrong(name, fmt::format("has to be a whole number from {} to {}", least, most));
      return std::nullopt;
    }
    return json.get<std::int64_t>();
  }

  bool flag(const char* name, bool otherwise) {
    if (!has(name)) return otherwise;
    if (!json_[name].is_boolean()) wrong(name, "has to be true or false");
    return json_[name].is_boolean() ? json_[name].get<bool>() : otherwise;
  }

  std::vector<std::string> words(const char* name) {
    std::vector<std::string> words;
    if (!has(name)) return words;
    if (!json_[name].is_array() || json_[name].size() > kMostWords) {
      wrong(name, fmt::format("has to be a list of at most {} strings", kMostWords));
      return words;
    }
    for (const auto& word : json_[name]) {
      if (!word.is_string() || word.get<std::string>().size() > kLongestWord ||
          word.get<std::string>().find('\0') != std::string::npos) {
        wrong(name, fmt::format("has to be a list of strings of at most {} bytes", kLongestWord));
        return words;
      }
      words.push_back(word.get<std::string>());
    }
    return words;
  }

  std::nullopt_t wrong(const char* name, const std::string& what) {
    if (wrong_.empty()) wrong_ = fmt::format("{} {}", name, what);
    return std::nullopt;
  }

  // Empty when all is well.
  std::string fault() const {
    if (!wrong_.empty()) return wrong_;
    for (const auto& [name, value] : json_.items())
      if (!known_.contains(name))
        return fmt::format("there is no argument {}; there are {}", shown(name),
                           fmt::join(known_, ", "));
    return "";
  }

private:
  const Json& json_;
  std::set<std::string> known_;
  std::string wrong_;
};

// NAME or NAME=VALUE, in characters that no shell heeds.
bool is_macro(const std::string& text) {
  const auto equals = text.find('=');
  const auto name = text.substr(0, equals);
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) return false;
  const bool plain =
      std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  const auto value = equals == text.npos ? "" : text.substr(equals + 1);
  return plain && (value.empty() || build::is_plain_word("x" + value));
}

ProgramAsk program_of(Arguments& from, bool traced) {
  ProgramAsk ask;
  ask.source = from.text("source", kMostSource);
  ask.file = from.text("file");
  if (from.has("source") == from.has("file"))
    from.wrong("source", "or file has to be there, and one of them alone: a CUDA program with a "
                         "main(), as text or as the path of a .cu file below the working folder");
  ask.arguments = from.words("arguments");
  ask.define = from.words("define");
  for (const auto& macro : ask.define)
    if (!is_macro(macro))
      from.wrong("define",
                 fmt::format("has {}; NAME or NAME=VALUE is meant, of letters, digits and "
                             "_ . + - /",
                             shown(macro)));
  ask.as_written = from.flag("as_written", false);
  ask.seconds = static_cast<int>(from.number("seconds", 1, kMostSeconds).value_or(ask.seconds));
  ask.banks = from.one_of("banks", model::architecture_names());
  ask.kernel = from.text("kernel").value_or("");
  if (traced) {
    if (const auto line = from.number("line", 1, std::numeric_limits<std::int32_t>::max()))
      ask.line = static_cast<std::uint32_t>(*line);
    else if (!from.has("line"))
      from.wrong("line", "has to be there: a line of the program that makes requests to memory");
    ask.checks = false;
  } else {
    ask.checks = from.flag("checks", true);
    ask.sample = static_cast<std::uint64_t>(from.number("sample", 1, 1'000'000'000).value_or(0));
  }
  return ask;
}

Question question_of(Arguments& from) {
  Question question;
  question.index = from.text("index").value_or("");
  if (!from.has("index"))
    from.wrong("index", "has to be there: an expression in t, the lane, such as 33*t");
  const auto width = from.number("width", 1, 16).value_or(4);
  if ((width & (width - 1)) != 0) from.wrong("width", "is 1, 2, 4, 8 or 16 bytes");
  question.width = static_cast<int>(width);
  const auto access = from.one_of("access", {"load", "store", "atomic"});
  question.access = access == "store"    ? model::RequestKind::shared_store
                    : access == "atomic" ? model::RequestKind::shared_atomic
                                         : model::RequestKind::shared_load;
  question.active = static_cast<std::uint32_t>(
      from.number("mask", 1, model::kAllLanes).value_or(model::kAllLanes));
  if (const auto* device =
          model::architecture_named(from.one_of("device", model::architecture_names())))
    question.architecture = device;
  const auto swizzle =
      from.one_of("swizzle", {model::kSwizzleNames.begin(), model::kSwizzleNames.end()});
  question.swizzle = model::swizzle_named(swizzle).value_or(model::Swizzle::none);
  question.columns = 100;
  return question;
}

} // namespace

bool is_tool(std::string_view name) {
  return name == "run" || name == "trace" || name == "banks";
}

Ask ask_of(std::string_view tool, const Json& arguments) {
  if (!arguments.is_object()) return BadAsk{"arguments have to be an object"};
  Arguments from(arguments);
  auto ask = tool == "banks" ? Ask{question_of(from)} : Ask{program_of(from, tool == "trace")};
  if (const auto what = from.fault(); !what.empty()) return BadAsk{what};
  return ask;
}

} // namespace course::cli::mcp
