// What an H200 counted for every solution, skeleton and wrong variant, against the emulated device.
#pragma once

#include "conformance/table.hpp"
#include "lab/agreement.hpp"
#include "lab/grade.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace course::conformance {

// A file of the course, called for one shape of its exercise.
struct Subject {
  const lab::Exercise* exercise = nullptr;
  std::filesystem::path file; // from the project's root; of a variant, its name in tables
  const lab::Case* shape = nullptr;
  std::string text; // the file's
};

// Every file, with its exercise's first shape and the largest of up to 70,000 elements.
std::vector<Subject> subjects(const std::vector<lab::Exercise>&, const std::filesystem::path& root);

// What one subject came to on one device.
struct Counted {
  std::string failure;  // why there are no counts: a refused launch, a fault
  bool outside = false; // it left its memory: what that cost says nothing about either device
  std::vector<lab::LineTotal> lines;
};

// Its job, inputs included, or why there is none. The same every time.
std::variant<device::Job, judge::Fault> job_of(const Subject&, const lab::Tools&);
Counted counted(device::Observation); // of the job's execution

// A measurement holds for the text that was measured.
std::string digest_of(const std::string& text);

// One line of the committed table for each source line of a subject; one for a subject without
// counts, whose access is kNone.
inline constexpr const char* kColumns =
    "file,digest,shape,line,access,wavefronts,ideal,sectors,kernel,requests,lines,bytes";
inline constexpr const char* kNone = "none";
std::string rows_of(const Subject&, const std::string& digest, const Counted&);

// The rows of a table, by file and shape.
struct Measured {
  std::string file, digest, shape;
  Counted counted; // `failure` is not empty where the table has kNone
  // Whether what no bank serves was counted: the table has requests, lines and bytes.
  bool beyond_banks = false;
};
std::variant<std::vector<Measured>, std::string> measured_in(const Table&);

struct Outcome {
  enum class Kind { equal, unequal, changed, missing, outside } kind{};
  Measured measured;
  std::vector<std::string> differences; // a sentence each
};

// Executes each measured subject on `tools.device`, from a few threads, and compares; `each` is
// called in the table's order, and so is what comes back. Those without counts are not executed.
// `changed`: the file is not the one that was measured, `missing`: there is no such file or shape
// any more; neither is compared.
std::vector<Outcome> compare(const std::vector<Measured>&, const std::vector<Subject>&,
                             const lab::Tools&, const std::function<void(const Outcome&)>& each);

} // namespace course::conformance
