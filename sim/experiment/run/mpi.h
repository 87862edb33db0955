/* The ranks of an MPI job: one experiment on many machines.
 *
 * All ranks are started with the same arguments and read the same experiments themselves. Rank 0 then plans, hands out
 * units one by one (round_by_mpi(), round.h), keeps what comes back and alone writes and prints; the others are in
 * mpi_serve(). A rank that has finished a unit is given the next, so that slow ranks and long units hold up nobody.
 *
 *     mpi_start(&argc, &argv, message);             every rank
 *     ...open the experiments...
 *     if (mpi_agree(version, hash, message)) {      every rank
 *         if (mpi_rank() == 0) { experiment_execute() with by_mpi; mpi_dismiss(); }
 *         else mpi_serve(experiments, count);
 *     }
 *     mpi_finish(&status);                          every rank, with rank 0's status
 *
 * Nothing here does anything in a process that was not started by mpirun, mpiexec or srun: it is rank 0 of 1.
 * Whoever calls MPI functions is the thread that called mpi_start().
 */
#ifndef VDISIM_MPI_H
#define VDISIM_MPI_H

#include "sim/experiment/run/round.h"

/* Whether this program was built with VDISIM_MPI. */
bool mpi_is_built_in(void);

/* Whether the environment says that this process is one of several started together (by Open MPI, MPICH or a job
 * step of Slurm), of how many, and which: without MPI each would run everything. */
bool mpi_would_be_needed(size_t *ranks, size_t *rank);

/* Joins the job when the process was started as a part of one. False with a message: it cannot. */
bool mpi_start(int *argc, char ***argv, char message[UNIT_MESSAGE_SIZE]);

size_t mpi_rank(void);
size_t mpi_size(void);

/* Whether all ranks run the same version and have read the same: `hash` stands for all that was read, NULL when it could
 * not be. Every rank gets the same answer; rank 0 a message that names the first rank in question, "" when it is
 * itself. */
bool mpi_agree(const char *version, const char *hash, char message[UNIT_MESSAGE_SIZE]);

/* Runs whatever units of these experiments rank 0 hands out, until it calls mpi_dismiss(). A unit that fails
 * is rank 0's to tell of. */
void mpi_serve(const struct experiment *const *experiments, size_t count);

/* Rank 0: nothing more will be handed out. */
void mpi_dismiss(void);

/* Leaves the job. Every rank's status becomes rank 0's. */
void mpi_finish(int *status);

/* How rank 0 hands out; what round_by_mpi() does unless told otherwise is in mpi_hand_out_usual(). */
struct mpi_hand_out {
    size_t
        ahead; /* units that a rank holds beyond the one it runs, so as not to wait for the next; none towards the end */
    bool runs_units_itself;   /* rank 0 has a thread that runs units, too */
    int64_t longest_pause_ns; /* between two looks for messages while there are none */
    int64_t
        *busy_ns; /* grows by rank 0's processor time for replies and what is done with them; may be NULL */
};

struct mpi_hand_out mpi_hand_out_usual(void);

bool mpi_hand_out_round(const struct round *round, const struct mpi_hand_out *how,
                        char message[UNIT_MESSAGE_SIZE]);

#endif
