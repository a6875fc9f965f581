#!/bin/sh
# Backs up a store on SQLite under a dated name, checks the copy, and then removes all but the newest backups. If a backup or
# its check fails, nothing is removed. Run it as the user of the service.
# usage: backup.sh FOLDER KEEP LATCHKEY…   such as: backup.sh /var/lib/latchkey-backups 14 npx latchkey
set -eu
umask 077

if [ "$#" -lt 3 ] || ! [ "$2" -ge 1 ]; then
  echo 'usage: backup.sh FOLDER KEEP LATCHKEY…, with KEEP at least 1' >&2
  exit 2
fi
folder=$1
keep=$2
shift 2

copy=$folder/latchkey-$(date -u +%Y-%m-%dT%H%M%SZ).db
"$@" store backup "$copy"
"$@" store check --store "sqlite:$copy"

# The names sort by their date.
ls -1 "$folder" | grep -E '^latchkey-[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{6}Z\.db$' | sort -r | tail -n "+$((keep + 1))" |
  while read -r old; do rm -- "$folder/$old"; done
