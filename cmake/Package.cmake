# Packages: `./course package` makes a .deb (-G DEB), two of the library (Library.cmake), and a tarball (-G TGZ) with all but the staff's
# program, the labs and chapters, to be copied, their solutions, and the book where it has been built.
#
#   PREFIX/lib/shared-memory-course   the programs, as the build folder has them, and the solutions, beside nobody's labs
#   PREFIX/share/shared-memory-course the course, for students to copy
#   PREFIX/bin/course                 a link
#
# A .deb of Debian 12 installs on Ubuntu 24.04 too, as far as names of packages tell; the release workflow builds one on each.
set(package shared-memory-course)
set(programs lib/${package}/bin)
set(course share/${package})

foreach(part course course-explore course-serve course_host course_keeper course_gpu_worker)
  if(TARGET ${part})
    install(TARGETS ${part} RUNTIME DESTINATION ${programs})
  endif()
endforeach()
if(TARGET course_cudart)
  install(TARGETS course_cudart LIBRARY DESTINATION lib/${package}/lib/course)
  install(FILES ${PROJECT_BINARY_DIR}/lib/course/libcuda.so.1 ${PROJECT_BINARY_DIR}/lib/course/libcublas.so.13
          ${PROJECT_BINARY_DIR}/lib/course/libcublasLt.so.13 ${PROJECT_BINARY_DIR}/lib/course/libcurand.so.10
          DESTINATION lib/${package}/lib/course)
endif()
install(DIRECTORY ${PROJECT_BINARY_DIR}/share/course/labs solutions DESTINATION lib/${package}/share/course)
install(DIRECTORY ${PROJECT_BINARY_DIR}/share/course/labs chapters DESTINATION ${course})
install(PROGRAMS cmake/package/course.sh DESTINATION ${course} RENAME course) # texts say ./course
install(DIRECTORY grader/serve/deploy/ DESTINATION share/doc/${package}/examples PATTERN "*_test.sh" EXCLUDE)
install(DIRECTORY examples/torch DESTINATION ${course}/examples)
install(DIRECTORY labs DESTINATION ${course} FILES_MATCHING PATTERN "*.toml" PATTERN demo EXCLUDE)
install(FILES book/data/h200/planes.csv book/data/h200/exercise_times.csv DESTINATION ${course}/book/data/h200) # what verdicts quote
install(CODE "
  file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin\")
  file(CREATE_LINK ../${programs}/course \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/course\" SYMBOLIC)")
# What the program says of itself, as a manual and for shells; and the papers of a Debian package.
install(CODE "
  set(to \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share\")
  execute_process(COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/package/papers.sh
                          \"${PROJECT_BINARY_DIR}/bin/course\" \"${PROJECT_SOURCE_DIR}\" \"\${to}\" ${PROJECT_VERSION}
                  COMMAND_ERROR_IS_FATAL ANY)")
if(EXISTS ${PROJECT_BINARY_DIR}/book/html/index.html)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/book/html DESTINATION share/doc/${package})
endif()

if(TARGET shared-memory-emulator)
  include(cmake/Library.cmake)
endif()

set(CPACK_PACKAGE_NAME ${package})
set(CPACK_PACKAGE_VENDOR "The shared memory course")
set(CPACK_PACKAGE_CONTACT "The shared memory course <shared-memory-course@users.noreply.github.com>")
set(CPACK_DEBIAN_UNSPECIFIED_DESCRIPTION
"course on CUDA shared memory that grades your kernels
Chapters, exercises with skeleton kernels, and a grader that
compiles them with nvcc, checks them against solutions, finds races, counts
bank conflicts exactly, and explains what it found. Without a GPU the kernels
are executed on an emulated H200, and everything but time is graded.

Begin with a copy of /usr/share/shared-memory-course, and the command course
in it. NVIDIA's compiler, nvcc of the CUDA Toolkit 13, has to be there.")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# What has no component is the course; the library's components are packages of their own, and in the tarball.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME ${package})
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_DEPENDS "g++")
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_RECOMMENDS "bubblewrap")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)

if(COURSE_TESTS)
  course_test(NAME package COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/package/test.sh ${PROJECT_BINARY_DIR} ${CMAKE_CPACK_COMMAND})
  set_tests_properties(package PROPERTIES LABELS lab SKIP_RETURN_CODE 77 TIMEOUT 1200)
  course_slow(package)
endif()
