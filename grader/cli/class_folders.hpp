// The folders of submissions that `course class` is given, one or one a lab.
#pragma once

#include "lab/exercise.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace course::cli {

using Folders = std::map<std::string, std::filesystem::path>; // by lab, "" for all

// "FOLDER", "05=FOLDER" or "05=none", which is an empty path. A sentence when there is no such lab,
// or two folders for the same.
std::variant<Folders, std::string> folders_given(const std::vector<std::string>& given,
                                                 const std::vector<lab::Exercise>&);

// What was given before, with what is given now: other labs keep theirs.
void change_folders(Folders& before, const Folders& given);

// A sentence when there is none, or one of them is no folder.
std::string not_there(const Folders&);

} // namespace course::cli
