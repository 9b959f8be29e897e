// `course serve --class`: a class in a browser.
#pragma once

#include "serve/server.hpp"

#include <filesystem>
#include <string>

namespace course::cli {

struct ClassOptions {
  std::string folder;  // serve/served_class.hpp
  std::string address; // as students' browsers have it
  std::string login;   // "links", "header:NAME"
  std::string socket;  // instead of a port
  std::string through; // words before the program of a grading
  std::string new_link;
  std::string forgotten; // whom the class forgets
  unsigned workers = 0;  // 0: one a core
  bool links = false;
  bool yes = false; // it is done; else what there is is named
};

// Prints everybody's link as a CSV, after a new one for whom it is asked.
int print_links(const ClassOptions&, const std::filesystem::path& root);

// Takes somebody out of the folder; prints where they are named.
int forget_in_class(const ClassOptions&, const std::filesystem::path& root);

// `settings`: of what one student's server has as well. `device`: "", "auto", "emulated", "gpu".
int serve_class(const ClassOptions&, serve::Settings settings, const std::string& device);

} // namespace course::cli
