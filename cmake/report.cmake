# The report library. The scripts and styles of its pages are bundled into it, the plotting library
# among them: scripts/install fetches that into node_modules, it is not part of the tree.
set(NHOT_UPLOT "${PROJECT_SOURCE_DIR}/node_modules/uplot/dist" CACHE PATH
    "Folder with uPlot.iife.min.js and uPlot.min.css")
set(uplot_files ${NHOT_UPLOT}/uPlot.iife.min.js ${NHOT_UPLOT}/uPlot.min.css)
if(NOT EXISTS ${NHOT_UPLOT}/uPlot.iife.min.js)
  message(WARNING "The plotting library uPlot is not in ${NHOT_UPLOT}: `nhot report` and other pages "
                  "will not work in this build. Run scripts/install build, then configure again.")
  set(uplot_files)
endif()

file(GLOB asset_files CONFIGURE_DEPENDS src/nhot/report/assets/*.js src/nhot/report/assets/*.css)
set(asset_source ${PROJECT_BINARY_DIR}/generated/assets.cpp)
add_custom_command(
  OUTPUT ${asset_source}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${asset_source} "-DFILES=${asset_files};${uplot_files}" -P
          ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${asset_files} ${uplot_files} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  VERBATIM)

add_library(nhot_report STATIC ${report_sources} ${asset_source})
target_link_libraries(nhot_report PUBLIC nhot_io nlohmann_json::nlohmann_json
                      PRIVATE nhot_light_flags)
nhot_batches(nhot_report)
nhot_reuse_precompiled(nhot_report nhot_io)
