# Warnings and sanitizers as interface targets: a target opts in by linking synperf::options.
add_library(synperf_options INTERFACE)
add_library(synperf::options ALIAS synperf_options)
target_compile_features(synperf_options INTERFACE cxx_std_20)
target_compile_options(synperf_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-align
  -Wconversion -Wsign-conversion -Wdouble-promotion
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond>
  # g++ 12 sees overlaps in inlined std::string that are not there (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(SYNPERF_WARNINGS_AS_ERRORS)
  target_compile_options(synperf_options INTERFACE -Werror)
endif()
if(SYNPERF_SANITIZE)
  target_compile_options(synperf_options INTERFACE -fsanitize=${SYNPERF_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(synperf_options INTERFACE -fsanitize=${SYNPERF_SANITIZE})
endif()
