#include "trust/workers.hpp"

#include "system/descriptor.hpp"
#include "system/fork.hpp"
#include "system/stream.hpp"
#include "trust/trial.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace course::trust {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail_worker(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// The next number that nobody has begun, in memory that all workers share.
class Next {
public:
  explicit Next(std::uint64_t first) {
    void* const shared = mmap(nullptr, sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) fail_worker("memory that workers share");
    number_ = new (shared) std::atomic<std::uint64_t>(first);
  }
  Next(const Next&) = delete; // two would unmap one page
  Next& operator=(const Next&) = delete;
  ~Next() { munmap(number_, sizeof(*number_)); }
  std::uint64_t take() { return number_->fetch_add(1); }
  std::uint64_t seen() const { return number_->load(); }

private:
  std::atomic<std::uint64_t>* number_ = nullptr;
};

// The n-th core that this process may use, and no other.
void stay_on_one_core(unsigned n) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  const auto cores = static_cast<unsigned>(CPU_COUNT(&allowed));
  if (cores == 0) return;
  unsigned left = n % cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &allowed) || left-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof(one), &one);
    return;
  }
}

struct Worker {
  system::Descriptor lines;
  std::string text; // of a line that is not whole yet
};

// Hands on the lines that have come. False once there will be no more.
bool read_some(Worker& worker, const std::function<void(const std::string&)>& each) {
  std::array<char, 1 << 16> buffer;
  const auto got = ::read(worker.lines.get(), buffer.data(), buffer.size());
  if (got <= 0) return got < 0 && errno == EINTR;
  worker.text.append(buffer.data(), static_cast<std::size_t>(got));
  for (std::size_t end; (end = worker.text.find('\n')) != std::string::npos;) {
    each(worker.text.substr(0, end));
    worker.text.erase(0, end + 1);
  }
  return true;
}

void read_all(std::vector<Worker> workers, const std::function<void(const std::string&)>& each) {
  while (!workers.empty()) {
    std::vector<pollfd> events;
    events.reserve(workers.size());
    for (const auto& worker : workers) events.push_back({worker.lines.get(), POLLIN, 0});
    poll(events.data(), events.size(), -1);
    for (std::size_t i = workers.size(); i-- > 0;)
      if (events[i].revents != 0 && !read_some(workers[i], each))
        workers.erase(workers.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

} // namespace

std::uint64_t in_processes(std::uint64_t first, std::uint64_t end, const Crew& crew,
                           const std::function<std::string(std::uint64_t)>& work,
                           const std::function<void(const std::string&)>& each) {
  Next next(first);
  const auto jobs = static_cast<unsigned>(std::min<std::uint64_t>(
      std::clamp(crew.jobs, 1u, 256u), std::max<std::uint64_t>(end - first, 1)));
  const auto serve = [&](unsigned n, int to) {
    become_subreaper();
    if (crew.one_core) stay_on_one_core(n);
    while (!crew.until || Clock::now() < *crew.until) {
      const auto number = next.take();
      if (number >= end || !system::write_all(to, work(number) + "\n")) return;
    }
  };
  std::vector<Worker> workers;
  std::vector<pid_t> processes; // this program may have other children, which do not end
  for (unsigned n = 0; n < jobs; ++n) {
    // Each has a pipe of its own: in a common one, long lines could be mixed.
    auto said = system::make_pipe();
    if (!said) fail_worker("a pipe");
    const pid_t worker = system::fork_child(0);
    if (worker < 0) fail_worker("a worker");
    if (worker == 0) {
      said->read.reset();
      serve(n, said->write.get());
      _exit(0);
    }
    workers.push_back({std::move(said->read), {}});
    processes.push_back(worker);
  }
  read_all(std::move(workers), each);
  for (const pid_t process : processes) system::await(process);
  return std::min(next.seen(), end);
}

} // namespace course::trust
