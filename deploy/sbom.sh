#!/bin/sh
# Writes the bill of materials of an image: sbom.sh FILE [LOCK].
#
# LOCK is a file in deploy/; the default is requirements.txt, which the serving image installs. The
# format is CycloneDX JSON with the hashes of the lock; cyclonedx-py checks it against the schema.
# The same lock gives the same bytes: no time, no serial number.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
here=$(dirname "$0")
version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' "$here/../orgctx/__init__.py")
printf '[project]\nname = "orgctx"\nversion = "%s"\nlicense = "MIT"\n' "$version" > "$folder/project"
# The tool warns that a lock states no dependencies between packages.
PYTHONWARNINGS=ignore cyclonedx-py requirements --output-reproducible --validate --pyproject "$folder/project" \
    --output-file "$1" "$here/${2:-requirements.txt}"
