# Tests that grade real files: they run nvcc, and need course_tools. Without nvcc they are skipped
# (exit code 7, set-up).

# A new exercise has a new solution, and that its folder tells. (With CONFIGURE_DEPENDS, `ninja -n`
# would find work to do each time, and so would ./course.)
file(GLOB told_by ${PROJECT_SOURCE_DIR}/solutions/* ${PROJECT_SOURCE_DIR}/labs/*/demo)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${told_by})
if(CMAKE_GENERATOR STREQUAL Ninja)
  course_test(NAME built_once COMMAND sh -c "'${CMAKE_MAKE_PROGRAM}' -C '${PROJECT_BINARY_DIR}' -n build.ninja | grep -q 'no work to do'")
  set_tests_properties(built_once PROPERTIES LABELS unit)
endif()

# The student's own files: `ctest --preset labs -R transpose` is a way to work. They fail until they
# are solved, so they have a label of their own and are no part of the project's tests.
file(GLOB skeletons RELATIVE ${PROJECT_SOURCE_DIR}/labs
     ${PROJECT_SOURCE_DIR}/labs/*/*.cu)
set(labs)
foreach(skeleton ${skeletons})
  string(REGEX REPLACE "\\.cu$" "" exercise ${skeleton})
  get_filename_component(lab ${exercise} DIRECTORY)
  list(APPEND labs ${lab})
  add_test(NAME student/${exercise} COMMAND course grade ${exercise})
  set_tests_properties(student/${exercise} PROPERTIES LABELS student TIMEOUT 120
                                                      SKIP_RETURN_CODE 7)
endforeach()

# The project's own proof: skeletons fail, solutions pass; and wrong variants fail as they say, which
# are most of the files.
list(REMOVE_DUPLICATES labs)
foreach(lab ${labs})
  course_test(NAME check/${lab} COMMAND course check --pairs ${lab})
  course_test(NAME wrong/${lab} COMMAND course check --wrong ${lab})
  set_tests_properties(check/${lab} wrong/${lab} PROPERTIES LABELS lab TIMEOUT 3600
                                                            SKIP_RETURN_CODE 7)
  course_slow(wrong/${lab})
endforeach()

# The action for workflows, executed step by step.
if(COURSE_PYTHON)
  course_test(NAME action COMMAND ${COURSE_PYTHON} ${PROJECT_SOURCE_DIR}/action/action_test.py $<TARGET_FILE:course-explore>)
  set_tests_properties(action PROPERTIES LABELS lab TIMEOUT 1200 SKIP_RETURN_CODE 77)
endif()

course_test(NAME new_exercise COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/new_test.sh $<TARGET_FILE:course-staff>)
set_tests_properties(new_exercise PROPERTIES LABELS lab TIMEOUT 2400)

# What an H200 counted for every one of these files, against the emulated device. It comes behind the
# proofs, which leave their compilations in the cache: seconds then, and minutes without.
course_test(NAME conformance/h200 COMMAND course conformance --quick)
list(TRANSFORM labs PREPEND check/ OUTPUT_VARIABLE checks)
list(TRANSFORM labs PREPEND wrong/ OUTPUT_VARIABLE wrong_variants)
set_tests_properties(conformance/h200 PROPERTIES LABELS lab TIMEOUT 1800 SKIP_RETURN_CODE 7
                                                 DEPENDS "${checks};${wrong_variants}")
course_slow(conformance/h200)

# What the papers say to type is there to be typed.
find_program(COURSE_PYTHON python3)
if(COURSE_PYTHON)
  course_test(NAME papers COMMAND ${COURSE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/papers_test.py ${PROJECT_BINARY_DIR})
  set_tests_properties(papers PROPERTIES LABELS unit)
  # And what the page for instructors says is typed, in its order.
  course_test(NAME instructors COMMAND ${COURSE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/instructors_test.py ${PROJECT_BINARY_DIR})
  set_tests_properties(instructors PROPERTIES LABELS lab TIMEOUT 3600 SKIP_RETURN_CODE 77)
  course_slow(instructors)
  # The notebook for Colab and Kaggle.
  course_test(NAME notebook COMMAND ${COURSE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/notebook_test.py ${PROJECT_SOURCE_DIR} $<TARGET_FILE:course>)
  set_tests_properties(notebook PROPERTIES LABELS unit)
  # What commands print comes from the catalogue of messages.
  course_test(NAME said COMMAND ${COURSE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/said_test.py ${PROJECT_BINARY_DIR})
  course_test(NAME said/grading COMMAND ${COURSE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/said_test.py ${PROJECT_BINARY_DIR} --compiles)
  # And it fits the terminal where a character takes two columns of it.
  course_test(NAME widths COMMAND ${COURSE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/widths_test.py ${PROJECT_BINARY_DIR})
  course_test(NAME widths/grading COMMAND ${COURSE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/widths_test.py ${PROJECT_BINARY_DIR} --compiles)
  set_tests_properties(said said/grading widths widths/grading PROPERTIES LABELS lab SKIP_RETURN_CODE 77)
  course_slow(said/grading widths/grading)
endif()

# The commands about progress, which grade nothing; and a session of theirs as a terminal shows it.
course_doctest(student_commands unit student_commands_test.cpp LINKS course_language course_progress NEEDS groff zsh)
add_dependencies(course_student_commands_test course course-explore course-staff course_serve_tools)
course_test(NAME session COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/session/play.sh ${PROJECT_BINARY_DIR})
course_test(NAME session/zh_CN COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/session/play.sh ${PROJECT_BINARY_DIR} --lang zh_CN)
set_tests_properties(session session/zh_CN PROPERTIES LABELS lab TIMEOUT 1200 SKIP_RETURN_CODE 77)

# The command line from end to end, on files that are wrong in every way there is.
course_doctest(command_line lab command_line_test.cpp LINKS course_cli nlohmann_json::nlohmann_json NEEDS bubblewrap)
add_dependencies(course_command_line_test course_explore_tools)

# One seed gives one verdict, on any number of cores.
course_doctest(cores lab cores_test.cpp LINKS course_cli course_emulator)
add_dependencies(course_cores_test course_tools)
set_tests_properties(cores PROPERTIES SKIP_REGULAR_EXPRESSION "no nvcc on this machine" TIMEOUT 3600)
course_slow(cores)
course_processors(2 cores)

# Programs of the user's own: `course run`, and every demo of the labs under it.
course_doctest(run lab run_test.cpp LINKS course_cli nlohmann_json::nlohmann_json)
add_dependencies(course_run_test course_explore_tools)
set_tests_properties(run PROPERTIES SKIP_REGULAR_EXPRESSION "no nvcc on this machine")
file(GLOB demos RELATIVE ${PROJECT_SOURCE_DIR}/labs
     ${PROJECT_SOURCE_DIR}/labs/*/demo/*.cu)
foreach(demo ${demos})
  course_test(NAME demo/${demo} COMMAND course run -q ${PROJECT_SOURCE_DIR}/labs/${demo})
  set_tests_properties(demo/${demo} PROPERTIES LABELS lab TIMEOUT 1200 SKIP_RETURN_CODE 7)
endforeach()

foreach(program ordinary asynchronous)
  course_test(NAME run/${program} COMMAND course run -q ${CMAKE_CURRENT_SOURCE_DIR}/programs/${program}.cu)
  set_tests_properties(run/${program} PROPERTIES LABELS lab TIMEOUT 1200 SKIP_RETURN_CODE 7)
endforeach()

# The programs of the book's page on programs of one's own: as they are, two of them are wrong.
foreach(program row_sums "-D;MENDED;moving_average" "-D;MENDED;two_streams")
  list(GET program -1 name)
  list(REMOVE_AT program -1)
  course_test(NAME run/${name}
           COMMAND course run -q ${program} ${CMAKE_CURRENT_SOURCE_DIR}/programs/own/${name}.cu)
  set_tests_properties(run/${name} PROPERTIES LABELS lab TIMEOUT 1200 SKIP_RETURN_CODE 7)
endforeach()
course_test(NAME run/torch_extension
         COMMAND course run -q -D MENDED -I ${PROJECT_SOURCE_DIR}/examples/torch ${PROJECT_SOURCE_DIR}/examples/torch/try_softmax.cu)
set_tests_properties(run/torch_extension PROPERTIES LABELS lab TIMEOUT 1200 SKIP_RETURN_CODE 7)

# What programs use of CUDA, item by item, and the wrong twins of each (programs/).
course_doctest(programs lab programs_test.cpp LINKS course_build)
add_dependencies(course_programs_test course_explore_tools)
set_tests_properties(programs PROPERTIES SKIP_REGULAR_EXPRESSION "no nvcc on this machine")
course_slow(programs)
target_compile_definitions(course_programs_test PRIVATE COURSE_PROGRAMS="${CMAKE_CURRENT_SOURCE_DIR}/programs")

# A class, from submissions to tables.
course_doctest(class lab class_test.cpp LINKS course_classroom NEEDS nvcc python3)
add_dependencies(course_class_test course_staff_tools)
course_slow(class_needs_nvcc)

# What students get: its own grader is built, and its own book.
course_test(NAME published COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/published_test.sh ${PROJECT_BINARY_DIR})
set_tests_properties(published PROPERTIES LABELS lab TIMEOUT 3600 SKIP_RETURN_CODE 77)
course_slow(published)
course_processors(2 published)

# A class's pages in a browser, by what its test leaves; the book's packages are used.
course_test(NAME class_pages COMMAND sh ${PROJECT_SOURCE_DIR}/grader/classroom/pages_test.sh ${PROJECT_BINARY_DIR})
set_tests_properties(class_pages PROPERTIES LABELS book TIMEOUT 1200 SKIP_RETURN_CODE 77)
course_slow(class_pages)
course_processors(2 class_pages)

# What a reader is told on GPUs before the H200, by a fake one; and that the course's own code is for those that
# exercises say it is for, by NVIDIA's assembler.
if(COURSE_PYTHON)
  course_test(NAME older_gpus
           COMMAND ${COURSE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/older_gpus_test.py ${PROJECT_BINARY_DIR}
                   $<TARGET_FILE:course_fake_gpu_worker>)
  course_test(NAME shared_needs COMMAND ${COURSE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/shared_needs_test.py ${PROJECT_SOURCE_DIR} $<TARGET_FILE:course>)
  set_tests_properties(older_gpus shared_needs PROPERTIES LABELS lab TIMEOUT 1200)
  course_slow(shared_needs)
endif()

# Submissions on two GPUs that are fake, one of which falls sick: they are spread, and have the
# same table as on the emulated device.
if(COURSE_PYTHON)
  course_test(NAME class_gpus
           COMMAND ${COURSE_PYTHON} ${PROJECT_SOURCE_DIR}/bench/class_gpus.py ${PROJECT_BINARY_DIR}
                   --gpus 0,1 --students 16 --jobs 4 --exercise 01_banks/2_row_column
                   --fake $<TARGET_FILE:course_fake_gpu_worker>
                   --out ${PROJECT_BINARY_DIR}/Testing/class_gpus)
  set_tests_properties(class_gpus PROPERTIES LABELS lab TIMEOUT 2400)
  course_slow(class_gpus)
  course_processors(2 class_gpus)
endif()

# A language server, by a client of ours; and in a real Neovim, without a screen and on one.
if(COURSE_PYTHON)
  course_test(NAME lsp COMMAND ${COURSE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/lsp/session.py ${PROJECT_BINARY_DIR})
  set_tests_properties(lsp PROPERTIES LABELS lab TIMEOUT 2400 SKIP_RETURN_CODE 77)
endif()
course_test(NAME neovim COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/lsp/neovim/test.sh ${PROJECT_BINARY_DIR})
set_tests_properties(neovim PROPERTIES LABELS lab TIMEOUT 2400 SKIP_RETURN_CODE 77)
course_test(NAME vscode COMMAND ${PROJECT_SOURCE_DIR}/editors/vscode/test.sh ${PROJECT_BINARY_DIR})
set_tests_properties(vscode PROPERTIES LABELS lab TIMEOUT 1200 SKIP_RETURN_CODE 77)
course_slow(neovim vscode)

# Tools for an assistant, by the protocol's own client.
course_test(NAME mcp COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/mcp/client/test.sh ${PROJECT_BINARY_DIR})
set_tests_properties(mcp PROPERTIES LABELS lab TIMEOUT 2400 SKIP_RETURN_CODE 77)

# Results that survive: graders and classes that are killed at random. More with --kills 500.
# Hostile files under `course watch`, in a terminal of its own; and a class of attackers.
if(COURSE_PYTHON)
  foreach(test killed watched class_attacks)
    course_test(NAME ${test}
             COMMAND ${COURSE_PYTHON} ${PROJECT_SOURCE_DIR}/grader/trust/${test}.py ${PROJECT_BINARY_DIR})
    set_tests_properties(${test} PROPERTIES LABELS lab TIMEOUT 2400 SKIP_RETURN_CODE 7)
  endforeach()
  course_slow(killed)
endif()

# A hundred submissions through a Slurm cluster that loses a node: minutes, so only where it is asked
# for, cmake -D COURSE_SLURM=ON. Without Slurm it is skipped.
option(COURSE_SLURM "Test class grading on a Slurm cluster of this machine's own" OFF)
if(COURSE_SLURM)
  course_test(NAME class_slurm COMMAND sh ${PROJECT_SOURCE_DIR}/grader/classroom/slurm_check.sh
                                    $<TARGET_FILE:course> $<TARGET_FILE:synthetic_class>)
  set_tests_properties(class_slurm PROPERTIES LABELS lab SKIP_RETURN_CODE 77 TIMEOUT 2400)
endif()

# cmake -D COURSE_SUBMISSIONS=FOLDER: a class as tests of this build, a test a submission, with the
# label `class`. Which there are is looked up whenever ctest is run. Results are in
# COURSE_RESULTS, class/ in the build folder by default; `course class` makes the tables.
set(COURSE_SUBMISSIONS "" CACHE PATH "Folder of submissions to grade as tests: course class")
set(COURSE_RESULTS ${PROJECT_BINARY_DIR}/class CACHE PATH "Where results of COURSE_SUBMISSIONS go")
if(COURSE_SUBMISSIONS)
  configure_file(ClassTests.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/ClassTests.cmake @ONLY)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES
                                         ${CMAKE_CURRENT_BINARY_DIR}/ClassTests.cmake)
endif()

# Who tries to cheat is caught, who is odd but right passes: attacks/, and the honest ways in solutions/. Those that need a GPU
# must fail no check without one. Half an hour of processors' time: `./course test` has the clock's.
# How long a file may take is declared beside it, for a machine of its own; here it is only to end.
foreach(lab ${labs})
  list(APPEND honest controls/${lab})
endforeach()
foreach(part attacks/clock attacks/compile attacks/device attacks/gpu attacks/host attacks/limits
             attacks/protocol attacks/slow controls/odd ${honest})
  course_test(NAME ${part} COMMAND course attacks --patience 5 ${part})
  set_tests_properties(${part} PROPERTIES LABELS lab TIMEOUT 3600 SKIP_RETURN_CODE 7)
  if(NOT part STREQUAL attacks/clock)
    course_slow(${part})
  endif()
endforeach()
