#!/usr/bin/env bash
# A program built without MPI refuses to be run as several ranks, each of which would run everything.
source "$(dirname "$0")/machines.sh" "$1"

why='this vdisim was built without MPI, so 3 ranks would each run everything'
expect 'Open MPI' 2 "$why" env OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=0 "$vdisim" run machines.yaml --out x
expect 'MPICH' 2 "$why" env PMI_SIZE=3 PMI_RANK=0 "$vdisim" run machines.yaml --out x
expect 'a job step' 2 "$why" env SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=0 "$vdisim" run machines.yaml --out x
expect 'another rank is silent' 2 '' env OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=1 "$vdisim" run machines.yaml --out x
[ ! -e x ] && pass || fail 'refused' 'wrote a result'
quietly 'a rank alone' env OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0 "$vdisim" run --quiet machines.yaml --out alone
same 'a rank alone' alone
quietly 'a batch script' env SLURM_NTASKS=3 SLURM_PROCID=0 "$vdisim" run --quiet machines.yaml --out batch
quietly 'a shard' env SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=1 "$vdisim" run --quiet machines.yaml --shard 2/3 --archive 2.sqlite
finish
