#include "report/format.hpp"

#include "language/translate.hpp"
#include "report/annotations.hpp"
#include "report/autolab.hpp"
#include "report/classroom50.hpp"
#include "report/gradescope.hpp"
#include "report/json.hpp"
#include "report/prairielearn.hpp"
#include "report/sarif.hpp"
#include "report/vpl.hpp"

namespace course::report {

using language::marked;
using Student = const GradedStudent&;
using About = const Circumstances&;

const std::vector<Format>& formats() {
  static const std::vector<Format> all{
      {"gradescope", marked("Write results.json of Gradescope"), "gradescope.json", false,
       [](Student student, About about) {
         return json_text(gradescope(student, about.published));
       }},
      {"classroom50", marked("Write result.json of Classroom 50"), "", false,
       [](Student student, About about) {
         return json_text(classroom50(student, classroom50_of(about.environment)));
       }},
      {"prairielearn", marked("Write results.json of PrairieLearn"), "prairielearn.json", false,
       [](Student student, About) { return json_text(prairielearn(student)); }},
      {"sarif", marked("Write findings as SARIF 2.1.0"), "findings.sarif", false,
       [](Student student, About about) { return json_text(sarif(student, about.version)); }},
      {"autolab", marked("Print Autolab's lines"), "autolab.txt", true,
       [](Student student, About) { return autolab(student); }},
      {"vpl", marked("Print what Moodle's Virtual Programming Lab reads"), "", true,
       [](Student student, About) { return vpl(student); }},
      {"github", marked("Print annotations of GitHub Actions"), "github.txt", true,
       [](Student student, About) { return annotations(student); }},
  };
  return all;
}

} // namespace course::report
