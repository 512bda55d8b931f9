cmake_minimum_required(VERSION 3.21)
project(sim LANGUAGES CXX CUDA)

set(SOURCES
  main.cpp
  kernels.cu)
add_executable(sim ${SOURCES})
target_link_libraries(sim PRIVATE CUDA::cudart)
