# Tests that grade real files: they run nvcc, and need course_tools. Without nvcc they are skipped
# (exit code 7, set-up).

# The student's own files: `ctest --preset labs -R transpose` is a way to work. They fail until they
# are solved, so they have a label of their own and are no part of the project's tests.
file(GLOB skeletons CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/labs
     ${PROJECT_SOURCE_DIR}/labs/*/*.cu)
set(labs)
foreach(skeleton ${skeletons})
  string(REGEX REPLACE "\\.cu$" "" exercise ${skeleton})
  get_filename_component(lab ${exercise} DIRECTORY)
  list(APPEND labs ${lab})
  add_test(NAME student/${exercise} COMMAND course grade ${exercise})
  set_tests_properties(student/${exercise} PROPERTIES LABELS "student;${lab}" TIMEOUT 120
                                                      SKIP_RETURN_CODE 7)
endforeach()

# The project's own proof: skeletons fail, solutions pass, wrong variants fail as they say.
list(REMOVE_DUPLICATES labs)
foreach(lab ${labs})
  add_test(NAME check/${lab} COMMAND course check ${lab})
  set_tests_properties(check/${lab} PROPERTIES LABELS "lab;${lab}" TIMEOUT 600 SKIP_RETURN_CODE 7)
endforeach()

# The command line from end to end, on files that are wrong in every way there is.
course_doctest(command_line lab command_line_test.cpp LINKS course_cli nlohmann_json::nlohmann_json)
add_dependencies(course_command_line_test course_tools)
