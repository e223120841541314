#!/bin/sh
# Writes the bill of materials of an image: sbom.sh FILE [LOCK [PYTHON]].
#
# LOCK is a file in deploy/; the default is requirements.txt, which the serving image installs. PYTHON
# is an interpreter whose environment has these packages; their metadata states the licenses. The
# format is CycloneDX JSON with the hashes of the lock; cyclonedx-py checks it against the schema.
# The same lock gives the same bytes: no time, no serial number.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
here=$(dirname "$0")
python=${3:-python3}
version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' "$here/../orgctx/__init__.py")
printf '[project]\nname = "orgctx"\nversion = "%s"\nlicense = "MIT"\n' "$version" > "$folder/project"
# The tool warns that a lock states no dependencies between packages.
PYTHONWARNINGS=ignore cyclonedx-py requirements --output-reproducible --validate --pyproject "$folder/project" \
    --output-file "$folder/locked" "$here/${2:-requirements.txt}"
# Only the licenses are taken from this one, and its validation takes half a minute of processor.
PYTHONWARNINGS=ignore cyclonedx-py environment --output-reproducible --no-validate \
    --output-file "$folder/installed" "$python"
"$python" "$here/licenses.py" "$folder/locked" "$folder/installed" > "$1"
