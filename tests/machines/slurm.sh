#!/usr/bin/env bash
# A job array of shards, and where MPI is built in a job step of ranks, on a Slurm of one node that this script brings up
# for itself: its configuration, key, sockets and logs are in the test's own folder, and nothing stays behind.
source "$(dirname "$0")/machines.sh" "$1"

PATH=$PATH:/usr/sbin:/sbin
for tool in munged munge slurmctld slurmd sinfo sbatch srun; do
  command -v $tool >/dev/null || skip "there is no $tool"
done

slurm=$work/slurm
me=$(id -un)
host=$(hostname -s 2>/dev/null || uname -n)
port=$((20000 + $$ % 10000))
mkdir -p "$slurm"/{state,spool,log,munge}
chmod 755 "$work" "$slurm" "$slurm"/*

stop_slurm() {
  local name pid attempt
  for name in slurmd slurmctld munged; do
    pid=$(cat "$slurm/$name.pid" 2>/dev/null) || continue
    kill "$pid" 2>/dev/null || continue
    for attempt in $(seq 1 100); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.1
    done
    kill -9 "$pid" 2>/dev/null
  done
}
trap 'stop_slurm; cd /; rm -rf "$work"' EXIT

give_up() {
  tail -n 3 "$slurm"/log/* 2>/dev/null
  skip "$1"
}

export SLURM_CONF=$slurm/slurm.conf
cat >"$SLURM_CONF" <<END
ClusterName=vdisim-test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$slurm/munge/socket
SlurmUser=$me
SlurmdUser=$me
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldLogFile=$slurm/log/slurmctld
SlurmdLogFile=$slurm/log/slurmd
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000,sched_interval=1,bf_interval=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES OverSubscribe=YES MaxTime=INFINITE State=UP
END
# slurmd refuses more processors than it finds.
cpus=$(nproc)
sed -i "s/CPUs=4/CPUs=$cpus/" "$SLURM_CONF"

dd if=/dev/urandom of="$slurm/munge/key" bs=128 count=1 2>/dev/null
chmod 400 "$slurm/munge/key"
munged --force --key-file="$slurm/munge/key" --socket="$slurm/munge/socket" --pid-file="$slurm/munged.pid" \
  --log-file="$slurm/log/munged" --seed-file="$slurm/munge/seed" 2>errors || give_up "munged does not start: $(head -n 1 errors)"
slurmctld 2>errors || give_up "slurmctld does not start: $(head -n 1 errors)"
slurmd -N "$host" 2>errors || give_up "slurmd does not start: $(head -n 1 errors)"
for attempt in $(seq 1 100); do
  sinfo -h -o %T 2>/dev/null | grep -q idle && break
  sleep 0.2
done
sinfo -h -o %T 2>errors | grep -q idle || give_up "the node does not become idle: $(head -n 1 errors)"

# The job of docs/scaling.md.
cat >array.sh <<END
#!/bin/sh
exec '$vdisim' run machines.yaml --quiet --jobs 1 --shard "\$SLURM_ARRAY_TASK_ID/\$SLURM_ARRAY_TASK_COUNT" \
  --archive "shard-\$SLURM_ARRAY_TASK_ID.sqlite"
END
quietly 'job array' sbatch --wait --array=1-5 --output="$slurm/log/task-%a" array.sh
quietly 'merge' "$vdisim" merge shard-4.sqlite shard-2.sqlite shard-5.sqlite shard-1.sqlite shard-3.sqlite --out array
same 'job array' array

expect 'copies that do not know of each other' 2 '2 ranks' srun -n 2 --overcommit "$vdisim" run machines.yaml --out copies
[ ! -e copies ] && pass || fail 'copies' 'wrote a result'
if ldd "$vdisim" | grep -q libmpi; then
  expect 'ranks of a job step' 0 '' srun --mpi=pmix -n "$cpus" "$vdisim" run --quiet machines.yaml --out step
  same 'ranks of a job step' step
fi
finish
