#include "classroom/slurm.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

namespace course::classroom {
namespace {

// A cluster of shell scripts: sbatch runs all tasks at once, squeue fails once and then knows of
// nothing. What they are called with is in `log`.
struct Cluster {
  hand_made::Folder folder;
  std::string path = std::getenv("PATH");
  explicit Cluster(const std::string& sbatch) {
    program("sbatch", "echo \"sbatch $*\" >> log\n" + sbatch);
    program("squeue", "echo squeue >> log\n[ -e asked ] || { touch asked; exit 1; }\n");
    program("scancel", "echo \"scancel $*\" >> log\n");
    setenv("PATH", ((folder.path / "bin").string() + ":" + path).c_str(), 1);
  }
  Cluster(const Cluster&) = delete; // one puts PATH back
  ~Cluster() { setenv("PATH", path.c_str(), 1); }
  void program(const std::string& name, const std::string& text) const {
    const auto file =
        folder.write("bin/" + name, "#!/bin/sh\ncd '" + folder.path.string() + "'\n" + text);
    hand_made::fs::permissions(file, hand_made::fs::perms::owner_all);
  }
  SlurmJob job(std::size_t submissions) const {
    std::string ids;
    for (std::size_t i = 0; i < submissions; ++i) ids += "student" + std::to_string(i) + "\n";
    SlurmJob job;
    job.results = folder.path / "the results";
    folder.write("the results/roster.txt", ids);
    job.command = {"sh", "-c", "echo \"$0\" >> '" + (folder.path / "graded").string() + "'"};
    job.submissions = submissions;
    job.pack = 10;
    job.pause = std::chrono::milliseconds{1};
    return job;
  }
};

constexpr const char* kRunAll = R"(for last; do :; done
tasks=$(sed -n 's/^#SBATCH --array=0-//p' "$last")
for task in $(seq 0 "$tasks"); do SLURM_ARRAY_TASK_ID=$task sh "$last" || exit 1; done
echo '42;cluster'
)";

} // namespace

TEST_CASE("every submission is in one task, and no task is of more than a pack") {
  const Cluster cluster(kRunAll);
  const auto job = cluster.job(25);
  CHECK(job.tasks() == 3);
  std::string wrong;
  std::size_t done = 0;
  CHECK(run_slurm(
      job, [&](std::size_t now) { done = now; }, wrong));
  CHECK(wrong.empty());
  CHECK(done == 3);
  const auto graded = *system::content_of(cluster.folder.path / "graded");
  CHECK(std::count(graded.begin(), graded.end(), '\n') == 25);
  for (int i = 0; i < 25; ++i)
    CHECK(graded.find("student" + std::to_string(i) + "\n") != graded.npos);
}

TEST_CASE("a controller that does not answer is asked again") {
  const Cluster cluster(kRunAll);
  std::string wrong;
  CHECK(run_slurm(
      cluster.job(1), [](std::size_t) {}, wrong));
  const auto log = *system::content_of(cluster.folder.path / "log");
  CHECK(log.find("squeue\nsqueue\n") != log.npos);
}

TEST_CASE("a job that is refused, and a machine without Slurm, are sentences") {
  std::string wrong;
  {
    const Cluster cluster("exit 1\n");
    CHECK_FALSE(run_slurm(
        cluster.job(1), [](std::size_t) {}, wrong));
    CHECK(wrong.find("refused") != std::string::npos);
  }
  const Cluster cluster(kRunAll);
  setenv("PATH", "/nowhere", 1);
  wrong.clear();
  CHECK_FALSE(run_slurm(
      cluster.job(1), [](std::size_t) {}, wrong));
  CHECK(wrong.find("not there") != std::string::npos);
}

TEST_CASE("a GPU is asked for where there is timing, and then nothing runs beside it") {
  SlurmJob job;
  job.results = "/results";
  job.command = {"course", "it's"};
  job.submissions = 100;
  job.cpus = 4;
  const auto on_cpus = slurm_script(job);
  CHECK(on_cpus.find("--gres") == std::string::npos);
  CHECK(on_cpus.find("-P 4 'course' 'it'\\''s'") != std::string::npos);
  CHECK(on_cpus.find("--array=0-1\n") != std::string::npos);
  CHECK(on_cpus.find("--requeue") != std::string::npos);
  job.on_gpus = true;
  CHECK(slurm_script(job).find("#SBATCH --gres=gpu:1\n") != std::string::npos);
  CHECK(slurm_script(job).find("-P 1 ") != std::string::npos);
}

} // namespace course::classroom
