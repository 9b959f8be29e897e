// In which language `course` speaks: what --lang asks for, or the environment.
#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace course::cli {

// Takes --lang LANGUAGE out of the arguments, and speaks it; without it, what the environment asks
// for, where there is a catalogue. What follows the program of `course run` is the program's own.
// What is wrong with the language that was asked for; empty when nothing is.
std::string choose_language(int& argc, char** argv);

// Help in that language, as it fits the terminal: all that the commands say of themselves and of
// their options.
void translate_help(CLI::App& app);

// A complaint of the parser of options, in that language.
std::string complaint_in_words(const std::string& what);

} // namespace course::cli
