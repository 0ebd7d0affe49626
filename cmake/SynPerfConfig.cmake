# Lets another project link the engine out of this build tree: find_package(SynPerf) with SynPerf_DIR set to it.
include(CMakeFindDependencyMacro)
find_dependency(fmt)
find_dependency(nlohmann_json)
find_dependency(muparser)
find_dependency(Eigen3 NO_MODULE)
find_dependency(ZLIB)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/SynPerfTargets.cmake)
