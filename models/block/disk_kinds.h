/* The two kinds of disk behind disk.h. */
#ifndef VDISIM_MODELS_DISK_KINDS_H
#define VDISIM_MODELS_DISK_KINDS_H

#include "vdisim/disk.h"

void hdd_init(struct disk *disk);
void hdd_submit(struct disk *disk, struct disk_operation *operation);
double hdd_mean_access_ns(const struct disk_settings *settings, int64_t bytes);

/* False when memory is short. */
bool flash_init(struct disk *disk);
void flash_serve(struct disk *disk, struct disk_operation *operation);
double flash_mean_access_ns(const struct disk_settings *settings, bool writes, int64_t bytes);

#endif
