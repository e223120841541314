#!/bin/sh
# Builds all that a release publishes into an empty directory: release.sh DIRECTORY.
#
# These are wheel, source, bill of materials, image, and their checksums; the workflow signs each.
# Rejects uncommitted changes, and a tag at the commit that is not the version. `make release` runs it
# by hand, and .github/workflows/release.yml for a tag.
#   PYTHON_IMAGE   the base of the image; give its digest for a build that can be repeated
#   SOURCE_URL     where the source is published, for the label of the image
#   BUILDAH, BUD   buildah with its options, and options of `bud`
set -eu
mkdir -p "$1"
directory=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
refuse() {
    echo "release: $1" >&2
    exit 1
}
[ -z "$(ls -A "$directory")" ] || refuse "$directory is not empty"
[ -z "$(git status --porcelain)" ] || refuse "commit or discard what is changed"
commit=$(git rev-parse HEAD)
version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' orgctx/__init__.py)
tag=$(git tag --points-at HEAD --list 'v*')
if [ -n "$tag" ]; then
    [ "$tag" = "v$version" ] || refuse "the tag is $tag, the version $version"
    (cd sql/schema && sha256sum -- *.sql) | cmp -s - sql/schema/released.sha256 ||
        refuse "sql/schema/released.sha256 does not list the migrations as they are"
    grep -Eqx "## $version( \([0-9-]+\))?" CHANGELOG.md || refuse "CHANGELOG.md has no dated heading of $version"
fi
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

source=$(mktemp -d)
trap 'rm -rf "$source"' EXIT
git archive HEAD | tar -x -C "$source"
cd "$source"
python -c 'import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])' "$directory" > /dev/null
python -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$directory" .
sh deploy/sbom.sh "$directory/orgctx-$version.cdx.json" > /dev/null
# The Docker format keeps HEALTHCHECK, which OCI's has no place for.
# shellcheck disable=SC2086
${BUILDAH:-buildah} bud ${BUD:-} -q --format docker --timestamp "$SOURCE_DATE_EPOCH" \
    --build-arg PYTHON="${PYTHON_IMAGE:-python:3.13-slim}" --build-arg VERSION="$version" \
    --build-arg REVISION="$commit" --build-arg SOURCE="${SOURCE_URL:-}" --tag "localhost/orgctx:$version" . > /dev/null
${BUILDAH:-buildah} push -q "localhost/orgctx:$version" \
    "docker-archive:$directory/orgctx-$version-$(uname -m).tar:orgctx:$version"
(cd "$directory" && sha256sum -- *) > SHA256SUMS
mv SHA256SUMS "$directory/SHA256SUMS-$(uname -m)"
ls -l "$directory"
