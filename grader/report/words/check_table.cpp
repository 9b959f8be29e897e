#include "report/words/check_table.hpp"

#include "judge/check_kind.hpp"
#include "language/translate.hpp"

#include <algorithm>
#include <iterator>

namespace course::report {
namespace {

using language::marked;

constexpr AboutCheck kChecks[] = {
    // by their judge::CheckKind
    {marked("check", "compile"),
     marked("nvcc has to accept the file, and the function that is asked for has to be in it. "
            "Without that nothing can run.")},
    {marked("check", "host"),
     marked("Your function on the host has to come back: not crash, not end the program, and not "
            "take longer than its time.")},
    {marked("check", "launch"),
     marked("Your function has to launch a kernel, in a shape that the device accepts: at most "
            "1,024 threads a block, and no more shared memory than there is.")},
    {marked("check", "kernel"),
     marked("The kernel has to come to its end. One that executes far more instructions than any "
            "solution needs is ended, since it may be waiting for something that never comes."),
     "", marked("Which line is executed most often, and by how many lanes at a time?")},
    {marked("check", "output"),
     marked("Every element is compared with the right answer, for several shapes and three "
            "kinds of input. The output is filled with NaN before the launch, so an element "
            "that was never written shows.")},
    {marked("check", "memory"),
     marked("No access may be out of bounds or misaligned, read what nobody wrote, or race with "
            "another thread. A kernel with a race may give the right answer today and a wrong "
            "one tomorrow; a barrier between the two accesses ends it.")},
    {marked("check", "coalescing"),
     marked("Global memory moves in sectors of 32 bytes. A warp that reads 32 floats side by side "
            "touches 4 sectors; one that reads them far apart touches up to 32, and pays for every "
            "one.")},
    {marked("check", "traffic"),
     marked("How often shared memory is stored to and loaded from. Too little, and the work "
            "goes around it; too much, and it is done twice.")},
    {marked("check", "conflicts"),
     marked("Shared memory has 32 banks of 4-byte words, and each bank serves one word at a time. "
            "Lanes of a warp that want different words of one bank wait for one another, one more "
            "pass for each. A conflict is a pass more than the bytes need.")},
    {marked("check", "load_conflicts"),
     marked("Conflicts of reads from shared memory. Lanes of a warp that read different "
            "words of one bank wait for one another, a pass for each word.")},
    {marked("check", "store_conflicts"),
     marked("Conflicts of writes to shared memory. Lanes of a warp that write "
            "different words of one bank wait for one another, a pass for each word.")},
    {marked("check", "threads"),
     marked("How many threads all launches have together. Fewer threads that each do more can "
            "share what they have computed or loaded."),
     marked(
         "An H200 has 132 multiprocessors with room for 2,048 threads each. How many of them have "
         "work?"),
     marked("How many elements could one thread be in charge of, and how many threads would be "
            "left?")},
    {marked("check", "shared_bytes"),
     marked("How much shared memory a block takes. The less it takes, the more blocks run on a "
            "multiprocessor at a time."),
     "", marked("What does a block keep in these bytes, and which of them are never used?"),
     marked(
         "This is to be done without shared memory. What does a block keep there, and where is it "
         "already, or who else has it?")},
    {marked("check", "barriers"),
     marked("How often warps wait for their block at __syncthreads(). Each barrier that orders "
            "nothing is time lost; each that is missing is a race."),
     "",
     marked(
         "Between which write and which read of other threads does each of these barriers stand?")},
    {marked("check", "launches"),
     marked("How many kernels are launched. Each launch costs microseconds, and what one kernel "
            "leaves for the next goes through global memory."),
     "", marked("What does a later launch need from an earlier one, and who else could do it?")},
    {marked("check", "replays"),
     marked("Constant memory gives one word at a time to a whole warp. Lanes that ask for "
            "different words make the request be repeated, once for each further word."),
     "",
     marked("Constant memory serves one address at a time to a warp. For how many different ones "
            "do the 32 lanes of a request ask?")},
    {marked("check", "instructions"),
     marked("How many instructions the warps execute. The same answer can be had with fewer, and "
            "what is not executed costs nothing."),
     "", marked("Which line is executed most often, and is it needed each time?")},
    {marked("check", "shuffles"),
     marked(
         "How many instructions move values between the lanes of a warp. A shuffle needs no shared "
         "memory and no barrier."),
     marked("The task's moves take more shuffles. Which values come from another lane here without "
            "one, or in fewer rounds?"),
     marked("Which of these shuffles bring a value that nobody waits for?")},
    {marked("check", "requests"),
     marked(
         "How many times a warp asks shared memory for something. One request for 16 bytes a lane "
         "replaces four for 4 bytes."),
     "", marked("How many bytes does a lane move with one request, and how many could it?")},
    {marked("check", "passes"),
     marked(
         "How many passes shared memory takes for what is loaded. Two lanes that want the same 16 "
         "bytes are served together, and then a request for 16 bytes a lane may take two passes "
         "in place of four."),
     "", marked("Which lanes want the same words here, and are they neighbours?")},
    {marked("check", "stores"),
     marked("Stores to shared memory by threads. An asynchronous copy goes from global to "
            "shared memory by itself, past the registers.")},
    {marked("check", "thread_stores"),
     marked(
         "Requests of threads that store to shared memory. What a bulk copy brings comes without "
         "any.")},
    {marked("check", "blocks_per_sm"),
     marked("How many blocks fit on a multiprocessor at a time. Threads, registers and "
            "shared memory each set a bound, and the smallest counts.")},
    {marked("check", "warps_per_sm"),
     marked("How many warps are on a multiprocessor at a time. While some wait for "
            "memory, others compute; with too few, the multiprocessor waits as well.")},
    {marked("check", "uses"),
     marked("What the answer is made of. The grader follows the data through the kernel: the "
            "values have to come by what the exercise is about, not only to be right."),
     marked("The exercise is about this. Which part of the work could it do here, and what does "
            "that part now?"),
     marked("The work is to be done another way. What is it that is kept there?")},
    {marked("check", "time"),
     marked("Your kernel's time beside the solution's, measured in the same run on the same GPU. "
            "Only a GPU can tell; the emulated one counts, and has no clock.")},
};

// Each check has its words, and none is here that is not in judge/checks.def.
static_assert(std::ranges::equal(
    kChecks, judge::kKnownChecks, {},
    [](const AboutCheck& one) { return std::string_view(one.name); }, &judge::KnownCheck::name));

} // namespace

std::string check_name(const std::string& name) {
  return language::translated("check", name.c_str());
}

const AboutCheck* about_check(std::string_view name) {
  const auto kind = judge::check_kind(name);
  return kind == judge::CheckKind::own ? nullptr : &kChecks[static_cast<std::size_t>(kind)];
}

} // namespace course::report
