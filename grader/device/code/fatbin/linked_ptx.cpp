#include "device/code/fatbin/linked_ptx.hpp"

#include <cctype>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace course::code {

namespace {

bool begins_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}
bool is_of_word(char c) {
  return begins_word(c) || std::isdigit(static_cast<unsigned char>(c));
}

// Behind a comment or a text in quotes that begins at `at`; `at` where neither does.
std::size_t behind_quiet(std::string_view text, std::size_t at) {
  const auto behind = [&](std::string_view end, std::size_t from) {
    const auto found = text.find(end, from);
    return found == text.npos ? text.size() : found + end.size();
  };
  const auto rest = text.substr(at);
  if (rest.starts_with("//")) return behind("\n", at);
  if (rest.starts_with("/*")) return behind("*/", at + 2);
  if (rest.starts_with("\"")) return behind("\"", at + 1);
  return at;
}

struct Statement {
  std::string text;
  enum class Kind { header, file, section, function, variable, other } kind = Kind::other;
  enum class Linkage { internal, external, visible, weak } linkage = Linkage::internal;
  std::string name; // of a function or variable
  bool defines = true;
};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    if (const auto next = behind_quiet(text, at); next != at) {
      at = next;
    } else if (begins_word(text[at]) || text[at] == '.') {
      const auto begin = at++;
      while (at < text.size() && (is_of_word(text[at]))) ++at;
      words.emplace_back(text.substr(begin, at - begin));
    } else {
      if (!std::isspace(static_cast<unsigned char>(text[at])) &&
          !std::isdigit(static_cast<unsigned char>(text[at])))
        words.emplace_back(1, text[at]);
      ++at;
    }
  }
  return words;
}

// The name behind .func or .entry: behind the list of results, where there is one.
std::string function_name(const std::vector<std::string>& words, std::size_t at) {
  int depth = 0;
  for (++at; at < words.size(); ++at) {
    if (words[at] == "(") ++depth;
    if (words[at] == ")") --depth;
    if (depth == 0 && begins_word(words[at][0])) return words[at];
  }
  return {};
}

std::string variable_name(const std::vector<std::string>& words) {
  std::string name;
  for (const auto& word : words) {
    if (word == "[" || word == "=" || word == ";") break;
    if (begins_word(word[0])) name = word;
  }
  return name;
}

void describe(Statement& statement) {
  using Kind = Statement::Kind;
  using Linkage = Statement::Linkage;
  const auto words = words_of(statement.text);
  bool variable = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& word = words[i];
    if (word == "{" || word == "=" || word == ";") break;
    if (word == ".extern") statement.linkage = Linkage::external;
    if (word == ".visible") statement.linkage = Linkage::visible;
    if (word == ".weak" || word == ".common") statement.linkage = Linkage::weak;
    if (word == ".version" || word == ".target" || word == ".address_size")
      statement.kind = Kind::header;
    if (word == ".file") statement.kind = Kind::file;
    if (word == ".section") statement.kind = Kind::section;
    variable = variable || word == ".global" || word == ".const" || word == ".shared";
    if (word == ".func" || word == ".entry") {
      statement.kind = Kind::function;
      statement.name = function_name(words, i);
      statement.defines = statement.text.find('{') != std::string::npos;
      return;
    }
  }
  if (statement.kind != Kind::other || !variable) return;
  statement.kind = Kind::variable;
  statement.name = variable_name(words);
  statement.defines = statement.linkage != Linkage::external;
}

bool ends_with_line(std::string_view begin) {
  for (const char* each : {".version", ".target", ".address_size", ".file"})
    if (begin.starts_with(each)) return true;
  return false;
}

// A unit cut into what stands at module scope.
std::vector<Statement> statements_of(std::string_view text) {
  std::vector<Statement> all;
  std::size_t at = 0;
  const auto keep = [&](std::size_t begin, std::size_t end) {
    Statement statement;
    statement.text = std::string(text.substr(begin, end - begin)) + "\n";
    describe(statement);
    all.push_back(std::move(statement));
  };
  while (at < text.size()) {
    if (const auto next = behind_quiet(text, at); next != at) {
      at = next;
      continue;
    }
    if (text[at] != '.') {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    if (ends_with_line(text.substr(at))) {
      at = std::min(text.find('\n', at), text.size());
      keep(begin, at);
      continue;
    }
    int depth = 0;
    bool initialiser = false, ended = false;
    while (at < text.size() && !ended) {
      if (const auto next = behind_quiet(text, at); next != at) {
        at = next;
        continue;
      }
      const char c = text[at++];
      if (c == '=' && depth == 0) initialiser = true;
      if (c == '{') ++depth;
      if (c == '}') ended = --depth == 0 && !initialiser;
      if (c == ';') ended = ended || depth == 0;
    }
    keep(begin, at);
  }
  return all;
}

// The text with other names, and with files numbered anew (`.loc 1 …`, `inlined_at 1 …`).
std::string renamed(const std::string& text, const std::map<std::string, std::string>& names,
                    const std::map<std::string, std::string>& files) {
  std::string out;
  std::string last; // word
  for (std::size_t at = 0; at < text.size();) {
    if (const auto next = behind_quiet(text, at); next != at) {
      out += text.substr(at, next - at);
      at = next;
      continue;
    }
    const char c = text[at];
    const std::size_t begin = at++;
    if (!is_of_word(c) && c != '.') {
      out += c;
      continue;
    }
    while (at < text.size() && is_of_word(text[at])) ++at;
    std::string word = text.substr(begin, at - begin);
    const bool is_file = last == ".loc" || last == "inlined_at" || last == ".file";
    if (const auto file = files.find(word); is_file && file != files.end())
      out += file->second;
    else if (const auto name = names.find(word); name != names.end())
      out += name->second;
    else
      out += word;
    last = std::move(word);
  }
  return out;
}

class Linker {
public:
  explicit Linker(const std::vector<std::string>& units) {
    for (const auto& unit : units) units_.push_back(statements_of(unit));
    for (const auto& unit : units_)
      for (const auto& statement : unit)
        if (statement.defines && statement.linkage != Statement::Linkage::internal)
          defined_.insert(statement.name);
  }

  std::variant<LinkedPtx, std::string> run() {
    for (std::size_t i = 0; i < units_.size(); ++i)
      if (auto why = add(units_[i], i)) return std::move(*why);
    return LinkedPtx{text_ + declarations_ + variables_ + rest_};
  }

private:
  using Kind = Statement::Kind;
  using Linkage = Statement::Linkage;

  // What is internal to this unit and has a name that was taken.
  std::map<std::string, std::string> names_of(const std::vector<Statement>& unit,
                                              std::size_t index) {
    std::map<std::string, std::string> names;
    for (const auto& statement : unit) {
      if (statement.kind == Kind::section)
        for (const auto& word : words_of(statement.text))
          if (word.starts_with("$L__info_string")) names[word] = fmt::format("{}_{}", word, index);
      if (statement.name.empty() || statement.linkage != Linkage::internal) continue;
      if (internal_.insert(statement.name).second && !defined_.contains(statement.name)) continue;
      names[statement.name] = fmt::format("{}${}", statement.name, index);
    }
    return names;
  }

  std::map<std::string, std::string> files_of(const std::vector<Statement>& unit) {
    std::map<std::string, std::string> files;
    for (const auto& statement : unit) {
      if (statement.kind != Kind::file) continue;
      const auto quote = statement.text.find('"');
      if (quote == statement.text.npos) continue;
      const auto digits = statement.text.find_first_of("0123456789");
      const auto end = statement.text.find_first_not_of("0123456789", digits);
      const auto path = statement.text.substr(quote);
      const auto [known, is_new] = files_.try_emplace(path, std::to_string(files_.size() + 1));
      if (is_new) text_ += ".file " + known->second + " " + path;
      files[statement.text.substr(digits, end - digits)] = known->second;
    }
    return files;
  }

  // Why not; nothing when it was added.
  std::optional<std::string> add(const std::vector<Statement>& unit, std::size_t index) {
    if (index == 0)
      for (const auto& statement : unit)
        if (statement.kind == Kind::header) text_ += statement.text;
    const auto names = names_of(unit, index);
    const auto files = files_of(unit);
    for (const auto& statement : unit) {
      if (statement.kind == Kind::header || statement.kind == Kind::file) continue;
      if (!statement.name.empty() && statement.linkage != Linkage::internal) {
        if (!statement.defines) {
          // Functions may be declared before they are defined, variables not.
          const bool elsewhere = defined_.contains(statement.name);
          if (statement.kind == Kind::variable && elsewhere) continue;
          if (!declared_.insert(statement.name).second) continue;
        } else if (!kept_.insert(statement.name).second) {
          if (statement.linkage == Linkage::weak) continue;
          return fmt::format("'{}' is defined in two of the files that were linked",
                             statement.name);
        }
      }
      // What is named has to stand before.
      auto& to = statement.kind == Kind::variable                         ? variables_
                 : statement.kind == Kind::function && !statement.defines ? declarations_
                                                                          : rest_;
      to += renamed(statement.text, names, files);
    }
    return std::nullopt;
  }

  std::vector<std::vector<Statement>> units_;
  std::set<std::string> defined_, internal_, declared_, kept_;
  std::map<std::string, std::string> files_;           // number by path
  std::string text_, declarations_, variables_, rest_; // text_: headers and files
};

} // namespace

std::variant<LinkedPtx, std::string> link_ptx(const std::vector<std::string>& units) {
  return Linker(units).run();
}

} // namespace course::code
