#!/bin/sh
# Builds the container image of a release with podman, buildah or docker, whichever is there:
#
#     sh deploy/container/build.sh RELEASE [NAME]
#
# RELEASE is a folder that `./dev release` made, or the files of a published release. The image is NAME:VERSION, NAME
# being `integration-functions-service` unless another one is given. BUILDER names the program, and BUILD_OPTIONS holds
# further options for it (`--build-arg PYTHON=…` for another base image).
set -eu

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: sh build.sh RELEASE [NAME]" >&2
    exit 2
fi
release=$1
name=${2:-integration-functions-service}
file=$(dirname "$0")/Containerfile

set -- "$release"/integration_functions_service-*.whl
if [ $# -ne 1 ] || [ ! -f "$1" ]; then
    echo "$release must hold one wheel of integration_functions_service; ./dev release --dry-run makes such a folder." >&2
    exit 1
fi
version=${1##*/integration_functions_service-}
version=${version%%-*}

builder=${BUILDER:-}
for each in podman buildah docker; do
    [ -n "$builder" ] || ! command -v "$each" >/dev/null || builder=$each
done
case $(basename "$builder") in
    podman | buildah) format="--format docker" ;; # the other format knows no health check
    docker) format= ;;
    *)
        echo "No podman, buildah or docker is installed here." >&2
        exit 1
        ;;
esac
# shellcheck disable=SC2086 # options are words
"$builder" build $format ${BUILD_OPTIONS:-} --file "$file" --build-arg "VERSION=$version" --tag "$name:$version" "$release"
echo "$name:$version"
