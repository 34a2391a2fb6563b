# Run at every build: writes into ${out} which commit ${source} is of, where it did not say so already, so
# that one file is compiled again for another commit, and none for the same.
#   cmake -Dsource=FOLDER -Dout=FILE -P commit.cmake
# An archive says it by itself (commit.txt, filled in by `git archive`), a checkout by git; "-dirty" is behind
# it where files were changed since. Otherwise it is unknown. The date is the commit's, or SOURCE_DATE_EPOCH.
set(commit "unknown")
set(date "")
file(READ ${source}/cli/commit.txt archived)
string(STRIP "${archived}" archived)
if(archived MATCHES "^([0-9a-f]+)(-dirty)? ([0-9-]+)$")
  string(SUBSTRING ${CMAKE_MATCH_1} 0 10 commit)
  string(APPEND commit "${CMAKE_MATCH_2}")
  set(date ${CMAKE_MATCH_3})
elseif(EXISTS ${source}/.git)
  set(git git --no-optional-locks -C ${source})
  execute_process(COMMAND ${git} describe --always --exclude=* --abbrev=10 --dirty
    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
  if(failed EQUAL 0)
    set(commit ${described})
    execute_process(COMMAND ${git} show --no-patch --no-show-signature --format=%cs HEAD
      OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  string(TIMESTAMP date "%Y-%m-%d" UTC)
endif()
file(CONFIGURE OUTPUT ${out} @ONLY CONTENT [[
#include "version.h"

namespace steertag::cli {

std::string_view commit() {
  return "@commit@";
}

std::string_view commit_date() {
  return "@date@";
}

}  // namespace steertag::cli
]])
