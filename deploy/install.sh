#!/bin/sh
# Installs a release of the service into a folder, as its container image and its systemd unit want it:
#
#     sh install.sh RELEASE FOLDER
#
# RELEASE holds this script, the two wheels and requirements-server.lock, as a release is published and as
# `./dev release --dry-run` makes it. Every other package comes from pip's index, in the version and with the digest that
# the lock names; nothing is compiled or built. FOLDER becomes a Python environment that nobody needs to write to later.
# Run again with a newer release, it upgrades the folder.
#
# PYTHON names another interpreter than python3 (3.11 or newer).
set -eu

if [ $# -ne 2 ]; then
    echo "usage: sh install.sh RELEASE FOLDER" >&2
    exit 2
fi
release=$1
folder=$2

for wheel in service_client integration_functions_service; do
    set -- "$release/$wheel"-*.whl
    if [ $# -ne 1 ] || [ ! -f "$1" ]; then
        echo "$release must hold one wheel of $wheel." >&2
        exit 1
    fi
done

"${PYTHON:-python3}" -m venv "$folder"
pip() {
    "$folder/bin/python" -m pip --disable-pip-version-check install --quiet "$@"
}
# The lock names all there is. Asked for what packages depend on, pip takes "name[extra]" in a newer version than it.
pip --no-deps --require-hashes --only-binary :all: --requirement "$release/requirements-server.lock"
pip --no-deps --no-index --force-reinstall "$release"/service_client-*.whl "$release"/integration_functions_service-*.whl
"$folder/bin/python" -m pip --disable-pip-version-check check
