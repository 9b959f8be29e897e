# Each test of CTest is made here, but those that grade a student's or a class's files.
#
#   course_test(NAME name COMMAND program arguments… [what else add_test takes])
#
# A test takes one processor unless `course_processors` says otherwise, and CTest gives it so many of this machine's and
# no others: what would use all cores (the emulator, Ninja, node) sees only those, so that `ctest -j $(nproc)` never asks
# for more than there is. What it costs is added to Testing/costs.tsv, which `bench/test_cost.py` reads.
function(course_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "COMMAND")
  list(POP_FRONT arg_COMMAND program)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  add_test(NAME ${arg_NAME} ${arg_UNPARSED_ARGUMENTS}
           COMMAND course_test_cost ${PROJECT_BINARY_DIR}/Testing/costs.tsv ${arg_NAME} ${program} ${arg_COMMAND})
  course_processors(1 ${arg_NAME})
endfunction()

# course_processors(N TEST…): they use N processors at a time. More than the machine has are all it has.
function(course_processors number)
  set_tests_properties(${ARGN} PROPERTIES PROCESSORS ${number} PROCESSOR_AFFINITY ON)
endfunction()

# course_alone(TEST…): nothing else runs beside them. For what waits for a limit of a second or two, and for what measures time,
# which has the label `timing` as well.
function(course_alone)
  set_tests_properties(${ARGN} PROPERTIES RUN_SERIAL ON)
endfunction()

# course_slow(TEST…): what takes long and rarely fails. `./course test --all` has it, and what CI runs; `./course test` has
# the rest. With `--minutes N` one of them is skipped when its turn comes later (test_cost.cpp).
function(course_slow)
  foreach(test ${ARGN})
    set_property(TEST ${test} APPEND PROPERTY LABELS slow)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT_MODIFICATION COURSE_SLOW=set:1)
    set_property(TEST ${test} APPEND PROPERTY SKIP_REGULAR_EXPRESSION "not begun: the time for slow tests is over")
  endforeach()
endfunction()

add_executable(course_test_cost ${CMAKE_CURRENT_LIST_DIR}/test_cost.cpp)
target_compile_options(course_test_cost PRIVATE -fno-sanitize=all)
target_link_options(course_test_cost PRIVATE -fno-sanitize=all)
target_link_libraries(course_test_cost PRIVATE course_warnings)

add_test(NAME slow_tests_end COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/test_cost_test.sh $<TARGET_FILE:course_test_cost>)
set_tests_properties(slow_tests_end PROPERTIES LABELS unit)
