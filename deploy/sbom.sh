#!/bin/sh
# Writes the bill of materials of what the image installs: sbom.sh FILE.
#
# CycloneDX JSON with the hashes of the lock; cyclonedx-py checks it against the schema. The same lock
# gives the same bytes: no time, no serial number.
set -eu
project=$(mktemp)
trap 'rm -f "$project"' EXIT
here=$(dirname "$0")
version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' "$here/../orgctx/__init__.py")
printf '[project]\nname = "orgctx"\nversion = "%s"\nlicense = "MIT"\n' "$version" > "$project"
# A lock does not say who needs whom, of which the tool would warn.
PYTHONWARNINGS=ignore cyclonedx-py requirements --output-reproducible --validate --pyproject "$project" \
    --output-file "$1" "$here/requirements.txt"
