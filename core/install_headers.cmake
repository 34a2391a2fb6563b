# Run at installation: copies core/**/*.h to <prefix>/include/steertag, with
# #include "wire/reader.h" made #include "steertag/wire/reader.h", so that a
# user needs <prefix>/include on the path and nothing else.
file(GLOB_RECURSE headers RELATIVE ${source} ${source}/*.h ${source}/*.def)
string(RANDOM own)  # two may install at the same time
set(staging ${staging}/${own}/steertag)
foreach(header IN LISTS headers)
  file(READ ${source}/${header} text)
  string(REPLACE "#include \"" "#include \"steertag/" text "${text}")
  file(WRITE ${staging}/${header} "${text}")
endforeach()
file(INSTALL ${staging} DESTINATION ${CMAKE_INSTALL_PREFIX}/${include_dir})
cmake_path(GET staging PARENT_PATH staging)
file(REMOVE_RECURSE ${staging})
