# The book: the target `book`, and its tests with the label `book`. Where Doxygen, Node.js, npm or Chromium are missing,
# the target and the tests say so; nothing else needs them.

set(book_folder ${PROJECT_BINARY_DIR}/book)
add_custom_target(book
  COMMAND sh ${PROJECT_SOURCE_DIR}/book/build.sh ${book_folder}
  COMMAND ${CMAKE_COMMAND} -E echo "the book: ${book_folder}/html/index.html"
  USES_TERMINAL)

if(NOT COURSE_TESTS)
  return()
endif()

# book_test(NAME COMMAND…): exit code 77 is "skipped", and the test prints why.
function(book_test name)
  course_test(NAME book/${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(book/${name} PROPERTIES LABELS book SKIP_RETURN_CODE 77 TIMEOUT 3600
                       ENVIRONMENT "COURSE_BOOK_BUILD=${book_folder};COURSE=$<TARGET_FILE:course>")
endfunction()

book_test(builds sh book/tests/run.sh builds)
set_tests_properties(book/builds PROPERTIES FIXTURES_SETUP book TIMEOUT 2400)
book_test(units sh book/tests/run.sh units)
book_test(chapters sh book/tests/run.sh chapters)
book_test(format sh book/tests/run.sh format)
book_test(workflows sh book/tests/run.sh workflows)
book_test(pages sh book/tests/run.sh pages)
book_test(pages/sample sh book/tests/run.sh pages 01_banks.html)
book_test(own sh book/tests/run.sh own)
book_test(languages sh book/tests/run.sh languages)
book_test(languages/sample sh book/tests/run.sh languages 01_banks.html)
book_test(faults sh book/tests/run.sh faults)
book_test(paper sh book/tests/run.sh paper)
set_tests_properties(book/units book/chapters book/format book/workflows book/pages book/own
                     book/languages book/faults book/paper book/pages/sample
                     book/languages/sample PROPERTIES FIXTURES_REQUIRED book)
# A browser is several processes, which get along on one processor: two tests at a time waste less than one that waits.
# COST: begun early, so that a first run does not wait for the longest at its end.
set_tests_properties(book/pages book/languages book/faults PROPERTIES TIMEOUT 1800 COST 100)
course_slow(book/pages book/own book/languages book/faults book/paper)
# Parts of slow ones, for whoever does not run those.
set_property(TEST book/pages/sample book/languages/sample APPEND PROPERTY LABELS sample)

# What `course serve` makes of it: exercises are edited and graded, by nvcc.
if(TARGET course-serve)
  book_test(live sh book/tests/run.sh live)
  set_tests_properties(book/live PROPERTIES LABELS "book;lab" FIXTURES_REQUIRED book)
  course_processors(2 book/live)
  # Its configurations of a web server, in front of it.
  book_test(front sh ${PROJECT_SOURCE_DIR}/grader/serve/deploy/nginx_test.sh $<TARGET_FILE:course> ${PROJECT_SOURCE_DIR}
            ${PROJECT_BINARY_DIR}/book/html)
  set_tests_properties(book/front PROPERTIES FIXTURES_REQUIRED book)
endif()

# The commands that the chapters quote still say the same. They compile with nvcc.
book_test(transcripts sh book/tests/run.sh transcripts)
set_tests_properties(book/transcripts PROPERTIES LABELS "book;lab" FIXTURES_REQUIRED book)
course_slow(book/transcripts)
