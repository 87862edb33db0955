# Man pages and shell completion, made of the program's own tables of commands and options; what those cannot say is in
# docs/man/COMMAND.scd. Without scdoc the man pages are left out.
find_program(SCDOC scdoc)
mark_as_advanced(SCDOC)

set(manual_outputs "")
function(vdisim_man_page page command addition)
  set(source ${PROJECT_BINARY_DIR}/man/${page}.1.scd)
  set(addition ${PROJECT_SOURCE_DIR}/docs/man/${addition}.scd)
  if(NOT EXISTS ${addition})
    set(addition "")
  endif()
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/man/${page}.1
    COMMAND vdisim-program --man-page ${command} > ${source}
    COMMAND cat ${source} ${addition} | ${SCDOC} > ${PROJECT_BINARY_DIR}/man/${page}.1
    DEPENDS vdisim-program ${addition} VERBATIM COMMENT "Man page ${page}")
  set(manual_outputs ${manual_outputs} ${PROJECT_BINARY_DIR}/man/${page}.1 PARENT_SCOPE)
endfunction()

if(NOT CMAKE_CROSSCOMPILING)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/man ${PROJECT_BINARY_DIR}/completion)
  if(SCDOC)
    set(command_table ${PROJECT_SOURCE_DIR}/sim/command/commands.c)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${command_table})
    file(READ ${command_table} rows)
    string(REGEX MATCHALL "{\"[a-z]+\"," rows "${rows}")
    vdisim_man_page(vdisim "" vdisim)
    foreach(row IN LISTS rows)
      string(REGEX REPLACE "[^a-z]" "" command "${row}")
      vdisim_man_page(vdisim-${command} ${command} ${command})
    endforeach()
    install(FILES ${manual_outputs} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  else()
    message(STATUS "Left out: man pages (need scdoc)")
  endif()
  set(completions ${PROJECT_BINARY_DIR}/completion)
  add_custom_command(OUTPUT ${completions}/vdisim ${completions}/_vdisim ${completions}/vdisim.fish
    COMMAND vdisim-program completion bash > ${completions}/vdisim
    COMMAND vdisim-program completion zsh > ${completions}/_vdisim
    COMMAND vdisim-program completion fish > ${completions}/vdisim.fish
    DEPENDS vdisim-program VERBATIM COMMENT "Shell completion")
  add_custom_target(manual ALL DEPENDS ${manual_outputs} ${completions}/vdisim)
  install(FILES ${completions}/vdisim DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${completions}/_vdisim DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  install(FILES ${completions}/vdisim.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
