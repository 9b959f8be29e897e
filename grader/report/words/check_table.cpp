#include "report/words/check_table.hpp"

#include <algorithm>
#include <iterator>

namespace course::report {
namespace {

constexpr AboutCheck kChecks[] = {
    {"compile", "nvcc has to accept the file, and the function that is asked for has to be in it. "
                "Without that nothing can run."},
    {"host", "Your function on the host has to come back: not crash, not end the program, and not "
             "take longer than its time."},
    {"launch", "Your function has to launch a kernel, in a shape that the device accepts: at most "
               "1,024 threads a block, and no more shared memory than there is."},
    {"kernel",
     "The kernel has to come to its end. One that executes far more instructions than any solution "
     "needs is ended, since it may be waiting for something that never comes.",
     "", "Which line is executed most often, and by how many lanes at a time?"},
    {"output", "Every element is compared with the right answer, for several shapes and three "
               "kinds of input. The output is filled with NaN before the launch, so an element "
               "that was never written shows."},
    {"memory", "No access may be out of bounds or misaligned, read what nobody wrote, or race with "
               "another thread. A kernel with a race may give the right answer today and a wrong "
               "one tomorrow; a barrier between the two accesses ends it."},
    {"coalescing",
     "Global memory moves in sectors of 32 bytes. A warp that reads 32 floats side by side touches "
     "4 sectors; one that reads them far apart touches up to 32, and pays for every one."},
    {"traffic", "How often shared memory is stored to and loaded from. Too little, and the work "
                "goes around it; too much, and it is done twice."},
    {"conflicts",
     "Shared memory has 32 banks of 4-byte words, and each bank serves one word at a time. Lanes "
     "of a warp that want different words of one bank wait for one another, one more pass for "
     "each. A conflict is a pass more than the bytes need."},
    {"load_conflicts", "Conflicts of reads from shared memory. Lanes of a warp that read different "
                       "words of one bank wait for one another, a pass for each word."},
    {"store_conflicts", "Conflicts of writes to shared memory. Lanes of a warp that write "
                        "different words of one bank wait for one another, a pass for each word."},
    {"threads",
     "How many threads all launches have together. Fewer threads that each do more can share what "
     "they have computed or loaded.",
     "An H200 has 132 multiprocessors with room for 2,048 threads each. How many of them have "
     "work?",
     "How many elements could one thread be in charge of, and how many threads would be left?"},
    {"shared_bytes",
     "How much shared memory a block takes. The less it takes, the more blocks run on a "
     "multiprocessor at a time.",
     "", "What does a block keep in these bytes, and which of them are never used?",
     "This is to be done without shared memory. What does a block keep there, and where is it "
     "already, or who else has it?"},
    {"barriers",
     "How often warps wait for their block at __syncthreads(). Each barrier that orders nothing is "
     "time lost; each that is missing is a race.",
     "", "Between which write and which read of other threads does each of these barriers stand?"},
    {"launches",
     "How many kernels are launched. Each launch costs microseconds, and what one kernel leaves "
     "for the next goes through global memory.",
     "", "What does a later launch need from an earlier one, and who else could do it?"},
    {"replays",
     "Constant memory gives one word at a time to a whole warp. Lanes that ask for different words "
     "make the request be repeated, once for each further word.",
     "",
     "Constant memory serves one address at a time to a warp. For how many different ones do the "
     "32 lanes of a request ask?"},
    {"instructions",
     "How many instructions the warps execute. The same answer can be had with fewer, and what is "
     "not executed costs nothing.",
     "", "Which line is executed most often, and is it needed each time?"},
    {"shuffles",
     "How many instructions move values between the lanes of a warp. A shuffle needs no shared "
     "memory and no barrier.",
     "By which way does a value get from one lane to another here, if not by a shuffle?",
     "Which of these shuffles bring a value that nobody waits for?"},
    {"requests",
     "How many times a warp asks shared memory for something. One request for 16 bytes a lane "
     "replaces four for 4 bytes.",
     "", "How many bytes does a lane move with one request, and how many could it?"},
    {"stores", "Stores to shared memory by threads. An asynchronous copy goes from global to "
               "shared memory by itself, past the registers."},
    {"blocks_per_sm", "How many blocks fit on a multiprocessor at a time. Threads, registers and "
                      "shared memory each set a bound, and the smallest counts."},
    {"warps_per_sm", "How many warps are on a multiprocessor at a time. While some wait for "
                     "memory, others compute; with too few, the multiprocessor waits as well."},
    {"time", "Your kernel's time beside the solution's, measured in the same run on the same GPU. "
             "Only a GPU can tell; the emulated one counts, and has no clock."},
};

} // namespace

const AboutCheck* about_check(std::string_view name) {
  const auto found = std::ranges::find(kChecks, name, &AboutCheck::name);
  return found == std::end(kChecks) ? nullptr : found;
}

} // namespace course::report
