#include "judge/ended.hpp"

#include <type_traits>

namespace course::judge {
namespace {

template <class Fact, class... Others>
constexpr bool is_one_of = (std::is_same_v<Fact, Others> || ...);

Ending ending(const endings::NotReturned& fact) {
  using How = endings::NotReturned::How;
  return fact.how == How::still_running ? Ending::timed_out
         : fact.how == How::too_large   ? Ending::not_measurable
                                        : Ending::crashed;
}

template <class Fact>
Ending ending(const Fact&) {
  using namespace endings;
  if constexpr (is_one_of<Fact, NoToolkit, Unreadable, NotStarted, NoProcess, SolutionFails,
                          ReferenceFails>) {
    return Ending::set_up;
  } else if constexpr (is_one_of<Fact, SymbolicLink, TooLong, Empty, Rejected, NoFunction,
                                 NotLoaded, NotExported>) {
    return Ending::did_not_compile;
  } else if constexpr (is_one_of<Fact, TooMuchAsked, TooMuchTime>) {
    return Ending::timed_out;
  } else if constexpr (is_one_of<Fact, TooMuchMemory, NotExecutable, NotTimeable, UnknownCall,
                                 ManagedVariable>) {
    return Ending::not_measurable;
  } else if constexpr (is_one_of<Fact, LaunchFails, KernelEnded, Unwritten>) {
    return Ending::failed;
  } else {
    static_assert(is_one_of<Fact, Crashed>, "an ending that nothing says the name of");
    return Ending::crashed;
  }
}

} // namespace

EndedBy ended_by(const Fault& fault) {
  return std::visit([](const auto& fact) { return EndedBy(fact); }, fault);
}

Ending ending_of(const EndedBy& how) {
  return std::visit([](const auto& fact) { return ending(fact); }, how);
}

} // namespace course::judge
