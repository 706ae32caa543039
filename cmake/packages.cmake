# Debian packages: the command line, and the library with its headers (`make deb`).
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # what is packed is built already; tests are not needed
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME southwell)
set(CPACK_PACKAGE_CONTACT "The authors of Southwell")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL southwell_cli southwell_library)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_SOUTHWELL_CLI_PACKAGE_NAME southwell)
set(CPACK_DEBIAN_SOUTHWELL_LIBRARY_PACKAGE_NAME libsouthwell-dev)
# What Debian 12's own tools find (dpkg-shlibdeps), and, of the static library, what it links.
set(CPACK_DEBIAN_SOUTHWELL_CLI_PACKAGE_DEPENDS
    "libc6 (>= 2.35), libgcc-s1, libhwy1, libsodium23, libstdc++6 (>= 12), zlib1g")
set(CPACK_DEBIAN_SOUTHWELL_LIBRARY_PACKAGE_DEPENDS "libhwy-dev, libsodium-dev, zlib1g-dev, pkg-config")
include(CPack)
