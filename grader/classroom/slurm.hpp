// A class on a Slurm cluster: an array job whose tasks grade a pack of submissions each.
//
// Starting a task costs a second, grading a submission that is known 30 ms: single submissions
// would wait more than they work. A task that is run again (its node was lost, somebody requeued
// it) finds what it had graded and goes on, so it does not matter how often one is run, or where.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace course::classroom {

struct SlurmJob {
  std::filesystem::path results;         // on a file system that all nodes see
  std::vector<std::string> command;      // grades one submission; its id is added
  std::size_t submissions = 0;           // lines of RESULTS/roster.txt
  std::size_t pack = 50;                 // submissions a task
  unsigned cpus = 2;                     // a task: as many submissions at the same time
  bool on_gpus = false;                  // a GPU a task, then one submission at a time
  std::vector<std::string> options;      // of sbatch, such as "--partition=teaching"
  std::chrono::milliseconds pause{2000}; // between questions to the controller

  std::size_t tasks() const { return (submissions + pack - 1) / pack; }
};

std::string slurm_script(const SlurmJob&);

// Submits the job and waits until no task of it is left, however they ended: what was graded is in
// the records. `each` gets the number of tasks that are done, now and then. False, and `wrong` says
// why, when it could not be submitted. While the controller does not answer, it waits. When a
// signal tells this process to stop (ctest_process.hpp), the job is cancelled.
bool run_slurm(const SlurmJob&, const std::function<void(std::size_t done)>& each,
               std::string& wrong);

} // namespace course::classroom
