/* Price lists of one's own: CSV tables, each row one price of one meter, region and date.
 *
 *     list;meter;region;currency;price;unit;date
 *     ours/premium;storage;westeurope;EUR;0,16;GiB month;2021-01
 *     ours/premium;storage;westeurope;EUR;0,15;GiB month;2023-01
 *
 * All rows of one list and region become one entry of the catalogue's prices, LIST/REGION, with a dated variant for each date on
 * which a price changed: `price: ours/premium/westeurope`, or `price: {list: ours/premium/westeurope, rules: 2022-06}` for the
 * latest prices not after June 2022. An optional column `source` says where a price is from. Meters, with their units:
 *
 *     storage     GiB month, GiB hour        iops        IOPS month, IOPS hour
 *     writes      10k                        throughput  MiB/s month, MiB/s hour, MB/s month, MB/s hour
 *     reads       10k                        snapshots   GiB month, GiB hour
 *     others      10k                        fixed       month, hour
 *     retrieval   GiB                        included-iops: IOPS; included-throughput: MiB/s, MB/s
 *
 * A month has 730 hours. Included quantities, which are not prices, stand in the column `price`, too.
 */
#ifndef VDISIM_EXPERIMENT_PRICE_LIST_H
#define VDISIM_EXPERIMENT_PRICE_LIST_H

#include "sim/experiment/read/catalogue.h"
#include "sim/experiment/read/csv.h"

/* Adds what the tables say, read together, to the catalogue; problems are added at their places. Two prices of one meter, list,
 * region and date, and two currencies in one list and region, are problems. */
void price_list_add(struct catalogue *catalogue, const struct csv_table *const *tables, size_t count,
                    struct problems *problems);

/* The files that the key `prices` of an experiment names, one or a list, relative to the experiment. */
void price_list_read(struct catalogue *catalogue, const struct node *files, const char *experiment_path,
                     struct problems *problems);

/* Adds a file of the catalogue that is named on the command line: a price list where its name ends in .csv, else YAML. */
void catalogue_add_file(struct catalogue *catalogue, const char *path, struct problems *problems);

#endif
