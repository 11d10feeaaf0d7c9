# What `cmake --install` puts on a machine: program, headers, both libraries, the CMake package, the
# pkg-config file, the manual page, the completion, the scenes, the documentation and the examples.
include(CMakePackageConfigHelpers)
set(STICTION_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)

install(TARGETS stiction_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/stiction DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
install(TARGETS stiction_shared EXPORT stictionTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS stiction_static EXPORT stictionStaticTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(set stictionTargets stictionStaticTargets)
  install(EXPORT ${set} NAMESPACE stiction:: DESTINATION ${STICTION_CMAKE_DIR})
endforeach()

configure_package_config_file(cmake/stictionConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/stictionConfig.cmake
                              INSTALL_DESTINATION ${STICTION_CMAKE_DIR})
# Before 1.0 a minor release may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/stictionConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/stictionConfig.cmake
              ${PROJECT_BINARY_DIR}/stictionConfigVersion.cmake
              cmake/StictionDependencies.cmake
        DESTINATION ${STICTION_CMAKE_DIR})

# /usr/lib/libamd.so -> -lamd; other entries (-lm, m, -L...) stay what they are.
function(stiction_link_flags out)
  set(flags)
  foreach(library IN LISTS ARGN)
    if(library MATCHES "^/.*/lib([^/]+)\\.(so|a|dylib)[.0-9]*$")
      list(APPEND flags -l${CMAKE_MATCH_1})
    elseif(library MATCHES "^-")
      list(APPEND flags ${library})
    else()
      list(APPEND flags -l${library})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES flags)
  list(JOIN flags " " flags)
  set(${out} "${flags}" PARENT_SCOPE)
endfunction()

if(STICTION_LUA_FOUND)
  set(stiction_lua_flags ${STICTION_LUA_LDFLAGS})
else()
  set(stiction_lua_flags ${LUA_LIBRARIES})
endif()
stiction_link_flags(STICTION_PC_LIBS ${stiction_lua_flags}
                    ${STICTION_AMD} ${STICTION_CAMD} ${STICTION_GMP}
                    ${STICTION_CCD} ${ZLIB_LIBRARIES} ${LAPACK_LIBRARIES} ${CMAKE_THREAD_LIBS_INIT} m)
# The prefix is written relative to the file itself, so that an installed tree can be moved.
file(RELATIVE_PATH STICTION_PC_PREFIX /root/${CMAKE_INSTALL_LIBDIR}/pkgconfig /root)
string(REGEX REPLACE "/$" "" STICTION_PC_PREFIX "${STICTION_PC_PREFIX}")
configure_file(cmake/stiction.pc.in ${PROJECT_BINARY_DIR}/stiction.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/stiction.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES ${PROJECT_BINARY_DIR}/stiction.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES cli/stiction.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME stiction)
install(FILES README.md CHANGELOG.md CITATION.cff SECURITY.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN CMakeLists.txt EXCLUDE)
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/stiction FILES_MATCHING PATTERN "*.lua")
