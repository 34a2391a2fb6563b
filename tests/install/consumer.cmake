# The CMakeLists.txt of a stranger's project; the install test copies it under that name.
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
find_package(steertag 0.1 REQUIRED)
add_executable(example example.cc)
target_link_libraries(example PRIVATE steertag::steertag pcap)
add_executable(sarif sarif.cc)
target_link_libraries(sarif PRIVATE steertag::steertag)
