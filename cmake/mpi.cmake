# Ranks by MPI: a module that the program loads when mpirun or srun has started it. Without MPI on the machine, the
# program is built without it.
set(NHOT_MPI AUTO CACHE STRING "Build the module for MPI: AUTO (where MPI is found), ON, OFF")
set_property(CACHE NHOT_MPI PROPERTY STRINGS AUTO ON OFF)
if(NHOT_MPI STREQUAL "AUTO")
  find_package(MPI QUIET COMPONENTS C)
elseif(NHOT_MPI)
  find_package(MPI REQUIRED COMPONENTS C)
endif()
target_link_libraries(nhot_commands PUBLIC ${CMAKE_DL_LIBS})
target_compile_definitions(nhot_commands PRIVATE NHOT_LIBRARY_ARCHITECTURE="${CMAKE_LIBRARY_ARCHITECTURE}")
if(NHOT_MPI AND MPI_C_FOUND)
  add_library(nhot_mpi MODULE app/mpi/communicator.cpp)
  set_target_properties(nhot_mpi PROPERTIES PREFIX "" OUTPUT_NAME nhot-mpi
                                            LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_include_directories(nhot_mpi PRIVATE src)
  target_compile_definitions(nhot_mpi PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)  # no C++ bindings
  target_link_libraries(nhot_mpi PRIVATE MPI::MPI_C nhot_light_flags)
  add_dependencies(nhot nhot_mpi)
  if(NHOT_INSTALL)
    include(GNUInstallDirs)
    install(TARGETS nhot_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/nhot)
  endif()
endif()
