#include "cli/class_folders.hpp"

#include "classroom/kept.hpp"
#include "language/translate.hpp"

namespace course::cli {

std::variant<Folders, std::string> folders_given(const std::vector<std::string>& given,
                                                 const std::vector<lab::Exercise>& exercises) {
  Folders folders;
  for (const auto& one : given) {
    const auto read = classroom::split_lab(one, exercises);
    if (const auto* what = std::get_if<std::string>(&read)) return *what;
    const auto& [lab, path] = std::get<classroom::OfLab>(read);
    const auto folder =
        path == "none" ? std::filesystem::path() : std::filesystem::weakly_canonical(path);
    if (!folders.try_emplace(lab, folder).second)
      return tr("{}: there is another folder for the same; say which lab each is of: LAB=FOLDER",
                one);
  }
  return folders;
}

void change_folders(Folders& before, const Folders& given) {
  for (const auto& [lab, folder] : given) {
    before[lab] = folder;
    if (folder.empty()) before.erase(lab);
  }
}

std::string not_there(const Folders& folders) {
  if (folders.empty())
    return tr("SUBMISSIONS is missing: it is a folder with a folder or an archive for each "
              "student");
  std::error_code none;
  for (const auto& [lab, folder] : folders)
    if (!std::filesystem::is_directory(folder, none))
      return tr("{} is no folder. It has to be a folder with a folder or an archive for each "
                "student",
                folder.string());
  return "";
}

} // namespace course::cli
