#!/bin/sh
# Builds Warpline's libamdhip64 from the folder this lies in: build.sh FOLDER
set -e
from=$(dirname "$0")
to=${1:?expected a folder to build into}
mkdir -p "$to"
${CC:-cc} -std=gnu11 -O2 -g -fPIC -shared -fvisibility=hidden -Wall -Wextra -Werror -pthread \
  -Wl,-soname,libamdhip64.so.5 -Wl,--version-script="$from/versions.map" -Wl,-z,defs \
  "$from"/wire.c "$from"/printf.c "$from"/memory.c "$from"/modules.c "$from"/streams.c "$from"/device.c "$from"/missing.c \
  -o "$to/libamdhip64.so.5"
ln -sf libamdhip64.so.5 "$to/libamdhip64.so.6"
ln -sf libamdhip64.so.5 "$to/libamdhip64.so.7"
ln -sf libamdhip64.so.5 "$to/libamdhip64.so"
