# Run by cpack when all is where it is to be, before the packages are made of it.
execute_process(COMMAND ${CPACK_STEERTAG_PACKAGING}/finish ${CPACK_TEMPORARY_INSTALL_DIRECTORY}
  ${CPACK_STEERTAG_PACKAGING}/copyright "$ENV{STEERTAG_PACKAGE_VERSION}" "${CPACK_PACKAGE_CONTACT}" COMMAND_ERROR_IS_FATAL ANY)
