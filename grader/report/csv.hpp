// Grades as CSV (RFC 4180), a line for each exercise of each student, for gradebooks.
//
// A cell that a spreadsheet would take for a formula (= + - @, a tab or a return first, or after
// blanks) gets a quote mark before it: names and reasons come from students.
#pragma once

#include "report/graded.hpp"

#include <string>
#include <string_view>

namespace course::report {

// Excel takes a table for UTF-8 when it begins so; what reads tables here passes over it. Those
// that platforms import go without.
inline constexpr const char* kExcelMark = "\xef\xbb\xbf";

inline constexpr const char* kCsvHeader = "student,lab,exercise,state,verdict,points,max_points,"
                                          "failed_checks,reason,late,handed_in,clock,decision,file,"
                                          "id\r\n";

std::string csv_rows(const GradedStudent&);

// A line a student.
inline constexpr const char* kTotalsHeader =
    "student,score,max_score,percent,late,problems,notes,id,email,section,team,decided\r\n";
std::string totals_row(const GradedStudent&);

std::string csv_cell(std::string_view text);

} // namespace course::report
