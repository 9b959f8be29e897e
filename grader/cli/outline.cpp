#include "cli/outline.hpp"

#include "system/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace course::cli {
namespace {

std::vector<std::string> names(const std::vector<CommandOutline>& commands) {
  std::vector<std::string> all;
  all.reserve(commands.size());
  for (const auto& command : commands) all.push_back(command.name);
  return all;
}

// What may follow a subcommand: its flags, and exercises where it takes one.
std::vector<std::string> offers(const CommandOutline& command,
                                const std::vector<std::string>& exercises) {
  auto all = command.flags;
  if (std::ranges::count(command.positional, "EXERCISE") > 0)
    all.insert(all.end(), exercises.begin(), exercises.end());
  return all;
}

// ---- man(7)

// A line of text: no request of roff's at its beginning, no escape of roff's in it, and nothing but
// ASCII.
std::string roff(const std::string& line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) { // the help is UTF-8 of up to three bytes: U+0080 to U+FFFF
      const std::size_t more = byte >= 0xe0 ? 2 : 1;
      unsigned point = byte & (more == 2 ? 0x0f : 0x1f);
      for (std::size_t k = 0; k < more && i + 1 < line.size(); ++k)
        point = point << 6 | (static_cast<unsigned char>(line[++i]) & 0x3f);
      text += fmt::format("\\[u{:04X}]", point);
      continue;
    }
    if (c == '\\') {
      text += "\\e";
    } else if (c == '-') {
      text += "\\-";
    } else {
      text += c;
    }
  }
  const bool request = text.starts_with('.') || text.starts_with('\'');
  return (request ? "\\&" : "") + text + "\n";
}

// As it stands: examples and their comments are in columns.
std::string literal(const std::string& text) {
  if (text.empty()) return "";
  std::istringstream lines(text);
  std::string out = ".PP\n.nf\n";
  for (std::string line; std::getline(lines, line);) out += roff(line);
  return out + ".fi\n";
}

std::string options_text(const CommandOutline& command) {
  std::string text;
  for (const auto& option : command.options)
    text += ".TP\n.B " + roff(option.name) + roff(option.meaning);
  return text;
}

} // namespace

CommandOutline outline(const CLI::App& app) {
  CommandOutline command{app.get_name(), app.get_description(), app.get_footer(), {}, {}, {}};
  for (const auto* option : app.get_options()) {
    if (option->get_group().empty()) continue; // hidden
    auto name = option->get_name(false, true);
    const auto type = option->get_type_name();
    if (option->nonpositional()) {
      for (const auto& flag : option->get_lnames()) command.flags.push_back("--" + flag);
      if (!type.empty() && option->get_expected_max() > 0 && type.find(' ') == type.npos)
        name += " " + type;
    } else {
      command.positional.push_back(name);
    }
    command.options.push_back({name, option->get_description()});
  }
  return command;
}

std::vector<CommandOutline> outlines(const CLI::App& app) {
  std::vector<CommandOutline> all;
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) all.push_back(outline(*command));
  return all;
}

std::string bash_completion(const CLI::App& app, const std::vector<std::string>& exercises) {
  const auto commands = outlines(app);
  std::string cases;
  for (const auto& command : commands)
    cases += fmt::format("    {}) offers='{}' ;;\n", command.name,
                         system::joined(offers(command, exercises), " "));
  return "# Completion of ./course for bash. To load it: source <(./course completion bash)\n"
         "_course() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} offers=\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    offers='" +
         system::joined(names(commands), " ") +
         " --help --version'\n"
         "  else\n"
         "    case ${COMP_WORDS[1]} in\n" +
         cases +
         "    esac\n"
         "  fi\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$offers\" -- \"$word\")\n"
         "}\n"
         "complete -o default -F _course course\n";
}

std::string zsh_completion(const CLI::App& app, const std::vector<std::string>& exercises) {
  const auto commands = outlines(app);
  std::string cases;
  for (const auto& command : commands)
    cases += fmt::format("    {}) offers=({}) ;;\n", command.name,
                         system::joined(offers(command, exercises), " "));
  return "#compdef course\n"
         "# Completion of ./course for zsh. To load it: source <(./course completion zsh)\n"
         "_course() {\n"
         "  local -a offers\n"
         "  if (( CURRENT == 2 )); then\n"
         "    offers=(" +
         system::joined(names(commands), " ") +
         " --help --version)\n"
         "  else\n"
         "    case $words[2] in\n" +
         cases +
         "    esac\n"
         "  fi\n"
         "  compadd -a offers\n"
         "  _files\n"
         "}\n"
         "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n"
         "compdef _course course\n";
}

std::string manual_page(const CLI::App& app, const std::string& version) {
  const auto whole = outline(app);
  const auto head = [](const std::string& title) { return ".SH " + roff(title); };
  const auto entry = [](const char* name, const std::string& meaning) {
    return fmt::format(".TP\n.B {}\n{}", name, roff(meaning));
  };
  std::string text =
      fmt::format(".TH COURSE 1 \"\" \"course {}\" \"CUDA shared memory\"\n", version);
  text +=
      head(tr("NAME")) + "course \\- " + roff(tr("a course on CUDA shared memory, and its grader"));
  text += head(tr("SYNOPSIS")) + ".B course\n[\n.I " + roff(trc("of a manual", "command")) +
          "[\n.I " + roff(trc("of a manual", "arguments")) + "]]\n";
  text += head(tr("DESCRIPTION")) + roff(whole.meaning) +
          roff(tr("Without a command it shows where you are, and what is next.")) +
          options_text(whole) + literal(whole.footer) + head(tr("COMMANDS"));
  for (const auto& command : outlines(app)) {
    auto usage = command.name;
    for (const auto& argument : command.positional) usage += " [" + argument + "]";
    text += ".SS " + roff("course " + usage) + roff(command.meaning) + options_text(command) +
            literal(command.footer);
  }
  text +=
      head(tr("ENVIRONMENT")) +
      entry("COURSE_CACHE", tr("The folder in which compilations are kept.")) +
      entry("COURSE_STATE", tr("The file that remembers what you have solved; "
                               ".course/progress.jsonl in the course's folder by default.")) +
      entry("COURSE_WORK", tr("The folder whose labs/ has your files, when it is not the course's "
                              "own folder.")) +
      entry("CUDA_HOME", tr("Where the CUDA Toolkit is, when nvcc is not in the search path.")) +
      entry("NO_COLOR", tr("When set, nothing is coloured."));
  return text;
}

} // namespace course::cli
