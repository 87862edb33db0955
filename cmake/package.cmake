# cpack makes a Debian package of a release build: cmake --build --preset release && cpack --preset deb
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME vdisim)
set(CPACK_PACKAGE_VENDOR "vdisim maintainers")
set(CPACK_PACKAGE_CONTACT "vdisim maintainers <maintainers@users.noreply.a-seed-506e8192.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Predicts how long user profiles take to load from a network share: storage tiers with
their limits and burst credits, SMB caching, Citrix Profile Management and
profile containers, PVS, write caches, App Layering and HPC load.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
install(FILES LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/vdisim)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/vdisim)
include(CPack)
