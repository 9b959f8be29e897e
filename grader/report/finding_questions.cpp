// What is asked of a student whose kernel the memory checker found wrong.
#include "device/message_id.hpp"
#include "language/translate.hpp"
#include "report/questions.hpp"

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
    return tr("Work of two streams may be done at the same time, whatever the order of the calls. "
              "Which event would the later of the two have to wait for, and where is it recorded?");
  case device::Meeting::with_host:
    return tr(
        "A launch only asks for the kernel. What has host code to call before it can count on "
        "what the kernel does?");
  case device::Meeting::in_any_order:
    break;
  }
  if (race.other_line == 0 || race.other_line == race.line)
    return tr("Threads do not run in step, not even those of one warp. What keeps two of them from "
              "this element at the same time?");
  return tr("Threads do not run in step, not even those of one warp. What keeps one of "
            "them from line {1} while another is at line {0}, or, in a loop, from the "
            "next round's line {0} while another is at line {1}?",
            std::min(race.line, race.other_line), std::max(race.line, race.other_line));
}

} // namespace

std::string ask_about_finding(const device::Finding& finding) {
  using device::FindingKind;
  switch (finding.kind) {
  case FindingKind::out_of_bounds:
    return tr("For this block and thread, what is the index, and how large is the array?");
  case FindingKind::misaligned:
    return tr("An access of 2, 4, 8 or 16 bytes has to start at a multiple of its size. Where does "
              "this one start?");
  case FindingKind::uninitialised:
    return tr("Who should have written this element before, and was it on time? Or is it another "
              "element that this thread means to have?");
  case FindingKind::race:
    return ask_about_race(finding);
  case FindingKind::use_after_free:
    return tr("Who frees this memory, and who still needs it?");
  case FindingKind::barrier:
    return tr("A barrier waits for all threads of the block. Which of them never come here?");
  case FindingKind::warp_barrier:
    return tr(
        "__syncwarp() is for the lanes that its mask names: all of these have to come, and no "
        "other may. Which lanes are active here?");
  case FindingKind::stack:
    return tr("For which argument does this function no longer call itself, and is it ever called "
              "with that one?");
  case FindingKind::shuffle:
    if (!says_any(finding, {Id::reads_from_idle_lane, Id::reads_from_all_but_one}))
      return tr(
          "Shuffles, votes, matches and products are for the lanes that their mask names: all "
          "of these have to come, and no other may. Which lanes are active here?");
    return tr("A lane that takes no part has nothing to give. Which lanes are active here?");
  case FindingKind::read_only:
    return tr("Which pointer leads here, and what does it point to?");
  case FindingKind::idle_lane:
    return tr("A lane that takes no part has nothing to give. Which lanes are active here?");
  case FindingKind::old_devices:
    return tr("A barrier waits for all threads of the block. Which of them never come here?");
  case FindingKind::same_value:
    return tr("All of them write the same. Would one of them do?");
  case FindingKind::unset:
    return tr("Which value does this variable have the first time that it is read here?");
  case FindingKind::late_store:
    return tr(
        "By which fence, or by which release and acquire, would the reader know of this write?");
  case FindingKind::phase:
    return tr("For one phase of this barrier: who arrives, how often, how many bytes come, and who "
              "waits for it before the next phase can end?");
  case FindingKind::bulk_copy:
    return tr(
        "A bulk copy moves chunks of 16 bytes between addresses that are multiples of 16. Which "
        "of its three numbers is not one?");
  case FindingKind::proxy:
    return tr("Ordinary stores and asynchronous copies reach memory by different ways. Which fence "
              "makes the one wait for the other?");
  case FindingKind::wgmma:
    if (says_any(finding, {Id::reads_result_early, Id::writes_operand_early}))
      return tr("A wgmma has its registers until a wait for its group says that it is done. How "
                "many groups may still be under way on this line, and is this one among them?");
    return tr("Between wgmma.fence and wgmma.wait_group registers belong to the product, and a "
              "descriptor has to say how its tile lies. Which of these does not hold here?");
  case FindingKind::cluster:
    if (says_any(finding, {Id::aligned_by_some}))
      return tr("With .aligned, a barrier is promised that all lanes of the warp are together. "
                "Where did they part, and what brings them together again before this line?");
    if (says_any(finding, {Id::cluster_waits, Id::cluster_waits_for_others}))
      return tr("A barrier of the cluster waits for all threads of all its blocks. Which of them "
                "never come here?");
    return tr("Which block of the cluster is done first, and who still needs it?");
  case FindingKind::registers:
    return tr(
        "Which warpgroup gives registers back (setmaxnreg.dec), do all four of its warps do so "
        "before they end, and what do all warps of the block then add up to?");
  case FindingKind::budget:
    return tr("For which value should the loop on this line end, and does its variable ever get "
              "there? If it does: how many rounds are there, and how many does the work need?");
  case FindingKind::trap:
    return tr("What did the kernel check here, and why did it not hold?");
  }
  return "";
}

} // namespace course::report
