# find_package(stiction [COMPONENTS io multibody]) → stiction::core, stiction::io, stiction::multibody
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)

# The headers of these rooms; all others are the core's.
set(headers_io delassus_io.h problem_io.h slider_io.h)
set(headers_multibody jamming_map.h multibody.h multibody_model.h)

install(TARGETS stiction_core EXPORT stiction_core ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT stiction_core NAMESPACE stiction:: FILE stiction-core.cmake DESTINATION ${package})
list(JOIN headers_io "|" others_io)
list(JOIN headers_multibody "|" others_multibody)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/stiction DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        REGEX "/(${others_io}|${others_multibody})$" EXCLUDE)

foreach(room io multibody)
  if(TARGET stiction_${room})
    install(TARGETS stiction_${room} EXPORT stiction_${room} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT stiction_${room} NAMESPACE stiction:: FILE stiction-${room}.cmake DESTINATION ${package})
    list(TRANSFORM headers_${room} PREPEND ${PROJECT_SOURCE_DIR}/include/stiction/)
    install(FILES ${headers_${room}} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stiction)
  endif()
endforeach()
if(TARGET stiction_multibody)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/pinocchio.cmake DESTINATION ${package})
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/stiction-config.cmake.in
  ${PROJECT_BINARY_DIR}/stiction-config.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/stiction-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/stiction-config.cmake
              ${PROJECT_BINARY_DIR}/stiction-config-version.cmake
        DESTINATION ${package})
if(TARGET stiction)
  install(TARGETS stiction RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
