# The emulated H200 as a library for other programs: libshared-memory-emulator1 and libshared-memory-emulator-dev, each a package
# of its own, as Debian has libraries. In a build folder:
#
#   cmake --install build/release --component emulator --prefix PREFIX
#   cmake --install build/release --component emulator_dev --prefix PREFIX
set(library shared-memory-emulator)
set(config lib/cmake/${library})
install(TARGETS ${library} EXPORT ${library}
        LIBRARY DESTINATION lib COMPONENT emulator NAMELINK_COMPONENT emulator_dev
        PUBLIC_HEADER DESTINATION include COMPONENT emulator_dev)
install(EXPORT ${library} DESTINATION ${config} FILE ${library}-config.cmake NAMESPACE ${library}:: COMPONENT emulator_dev)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/${library}-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/${library}-config-version.cmake DESTINATION ${config} COMPONENT emulator_dev)
install(DIRECTORY examples/emulator/ DESTINATION share/doc/lib${library}-dev/examples COMPONENT emulator_dev)

function(course_library_package component name section summary text)
  install(CODE "
    set(to \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share\")
    execute_process(COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/package/library_papers.sh ${name} \"${PROJECT_SOURCE_DIR}\" \"\${to}\" ${PROJECT_VERSION}
                    COMMAND_ERROR_IS_FATAL ANY)" COMPONENT ${component})
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
endfunction()
course_library_package(emulator lib${library}${PROJECT_VERSION_MAJOR} libs "emulated H200 for CUDA kernels, as a library"
"Executes CUDA kernels from their PTX without a GPU or a driver, counts bank
conflicts and sectors of each source line exactly, and finds races, reads of
what nobody has written, and barriers that threads miss.")
# CPack writes neither for a package that is a component.
set(control ${PROJECT_BINARY_DIR}/library_control)
file(WRITE ${control}/shlibs "lib${library} ${PROJECT_VERSION_MAJOR} lib${library}${PROJECT_VERSION_MAJOR} (>= ${PROJECT_VERSION})\n")
file(WRITE ${control}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_EMULATOR_PACKAGE_CONTROL_EXTRA ${control}/shlibs ${control}/triggers)
course_library_package(emulator_dev lib${library}-dev libdevel "emulated H200 for CUDA kernels, to program with"
"The header, the CMake package shared-memory-emulator and an example of a
library that executes CUDA kernels without a GPU.")
set(CPACK_DEBIAN_EMULATOR_DEV_PACKAGE_DEPENDS "lib${library}${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION})")

if(COURSE_TESTS)
  course_test(NAME package_library COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/package/library_test.sh ${PROJECT_BINARY_DIR} ${CMAKE_COMMAND})
  set_tests_properties(package_library PROPERTIES LABELS lab SKIP_RETURN_CODE 77 TIMEOUT 1200)
  course_slow(package_library)
endif()
