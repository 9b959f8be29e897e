# A fuzz target: a source that defines LLVMFuzzerTestOneInput, beside what it feeds.
#
#   course_fuzz(NAME source_fuzz.cpp [LINKS targets…] [MUTATOR sources…])
#
# In every build, the inputs that are kept in source_fuzz.inputs are replayed by the CTest test
# fuzz/NAME, with the label `unit`. With COURSE_FUZZ, bin/fuzz/NAME is libFuzzer's program, which
# looks for more (CONTRIBUTING.md); a mutator says how it changes inputs.
option(COURSE_FUZZ "Build libFuzzer's programs: the preset `fuzz`, which needs clang" OFF)
if(COURSE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "COURSE_FUZZ needs clang: cmake --preset fuzz")
  endif()
  # The programs are carried to machines that have little installed.
  add_compile_definitions(FMT_HEADER_ONLY)
  add_link_options(-static-libstdc++ -static-libgcc -Wl,--as-needed)
  add_custom_target(course_fuzzers)
endif()

function(course_fuzz name source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LINKS;MUTATOR")
  string(REGEX REPLACE "cpp$" "inputs" kept ${source})
  if(COURSE_TESTS)
    add_executable(course_${name}_replay ${source})
    target_link_libraries(course_${name}_replay PRIVATE ${arg_LINKS} course_replay course_warnings)
    target_compile_definitions(course_${name}_replay PRIVATE COURSE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    course_test(NAME fuzz/${name}
             COMMAND course_${name}_replay ${CMAKE_CURRENT_SOURCE_DIR}/${kept})
    # What there is no room for is refused in words: no reason for a sanitizer to end it.
    set_tests_properties(fuzz/${name} PROPERTIES LABELS unit TIMEOUT 1200
                         ENVIRONMENT ASAN_OPTIONS=allocator_may_return_null=1)
  endif()
  if(COURSE_FUZZ)
    add_executable(course_${name}_fuzz ${source} ${arg_MUTATOR})
    target_link_libraries(course_${name}_fuzz PRIVATE ${arg_LINKS} course_warnings)
    target_compile_definitions(course_${name}_fuzz PRIVATE COURSE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_link_options(course_${name}_fuzz PRIVATE -fsanitize=fuzzer)
    set_target_properties(course_${name}_fuzz PROPERTIES
      OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin/fuzz)
    file(WRITE ${PROJECT_BINARY_DIR}/bin/fuzz/${name}.kept ${CMAKE_CURRENT_SOURCE_DIR}/${kept})
    add_dependencies(course_fuzzers course_${name}_fuzz)
  endif()
endfunction()
