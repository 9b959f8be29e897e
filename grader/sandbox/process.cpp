#include "process.hpp"

#include "sandbox/bubblewrap.hpp"
#include "sandbox/hidden.hpp"
#include "sandbox/keeper_order.hpp"
#include "sandbox/keeper_program.hpp"
#include "sandbox/reach.hpp"
#include "sandbox/scope.hpp"
#include "sandbox/scratch.hpp"
#include "sandbox/watch.hpp"
#include "system/program.hpp"
#include "system/stream.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <random>
#include <stdexcept>
#include <sys/socket.h>
#include <system_error>
#include <thread>

namespace course::sandbox {
namespace {

constexpr uid_t kNobody = 65534;
constexpr uid_t kFirstUser = 0x4000'0000, kUsers = 0x2000'0000;

// Whether this process may become any user; in most containers within containers only some exist.
bool all_users_exist() {
  std::uint64_t inside = 0, outside = 0, count = 0;
  std::ifstream("/proc/self/uid_map") >> inside >> outside >> count;
  return inside == 0 && count > kFirstUser + kUsers;
}

// For a program of root's, a user that nothing else belongs to: its limit of processes is its own,
// and programs that run side by side cannot signal each other.
std::optional<uid_t> fresh_user() {
  if (geteuid() != 0) return std::nullopt;
  if (!all_users_exist()) return kNobody;
  std::random_device random;
  return kFirstUser + random() % kUsers;
}

Order order_for(const Command& command, const Limits& limits, Rung rung,
                std::optional<uid_t> user) {
  Order order;
  order.argv = command.argv;
  for (const auto& [name, value] : command.environment)
    order.environment.push_back(std::string(name).append("=").append(value));
  order.directory = command.directory;
  order.cpu = limits.cpu;
  order.memory = limits.memory;
  order.file_size = limits.file_size;
  order.processes = limits.processes;
  order.user = user;
  order.shares_user = !user && rung != Rung::bubblewrap;
  order.reads_all_modes = user && rung == Rung::landlock && may_read_all_modes();
  order.landlock = rung == Rung::landlock;
  order.filter = rung != Rung::process && kHaveFilter;
  order.channel = command.channel;
  order.readable = command.readable;
  order.readable.emplace_back(command.argv.at(0)); // none is a not_started, too
  if (!command.directory.empty()) order.readable.push_back(command.directory);
  order.writable = command.writable;
  order.system = system_folders();
  return order;
}

bool in_a_scope(Rung rung) {
  return rung == Rung::bubblewrap && scopes_work();
}

std::vector<std::string> keeper_arguments(const Order& order, const Limits& limits, Rung rung) {
  auto words = in_a_scope(rung) ? scope_words(limits) : std::vector<std::string>{};
  words.push_back(keeper_program());
  const bool wrapped = rung == Rung::bubblewrap;
  words.push_back(wrapped ? "wrapped" : "direct");
  if (wrapped) words.push_back("--");
  const auto rest = wrapped ? bubblewrap(order, keeper_program()) : to_arguments(order);
  words.insert(words.end(), rest.begin(), rest.end());
  return words;
}

// Bubblewrap puts each path where anybody can get at it; the other rungs leave it where it is.
void check_reach(const Order& order, Rung rung) {
  if (!order.user || order.reads_all_modes || rung == Rung::bubblewrap) return;
  for (const auto* paths : {&order.readable, &order.writable})
    for (const auto& path : *paths)
      if (const auto closed = closed_folder_above(path))
        throw std::runtime_error("root's programs run as another user here, who may not enter '" +
                                 closed->string() +
                                 "': move the files to where everybody may, or " + "chmod o+x '" +
                                 closed->string() + "'");
}

struct Pair {
  system::Descriptor ours, theirs;
};

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// Numbers that no descriptor of the keeper has, so that giving it one cannot close another.
system::Descriptor out_of_the_way(system::Descriptor low) {
  system::Descriptor high(fcntl(low.get(), F_DUPFD_CLOEXEC, 16));
  if (!high) fail("descriptor");
  return high;
}

Pair output_pipe() {
  auto pipe = system::make_pipe();
  if (!pipe) fail("pipe");
  Pair pair{std::move(pipe->read), out_of_the_way(std::move(pipe->write))};
  fcntl(pair.ours.get(), F_SETFL, O_NONBLOCK);
  return pair;
}

Pair make_sockets(int type) {
  int ends[2];
  if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair");
  return {system::Descriptor(ends[0]), out_of_the_way(system::Descriptor(ends[1]))};
}

pid_t start_keeper(const std::vector<std::string>& words,
                   const std::vector<std::string>& environment, const Pair& out, const Pair& err,
                   const Pair& channel, const Pair& control) {
  system::Program keeper{words};
  keeper.environment = environment;
  keeper.apart = true;
  keeper.descriptors = {{STDIN_FILENO},
                        {STDOUT_FILENO, out.theirs.get()},
                        {STDERR_FILENO, err.theirs.get()},
                        {kChannelDescriptor, channel.theirs.get()},
                        {kControlDescriptor, control.theirs.get()}};
  const pid_t process = system::start(keeper);
  if (process < 0) fail(words.front().c_str());
  return process;
}

} // namespace

struct Process::State {
  std::optional<system::TemporaryFolder> scratch;
  std::vector<Lent> lent;
  Watched watched;
  system::Descriptor channel;
  Outcome outcome;
  std::thread watcher;

  void start(const Command&, const Limits&, Rung);
  void prepare_folders(Order&, Rung);
};

// Throws std::system_error.
void Process::State::prepare_folders(Order& order, Rung rung) {
  if (order.user)
    for (const auto& folder : order.writable) lent.emplace_back(folder, *order.user);
  if (!order.directory.empty()) return;
  if (rung == Rung::bubblewrap) {
    order.directory = kBox;
    return;
  }
  scratch = scratch_folder(order.user);
  order.directory = scratch->path();
  order.scratch = true;
  order.writable.push_back(scratch->path());
}

// Throws std::exception.
void Process::State::start(const Command& command, const Limits& limits, Rung rung) {
  Order order = order_for(command, limits, rung, fresh_user());
  check_reach(order, rung);
  prepare_folders(order, rung);

  Pair out = output_pipe(), err = output_pipe(), control = make_sockets(SOCK_SEQPACKET),
       channel_pair;
  if (command.channel) channel_pair = make_sockets(SOCK_STREAM);
  // None but what systemd-run needs; the keeper hands nothing of it on.
  const auto environment = in_a_scope(rung) ? scope_environment() : std::vector<std::string>{};
  watched.keeper = start_keeper(keeper_arguments(order, limits, rung), environment, out, err,
                                channel_pair, control);
  watched.control = std::move(control.ours);
  watched.out = OutputCapture(std::move(out.ours), limits.output);
  watched.err = OutputCapture(std::move(err.ours), limits.output);
  channel = std::move(channel_pair.ours);
  watcher = std::thread([this, limits] { outcome = watch(watched, limits); });
}

Process::Process(std::unique_ptr<State> state) : state_(std::move(state)) {}
Process::Process(Process&&) noexcept = default;

Process& Process::operator=(Process&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

Process::~Process() {
  if (!state_) return;
  end();
  wait();
}

Process Process::start(const Command& command, const Limits& limits) {
  return start(command, limits, best_rung());
}

Process Process::start(const Command& command, const Limits& limits, Rung rung) {
  auto state = std::make_unique<State>();
  try {
    state->start(command, limits, rung);
  } catch (const std::exception& error) {
    state->outcome.end = Outcome::End::not_started;
    state->outcome.reason = error.what();
  }
  return Process(std::move(state));
}

int Process::channel() const {
  return state_->channel.get();
}

void Process::end() {
  if (state_->watched.control) ask_end(state_->watched.control.get());
}

Outcome Process::wait() {
  if (state_->watcher.joinable()) state_->watcher.join();
  state_->channel.reset();
  state_->lent.clear();
  state_->scratch.reset();
  return state_->outcome;
}

} // namespace course::sandbox
