/* A PVS server: threads that read the vDisk for targets and stream the data to them.
 *
 * A read holds one of ports x threads slots from when it is taken up until the last packet of its answer has left the
 * card; reads beyond that wait in line. The vDisk is open while targets are connected. */
#ifndef VDISIM_MODELS_PVS_SERVER_H
#define VDISIM_MODELS_PVS_SERVER_H

#include "vdisim/boots.h"
#include "vdisim/host.h"
#include "vdisim/sim.h"
#include "vdisim/smb_file.h"

struct pvs_server;

/* A target's read, embedded in the target. */
struct pvs_read {
    struct smb_read read; /* file, offset and bytes set by the target */
    struct pvs_server *server;
    /* The last packet leaves at sent_ns >= now; called once a read. */
    void (*sent)(struct pvs_read *read);
    bool missed; /* it was not all in the cache */
    int64_t arrived_ns, started_ns, fetched_ns, sent_ns;
    struct pvs_read *next; /* private */
};

struct pvs_server {
    struct sim *sim;
    struct host *host;
    const struct pvs_settings *settings;
    struct smb_file vdisk;
    int64_t targets; /* that it serves */

    /* Private. */
    int64_t slots, fetching; /* slots; those held by reads that wait for data */
    int64_t *leaving_ns;     /* when the others end, a ring, the earliest first */
    int64_t leaving_first, leaving;
    struct pvs_read *line_first, *line_last;
    struct sim_event slot_is_free, idle;
    int64_t last_read_ns;
};

/* False when memory is short. `vdisk` is the file's record on the server of the store. */
bool pvs_server_init(struct pvs_server *server, struct host *host, const struct pvs_settings *settings,
                     struct smb_client *client, uint8_t workload, struct store_file *vdisk,
                     const struct vdisk_settings *vdisk_settings);
void pvs_server_release(struct pvs_server *server);

void pvs_server_connect(struct pvs_server *server);

/* The last one out closes the vDisk. */
void pvs_server_disconnect(struct pvs_server *server);

/* A read has arrived. */
void pvs_server_read(struct pvs_server *server, struct pvs_read *read);

#endif
