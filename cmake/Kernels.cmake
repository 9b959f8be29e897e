# nvcc, and the kernels that unit tests execute.
#
#   course_kernels(NAME FOLDER)   the target course_NAME_kernels: PTX of each .cu of FOLDER, kernels/X.ptx in the build
#
# They are compiled for sm_90a with line numbers, and their files are named without the folder, as findings are in tests
# (kernel_ptx.sh).
find_program(COURSE_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES bin)
set(COURSE_KERNELS ${PROJECT_BINARY_DIR}/kernels)
file(MAKE_DIRECTORY ${COURSE_KERNELS})

function(course_kernels set folder)
  if(NOT COURSE_NVCC) # a clone has to be configured all the same: without nvcc it can say what is missing
    add_custom_target(course_${set}_kernels COMMAND ${CMAKE_COMMAND} -E echo
      "No nvcc: the kernels of the tests are compiled by it. INSTALL.md says where it is from." COMMAND false VERBATIM)
    return()
  endif()
  file(GLOB sources ${folder}/*.cu)
  file(GLOB headers ${folder}/*.cuh)
  set(made)
  foreach(source ${sources})
    cmake_path(GET source STEM name)
    set(ptx ${COURSE_KERNELS}/${name}.ptx)
    add_custom_command(OUTPUT ${ptx}
      COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/kernel_ptx.sh ${COURSE_NVCC} ${source} ${ptx} ${headers}
      DEPENDS ${source} ${headers} ${PROJECT_SOURCE_DIR}/cmake/kernel_ptx.sh COMMENT "PTX of ${name}.cu" VERBATIM)
    list(APPEND made ${ptx})
  endforeach()
  add_custom_target(course_${set}_kernels DEPENDS ${made})
endfunction()
