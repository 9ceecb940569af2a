# The rules every target of the project is built by.

# Interface target that carries language level, warnings and floating-point
# rules, so that no global flag exists and dependencies are left alone.
add_library(talweg_build_rules INTERFACE)
target_compile_features(talweg_build_rules INTERFACE cxx_std_20)
target_compile_options(talweg_build_rules INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  -Wnon-virtual-dtor -Woverloaded-virtual -Werror
  # Exactness: (length / 2) * (a + b) must be rounded step by step; a fused
  # multiply-add changes last bits of the field (docs/adr/0002).
  -ffp-contract=off)
# GCC 12 at -O3 reports overreads inside its own <string> and <vector> (gcc bug
# 105651 and its kin), and payloads of empty std::optional and std::variant as
# used uninitialised when they are moved. Clang has no such false positives, and
# CI builds by both.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(talweg_build_rules INTERFACE
    -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread
    -Wno-maybe-uninitialized)
endif()
if(TALWEG_SANITIZE)
  target_compile_options(talweg_build_rules INTERFACE
    -fsanitize=${TALWEG_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(talweg_build_rules INTERFACE -fsanitize=${TALWEG_SANITIZE})
endif()

if(TALWEG_BUILD_FUZZERS)
  # Coverage for libFuzzer in every layer; the targets add its main function.
  target_compile_options(talweg_build_rules INTERFACE -fsanitize=fuzzer-no-link)
endif()

# talweg_layer(NAME SOURCES ... DEPENDS ... )
#   A static library talweg_NAME whose public headers live in include/ of the
#   current folder and are installed.
function(talweg_layer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(talweg_${name} STATIC ${ARG_SOURCES})
  add_library(talweg::${name} ALIAS talweg_${name})
  target_include_directories(talweg_${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(talweg_${name} PUBLIC ${ARG_DEPENDS} PRIVATE talweg_build_rules)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/include)
    install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  endif()
endfunction()

# talweg_program(NAME SOURCES ... DEPENDS ...): an installed executable.
function(talweg_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} talweg_build_rules)
  # All programs side by side, in the build tree as when installed: the
  # client finds talwegd, and talwegd its worker, beside itself.
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# talweg_test(NAME SOURCES ... DEPENDS ... [LABELS ...] [TIMEOUT seconds]): a
# GoogleTest program; each of its tests is one of ctest's.
function(talweg_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE
    ${ARG_DEPENDS} talweg_test_support GTest::gmock_main talweg_build_rules)
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()
if(TALWEG_BUILD_TESTS)
  include(GoogleTest)
endif()
