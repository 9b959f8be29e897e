#include "rung.hpp"

#include "sandbox/bubblewrap.hpp"
#include "sandbox/keeper_program.hpp"
#include "sandbox/landlock_version.hpp"
#include "sandbox/process.hpp"
#include "sandbox/scope.hpp"

#include <optional>

namespace course::sandbox {
namespace {

// Whether name spaces may be made depends on the kernel, its settings, AppArmor and the container
// around; running a program that does nothing answers for all of them, in about 6 ms. The limit is
// for machines that are overloaded: nobody shall get a weaker rung by keeping this one busy.
bool bubblewrap_works() {
  if (bubblewrap_program().empty()) return false;
  Command command;
  command.argv = {keeper_program(), "nothing"};
  Limits limits;
  limits.wall = std::chrono::seconds(20);
  const Outcome outcome = Process::start(command, limits, Rung::bubblewrap).wait();
  return outcome.end == Outcome::End::exited && outcome.code == 0;
}

std::optional<Rung> insisted;

} // namespace

bool available(Rung rung) {
  if (rung == Rung::process) return true;
  if (rung == Rung::landlock) return landlock_version() > 0;
  static const bool bubblewrap = bubblewrap_works();
  return bubblewrap;
}

bool insist_on(Rung rung) {
  if (!available(rung)) return false;
  insisted = rung;
  return true;
}

Rung best_rung() {
  if (insisted) return *insisted;
  for (const Rung rung : {Rung::bubblewrap, Rung::landlock})
    if (available(rung)) return rung;
  return Rung::process;
}

std::string name(Rung rung) {
  if (rung == Rung::process) return "process";
  std::string word = rung == Rung::bubblewrap ? "bubblewrap" : "landlock";
  if (rung == Rung::bubblewrap && scopes_work()) word += " in a systemd scope";
  return kHaveFilter ? word : word + ", no seccomp";
}

std::string rung() {
  return name(best_rung());
}

} // namespace course::sandbox
