# The lab: the simulator as a page in the browser, by Emscripten.
#
#   cmake --build build/release --target lab        build/release/lab/index.html, to be opened from disk or any web server
#
# VDISIM_LAB=AUTO offers the target where its tools are and says what is missing where they are not; ON builds it with all
# else, and fails without them; OFF leaves it out. The libraries' sources (sim/lab/lab-libraries.sh) and uPlot
# (sim/lab/package-lock.json) are fetched when it is first built.
set(VDISIM_LAB AUTO CACHE STRING "Build the lab for the browser: AUTO (a target of its own), ON (with all else), OFF")
set_property(CACHE VDISIM_LAB PROPERTY STRINGS AUTO ON OFF)

# What is behind the page, compiled for this machine: the tests of it.
file(GLOB VDISIM_LAB_SOURCES CONFIGURE_DEPENDS sim/lab/lab*.c)
add_library(vdisim_lab OBJECT EXCLUDE_FROM_ALL ${VDISIM_LAB_SOURCES})
target_link_libraries(vdisim_lab PUBLIC vdisim)

if(NOT VDISIM_LAB)
  return()
endif()

find_program(VDISIM_EMCC emcc)
find_program(VDISIM_NODE node)
find_program(VDISIM_NPM npm)
find_program(VDISIM_APT apt-get)
find_program(VDISIM_NINJA ninja)
find_file(VDISIM_EMSCRIPTEN_TOOLCHAIN Emscripten.cmake
          PATHS /usr/share/emscripten/cmake/Modules/Platform $ENV{EMSDK}/upstream/emscripten/cmake/Modules/Platform)
set(missing "")
foreach(tool EMCC:emscripten EMSCRIPTEN_TOOLCHAIN:emscripten NODE:nodejs NPM:npm APT:apt NINJA:ninja-build)
  string(REPLACE ":" ";" tool ${tool})
  list(GET tool 0 variable)
  list(GET tool 1 package)
  if(NOT VDISIM_${variable})
    list(APPEND missing ${package})
  endif()
endforeach()
list(REMOVE_DUPLICATES missing)
string(REPLACE ";" ", " VDISIM_LAB_MISSING "${missing}")
if(missing)
  if(NOT VDISIM_LAB STREQUAL "AUTO")
    message(FATAL_ERROR "The lab needs the Debian packages ${VDISIM_LAB_MISSING}; -DVDISIM_LAB=OFF builds without it")
  endif()
  message(STATUS "No lab for the browser: it needs the Debian packages ${VDISIM_LAB_MISSING}")
  add_custom_target(lab COMMAND ${CMAKE_COMMAND} -E echo "the lab needs the Debian packages ${VDISIM_LAB_MISSING}"
                    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
  return()
endif()

set(lab_all "")
if(NOT VDISIM_LAB STREQUAL "AUTO")
  set(lab_all ALL)
endif()
set(lab_build ${PROJECT_BINARY_DIR}/lab-wasm)
set(lab_libraries ${PROJECT_BINARY_DIR}/lab-libraries)
set(lab_page ${PROJECT_BINARY_DIR}/lab)
# Debian keeps the modules that Emscripten needs where only its own node looks.
set(lab_environment ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs)
add_custom_target(lab ${lab_all}
  COMMAND bash ${PROJECT_SOURCE_DIR}/sim/lab/lab-libraries.sh ${lab_libraries}
  COMMAND ${lab_environment} ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR}/sim/lab -B ${lab_build} -G Ninja -DCMAKE_BUILD_TYPE=Release
          -DCMAKE_TOOLCHAIN_FILE=${VDISIM_EMSCRIPTEN_TOOLCHAIN} -DVDISIM_VERSION=${PROJECT_VERSION}
          -DVDISIM_GENERATED=${PROJECT_BINARY_DIR}/include -DVDISIM_LAB_LIBRARIES=${lab_libraries}
          -DVDISIM_LAB_PAGE=${lab_page} -DVDISIM_NPM=${VDISIM_NPM} -DVDISIM_NODE=${VDISIM_NODE}
  COMMAND ${lab_environment} ${CMAKE_COMMAND} --build ${lab_build} --parallel 2
  COMMENT "Building the lab"
  USES_TERMINAL VERBATIM)
install(DIRECTORY ${lab_page} DESTINATION ${CMAKE_INSTALL_DATADIR}/vdisim OPTIONAL)
