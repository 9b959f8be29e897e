// One person taken out of the results of a class, for good: their submissions' records, texts and
// verdicts that nobody else has, decisions, events, and their lines in the lists that were given.
// Tables and pages are made again by the caller (outputs.hpp); then mentions() proves it
// (mentions.hpp).
#pragma once

#include "classroom/class_list.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace course::classroom {

// By what a person can be found: ID, login, address, names, a platform's number, what the
// submissions are called and their records.
std::set<std::string> words_for(const std::filesystem::path& results, const Member&);

// What lies in the folders that `course class` was given, and is this person's alone.
std::vector<std::filesystem::path> handed_in_files(const std::filesystem::path& results,
                                                   const Member&);

// `members`: all of the class, `at` is forgotten. What is shared with a team stays, and what was
// decided of it becomes the next member's. Throws std::filesystem::filesystem_error.
void forget(const std::filesystem::path& results, const std::vector<Member>& members,
            std::size_t at);

// A table without the rows of somebody, and a class.toml without the tables about whom these words
// name. Nothing happens where there is no such file, or nothing to change in it. Throws
// std::filesystem::filesystem_error.
void forget_in_table(const std::filesystem::path& file, const Person&);
void forget_in_settings(const std::filesystem::path& file, const std::set<std::string>& words);

} // namespace course::classroom
