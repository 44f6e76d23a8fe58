# Installs the headers, the compiled flavour, the tool, and what find_package(treadle) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/treadle)
install(DIRECTORY include/treadle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(TARGETS treadle treadle_compiled EXPORT treadle_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT treadle_targets NAMESPACE treadle:: FILE treadleTargets.cmake DESTINATION ${package_folder})
if(TARGET treadle_tool)
  install(TARGETS treadle_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

string(REPLACE ";" " " TREADLE_PACKAGES "${treadle_packages}")
configure_package_config_file(cmake/treadleConfig.cmake.in ${PROJECT_BINARY_DIR}/treadleConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/treadleConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/treadleConfig.cmake ${PROJECT_BINARY_DIR}/treadleConfigVersion.cmake
        DESTINATION ${package_folder})
