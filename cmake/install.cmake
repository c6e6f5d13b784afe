# cmake --install: the program and the library, a component each.
include(CMakePackageConfigHelpers)

# The library: find_package(quire) and target_link_libraries(shop PRIVATE quire::library), or pkg-config.
set(config ${CMAKE_INSTALL_LIBDIR}/cmake/quire)
install(TARGETS quire_library EXPORT quire COMPONENT library)
install(DIRECTORY include/quire TYPE INCLUDE COMPONENT library)
install(EXPORT quire NAMESPACE quire:: FILE quire-targets.cmake DESTINATION ${config} COMPONENT library)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/quire-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/quire-config.cmake ${PROJECT_BINARY_DIR}/quire-config-version.cmake
  DESTINATION ${config} COMPONENT library)
list(TRANSFORM QUIRE_LINKED PREPEND -l OUTPUT_VARIABLE linked)
list(JOIN linked " " linked)
configure_file(cmake/quire.pc.in quire.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/quire.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)

if(NOT QUIRE_SERVER)
  return()
endif()

# The program, and what is made from its own description.
set(manual ${PROJECT_BINARY_DIR}/manual)
install(TARGETS quire COMPONENT program)
install(DIRECTORY ${manual}/man1 TYPE MAN COMPONENT program)
install(FILES ${manual}/quire DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
# Mappings of files to import, for those who change a copy.
install(DIRECTORY maps DESTINATION ${CMAKE_INSTALL_DATADIR}/quire COMPONENT program)

include(cmake/packages.cmake)
