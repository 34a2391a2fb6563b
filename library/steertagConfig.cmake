include(CMakeFindDependencyMacro)
find_dependency(fmt)
find_dependency(absl)
include(${CMAKE_CURRENT_LIST_DIR}/steertagTargets.cmake)
