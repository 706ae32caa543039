# southwell_private_flags: how our own code is compiled. Never exported.
add_library(southwell_private_flags INTERFACE)
target_compile_options(southwell_private_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # g++ 12 sees overlaps in "a" + std::string (its bug 105651)
  $<$<BOOL:${SOUTHWELL_STRICT}>:-Werror>
  # No value changes: they let the compiler vectorise branch-free selects. Nothing else of fast-math.
  -fno-math-errno -fno-trapping-math)

# Everything is position independent, so that one compiler cache serves the library, the command
# line and the Python module.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_CXX_EXTENSIONS OFF)

find_program(SOUTHWELL_CCACHE ccache)
if(SOUTHWELL_CCACHE AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths relative to the project: every checkout shares what another has compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      CCACHE_NOHASHDIR=1 ${SOUTHWELL_CCACHE})
endif()
