#!/bin/sh
# Looks every locked package up in an advisory service. Fails if a package has a known vulnerability,
# if the service does not know a package, or if it is unreachable.
#
# Arguments go to pip-audit, for example `-s osv`, or `--ignore-vuln ID` with the reason beside it.
set -eu
cd "$(dirname "$0")/.."
locked=$(mktemp)
trap 'rm -f "$locked"' EXIT
# Remove the markers: pip-audit skips packages that this machine does not need, but an image may.
sed 's/ ; .* \\$/ \\/' deploy/requirements*.txt > "$locked"
# Without --strict, a package that the service does not know counts as safe.
pip-audit --strict --disable-pip --require-hashes --progress-spinner off -r "$locked" "$@" && exit
echo "audit failed. See above for the vulnerability, or why the advisory service gave no answer." >&2
exit 1
