#!/bin/sh
# Dump the database, restore the dump into a temporary server to test it, and keep the newest dumps.
#
#   ORGCTX_ADMIN_DATABASE_URL=... KEEP=14 backup.sh DIRECTORY
#
# Needs PostgreSQL's programs, of the server's version or newer, and space in TMPDIR for the restored
# database. orgctx_backup.prom, beside the dumps, tells node_exporter when a dump last succeeded.
set -eu
umask 077
directory=${1:?usage: backup.sh DIRECTORY}
# Debian installs the server's programs here.
command -v initdb > /dev/null || for programs in /usr/lib/postgresql/*/bin; do
    PATH=$programs:$PATH
done

# The lock ends with this process. The temporary server must not keep it.
exec 9> "$directory/.lock"
flock -n 9 || {
    echo "Another backup into $directory is running." >&2
    exit 1
}

scratch=$(mktemp -d)
clean_up() {
    [ ! -e "$scratch/data/postmaster.pid" ] || pg_ctl stop -s -D "$scratch/data" -m immediate
    rm -rf "$scratch" "$directory/.unfinished"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

# Decode the percent-encoding of a URL.
decode() {
    rest=$1
    while [ "${rest#*%}" != "$rest" ]; do
        printf %s "${rest%%%*}"
        rest=${rest#*%}
        printf "\\$(printf %o "0x${rest%"${rest#??}"}")"
        rest=${rest#??}
    done
    printf %s "$rest"
}
url=$ORGCTX_ADMIN_DATABASE_URL
authority=${url#*://}
authority=${authority%%/*}
case $authority in
# Pass the password in the environment, because all users can see the arguments of a program.
*:*@*)
    login=${authority%%@*}
    PGPASSWORD=$(decode "${login#*:}")
    export PGPASSWORD
    url=${url%%://*}://${login%%:*}@${url#*@}
    ;;
esac
citus=$(psql --no-psqlrc -At --dbname "$url" -c "SELECT extversion FROM pg_extension WHERE extname = 'citus'")
[ -z "$citus" ] || {
    echo "Citus distributes the database, and a dump of the coordinator lacks the rows of its workers." \
        "Back up every server: see docs/operations/backup.md." >&2
    exit 1
}
pg_dump --format custom --file "$directory/.unfinished" --dbname "$url"

initdb -D "$scratch/data" -U orgctx --auth trust --encoding UTF8 --locale C.UTF-8 --no-sync > "$scratch/log"
pg_ctl start -s -w -D "$scratch/data" -l "$scratch/log" \
    -o "-c listen_addresses= -c unix_socket_directories=$scratch -c fsync=off" 9>&- || {
    cat "$scratch/log" >&2
    exit 1
}
export PGHOST="$scratch" PGUSER=orgctx
createdb --template template0 restored
pg_restore --exit-on-error --jobs "$(nproc)" --no-owner --no-privileges --dbname restored "$directory/.unfinished"
restored=$(psql --dbname restored --no-psqlrc -At -c "SELECT count(*) FROM organizations")
[ "$restored" -gt 0 ] || {
    echo "The dump contains no organization." >&2
    exit 1
}

dump=$directory/orgctx-$(date -u +%Y-%m-%dT%H%M%SZ).dump
mv "$directory/.unfinished" "$dump"
# Names sort by time.
find "$directory" -maxdepth 1 -name 'orgctx-*.dump' | sort -r | tail -n "+$((${KEEP:-14} + 1))" |
    while IFS= read -r old; do rm -f "$old"; done
{
    echo "# HELP orgctx_backup_success_timestamp_seconds Unix time of the last tested dump."
    echo "# TYPE orgctx_backup_success_timestamp_seconds gauge"
    echo "orgctx_backup_success_timestamp_seconds $(date +%s)"
} > "$directory/.unfinished"
chmod 644 "$directory/.unfinished"
mv "$directory/.unfinished" "$directory/orgctx_backup.prom"
echo "$dump: restored organizations: $restored"
