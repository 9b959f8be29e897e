#include "rung.hpp"

#include "sandbox/bubblewrap.hpp"
#include "sandbox/keeper_program.hpp"
#include "sandbox/landlock_version.hpp"
#include "sandbox/process.hpp"

namespace course::sandbox {
namespace {

// Whether name spaces may be made depends on the kernel, its settings, AppArmor and the container
// around; running a program that does nothing answers for all of them, in about 6 ms.
bool bubblewrap_works() {
  if (bubblewrap_program().empty()) return false;
  Command command;
  command.argv = {keeper_program(), "nothing"};
  Limits limits;
  limits.wall = std::chrono::seconds(2);
  const Outcome outcome = Process::start(command, limits, Rung::bubblewrap).wait();
  return outcome.end == Outcome::End::exited && outcome.code == 0;
}

} // namespace

bool available(Rung rung) {
  if (rung == Rung::process) return true;
  if (rung == Rung::landlock) return landlock_version() > 0;
  static const bool bubblewrap = bubblewrap_works();
  return bubblewrap;
}

Rung best_rung() {
  for (const Rung rung : {Rung::bubblewrap, Rung::landlock})
    if (available(rung)) return rung;
  return Rung::process;
}

std::string name(Rung rung) {
  if (rung == Rung::process) return "process";
  const std::string word = rung == Rung::bubblewrap ? "bubblewrap" : "landlock";
  return kHaveFilter ? word : word + ", no seccomp";
}

std::string rung() {
  return name(best_rung());
}

} // namespace course::sandbox
