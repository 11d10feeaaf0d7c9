# Compiler flags as two interface targets: stiction_options for all code, stiction_hot for the library.
add_library(stiction_options INTERFACE)
target_compile_options(stiction_options INTERFACE
                       -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
                       $<$<BOOL:${STICTION_WERROR}>:-Werror>
                       $<$<BOOL:${STICTION_NATIVE}>:-march=native>)
target_compile_definitions(stiction_options INTERFACE _POSIX_C_SOURCE=200809L)

# No -ffast-math: tests for NaN and the same bits on every run matter more than its few percent.
add_library(stiction_hot INTERFACE)
target_compile_options(stiction_hot INTERFACE -fno-math-errno -fno-trapping-math
                       $<$<NOT:$<CONFIG:Debug>>:-O3>)

# Hardening: a smashed stack, an overrun string function or a rewritten table of functions ends the
# program. The sanitizers bring their own checks.
if(NOT STICTION_SANITIZE AND NOT STICTION_FUZZ)
  target_compile_options(stiction_options INTERFACE -fstack-protector-strong)
  target_compile_definitions(stiction_options INTERFACE $<$<NOT:$<CONFIG:Debug>>:_FORTIFY_SOURCE=2>)
  add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
endif()

# Everything in the build is instrumented, or nothing.
set(stiction_checks "")
if(STICTION_SANITIZE OR STICTION_FUZZ)
  list(APPEND stiction_checks -fsanitize=address,undefined -fno-sanitize-recover=all
       -fno-omit-frame-pointer)
endif()
if(STICTION_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "STICTION_FUZZ needs clang: configure with -DCMAKE_C_COMPILER=clang")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_compile_definitions(STICTION_FUZZING)
endif()
add_compile_options(${stiction_checks})
add_link_options(${stiction_checks})
