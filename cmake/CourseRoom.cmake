# A room of the grader: a static library with its tests beside it.
#
#   course_room(NAME sources… [LIMITS] [LINKS targets…] [TESTS sources…] [TEST_LINKS targets…] [NEEDS things…])
#
# The library is the target course_NAME. Each test source is a doctest file; all of a room's tests
# are one executable, course_NAME_test, and one CTest test, NAME, with the label `unit`. LIMITS: those
# of the test suite `limits` compute until a limit of whole seconds ends them, and are a CTest test of
# their own, NAME_limits, without that label, which runs alone. NEEDS: those of the test suite `needs THING` are a CTest
# test of their own as well, NAME_needs_THING, which is skipped where one says "skipped: …".
function(course_room name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "LIMITS" "" "LINKS;TESTS;TEST_LINKS;NEEDS")
  add_library(course_${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(course_${name} PUBLIC ${PROJECT_SOURCE_DIR}/grader)
  target_link_libraries(course_${name} PUBLIC ${arg_LINKS} PRIVATE course_warnings)
  if(arg_TESTS AND COURSE_TESTS)
    set(limits)
    if(arg_LIMITS)
      set(limits LIMITS)
    endif()
    course_doctest(${name} unit ${limits} ${arg_TESTS} LINKS course_${name} ${arg_TEST_LINKS}
                   NEEDS ${arg_NEEDS})
  endif()
endfunction()

# course_hot(TARGET): what executes a grading's inner loops.
function(course_hot target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>)
endfunction()

# Of binutils, as ld is, and a third of its time: there are as many tests to link as rooms. Not every compiler finds its
# libraries by it.
include(CheckLinkerFlag)
if(COURSE_TESTS)
  check_linker_flag(CXX -fuse-ld=gold COURSE_GOLD)
endif()

# course_doctest(NAME LABEL [LIMITS] sources… LINKS targets… [NEEDS things…]): one doctest executable as one CTest test, and
# one more for LIMITS and for each thing that some of its cases need.
function(course_doctest name label)
  cmake_parse_arguments(PARSE_ARGV 2 arg "LIMITS" "" "LINKS;NEEDS")
  add_executable(course_${name}_test ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(course_${name}_test PRIVATE ${arg_LINKS} course_doctest_main
                                                    course_warnings)
  # A test is mostly assertions, and optimising those takes up to four times as long as compiling
  # them: half of the time to build everything.
  target_compile_options(course_${name}_test PRIVATE -O0)
  if(COURSE_GOLD AND NOT COURSE_SANITIZE)
    target_link_options(course_${name}_test PRIVATE -fuse-ld=gold)
  endif()
  target_compile_definitions(course_${name}_test
                             PRIVATE COURSE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                     COURSE_BINARY_DIR="${PROJECT_BINARY_DIR}")
  course_test(NAME ${name} COMMAND course_${name}_test "--test-suite-exclude=limits,needs *")
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 1200)
  if(arg_LIMITS)
    course_test(NAME ${name}_limits COMMAND course_${name}_test --test-suite=limits)
    set_tests_properties(${name}_limits PROPERTIES TIMEOUT 1200)
    course_alone(${name}_limits)
  endif()
  foreach(need ${arg_NEEDS})
    course_test(NAME ${name}_needs_${need} COMMAND course_${name}_test "--test-suite=needs ${need}")
    set_tests_properties(${name}_needs_${need} PROPERTIES LABELS ${label} TIMEOUT 1200
                                                          SKIP_REGULAR_EXPRESSION "skipped: ")
  endforeach()
endfunction()
