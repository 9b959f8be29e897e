#include "trust/trial.hpp"

#include "system/descriptor.hpp"
#include "system/environment.hpp"
#include "system/program.hpp"
#include "system/temporary_folder.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace course::trust {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// Far more than any report is.
constexpr std::size_t kMostText = 4 << 20;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// The folder of one trial: what the program wrote, and a folder for its temporary files.
class Folder {
public:
  Folder() : folder_("course-trial") {
    fs::create_directory(temporary());
    folder_.let_pass();
    fs::permissions(temporary(), fs::perms::others_exec, fs::perm_options::add);
  }
  fs::path file(const char* name) const { return folder_.path() / name; }
  fs::path temporary() const { return folder_.path() / "tmp"; }

private:
  system::TemporaryFolder folder_;
};

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(kMostText, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

std::vector<std::string> words_for(const Desk& desk, const Submission& submission,
                                   const Folder& folder) {
  std::vector<std::string> words = {desk.course,
                                    "grade",
                                    submission.exercise,
                                    "--file",
                                    submission.file,
                                    "--json",
                                    folder.file("verdict.json"),
                                    "--root",
                                    desk.root,
                                    "--seed",
                                    std::to_string(submission.seed),
                                    "--color",
                                    "never",
                                    "--device",
                                    submission.gpu ? "gpu" : "emulated"};
  if (!desk.sandbox.empty()) words.insert(words.end(), {"--sandbox", desk.sandbox});
  return words;
}

std::vector<std::string> environment_for(const Desk& desk, const Folder& folder) {
  std::vector<std::string> words = {"TMPDIR=" + folder.temporary().string(),
                                    "COURSE_CACHE=" + desk.cache.string()};
  // Where the toolkit, the driver, the GPU and the user's service manager are.
  for (const auto& word : system::environment_of({"PATH", "HOME", "CUDA_HOME", "CUDA_PATH",
                                                  "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES",
                                                  "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"}))
    words.push_back(word);
  return words;
}

pid_t start(const std::vector<std::string>& words, const std::vector<std::string>& environment,
            const Folder& folder) {
  const auto made = [&](const char* name) {
    return system::Descriptor(
        open(folder.file(name).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  };
  const auto out = made("out"), err = made("err");
  system::Program program{words};
  program.environment = environment;
  program.descriptors = {{STDIN_FILENO}, {STDOUT_FILENO, out.get()}, {STDERR_FILENO, err.get()}};
  program.own_group = true;
  const pid_t child = system::start(program);
  if (child < 0) fail("a process for a trial");
  return child;
}

void await(pid_t child, std::chrono::seconds patience, Trial& trial) {
  const auto deadline = Clock::now() + patience;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() > deadline && !trial.too_late) {
      trial.too_late = true;
      kill(-child, SIGKILL);
    }
    std::this_thread::sleep_for(2ms);
  }
  if (WIFEXITED(status)) trial.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) trial.signal = WTERMSIG(status);
}

std::vector<pid_t> orphans() {
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  std::ifstream file("/proc/self/task/" + std::to_string(getpid()) + "/children");
  return {std::istream_iterator<pid_t>(file), {}};
}

// How many processes outlived it, which are this process's children now. What was ended may need a
// moment to go; what is there after that is ended here.
std::size_t end_orphans() {
  auto left = orphans();
  for (const auto moment = Clock::now() + 2s; !left.empty() && Clock::now() < moment;) {
    std::this_thread::sleep_for(2ms);
    left = orphans();
  }
  const auto count = left.size();
  for (const auto patience = Clock::now() + 3s; !left.empty() && Clock::now() < patience;) {
    for (const pid_t child : left) kill(child, SIGKILL);
    std::this_thread::sleep_for(2ms);
    left = orphans();
  }
  return count;
}

} // namespace

void become_subreaper() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Trial hand_in(const Desk& desk, const Submission& submission) {
  const Folder folder;
  Trial trial;
  const auto words = words_for(desk, submission, folder);
  const auto environment = environment_for(desk, folder);
  const auto started = Clock::now();
  await(start(words, environment, folder), submission.patience, trial);
  trial.seconds = Clock::now() - started;
  trial.leftovers = end_orphans();
  trial.out = text_of(folder.file("out"));
  trial.err = text_of(folder.file("err"));
  trial.json = text_of(folder.file("verdict.json"));
  for (const auto& entry : fs::directory_iterator(folder.temporary()))
    trial.left_behind.push_back(entry.path().filename());
  return trial;
}

} // namespace course::trust
