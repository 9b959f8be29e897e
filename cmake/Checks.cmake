# Checks of the text itself, as tests with the label `style`.

find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)

# course_check(NAME COMMAND…): exit code 77 is "skipped", and the check prints why.
function(course_check name)
  course_test(NAME style/${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(style/${name} PROPERTIES LABELS style SKIP_RETURN_CODE 77 TIMEOUT 3600)
endfunction()

course_check(format sh cmake/check_format.sh "${CLANG_FORMAT}")
course_check(house sh cmake/check_house.sh)
course_check(asked python3 grader/lab/asked.py --check) # each demand stands in its task

# What the preset `sanitize` builds, and runs: the tests of the rooms that read foreign bytes, and
# of the emulated device, which executes them.
if(COURSE_SANITIZE)
  add_custom_target(course_sanitized_tests)
  foreach(room system elf ptx sass inspect fatbin emulator emulator_findings emulator_differential sandbox build
               runtime judge)
    add_dependencies(course_sanitized_tests course_${room}_test)
  endforeach()
  # Those whose rooms are built for it anyway; the preset `fuzz` has all of them.
  foreach(fuzz elf ptx sass display_name emulator fatbin messages session program_file)
    add_dependencies(course_sanitized_tests course_${fuzz}_replay)
  endforeach()
endif()
