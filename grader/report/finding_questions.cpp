// What is asked of a student whose kernel the memory checker found wrong.
#include "device/message_id.hpp"
#include "language/translate.hpp"
#include "report/questions.hpp"
#include "report/words/finding_words.hpp"

#include <algorithm>

namespace course::report {
namespace {

std::string ask_about_blocks(const device::Finding& race) {
  if (race.other_line == 0 || race.other_line == race.line)
    return tr(
        "Blocks run in any order, and many at the same time. What lets them take turns at this "
        "element?");
  return tr("Blocks run in any order, and many at the same time. What orders line {} of "
            "one block and line {} of another?",
            std::min(race.line, race.other_line), std::max(race.line, race.other_line));
}

using Id = device::MessageId;

bool says_any(const device::Finding& finding, std::initializer_list<Id> ids) {
  return std::ranges::any_of(ids, [&](Id id) { return device::says(finding.message, id); });
}

// Of a race that a barrier in memory would prevent, or a wait for a product; empty for others.
std::string ask_about_phases(const device::Finding& race) {
  if (says_any(race, {Id::product_has_read, Id::product_has_read_phase}))
    return tr("wgmma.wait_group tells the warp that waits, and nobody else. Where does that warp "
              "arrive behind it, and what does the thread that fills this tile again wait for?");
  if (says_any(race, {Id::product_may_read}))
    return tr("A wgmma reads its tiles until a wait for its group says that it is done. How many "
              "groups may still be under way when this tile is filled again, and is this one among "
              "them?");
  if (says_any(race, {Id::phase_tells_nothing}))
    return tr("Who waits for a phase knows what was done before its arrivals. Does the other "
              "thread arrive for this phase, and on which side of its access?");
  if (says_any(race, {Id::phase_not_waited_for, Id::tracked_copy_still_writes}))
    return tr("A barrier in memory tells those who wait for it. Before which line does this thread "
              "have to, and with which parity in which round?");
  if (says_any(race, {Id::no_phase_waited_for}))
    return tr("Two threads are in order where one arrives at a barrier behind its access, and the "
              "other waits for that phase before its own. Which barrier is for this element, who "
              "arrives there, and who waits?");
  return "";
}

std::string ask_about_race(const device::Finding& race) {
  if (auto asked = ask_about_phases(race); !asked.empty()) return asked;
  switch (race.meeting) {
  case device::Meeting::one_instruction:
    return tr("Two lanes of one warp have the same place to write to. From which of their indices "
              "does it follow, and should it be the same for both?");
  case device::Meeting::copy_in_flight:
    return tr(
        "An asynchronous copy is only on its way when its line is done. What waits for it, and "
        "how do the threads that did not start it learn that it has come?");
  case device::Meeting::between_blocks:
    return ask_about_blocks(race);
  case device::Meeting::between_streams:
    if (says_any(race, {Id::no_order_early}))
      return tr("A launch with programmatic stream serialization may begin while the one before it "
                "still runs. Which line needs what that one writes, and where does this kernel "
                "wait for it?");
    return tr("Work of two streams may be done at the same time, whatever the order of the calls. "
              "Which event would the later of the two have to wait for, and where is it recorded?");
  case device::Meeting::with_host:
    return tr(
        "A launch only asks for the kernel. What has host code to call before it can count on "
        "what the kernel does?");
  case device::Meeting::in_any_order:
    break;
  }
  if (race.other_line == 0 || race.other_line == race.line) return "";
  return tr("Threads do not run in step, not even those of one warp. What keeps one of "
            "them from line {1} while another is at line {0}, or, in a loop, from the "
            "next round's line {0} while another is at line {1}?",
            std::min(race.line, race.other_line), std::max(race.line, race.other_line));
}

std::string ask_about_product(const device::Finding& wgmma) {
  if (says_any(wgmma, {Id::reads_result_early, Id::writes_operand_early}))
    return tr("A wgmma has its registers until a wait for its group says that it is done. How many "
              "groups may still be under way on this line, and is this one among them?");
  return "";
}

std::string ask_about_cluster(const device::Finding& finding) {
  if (says_any(finding, {Id::aligned_by_some}))
    return tr("With .aligned, a barrier is promised that all lanes of the warp are together. "
              "Where did they part, and what brings them together again before this line?");
  if (says_any(finding, {Id::cluster_waits, Id::cluster_waits_for_others}))
    return tr("A barrier of the cluster waits for all threads of all its blocks. Which of them "
              "never come here?");
  return "";
}

// Of a bulk copy that breaks another rule than that of its three numbers; empty for others.
std::string ask_about_copy(const device::Finding& copy) {
  if (says_any(copy, {Id::ends_while_copy_reads}))
    return tr("A bulk copy goes on behind the line that has started it. What does its thread wait "
              "for before the block ends?");
  if (says_any(copy, {Id::ends_while_copy_writes, Id::other_ends_while_copy_writes}))
    return tr("A bulk copy goes on behind the line that has started it. Which barrier is told when "
              "it has come, and who waits for that before the block ends?");
  if (says_any(copy, {Id::copies_to_other_block, Id::stores_to_other_block}))
    return tr("Which block's memory is written here, and in which block is the barrier that is "
              "told?");
  if (says_any(copy, {Id::no_tensor_map, Id::other_dimensions, Id::map_not_in_memory}))
    return tr("Which map is this copy given, who has made it, and for how many dimensions?");
  return "";
}

// What is asked where more is known than the kind; empty where it is not.
std::string ask_more(const device::Finding& finding) {
  using device::FindingKind;
  switch (finding.kind) {
  case FindingKind::race:
    return ask_about_race(finding);
  case FindingKind::shuffle:
    return says_any(finding, {Id::reads_from_idle_lane, Id::reads_from_all_but_one})
               ? what_is_asked(FindingKind::idle_lane)
               : "";
  case FindingKind::wgmma:
    return ask_about_product(finding);
  case FindingKind::cluster:
    return ask_about_cluster(finding);
  case FindingKind::bulk_copy:
    return ask_about_copy(finding);
  default:
    return "";
  }
}

} // namespace

std::string ask_about_finding(const device::Finding& finding) {
  const auto asked = ask_more(finding);
  return asked.empty() ? what_is_asked(finding.kind) : asked;
}

} // namespace course::report
