#include "report/edit_words.hpp"

#include "language/translate.hpp"

namespace course::report {

std::string fault_words(const lab::EditFault& fault) {
  using What = lab::EditFault::What;
  switch (fault.what) {
  case What::stray_line:
    return tr("a line begins with ===, //, @@, -, + or a space, or with # where it is a remark");
  case What::no_name:
    return tr("a variant is named by small letters, digits and _, as in === two_words");
  case What::name_again:
    return tr("another variant of the exercise has that name");
  case What::no_comment:
    return tr("the name is followed by what fails, and why: // wrong: CHECK: why");
  case What::no_change:
    return tr("nothing of the solution is changed here");
  case What::not_there:
    return tr("what should be changed is not in the solution");
  case What::several:
    return tr("what should be changed is in the solution {} times; lines that stay, each after a "
              "space, tell which is meant",
              fault.places);
  case What::overlaps:
    return tr("another edit changes the same lines");
  }
  return "";
}

} // namespace course::report
