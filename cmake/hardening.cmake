# How release builds are hardened: ADR 25. tests/hardening.sh checks the binary.
# Sanitizers have checks of their own, and debug builds are for people who look.
if(QUIRE_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  return()
endif()

set(module $<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>)
set(executable $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)

add_compile_options(
  -fstack-protector-strong    # a function that overruns an array on the stack ends the program
  -fstack-clash-protection    # the stack cannot jump over its guard page
  -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3  # copies of the C library check the length of their target
  -D_GLIBCXX_ASSERTIONS       # an index beyond a vector or a view ends the program
  $<$<NOT:${module}>:-fPIE>)  # the program is loaded at a random address
add_link_options(
  $<${executable}:-pie>
  -Wl,-z,relro,-z,now         # the table of functions is read-only once the program runs
  -Wl,-z,noexecstack)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # Returns and indirect jumps are checked by processors that can. Debian's crt1.o does not begin
  # with ENDBR64, so the program can be marked for shadow stacks alone.
  add_compile_options(-fcf-protection=full)
  add_link_options($<${executable}:LINKER:-z,shstk>)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  add_compile_options(-mbranch-protection=standard)
endif()
