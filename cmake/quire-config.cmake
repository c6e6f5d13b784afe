# find_package(quire). The target asks the linker for its libraries by their names.
include(${CMAKE_CURRENT_LIST_DIR}/quire-targets.cmake)
