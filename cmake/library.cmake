# libquire.a: one object of all the folders of the library, with Quire's own names alone for others to see. The program
# that links it may use Asio, too, with other macros than these (ADR 38).
get_property(folders GLOBAL PROPERTY QUIRE_FOLDERS)
list(APPEND folders quire_boost)
list(TRANSFORM folders REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
set(object ${CMAKE_CURRENT_BINARY_DIR}/library.o)
add_custom_command(OUTPUT ${object}
  COMMAND ${CMAKE_LINKER} --relocatable --force-group-allocation -o ${object} --whole-archive ${archives}
  # g++ makes inline variables unique in a process; they stay so unless they are made weak first.
  COMMAND ${CMAKE_NM} --extern-only --defined-only --format=just-symbols ${object} > ${object}.names
  COMMAND ${CMAKE_OBJCOPY} --weaken-symbols=${object}.names ${object}
  COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=_ZN5quire* --keep-global-symbol=_ZNK5quire*
    --keep-global-symbol=getpid --keep-global-symbol=fcntl ${object}  # for LMDB (ADR 73)
  DEPENDS ${folders} VERBATIM)
add_library(quire_library STATIC ${object})
set_target_properties(quire_library PROPERTIES OUTPUT_NAME quire EXPORT_NAME library LINKER_LANGUAGE CXX)
target_compile_features(quire_library INTERFACE cxx_std_20)
target_include_directories(quire_library INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set(QUIRE_LINKED boost_json boost_url crypto fmt hiredis icui18n icuuc lmdb pq soci_core soci_mysql soci_postgresql soci_sqlite3 spdlog sqlite3 ssl stemmer xml2 z)
target_link_libraries(quire_library PRIVATE ${QUIRE_LINKED})
set(QUIRE_LINKED ${QUIRE_LINKED} PARENT_SCOPE)  # for pkg-config
