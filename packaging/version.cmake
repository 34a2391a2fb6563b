# Read by cpack when it runs: the version of the packages names the commit that was built and the release of
# Debian that it was built on, "0.1.0+20261125.0123456789~deb12", so that a newer one is newer.
file(READ ${CPACK_STEERTAG_COMMIT} text)
string(REGEX REPLACE ".*commit\\(\\) {[^\"]*\"([^\"]*)\".*" "\\1" commit "${text}")
string(REGEX REPLACE ".*commit_date\\(\\) {[^\"]*\"([^\"]*)\".*" "\\1" date "${text}")
string(REPLACE "-" "" day "${date}")
string(REPLACE "-" "." commit "${commit}")  # a Debian version has its own idea of hyphens
set(release "")
if(EXISTS /etc/os-release)
  file(STRINGS /etc/os-release facts REGEX "^(ID|VERSION_ID)=")
  if(facts MATCHES "ID=debian" AND facts MATCHES "VERSION_ID=\"([0-9]+)\"")
    set(release "~deb${CMAKE_MATCH_1}")
  endif()
endif()
if(day STREQUAL "")
  set(day 0)  # sorts before all that have one
endif()
set(CPACK_DEBIAN_PACKAGE_VERSION "${CPACK_PACKAGE_VERSION}+${day}.${commit}${release}")
# For finish.cmake.
set(ENV{STEERTAG_PACKAGE_VERSION} ${CPACK_DEBIAN_PACKAGE_VERSION})
