# Pinocchio 4 → target stiction_pinocchio, if it is there: where ./run and ./test install its wheels
# (build/pinocchio, see tools/pinocchio.txt), or under STICTION_PINOCCHIO.  Its own CMake package
# would bring a second Boost before the tests that use the distribution's.
set(STICTION_PINOCCHIO ${PROJECT_SOURCE_DIR}/build/pinocchio/cmeel.prefix CACHE PATH
    "Folder with Pinocchio's include and lib, to read URDF and MJCF models")

# Asked anew at every configuration: it may have come or gone.
set(pinocchio_libraries "")
foreach(name pinocchio_default pinocchio_parsers tinyxml2)
  unset(found CACHE)
  find_library(found ${name} PATHS ${STICTION_PINOCCHIO}/lib NO_DEFAULT_PATH)
  if(found)
    list(APPEND pinocchio_libraries ${found})
  endif()
  unset(found CACHE)
endforeach()
list(LENGTH pinocchio_libraries count)
if(NOT count EQUAL 3 OR NOT EXISTS ${STICTION_PINOCCHIO}/include/pinocchio/multibody.hpp)
  message(STATUS "Pinocchio 4 not found in ${STICTION_PINOCCHIO}: no URDF and MJCF models")
  return()
endif()

add_library(stiction_pinocchio INTERFACE)
target_include_directories(stiction_pinocchio SYSTEM INTERFACE
  ${STICTION_PINOCCHIO}/include ${STICTION_PINOCCHIO}/include/urdfdom_headers)
# What the libraries were built with; the first takes algorithms from them and does not compile anew.
target_compile_definitions(stiction_pinocchio INTERFACE
  PINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION PINOCCHIO_WITH_URDFDOM
  PINOCCHIO_URDFDOM_HEADERS_MAJOR_VERSION=3 PINOCCHIO_URDFDOM_HEADERS_MINOR_VERSION=0
  PINOCCHIO_URDFDOM_HEADERS_PATCH_VERSION=0
  BOOST_MPL_LIMIT_LIST_SIZE=30 BOOST_MPL_LIMIT_VECTOR_SIZE=30 BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS
  BOOST_FUSION_INVOKE_MAX_ARITY=12)
target_link_libraries(stiction_pinocchio INTERFACE ${pinocchio_libraries})
target_link_options(stiction_pinocchio INTERFACE
  -Wl,-rpath,${STICTION_PINOCCHIO}/lib -Wl,-rpath-link,${STICTION_PINOCCHIO}/lib)
