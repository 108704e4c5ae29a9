# Compiler flags shared by every target of this tree, as one interface library. Targets take it as
# $<BUILD_INTERFACE:...>: who uses an installed library compiles with flags of his own.
add_library(nhot_flags INTERFACE)
target_compile_options(nhot_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                            -Wno-sign-conversion)
# GCC 12 warns of overlapping copies inside "text" + std::string, where there are none.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(nhot_flags INTERFACE -Wno-restrict)
endif()
if(NHOT_WERROR)
  target_compile_options(nhot_flags INTERFACE -Werror)
endif()
if(NHOT_SANITIZE)
  target_compile_options(nhot_flags INTERFACE -fsanitize=${NHOT_SANITIZE} -fno-omit-frame-pointer
                                              -fno-sanitize-recover=all)
  # Seen by the address sanitizer anyway, or not to be seen without optimisation; they take an eighth of the build.
  target_compile_options(nhot_flags INTERFACE -fno-sanitize=null,vptr,object-size)
  target_link_options(nhot_flags INTERFACE -fsanitize=${NHOT_SANITIZE})
  target_compile_definitions(nhot_flags INTERFACE _GLIBCXX_ASSERTIONS)
endif()
# The fuzzer sees which branches an input took where parsers are compiled with this; elsewhere it costs nothing.
option(NHOT_FUZZ "Build the fuzzer (clang with a sanitizer of addresses; needs command line and tests)" OFF)
set(nhot_watched_branches "")
if(NHOT_FUZZ)
  set(nhot_watched_branches -fsanitize-coverage=inline-8bit-counters,indirect-calls,trace-cmp,pc-table)
endif()
if(NHOT_COVERAGE)
  target_compile_options(nhot_flags INTERFACE --coverage -O0)
  target_link_options(nhot_flags INTERFACE --coverage)
endif()

# For what is not hot and has large headers (files, pages, command line, tests): much quicker to build.
add_library(nhot_light_flags INTERFACE)
target_link_libraries(nhot_light_flags INTERFACE nhot_flags)
target_compile_options(nhot_light_flags INTERFACE $<$<CONFIG:Release>:-O1>
                                                  $<$<CONFIG:RelWithDebInfo>:-O0>)

# Headers that nearly every source file reads, parsed once per target. The sources still include what
# they use, so that they compile without this as well (as static analysis does).
option(NHOT_PCH "Precompile the headers of the standard library and of large dependencies" ON)
set(standard_headers <algorithm> <array> <cmath> <cstdint> <functional> <memory> <optional> <sstream>
                     <stdexcept> <string> <string_view> <utility> <variant> <vector>)
function(nhot_precompile target)
  if(NHOT_PCH)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    # What a compiler cache needs to work with precompiled headers.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
                                             "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endfunction()

# The precompiled headers of another target. They want the very same flags, and programs would get
# -fPIE where libraries have -fPIC.
function(nhot_reuse_precompiled target from)
  if(NHOT_PCH)
    target_precompile_headers(${target} REUSE_FROM ${from})
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
                                             "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${target} PRIVATE -fPIC)
    endif()
  endif()
endfunction()

# Several source files at a time: headers are read once for all of them. What takes long on its own
# stays on its own, so that it can be built in parallel.
option(NHOT_UNITY "Compile source files in batches" OFF)
function(nhot_batches target)
  if(NHOT_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
  endif()
endfunction()

# Paths below the tree count as relative: clones in other folders share the cache.
find_program(NHOT_CCACHE ccache)
mark_as_advanced(NHOT_CCACHE)
if(NHOT_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
                                  CCACHE_SLOPPINESS=pch_defines,time_macros
                                  CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${NHOT_CCACHE})
endif()
