#!/usr/bin/env bash
# Mistakes in experiment files: each gets its place, what is wrong, status 2, and nothing is run or written.
source "$(dirname "$0")/check.sh" "$1"

# refuse NAME REGEX SED-EXPRESSION: the small experiment with one thing changed
refuse() {
  sed -e "$3" "$data/small.yaml" >bad.yaml
  cmp -s bad.yaml "$data/small.yaml" && fail "$1" 'the case changes nothing'
  expect "$1" 2 "$2" "$vdisim" run bad.yaml
  expect "$1 (check)" 2 "$2" "$vdisim" check bad.yaml
}

refuse 'unknown key' "^bad\.yaml:10:5: error: unknown key 'userz'.*Did you mean users\?" 's/users: 30/userz: 30/'
refuse 'wrong unit' '^bad\.yaml:11:24: error: ' 's/window: 2 min/window: 2 MiB/'
refuse 'unknown unit' '^bad\.yaml:11:24: error: ' 's/window: 2 min/window: 2 mni/'
refuse 'missing unit' '^bad\.yaml:11:24: error: ' 's/window: 2 min/window: 2/'
refuse 'negative' '^bad\.yaml:10:12: error: ' 's/users: 30/users: -30/'
refuse 'negative duration' '^bad\.yaml:11:24: error: ' 's/window: 2 min/window: -2 min/'
refuse 'NaN' '^bad\.yaml:10:12: error: ' 's/users: 30/users: .nan/'
refuse 'infinite' '^bad\.yaml:11:24: error: ' 's/window: 2 min/window: inf min/'
refuse 'overflow' '^bad\.yaml:10:12: error: ' 's/users: 30/users: 99999999999999999999999/'
refuse 'overflow of a size' '^bad\.yaml:6:47: error: ' 's/size: 1 TiB/size: 99999999 PiB/'
refuse 'decimal size' '^bad\.yaml:6:47: error: .*Did you mean 1 TiB\?' 's/size: 1 TiB/size: 1 TB/'
refuse 'duplicate key' '^bad\.yaml:11:5: error: .*users' 's/users: 30/users: 30\n    users: 31/'
refuse 'unknown choice' '^bad\.yaml:11:40: error: .*Did you mean poisson\?' 's/pattern: poisson/pattern: poison/'
refuse 'unknown tier' '^bad\.yaml:16:26: error: .*Did you mean azure-files/premium\?' 's/\[azure-files\/premium/[azure-files\/premum/'
refuse 'unknown tier, nothing varied' '^bad\.yaml:6:20: error: ' 's/premium, size/premum, size/; /^vary/,/^$/d'
refuse 'unknown store' '^bad\.yaml:12:12: error: ' 's/store: profiles/store: profile/'
refuse 'tab' '^bad\.yaml:10:' 's/    users/\tusers/'
refuse 'two documents' '^bad\.yaml:' '$a ---\nexperiment: second'

refuse 'rules before the first' '^bad\.yaml:6:[0-9]+: error: ' 's/size: 1 TiB/size: 1 TiB, rules: 2018-01/'
grep -q 'needs the key' errors && fail 'rules before the first' "also says $(grep 'needs the key' errors | head -n 1)" || pass
sized='s/size: 1 TiB/size: 1 TiB, '
refuse 'a size lowered too soon' "^bad\.yaml:6:[0-9]+: error: .*'1 TiB at 2 min': a size is lowered no sooner than 24 h after the last raise, at 1 min" \
  "${sized}size_changes: [2 TiB at 1 min, 1 TiB at 2 min]/"
refuse 'changes of size in disorder' "^bad\.yaml:6:[0-9]+: error: .*'3 TiB at 1 min': changes are listed in the order of their times" \
  "${sized}size_changes: [2 TiB at 2 min, 3 TiB at 1 min]/"
refuse 'a change to a size that is not sold' "^bad\.yaml:6:[0-9]+: error: .*'200 TiB at 1 min': this tier is sold from" \
  "${sized}size_changes: [200 TiB at 1 min]/"
refuse 'a change of size without a time' "^bad\.yaml:6:[0-9]+: error: .*'2 TiB': a change of size is a size and a time of the run, e\.g\. 10 TiB at 20 min" \
  "${sized}size_changes: [2 TiB]/"
refuse 'metadata caching where it is not offered' '^bad\.yaml:6:[0-9]+: error: .*metadata caching is not offered with this tier and date' \
  "${sized}rules: 2021-01, metadata_caching: true/"
refuse 'a burst limit below itself' '^bad\.yaml:6:[0-9]+: error: .*the burst limit of a small share is above the most of any, 1000 IOPS' \
  "${sized}burst_iops_max: 1000 IOPS/"

cat >accounts.yaml <<'YAML'
experiment: accounts
stores:
  a: {tier: azure-files/transaction-optimized, size: 5 TiB, account: x}
  b: {tier: azure-files/transaction-optimized, size: 5 TiB, account: x, account_iops: 900 IOPS}
workloads: {logons: {store: a, users: 1}}
YAML
expect 'two limits of one account' 2 \
  '^accounts\.yaml:4:87: error: the account x has 900 IOPS here and 20,000 with a; an account has one set of limits' "$vdisim" check accounts.yaml
sed -i 's/, account_iops: 900 IOPS//' accounts.yaml
expect 'one limit of one account' 0 '' "$vdisim" check accounts.yaml
expect 'two tiers in one account' 2 'the account x has 102,400 IOPS here and 20,000 with a' \
  "$vdisim" check accounts.yaml --set stores.b.tier=azure-files/premium
sed -i 's/transaction-optimized/hdd-v2/' accounts.yaml
expect 'an account sells what is provisioned in it' 0 '' "$vdisim" check accounts.yaml --set 'stores.a.iops=20000 IOPS' --set 'stores.b.iops=30000 IOPS'
expect 'more provisioned than an account sells' 2 \
  '^accounts\.yaml:4:[0-9]+: error: with this share 50,001 IOPS are provisioned in the account x, which sells 50,000' \
  "$vdisim" check accounts.yaml --set 'stores.a.iops=20001 IOPS' --set 'stores.b.iops=30000 IOPS'

refuse 'a month that there is not' "^bad\.yaml:6:[0-9]+: error: '2021-13' is neither a date" 's/size: 1 TiB/size: 1 TiB, rules: 2021-13/'
refuse 'a price without a date' "^bad\.yaml:6:[0-9]+: error: 'yesterday' is not the date of a price" \
  's/size: 1 TiB/size: 1 TiB, price: {gib_month: 0.1, writes: 1, reads: 1, others: 1, currency: EUR, date: yesterday}/'
refuse 'snapshots without a price' "^bad\.yaml:6:[0-9]+: error: profiles has snapshots, of which the price list has no price" \
  's/size: 1 TiB/size: 1 TiB, price: {gib_month: 0.1, writes: 1, reads: 1, others: 1, currency: EUR, date: 2024-07, snapshots: 1 TiB}/'
refuse 'an engine, not a engine' "'contaner' is not an engine" 's/users: 30/users: 30\n    engine: contaner/'

refuse 'a setting beside its workload' "^bad\.yaml:10:3: error: 'users' is not a workload here; did you mean it to belong to the workload above \(indent it\)\?" \
  's/^    users: 30/  users: 30/; s/^  logons:/  logons: {store: profiles}/; /^    [asp]/d'
refuse 'a workload without a kind' "^bad\.yaml:9:3: error: the workload 'morning' does not say its kind: add .kind: logons." \
  's/^  logons:/  morning:/'
refuse 'below a range' "^bad\.yaml:13:17: error: .*run_effect must be between 0 and 2" 's/^    profile: .*/    run_effect: -1/'

refuse 'a container that is not named' '^bad\.yaml:9:3: error: which container is not said' 's/users: 30/users: 30\n    engine: container/'
refuse 'an engine that is not there' "^bad\.yaml:11:13: error: .*Did you mean container\?" 's/users: 30/users: 30\n    engine: contaner/'
refuse 'a container that is too small' '^bad\.yaml:12:[0-9]+: error: the profile holds .* GiB, the virtual disk 1 GiB' \
  's/users: 30/users: 30\n    engine: container\n    container: {preset: fslogix, capacity: 1 GiB}/'
refuse 'a provider twice' "^bad\.yaml:12:[0-9]+: error: the workload's store is a provider already" \
  's/users: 30/users: 30\n    engine: container\n    container: {preset: fslogix-cloud-cache, provider_2: profiles}/'
refuse 'a second provider without Cloud Cache' '^bad\.yaml:11:[0-9]+: error: only Cloud Cache has several providers' \
  's/users: 30/users: 30\n    container: {preset: fslogix, provider_2: profiles}/'
refuse 'Cloud Cache for two sessions' '^bad\.yaml:11:[0-9]+: error: with Cloud Cache a container has one session' \
  's/users: 30/users: 30\n    container: {preset: fslogix-cloud-cache, mode: read-write}/'

: >empty.yaml
expect 'empty file' 2 '^empty\.yaml(:1:1)?: error: ' "$vdisim" run empty.yaml
head -c 4096 "$vdisim" >binary.yaml
expect 'binary file' 2 '^binary\.yaml(:[0-9]+:[0-9]+)?: error: ' "$vdisim" run binary.yaml
{ cat "$data/small.yaml"; yes '# padding' | head -c 10485760; } >large.yaml
expect '10 MiB file' 2 '^large\.yaml(:[0-9]+:[0-9]+)?: error: ' "$vdisim" run large.yaml
{
  echo 'a: &a [x, x, x, x, x, x, x, x, x]'
  previous=a
  for name in b c d e f g h i; do
    echo "$name: &$name [*$previous, *$previous, *$previous, *$previous, *$previous, *$previous, *$previous]"
    previous=$name
  done
} >bomb.yaml
expect 'alias bomb' 2 '^bomb\.yaml:[0-9]+:[0-9]+: error: ' timeout 10 "$vdisim" run bomb.yaml
[ "$(grep -c 'error: ' errors)" -eq 1 ] && pass || fail 'alias bomb' "$(grep -c 'error: ' errors) errors"
printf 'experiment: \xff\xfe\n' >encoding.yaml
expect 'not UTF-8' 2 '^encoding\.yaml(:[0-9]+:[0-9]+)?: error: ' "$vdisim" run encoding.yaml
printf 'a: %s' "$(printf '[%.0s' $(seq 20000))" >deep.yaml
expect 'deeply nested' 2 '^deep\.yaml(:[0-9]+:[0-9]+)?: error: ' timeout 10 "$vdisim" run deep.yaml

expect 'no such file' 1 "^vdisim run: cannot read 'missing\.yaml': No such file" "$vdisim" run missing.yaml
mkdir folder.yaml
expect 'a folder' 1 "^vdisim run: cannot read 'folder\.yaml': Is a directory" "$vdisim" run folder.yaml
cp "$data/small.yaml" unreadable.yaml
chmod 000 unreadable.yaml
if [ "$(id -u)" -eq 0 ]; then
  echo 'skipped: unreadable file (root reads everything)'
else
  expect 'unreadable file' 1 "^vdisim run: cannot read 'unreadable\.yaml': Permission denied" "$vdisim" run unreadable.yaml
fi
sed 's/users: 30/userz: 30/' "$data/small.yaml" >bad.yaml
expect 'one good, one bad: nothing is run' 2 '^bad\.yaml:' "$vdisim" run "$data/small.yaml" bad.yaml
[ ! -s output ] && [ ! -e results ] && pass || fail 'bad input' 'something was run'

vary() { # TEXT: what stands under vary in place of the tier, as a sed expression
  printf '%s' "s|^  stores.profiles.tier: .*|  $1|"
}
grid='workloads.logons.users: [10, 20, 30]\n  stores.profiles.size: [1 TiB, 5 TiB]\n  where: '
refuse 'lists in lockstep of different lengths' \
  '^bad\.yaml:16:52: error: workloads\.logons\.users has 3 values, stores\.profiles\.size has 2: lists in lockstep are of the same length' \
  "$(vary 'lockstep: {stores.profiles.size: [1 TiB, 5 TiB], workloads.logons.users: [1, 2, 3]}')"
refuse 'a misspelt word under vary' "^bad\.yaml:16:3: error: unknown key 'samlpe' under vary\. Did you mean sample\?" \
  "$(vary 'samlpe: {points: 5}')"
refuse 'a condition on what is not varied' "^bad\.yaml:18:10: error: 'usres' is not varied here\. Did you mean users\?" \
  "$(vary "${grid}usres < 20")"
refuse 'a condition in another dimension' "^bad\.yaml:18:32: error: stores\.profiles\.size: '5 MiB/s' is not a size" \
  "$(vary "${grid}users < 20 and size < 5 MiB/s")"
refuse 'settings of two dimensions compared' '^bad\.yaml:18:10: error: users is a count and size is a size: they cannot be compared' \
  "$(vary "${grid}users < size")"
refuse 'a condition that no cell meets' '^bad\.yaml:18:10: error: no cell is left: none of the 3 x 2 = 6 combinations meets this condition' \
  "$(vary "${grid}users > 30")"
refuse 'a condition with a parenthesis too few' '^bad\.yaml:18:10: error: this parenthesis is not closed' \
  "$(vary "${grid}(users > 10 or size = 1 TiB")"
refuse 'a comma in a list of conditions' "^bad\.yaml:18:22: error: '000' alone is no condition" "$(vary "${grid}[users <= 1,000]")"
refuse 'a sample without points' '^bad\.yaml:16:11: error: a sample needs the number of its points' \
  "$(vary 'sample: {inputs: {workloads.logons.users: {from: 1, to: 9}}}')"
refuse 'a range upside down' '^bad\.yaml:16:63: error: from \(9\) is not below to \(1\)' \
  "$(vary 'sample: {points: 5, inputs: {workloads.logons.users: {from: 9, to: 1}}}')"
refuse 'a range of words' '^bad\.yaml:16:54: error: stores\.profiles\.tier is no quantity with a range' \
  "$(vary 'sample: {points: 5, inputs: {stores.profiles.tier: {from: a, to: b}}}')"
refuse 'more cells than are run' '^bad\.yaml:15:1: error: this makes more than 10000 cells: 10000 x 2 = 20,000; leave some out with where' \
  "$(vary 'sample: {points: 10000, inputs: {workloads.logons.users: {from: 1, to: 9}}}\n  stores.profiles.size: [1 TiB, 2 TiB]')"

table() { # NAME REGEX CONTENT(printf): a table of what is varied that cannot be used
  printf "$3" >table.csv
  sed -e "$(vary 'table: table.csv')" "$data/small.yaml" >bad.yaml
  expect "$1" 2 "$2" "$vdisim" run bad.yaml
}
table 'a comma between digits in a table with semicolons' \
  "^table\.csv:2:7: error: '20,000' may mean 20000 or 20\.000 in a table separated by semicolons: write 20000 or 20\.000" \
  'stores.profiles.size;workloads.logons.users\n1 TiB;20,000\n'
table 'decimal points and commas in one table' "^table\.csv:3:1: error: '1\.5 TiB' has a decimal point, '2,5 TiB' in line 2 a decimal comma" \
  'stores.profiles.size;workloads.logons.users\n2,5 TiB;20\n1.5 TiB;20\n'
table 'a number with a comma, not in quotes' '^table\.csv:2:1: error: this row has 3 fields, the header 2; a number with commas stands in quotes' \
  'stores.profiles.size,workloads.logons.users\n1 TiB,20,000\n'
table 'a table in UTF-16' '^table\.csv: error: is UTF-16; save it as UTF-8 \(in Excel: CSV UTF-8\)' 'a\0,\0b\0\n\0'
printf 'sep=;\r\nstores.profiles.size;workloads.logons.users\r\n1,5 TiB;20\r\n' >table.csv
expect 'a table as Excel writes it' 0 '' "$vdisim" check bad.yaml

# The same on volumes and write caches.
refuse_volume() {
  sed -e "$3" "$data/volume.yaml" >bad.yaml
  cmp -s bad.yaml "$data/volume.yaml" && fail "$1" 'the case changes nothing'
  expect "$1" 2 "$2" "$vdisim" check bad.yaml
  [ "$(grep -c 'error: ' errors)" -eq 1 ] && pass || fail "$1" "$(grep -c 'error: ' errors) errors"
}
refuse_volume 'RAID 5 of two' '^bad\.yaml:6:43: error: RAID 5 needs at least three members' 's/members: 4/members: 2/'
refuse_volume 'RAID 10 of five' '^bad\.yaml:6:44: error: RAID 10 needs an even number of members' 's/raid: 5, members: 4/raid: 10, members: 5/'
refuse_volume 'RAID 6 of three' '^bad\.yaml:6:43: error: RAID 6 needs at least four members' 's/raid: 5, members: 4/raid: 6, members: 3/'
refuse_volume 'no members' '^bad\.yaml:6:43: error: RAID 5 needs at least three members' 's/members: 4/members: 0/'
refuse_volume 'a RAID level that is none' "^bad\.yaml:6:31: error: '7' is not a raid; it is one of none, 0, 1, 5, 6, 10" 's/raid: 5/raid: 7/'
refuse_volume 'a volume that is too large' '^bad\.yaml:6:43: error: a volume of 16 TiB or more is not modelled' 's/members: 4/members: 40/'
refuse_volume 'a cache larger than the controller' "^bad\.yaml:6:[0-9]+: error: the cache is larger than the controller's memory of 1024 MiB" \
  's/disk:/controller: {cache: 2 GiB}, disk:/'
refuse_volume 'a RAM cache larger than the RAM' '^bad\.yaml:10:[0-9]+: error: the RAM cache is larger than the 13312 MiB of memory that the system leaves' \
  's/cache: disk, ram_cache: 1 GiB/cache: ram-with-overflow, ram_cache: 14 GiB/'
refuse_volume 'nothing outstanding' "^bad\.yaml:9:44: error: '0' is out of range: outstanding must be between 1 and 65,536" 's/outstanding: 8/outstanding: 0/'
refuse_volume 'a write cache on no server' '^bad\.yaml:10:3: error: .*a write cache on the server needs server_store' 's/cache: disk/cache: server/'
refuse_volume 'a cache disk larger than its store' '^bad\.yaml:10:[0-9]+: error: the cache disk of one worker, 20 GiB, is larger than its store volume, 0\.00195312 GiB' \
  's/raid: 5, members: 4, disk: {device: ssd\/sata}/disk: {device: ssd\/sata, capacity: 2 MiB}/'
refuse_volume 'a cache disk without room' "^bad\.yaml:10:[0-9]+: error: '1 MiB' is out of range: cache_disk must be between 4 MiB and 10 TB" \
  's/cache: disk,/cache: disk, cache_disk: 1 MiB,/'
refuse_volume 'a disk that is not known' "^bad\.yaml:6:[0-9]+: error: 'hdd/720' is not in the catalogue of devices\. Did you mean hdd/7200\?" 's|ssd/sata|hdd/720|'

cat >boots.yaml <<'END'
experiment: boots
stores:
  vdisks: {tier: file-server/2010}
hosts:
  pvs: {machine: pvs-server/2010, count: 2}
workloads:
  boots:
    pvs: {threads: 8}
    vdisk: {size: 10 GiB}
    schedule: [0 s boot 1-3 every 10 s, 3 min boot 4-6]
END
refuse_boots() { # NAME REGEX SED-EXPRESSION
  sed -e "$3" boots.yaml >bad.yaml
  cmp -s bad.yaml boots.yaml && fail "$1" 'the case changes nothing'
  expect "$1" 2 "$2" "$vdisim" check bad.yaml
  [ "$(grep -c 'error: ' errors)" -eq 1 ] && pass || fail "$1" "$(grep -c 'error: ' errors) errors"
}
refuse_boots 'a vDisk larger than its store' '^bad\.yaml:9:19: error: the vDisk of 200 GiB is larger than its store vdisks, 136 GiB' 's/size: 10 GiB/size: 200 GiB/'
refuse_boots 'a vDisk larger than a share' '^bad\.yaml:9:19: error: the vDisk of 200 GiB is larger than its store vdisks, 100 GiB' \
  's|file-server/2010|azure-files/premium, size: 100 GiB|; s/size: 10 GiB/size: 200 GiB/'
refuse_boots 'a vDisk larger than a volume' '^bad\.yaml:9:19: error: the vDisk of 4000 GiB is larger than its store vdisks, [0-9.]+ GiB' \
  's|{tier: file-server/2010}|{kind: block, disk: ssd/sata}|; s/size: 10 GiB/size: 4000 GiB/'
refuse_boots 'no threads' "^bad\.yaml:8:20: error: '0' is out of range: threads must be between 1 and 1,000" 's/threads: 8/threads: 0/'
refuse_boots 'no ports' "^bad\.yaml:8:18: error: '0' is out of range: ports must be between 1 and 1,000" 's/threads: 8/ports: 0/'
refuse_boots 'no servers' "^bad\.yaml:5:42: error: '0' is out of range: count must be between 1 and 100,000" 's/count: 2/count: 0/'
refuse_boots 'a schedule that goes back in time' "^bad\.yaml:10:32: error: '0 s boot 4-6' goes back in time: the step before it, '1 min boot 1-3', is later" \
  's/0 s boot 1-3 every 10 s, 3 min/1 min boot 1-3, 0 s/'
refuse_boots 'a boot of what is on' "^bad\.yaml:10:[0-9]+: error: '3 min boot 3' boots target 3, which is on then" 's/boot 4-6/boot 3/'
refuse_boots 'a cache larger than the RAM' '^bad\.yaml:5:[0-9]+: error: the cache is larger than the memory of a host, 1\.39698 GiB' \
  's/count: 2/count: 2, smb: {data_cache: {size: 2 GiB}}/'

cat >layering.yaml <<'END'
experiment: layering
stores:
  storage: {tier: local/nvme}
workloads:
  layering:
    cache: 20 GB
    jobs: [import windows 60 GB using 11.8 GB, create office 10 GB on windows]
END
refuse_layering() { # NAME REGEX SED-EXPRESSION
  sed -e "$3" layering.yaml >bad.yaml
  cmp -s bad.yaml layering.yaml && fail "$1" 'the case changes nothing'
  expect "$1" 2 "$2" "$vdisim" run bad.yaml
}
refuse_layering 'a job on no layer' "^bad\.yaml:7:48: error: 'create office 10 GB on linux' needs the layer linux, which there is not yet" 's/on windows/on linux/'
refuse_layering 'a job that is none' "^bad\.yaml:7:[0-9]+: error: 'copy office 10 GB on windows' is no job: " 's/create office/copy office/'
refuse_layering 'a disk too small' "^bad\.yaml:7:[0-9]+: error: .* uses more than the size of its disk" 's/11.8 GB/118 GB/'
refuse_layering 'a layer disk cache larger than its store' '^bad\.yaml:6:[0-9]+: error: the disks in the layer disk cache, 900 GB together, do not fit in the store storage of 500 GB' 's/20 GB/900 GB/'
refuse_layering 'no chunk in flight' "^bad\.yaml:6:[0-9]+: error: '0' is out of range: copy_depth must be between 1 and 1,024" 's/cache: 20 GB/appliance: {copy_depth: 0}/'

cat >generator.yaml <<'END'
experiment: generator
stores:
  data: {tier: azure-files/premium, size: 1 TiB}
hosts:
  nodes: {count: 2, smb: {client: windows-smb/3.1.1-multichannel, channels: 4}}
workloads:
  load: {kind: generator, threads: 4, files: 4, file_size: 1 GiB, pattern: {block_size: 1 MiB, read_share: 60 %}}
run: {length: 2 s, replications: 1}
END
refuse_generator() { # NAME REGEX SED-EXPRESSION
  sed -e "$3" generator.yaml >bad.yaml
  cmp -s bad.yaml generator.yaml && fail "$1" 'the case changes nothing'
  expect "$1" 2 "$2" "$vdisim" check bad.yaml
  [ "$(grep -c 'error: ' errors)" -eq 1 ] && pass || fail "$1" "$(grep -c 'error: ' errors) errors"
}
expect 'a generator in order' 0 '' "$vdisim" check generator.yaml
refuse_generator 'no threads' "^bad\.yaml:7:36: error: '0' is out of range: threads must be between 1 and 4,096" 's/threads: 4/threads: 0/'
refuse_generator 'five channels' "^bad\.yaml:5:[0-9]+: error: '5' is out of range: channels must be between 1 and 4" 's/channels: 4/channels: 5/'
refuse_generator 'a block larger than its file' '^bad\.yaml:7:[0-9]+: error: a block is larger than a file, 0\.5 MiB' 's/file_size: 1 GiB/file_size: 512 KiB/'
refuse_generator 'files that do not fit' '^bad\.yaml:7:[0-9]+: error: 8 files of 200 GiB do not fit in their store data, 1024 GiB' 's/file_size: 1 GiB/file_size: 200 GiB/'
refuse_generator 'more than all reads' "^bad\.yaml:7:[0-9]+: error: .*read_share" 's/read_share: 60 %/read_share: 160 %/'
refuse_generator 'too many disks' '^bad\.yaml:3:[0-9]+: error: the machine takes 16 disks' 's|azure-files/premium, size: 1 TiB|file-server/d8s-v3-p10, disks: 40|'
refuse_generator 'a price that is not known' "^bad\.yaml:3:[0-9]+: error: 'azure-files/premum-2024-07' is not in the catalogue of prices\. Did you mean azure-files/premium-2024-07\?" \
  's|size: 1 TiB|size: 1 TiB, price: azure-files/premum-2024-07|'

# Price lists.
cat >prices.csv <<'END'
list;meter;region;currency;price;unit;date
ours/share;storage;westeurope;EUR;0,16;GiB month;2021-01
END
priced() { # NAME REGEX SED-EXPRESSION: with prices.csv in use
  sed -e '1a prices: prices.csv' -e "s|size: 1 TiB|size: 1 TiB, price: ours/share/westeurope|" generator.yaml | sed -e "$3" >bad.yaml
  expect "$1" 2 "$2" "$vdisim" check bad.yaml
  [ "$(grep -c 'error: ' errors)" -eq 1 ] && pass || fail "$1" "$(grep -c 'error: ' errors) errors"
}
priced 'a region that is not known' "^bad\.yaml:4:[0-9]+: error: 'ours/share/westeurop' is not in the catalogue of prices\. Did you mean ours/share/westeurope\?" 's|westeurope|westeurop|'
priced 'a date before the first price' '^bad\.yaml:4:[0-9]+: error: the rules of ours/share/westeurope begin with 2021-01' 's|price: ours/share/westeurope|price: {list: ours/share/westeurope, rules: 2020-12}|'
priced 'a meter without a price' '^bad\.yaml:4:[0-9]+: error: this tier bills writes, of which the price list has no price' 's|azure-files/premium|azure-files/hot|'
priced 'two currencies' '^bad\.yaml:[0-9]+:[0-9]+: error: data has prices in USD, data in EUR; an experiment has one currency' '$a vary: {stores.data.price: [ours/share/westeurope, azure-files/premium-2024-07]}'
priced 'a price list that is not there' '^(.*/)?none\.csv: error: ' 's|prices: prices.csv|prices: none.csv|'
priced 'a price without a date' '^bad\.yaml:4:[0-9]+: error: a price needs its date' 's|price: ours/share/westeurope|price: {gib_month: 0.1, currency: EUR}|'

finish
