# Installs BUILD into a scratch prefix, looks at what is there, and runs the
# programs from there: the command must find the server, and the server its
# worker, beside itself.
set(prefix ${BUILD}/tests/install/prefix)
file(REMOVE_RECURSE ${prefix})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

foreach(file
    bin/talweg bin/talwegd bin/talweg-worker
    include/talweg/base/errors.h include/talweg/query/matrix.h include/talweg/client/client.h
    share/talweg/protos/talweg/v1/path.proto share/talweg/protos/google/rpc/error_details.proto)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()

set(ENV{PATH} "/usr/bin:/bin")
unset(ENV{TALWEG_SERVER})
unset(ENV{TALWEG_SERVER_BINARY})
execute_process(COMMAND ${prefix}/bin/talweg version
  OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
if(NOT version MATCHES "${VERSION}")
  message(FATAL_ERROR "talweg version says \"${version}\", not ${VERSION}")
endif()

execute_process(
  COMMAND ${prefix}/bin/talweg matrix ${SOURCE}/examples/data/friction.tif
          --pois ${SOURCE}/examples/data/points.csv --out ${prefix}/matrix.csv --workers 1
  WORKING_DIRECTORY ${prefix} COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS ${prefix}/matrix.csv rows REGEX ",ok$")
list(LENGTH rows count)
if(NOT count EQUAL 64)
  message(FATAL_ERROR "${count} of 64 pairs of the sample are ok")
endif()
file(REMOVE_RECURSE ${prefix})
