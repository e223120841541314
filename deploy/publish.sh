#!/bin/sh
# Joins the images of a release, one for each machine, and pushes them under one name:
# publish.sh DIRECTORY DESTINATION, such as docker://registry.example/orgctx:1.0.0.
#
# Prints the digest. BUILDAH: buildah with its options.
set -eu
buildah=${BUILDAH:-buildah}
$buildah manifest create orgctx-release > /dev/null
trap '$buildah manifest rm orgctx-release > /dev/null' EXIT
for image in "$1"/orgctx-*.tar; do
    $buildah manifest add orgctx-release "docker-archive:$image" > /dev/null
done
digest=$(mktemp)
$buildah manifest push -q --all --digestfile "$digest" orgctx-release "$2" > /dev/null
cat "$digest"
rm "$digest"
