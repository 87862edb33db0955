# The library reference, of the comments in the public headers. Without doxygen there is none.
find_program(DOXYGEN doxygen)
mark_as_advanced(DOXYGEN)
if(DOXYGEN)
  configure_file(docs/Doxyfile.in ${PROJECT_BINARY_DIR}/Doxyfile @ONLY)
  add_custom_target(reference COMMAND ${DOXYGEN} ${PROJECT_BINARY_DIR}/Doxyfile VERBATIM
                    COMMENT "Library reference: ${PROJECT_BINARY_DIR}/reference/html/index.html")
  if(BUILD_TESTING AND VDISIM_TESTS)
    add_test(NAME unit/reference COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target reference)
    set_tests_properties(unit/reference PROPERTIES LABELS unit TIMEOUT 120)
  endif()
endif()
