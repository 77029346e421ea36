#!/bin/sh
# As much of the official image's start as deploy/ uses: the first one makes a database for one user, whose password is in a file.
set -eu
data=${PGDATA:-/var/lib/postgresql/data}
if [ ! -s "$data/PG_VERSION" ]; then
  initdb --pgdata="$data" --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" \
    --auth-host=scram-sha-256 --auth-local=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  PGPASSWORD=$(cat "$POSTGRES_PASSWORD_FILE") export PGPASSWORD
  pg_ctl --pgdata="$data" --options="-c listen_addresses='' -c unix_socket_directories=/tmp" --wait start
  createdb --host=/tmp --username="$POSTGRES_USER" "${POSTGRES_DB:-$POSTGRES_USER}"
  pg_ctl --pgdata="$data" --wait --mode=fast stop
  unset PGPASSWORD
fi
exec "$@" -D "$data" -c listen_addresses='*' -c unix_socket_directories=/tmp
