# What the tests of many threads, ranks and machines share: a small experiment, and its result on one thread, which
# every other way of running it has to give byte for byte.
#
#   source machines.sh PROGRAM
#   same NAME FOLDER          the folder holds the same bytes as ./one
#   skip WHY                  ends the script as one that could not be tried
#   shard I N ARCHIVE         runs a shard

source "$(dirname "${BASH_SOURCE[0]}")/../cli/check.sh" "$1"

cat >machines.yaml <<'END'
experiment: machines
stores:
  profiles: {tier: azure-files/premium, rules: 2021-01, size: 1 TiB}
workloads:
  logons: {users: 40, arrivals: {window: 8 min, pattern: poisson}}
run: {length: 10 min, replications: 4, seed: 7}
vary:
  stores.profiles.size: [1 TiB, 2 TiB, 5 TiB]
END
# The same with units that take a while, to be killed in the middle.
sed -e 's/users: 40/users: 400/' -e 's/replications: 4/replications: 8/' -e 's/: machines$/: long/' machines.yaml >long.yaml

skip() {
  echo "skipped: $1"
  exit 77
}

same() {
  local different
  if different=$(diff -rq one "$2" 2>&1); then pass; else fail "$1" "another result: $different"; fi
}

quietly() { # NAME COMMAND...: must succeed without a word on standard error
  local name=$1
  shift
  expect "$name" 0 '' "$@"
}

shard() {
  quietly "shard $1 of $2" "$vdisim" run --quiet machines.yaml --shard "$1/$2" --archive "$3"
}

units_kept() { # ARCHIVE: of its newest run
  python3 - "$1" <<'END'
import sqlite3, sys
try:
    archive = sqlite3.connect("file:%s?mode=ro" % sys.argv[1], uri=True)
    print(archive.execute("select count(*) from unit where run = (select max(run) from unit)").fetchone()[0])
except sqlite3.Error:
    print(0)
END
}

wait_for_units() { # ARCHIVE COUNT: until the archive holds so many; false when it takes too long
  local attempt
  for attempt in $(seq 1 600); do
    [ "$(units_kept "$1")" -lt "$2" ] || return 0
    sleep 0.05
  done
  return 1
}

quietly 'one thread' "$vdisim" run --quiet --jobs 1 machines.yaml --out one
