# cpack: a Debian package of the program as a service, and one of the library. tools/package calls it.

# `cmake --install` leaves these out: they belong to a system, not below a prefix.
function(install_for_packages component)
  install(FILES ${ARGN} COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()
install_for_packages(service packaging/quire.service DESTINATION lib/systemd/system)
install_for_packages(service packaging/sysusers.conf DESTINATION lib/sysusers.d RENAME quire.conf)
install_for_packages(service packaging/tmpfiles.conf DESTINATION lib/tmpfiles.d RENAME quire.conf)
install_for_packages(service packaging/logrotate.conf DESTINATION /etc/logrotate.d RENAME quire)
install_for_packages(service ${PROJECT_BINARY_DIR}/manual/quire.toml DESTINATION /etc/quire)
install_for_packages(service packaging/debian/copyright CHANGELOG.md DESTINATION share/doc/quire)
install(DIRECTORY docs DESTINATION share/doc/quire COMPONENT service EXCLUDE_FROM_ALL FILES_MATCHING PATTERN *.md PATTERN adr EXCLUDE)
install(DIRECTORY packaging/prometheus packaging/grafana DESTINATION share/quire COMPONENT service EXCLUDE_FROM_ALL)
install_for_packages(terms packaging/debian/copyright DESTINATION share/doc/libquire-dev)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Quire's maintainers <maintainers@quire.invalid>")
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program service library terms)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# What the program links, and what makes its user and its folders; a machine with systemd has that.
set(CPACK_DEBIAN_SERVER_PACKAGE_NAME quire)
set(CPACK_DEBIAN_SERVER_PACKAGE_SECTION web)
set(CPACK_DEBIAN_SERVER_DESCRIPTION "product comments by page, filtered and counted: server and commands")
set(CPACK_DEBIAN_SERVER_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_SERVER_PACKAGE_DEPENDS
  "systemd-standalone-sysusers | systemd-sysusers, systemd-standalone-tmpfiles | systemd-tmpfiles")
foreach(file conffiles postinst prerm postrm)
  list(APPEND CPACK_DEBIAN_SERVER_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/${file})
endforeach()

# The packages of the libraries in QUIRE_LINKED: cmake/library.cmake.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libquire-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "product comments by page, filtered and counted: library for C++")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
  "libboost-json1.81-dev, libboost-url1.81-dev, libfmt-dev, libhiredis-dev, libicu-dev, liblmdb-dev, libpq-dev, libsoci-dev, libspdlog-dev, libsqlite3-dev, libssl-dev, libstemmer-dev, libxml2-dev, zlib1g-dev")

include(CPack)
cpack_add_component(program GROUP server)
cpack_add_component(service GROUP server)
cpack_add_component(library GROUP library)
cpack_add_component(terms GROUP library)
