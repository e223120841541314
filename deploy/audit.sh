#!/bin/sh
# Looks every locked package up in an advisory service. Fails on a known vulnerability, and also where
# that cannot be told: the service is out of reach, or does not know a package.
#
# Arguments go to pip-audit, for example `-s osv`, or `--ignore-vuln ID` with the reason beside it.
set -eu
cd "$(dirname "$0")/.."
locked=$(mktemp)
trap 'rm -f "$locked"' EXIT
# pip-audit passes over what a marker leaves out on this machine: an image is another one.
sed 's/ ; .* \\$/ \\/' deploy/requirements*.txt > "$locked"
# Without --strict, a package that the service does not know counts as safe.
pip-audit --strict --disable-pip --require-hashes --progress-spinner off -r "$locked" "$@" && exit
echo "audit: NOT passed. Above stands a vulnerability, or why the advisory service could not tell." >&2
exit 1
