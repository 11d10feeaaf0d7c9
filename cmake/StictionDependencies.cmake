# What libstiction links: AMD and CAMD (orders of sparse matrices), LAPACK, GMP (certificates),
# Lua (scenes), libccd (shapes that overlap), zlib (compressed HDF5 files), expat (XML), threads.
# The build reads this file, and so does find_package(stiction COMPONENTS static) on the user's machine.
# Makes the target stiction::dependencies.
if(TARGET stiction::dependencies)
  return()
endif()

find_package(PkgConfig REQUIRED)
# The name of the pkg-config file differs between distributions.
foreach(name lua5.4 lua-5.4 lua54 lua)
  pkg_check_modules(STICTION_LUA QUIET IMPORTED_TARGET ${name}>=5.4)
  if(STICTION_LUA_FOUND)
    break()
  endif()
endforeach()
if(STICTION_LUA_FOUND)
  set(stiction_lua PkgConfig::STICTION_LUA)
else()
  find_package(Lua 5.4 REQUIRED)
  add_library(stiction::lua INTERFACE IMPORTED)
  target_include_directories(stiction::lua SYSTEM INTERFACE ${LUA_INCLUDE_DIR})
  target_link_libraries(stiction::lua INTERFACE ${LUA_LIBRARIES})
  set(stiction_lua stiction::lua)
endif()

find_package(LAPACK REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(EXPAT REQUIRED)
find_path(STICTION_SUITESPARSE_INCLUDE camd.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(STICTION_AMD amd REQUIRED)
find_library(STICTION_CAMD camd REQUIRED)
find_path(STICTION_GMP_INCLUDE gmp.h REQUIRED)
find_library(STICTION_GMP gmp REQUIRED)
find_path(STICTION_CCD_INCLUDE ccd/ccd.h REQUIRED)
find_library(STICTION_CCD ccd REQUIRED)
mark_as_advanced(STICTION_SUITESPARSE_INCLUDE STICTION_AMD STICTION_CAMD STICTION_GMP_INCLUDE STICTION_GMP STICTION_CCD_INCLUDE
                 STICTION_CCD)

add_library(stiction::dependencies INTERFACE IMPORTED)
target_include_directories(stiction::dependencies SYSTEM INTERFACE ${STICTION_SUITESPARSE_INCLUDE}
                           ${STICTION_GMP_INCLUDE} ${STICTION_CCD_INCLUDE})
target_link_libraries(stiction::dependencies INTERFACE
                      ${stiction_lua} ${STICTION_AMD} ${STICTION_CAMD} ${STICTION_GMP}
                      ${STICTION_CCD} ZLIB::ZLIB EXPAT::EXPAT
                      ${LAPACK_LIBRARIES}
                      Threads::Threads m)
