#include "conformance/exercises.hpp"

#include "build/digest.hpp"
#include "device/model/counted.hpp"
#include "lab/job.hpp"
#include "lab/placement.hpp"
#include "lab/proofs.hpp"
#include "lab/variants.hpp"
#include "report/words/ended_words.hpp"
#include "report/words/message_words.hpp"
#include "system/cores.hpp"
#include "system/fields.hpp"
#include "system/file.hpp"
#include "system/in_parallel.hpp"

#include <algorithm>
#include <charconv>
#include <mutex>

namespace course::conformance {
namespace {

constexpr std::uint64_t kMostElements = 70'000; // the emulated device takes them in about 0.1 s
constexpr std::uint64_t kSeed = 1;

std::vector<const lab::Case*> shapes_of(const lab::Exercise& exercise) {
  const lab::Case* largest = nullptr;
  for (const auto& shape : exercise.cases) {
    const auto elements = shape.bounds.elements;
    if (elements > kMostElements) continue;
    if (!largest || elements > largest->bounds.elements) largest = &shape;
  }
  std::vector<const lab::Case*> shapes;
  if (!exercise.cases.empty()) shapes.push_back(&exercise.cases.front());
  if (largest && largest != shapes.front()) shapes.push_back(largest);
  return shapes;
}

const Subject* find(const std::vector<Subject>& subjects, const Measured& measured) {
  const auto found = std::find_if(subjects.begin(), subjects.end(), [&](const Subject& subject) {
    return subject.file == measured.file && subject.shape->shape.label == measured.shape;
  });
  return found == subjects.end() ? nullptr : &*found;
}

bool read(const std::string& text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

} // namespace

std::vector<Subject> subjects(const std::vector<lab::Exercise>& exercises,
                              const std::filesystem::path& root) {
  std::vector<Subject> all;
  for (const auto& exercise : exercises) {
    if (!exercise.launches) continue;
    auto files = lab::wrong_variants_of(exercise, root);
    for (const auto& file : {lab::skeleton_of(exercise), lab::solution_of(exercise)})
      files.insert(files.begin(), {file, system::content_of(root / file).value_or("")});
    for (const auto& file : files)
      for (const auto* shape : shapes_of(exercise))
        all.push_back({&exercise, file.file, shape, file.text() ? *file.text() : ""});
  }
  return all;
}

std::variant<device::Job, judge::Fault> job_of(const Subject& subject, const lab::Tools& tools) {
  const auto& shape = *subject.shape;
  const lab::VariantFile file({subject.file, subject.text});
  auto made = lab::job_for(*subject.exercise, shape, file.path(), tools);
  if (auto* job = std::get_if<device::Job>(&made))
    job->buffers = lab::Placement(shape.operands, tools.guard)
                       .buffers(shape.inputs(lab::Flavour::random, kSeed));
  return made;
}

Counted counted(device::Observation observed) {
  Counted result;
  if (observed.status != device::Observation::Status::completed) {
    result.failure =
        observed.reason.empty() ? "it was not completed" : report::in_words(observed.reason);
    return result;
  }
  result.outside = std::any_of(observed.findings.begin(), observed.findings.end(),
                               [](const device::Finding& finding) {
                                 return finding.kind == device::FindingKind::out_of_bounds ||
                                        finding.kind == device::FindingKind::use_after_free;
                               });
  result.lines = lab::totals(observed.lines);
  return result;
}

std::string digest_of(const std::string& text) {
  return build::digest(text).substr(0, 12);
}

std::string rows_of(const Subject& subject, const std::string& digest, const Counted& counted) {
  const auto row = [&](const lab::LineTotal& line, const std::string& access) {
    std::map<std::string, std::string> cells{{"file", quoted(subject.file.string())},
                                             {"digest", digest},
                                             {"shape", quoted(subject.shape->shape.label)},
                                             {"line", std::to_string(line.line)},
                                             {"access", access},
                                             {"kernel", quoted(line.kernel)}};
    model::for_each_count(line, [&](const model::KnownCount& known, std::uint64_t number) {
      cells.emplace(known.word, std::to_string(number));
    });
    std::vector<std::string> texts;
    for (const auto& column : system::fields_of(kColumns)) texts.push_back(cells.at(column));
    return system::joined(texts, ",") + "\n";
  };
  if (!counted.failure.empty()) return row({}, kNone);
  std::string text;
  for (const auto& line : counted.lines) text += row(line, access_of(line));
  return text;
}

std::variant<std::vector<Measured>, std::string> measured_in(const Table& table) {
  std::vector<Measured> all;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto& row = table.rows[i];
    const auto where = "row " + std::to_string(i + 1) + ": ";
    for (const char* column : {"file", "digest", "shape", "line", "access", "wavefronts", "ideal",
                               "sectors", "kernel"}) {
      if (!row.count(column)) return where + "there is no column " + column;
    }
    const bool same =
        !all.empty() && all.back().file == row.at("file") && all.back().shape == row.at("shape");
    const bool beyond = row.count("requests") && row.count("lines") && row.count("bytes");
    if (!same) all.push_back({row.at("file"), row.at("digest"), row.at("shape"), {}, beyond});
    auto& counted = all.back().counted;
    if (row.at("access") == kNone) {
      counted.failure = "the GPU did not complete it";
      continue;
    }
    lab::LineTotal total;
    total.kernel = row.at("kernel");
    total.file = std::filesystem::path(row.at("file")).filename().string();
    if (!lab::read_access(row.at("access"), total))
      return where + "there is no access " + row.at("access");
    std::uint64_t line = 0;
    bool good = read(row.at("line"), line);
    model::for_each_count(total, [&](const model::KnownCount& known, std::uint64_t& number) {
      if (const auto cell = row.find(known.word); cell != row.end())
        good = good && read(cell->second, number);
    });
    if (!good) return where + "a number cannot be read";
    total.line = static_cast<std::uint32_t>(line);
    if (line == 0 && total.is_beyond_banks()) total.file.clear(); // of the launch
    counted.lines.push_back(total);
  }
  return all;
}

namespace {

Outcome outcome_of(const Measured& measured, const std::vector<Subject>& subjects,
                   const lab::Tools& tools, std::mutex& emulated) {
  Outcome outcome;
  outcome.measured = measured;
  const auto* subject = find(subjects, measured);
  if (!subject) {
    outcome.kind = Outcome::Kind::missing;
    return outcome;
  }
  if (digest_of(subject->text) != measured.digest) {
    outcome.kind = Outcome::Kind::changed;
    return outcome;
  }
  if (measured.counted.failure.empty()) {
    auto job = job_of(*subject, tools);
    Counted here;
    if (auto* why = std::get_if<judge::Fault>(&job)) {
      here.failure = report::fault_words(*why).headline;
    } else {
      const std::lock_guard lock(emulated); // it uses all cores by itself
      here = counted(tools.device->execute(std::get<device::Job>(job)));
    }
    if (!measured.beyond_banks)
      std::erase_if(here.lines, [](const auto& line) { return line.is_beyond_banks(); });
    if (here.outside) {
      outcome.kind = Outcome::Kind::outside;
      return outcome;
    }
    if (!here.failure.empty()) {
      outcome.differences = {"measured, and not executed here: " + here.failure};
    } else {
      outcome.differences = lab::differences(here.lines, measured.counted.lines);
    }
  }
  outcome.kind = outcome.differences.empty() ? Outcome::Kind::equal : Outcome::Kind::unequal;
  return outcome;
}

} // namespace

std::vector<Outcome> compare(const std::vector<Measured>& all, const std::vector<Subject>& subjects,
                             const lab::Tools& tools,
                             const std::function<void(const Outcome&)>& each) {
  std::vector<Outcome> outcomes(all.size());
  std::mutex emulated;
  system::in_parallel(all.size(), std::max(2u, system::cores()), [&](std::size_t i) {
    outcomes[i] = outcome_of(all[i], subjects, tools, emulated);
  });
  for (const auto& outcome : outcomes) each(outcome);
  return outcomes;
}

} // namespace course::conformance
