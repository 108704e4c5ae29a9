# cmake --install: headers, libraries, and what find_package and pkg-config look for.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/nhot)

# A library of the package: nhot::NAME, from the target nhot_NAME.
# Further words go to install(TARGETS).
function(nhot_install name)
  set_target_properties(nhot_${name} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS nhot_${name} EXPORT nhot-${name} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} ${ARGN})
  install(EXPORT nhot-${name} NAMESPACE nhot:: DESTINATION ${package_folder})
endfunction()

nhot_install(core)
nhot_install(models)
install(FILES src/nhot/nhot.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nhot)
foreach(room IN LISTS core_rooms)
  install(DIRECTORY src/nhot/${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nhot
          FILES_MATCHING PATTERN "*.hpp")
endforeach()
if(TARGET nhot_exact)
  nhot_install(exact OPTIONAL)  # make build leaves it out
  install(DIRECTORY src/nhot/exact DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nhot
          FILES_MATCHING PATTERN "*.hpp")
endif()
install(FILES src/nhot/io/atomic_file.hpp src/nhot/io/bits_file.hpp src/nhot/io/file_bytes.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nhot/io)
install(DIRECTORY src/nhot/io/model DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nhot/io
        FILES_MATCHING PATTERN "*.hpp")
if(TARGET nhot_io)
  nhot_install(io)
  install(DIRECTORY src/nhot/io DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nhot
          FILES_MATCHING PATTERN "*.hpp")
endif()
if(TARGET nhot)
  set_target_properties(nhot PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS nhot RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(cmake/nhot-config.cmake.in ${PROJECT_BINARY_DIR}/nhot-config.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/nhot-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nhot-config.cmake ${PROJECT_BINARY_DIR}/nhot-config-version.cmake
        DESTINATION ${package_folder})
file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/nhot.pc.in ${PROJECT_BINARY_DIR}/nhot.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/nhot.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
