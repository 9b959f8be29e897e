#include "classroom/slurm.hpp"

#include "classroom/ctest_process.hpp"
#include "system/published_file.hpp"
#include "system/shell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;

fs::path done_folder(const SlurmJob& job) {
  return job.results / "slurm" / "done";
}

std::size_t done_tasks(const SlurmJob& job) {
  std::error_code error;
  std::size_t count = 0;
  for (fs::directory_iterator at(done_folder(job), error), end; !error && at != end;
       at.increment(error))
    ++count;
  return count;
}

// The number of the array job; empty when sbatch said something else.
std::string submit(const SlurmJob& job, const fs::path& script, std::string& wrong) {
  std::vector<std::string> command{"sbatch", "--parsable"};
  command.insert(command.end(), job.options.begin(), job.options.end());
  command.push_back(script.string());
  std::string answer;
  const int code = run_lines(command, [&](const std::string& line) { answer = line; });
  answer = answer.substr(0, answer.find(';')); // "123;cluster"
  const bool number = !answer.empty() && answer.find_first_not_of("0123456789") == answer.npos;
  if (code == 127) wrong = "sbatch is not there: this is no machine of a Slurm cluster";
  if (code != 127 && (code != 0 || !number)) wrong = "sbatch refused the job; it said why above";
  return wrong.empty() ? answer : "";
}

// Whether tasks of the job wait or run. A controller that does not answer has not said no.
bool is_queued(const std::string& number) {
  bool queued = false;
  const int code =
      run_lines({"squeue", "--noheader", "--me", "--format=%A %F"}, [&](const std::string& line) {
        // %A: of this task, %F: of the array that it belongs to
        const auto space = line.find(' ');
        queued = queued || line.substr(0, space) == number ||
                 (space != line.npos && line.substr(space + 1) == number);
      });
  return queued || code != 0;
}

} // namespace

std::string slurm_script(const SlurmJob& job) {
  const auto folder = (job.results / "slurm").string();
  std::string command;
  for (const auto& word : job.command) command += fmt::format(" {}", system::in_quotes(word));
  std::string text = "#!/bin/sh\n#SBATCH --job-name=course-class\n";
  text += fmt::format("#SBATCH --array=0-{}\n", std::max<std::size_t>(job.tasks(), 1) - 1);
  text += fmt::format("#SBATCH --ntasks=1 --cpus-per-task={}\n", job.cpus);
  if (job.on_gpus) text += "#SBATCH --gres=gpu:1\n";
  text += "#SBATCH --requeue --open-mode=append\n";
  text += fmt::format("first=$((SLURM_ARRAY_TASK_ID * {} + 1))\n", job.pack);
  text += fmt::format("last=$((first + {} - 1))\n", job.pack);
  text += fmt::format("sed -n \"${{first}},${{last}}p\" {} |\n",
                      system::in_quotes((job.results / "roster.txt").string()));
  text += fmt::format("  xargs -n 1 -P {}{}\n", job.on_gpus ? 1 : job.cpus, command);
  text += fmt::format("touch {}/\"$SLURM_ARRAY_TASK_ID\"\n", system::in_quotes(folder + "/done"));
  return text;
}

bool run_slurm(const SlurmJob& job, const std::function<void(std::size_t)>& each,
               std::string& wrong) {
  fs::remove_all(done_folder(job));
  fs::create_directories(done_folder(job));
  const auto script = job.results / "slurm" / "grade.sh";
  system::publish(script, slurm_script(job));
  // Not in the script: a #SBATCH line has no way to quote a path.
  auto with_output = job;
  with_output.options.push_back("--output=" + (job.results / "slurm" / "%a.log").string());
  const auto number = submit(with_output, script, wrong);
  if (number.empty()) return false;
  while (is_queued(number)) {
    each(done_tasks(job));
    if (was_stopped()) {
      run_lines({"scancel", number}, [](const std::string&) {});
      break;
    }
    std::this_thread::sleep_for(job.pause);
  }
  each(done_tasks(job));
  return true;
}

} // namespace course::classroom
