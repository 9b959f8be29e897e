// The tables and pages of a class, for the commands that change what is in them.
#pragma once

#include "classroom/outputs.hpp"
#include "classroom/plan.hpp"
#include "classroom/settings.hpp"

#include <filesystem>
#include <string>
#include <variant>

namespace course::cli {

// The plan of a class, what is said in it in the class's language.
std::variant<classroom::Planned, std::string> make_plan(const classroom::Planning&,
                                                        const std::filesystem::path& root,
                                                        const classroom::Settings&);

// What the untouched skeletons earn, of the exercises where only what is above it counts: they are
// graded as a submission that has no row.
void grade_skeletons(const classroom::Planning&, const classroom::Settings&,
                     const std::filesystem::path& root);

// Throws std::filesystem::filesystem_error, and std::runtime_error when decisions cannot be read.
classroom::Published publish_class(const std::filesystem::path& results,
                                   const std::filesystem::path& root, const classroom::Settings&,
                                   const classroom::Plan&);

// How many students there are, what is open, and where the tables are.
void print_class(const classroom::Published&, const std::filesystem::path& results);

// What differs from one run of a class to another; an exit code, kPassed where nothing does.
int print_comparison(const std::filesystem::path& before, const std::filesystem::path& after);

} // namespace course::cli
