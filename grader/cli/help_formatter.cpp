#include "cli/help_formatter.hpp"

#include "cli/screen.hpp"
#include "language/translate.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <sstream>
#include <string_view>

namespace course::cli {
namespace {

// The column behind the last gap of a line, two spaces or more; or else where its words begin.
std::size_t hanging(std::string_view line) {
  const auto gap = line.rfind("  ");
  return language::columns(line.substr(0, gap == line.npos ? 0 : gap + 2));
}

std::string colon() {
  return trc("behind a heading", ":");
}

// CLI11 sets a colon behind a heading; a language may have one of its own, which needs no space.
std::string with_own_colon(const std::string& text, const std::string& usage) {
  std::istringstream lines(text);
  std::string out, line;
  while (std::getline(lines, line)) {
    const bool is_usage = line.starts_with(usage + ": ");
    const bool is_heading = line.ends_with(':') && !line.starts_with(' ');
    if (is_usage && !language::english())
      line.replace(usage.size(), 2, colon());
    else if (is_heading)
      line.replace(line.size() - 1, 1, colon());
    out += line + "\n";
  }
  return out;
}

class Formatter : public CLI::Formatter {
public:
  Formatter() : columns_(screen(Colour::never).columns) {}

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    return with_own_colon(CLI::Formatter::make_help(app, std::move(name), mode),
                          get_label("Usage"));
  }
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    return CLI::Formatter::make_group(language::translated(group.c_str()), is_positional,
                                      std::move(options));
  }
  std::string make_description(const CLI::App* app) const override {
    return fitted(CLI::Formatter::make_description(app), columns_);
  }
  std::string make_footer(const CLI::App* app) const override {
    return fitted(CLI::Formatter::make_footer(app), columns_);
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return row(command->get_display_name(true), command->get_description());
  }
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return row(make_option_name(option, is_positional) + make_option_opts(option),
               make_option_desc(option));
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    auto text = CLI::Formatter::make_option_opts(option);
    if (language::english()) return text;
    for (const char* label : {"Env", "Needs", "Excludes"})
      for (const auto plain = get_label(label) + ": "; text.find(plain) != text.npos;)
        text.replace(text.find(plain), plain.size(), get_label(label) + colon());
    return text;
  }

private:
  // A name that is too long for a line is broken between the words that it may have: {a, b, c}.
  std::string fitted_name(const std::string& name) const {
    constexpr int kDeeper = 6;
    if (language::columns(name) <= static_cast<std::size_t>(columns_)) return name + "\n";
    std::string open;
    for (const char c : name) open += c == ',' ? std::string(", ") : std::string(1, c);
    return report::wrapped(open, columns_, kDeeper).replace(0, kDeeper, "  ");
  }
  // A name, and behind it, or below where it is too long, what it means.
  std::string row(const std::string& name, const std::string& meaning) const {
    const auto column = std::min<std::size_t>(get_column_width(), columns_ / 2);
    const auto begun = "  " + name;
    if (meaning.empty()) return begun + "\n";
    const auto indented = report::wrapped(meaning, columns_, static_cast<int>(column));
    if (language::columns(begun) >= column) return fitted_name(begun) + indented;
    return language::padded(begun, column) + indented.substr(column);
  }

  int columns_;
};

} // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() {
  const auto formatter = std::make_shared<Formatter>();
  if (language::english()) return formatter;
  formatter->label("Usage", tr("Usage"));
  formatter->label("OPTIONS", tr("OPTIONS"));
  formatter->label("SUBCOMMAND", tr("SUBCOMMAND"));
  formatter->label("REQUIRED", trc("an option", "REQUIRED"));
  formatter->label("Needs", trc("an option", "Needs"));
  formatter->label("Excludes", trc("an option", "Excludes"));
  return formatter;
}

std::string fitted(const std::string& text, int columns) {
  std::string out;
  for (const auto& line : report::lines_of(text)) {
    if (language::columns(line) <= static_cast<std::size_t>(columns)) {
      out += line + "\n";
      continue;
    }
    const auto column = hanging(line);
    const int indent = static_cast<int>(std::min<std::size_t>(column, columns / 2));
    const auto gap = line.rfind("  ");
    const auto before = line.substr(0, gap == line.npos ? 0 : gap + 2);
    const auto behind = report::wrapped(line.substr(before.size()), columns, indent);
    out += column <= static_cast<std::size_t>(indent)
               ? before + behind.substr(static_cast<std::size_t>(indent))
               : before.substr(0, before.find_last_not_of(' ') + 1) + "\n" + behind;
  }
  return out;
}

} // namespace course::cli
