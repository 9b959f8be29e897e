#include "report/words/note_words.hpp"

#include "language/translate.hpp"
#include "report/words/by_form.hpp"
#include "report/words/check_table.hpp"
#include "report/words/check_words.hpp"
#include "report/words/message_words.hpp"
#include "report/words/not_on_gpu_words.hpp"
#include "report/words/shape_words.hpp"

#include <fmt/ranges.h>

namespace course::report {
namespace {

namespace facts = judge::facts;

std::string say(const facts::NotFreed& note) {
  return trn("{} of its allocations, {} bytes, was never freed",
             "{} of its allocations, {} bytes, were never freed", note.allocations,
             note.allocations, note.bytes);
}

std::string say(const facts::Refused& note) {
  return note.why.empty()
             ? tr("{} was refused with {}", note.call, note.error)
             : tr("{} was refused with {}: {}", note.call, note.error, in_words(note.why));
}

std::string say(const facts::MoreRefused& note) {
  return tr("{} more calls were refused", note.calls);
}

std::string say(const facts::Ignored& note) {
  return tr("host code calls {}, which does nothing here", call_in_words(note.call));
}

std::string say(const facts::Removed& note) {
  return tr("the compiler removed `{}` of {}, line {}: no value needs it", note.name, note.kernel,
            note.line);
}

std::string say(const facts::CountedOtherwise& note) {
  return tr("the emulated device counts otherwise than the GPU for {}, {}; what was measured is "
            "graded",
            called(note.shape), note.first);
}

std::string say(const facts::NotByInstruction& note) {
  return tr("the GPU did not count by instruction: {}", note.counted_by);
}

std::string say(const facts::NotOnGpu& note) {
  const auto why = not_on_gpu_words(note);
  return note.solution
             ? tr("the course's solution cannot be timed on this GPU, so nobody's work is: {}", why)
             : tr("everything but time is graded: {}", why);
}

std::string say(const facts::FirstAnswers& note) {
  if (note.right)
    return tr("right of your first {} answers, on {}: {}", note.said.size(), note.when,
              *note.right);
  return tr("your first answers, on {}, were {}", note.when,
            fmt::format("{}", fmt::join(note.said, ", ")));
}

} // namespace

std::string words(const judge::Note& note) {
  return std::visit([](const auto& fact) { return say(fact); }, note);
}

std::vector<std::string> notes(const judge::Verdict& verdict) {
  std::vector<std::string> all;
  for (const auto& note : verdict.notes) all.push_back(words(note));
  for (const auto& check : verdict.mentioned)
    all.push_back(tr("not graded here: {}, {}", check_name(check.name), words(check).observed()));
  return all;
}

} // namespace course::report
