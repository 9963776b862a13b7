# find_package(stiction) → stiction::core
include(CMakePackageConfigHelpers)

install(TARGETS stiction_core EXPORT stiction_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# Files and models belong to the rooms io and multibody, which are not part of the core package.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/stiction DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        PATTERN delassus_io.h EXCLUDE PATTERN file.h EXCLUDE PATTERN problem_io.h EXCLUDE
        PATTERN model.h EXCLUDE PATTERN multibody.h EXCLUDE PATTERN contact_map.h EXCLUDE
        PATTERN slider_io.h EXCLUDE)
install(EXPORT stiction_targets NAMESPACE stiction:: FILE stiction-targets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/stiction-config.cmake.in
  ${PROJECT_BINARY_DIR}/stiction-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/stiction-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/stiction-config.cmake
              ${PROJECT_BINARY_DIR}/stiction-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)
if(TARGET stiction)
  install(TARGETS stiction RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
