/* What is told while a unit runs. */
#include "sim/lab/lab_inside.h"

#include <stdlib.h>
#include <string.h>

static void begin_unit(struct looking *looking, struct unit unit)
{
    bool is_same = looking->told != NULL && looking->unit.cell == unit.cell &&
                   looking->unit.replication == unit.replication;
    if (is_same)
        return;
    free(looking->told);
    looking->told = calloc(1, sizeof *looking->told);
    looking->unit = unit;
    looking->logons = 0;
    looking->minutes = 0;
}

static bool make_room(struct looking *looking, size_t logons)
{
    if (logons <= looking->logons)
        return looking->told != NULL;
    bool *told = realloc(looking->told, logons * sizeof *told);
    if (told == NULL)
        return false;
    memset(told + looking->logons, 0, (logons - looking->logons) * sizeof *told);
    looking->told = told;
    looking->logons = logons;
    return true;
}

static void write_logons(struct looking *looking, struct world *world, struct writer *writer)
{
    size_t count, waiting = 0;
    const struct logon_record *logons = world_logons(world, &count);
    const char *separator = "";
    if (logons == NULL || !make_room(looking, count))
        count = 0;
    for (size_t i = 0; i < count; i++) {
        waiting += !logons[i].finished;
        if (!logons[i].finished || looking->told[i])
            continue;
        looking->told[i] = true;
        write_text(writer, "%s[%u,", separator, logons[i].user);
        write_json_number(writer, (double)logons[i].start_ns / 1e9);
        write_text(writer, ",");
        write_json_number(writer, (double)logons[i].load_ns / 1e9);
        write_text(writer, "]");
        separator = ",";
    }
    write_text(writer, "],\"waiting\":%zu", waiting);
}

/* The minutes that have not been told, of each store; the one that has just ended is told again at the next look, when it is
 * whole. */
static void write_stores(struct looking *looking, struct world *world, struct writer *writer)
{
    size_t latest = looking->minutes;
    for (size_t store = 0; store < world_store_count(world); store++) {
        size_t count;
        const struct minute_record *minutes = world_minutes_so_far(world, store, &count);
        write_text(writer, "%s{\"name\":", store > 0 ? "," : "");
        write_json_text(writer, world_store_name(world, store));
        write_text(writer, ",\"from\":%zu,\"minutes\":[", looking->minutes);
        for (size_t i = looking->minutes; minutes != NULL && i < count; i++) {
            write_text(writer, i > looking->minutes ? "," : "");
            write_minute_record(writer, &minutes[i]);
        }
        write_text(writer, "]}");
        if (count > latest)
            latest = count;
    }
    looking->minutes = latest > 0 ? latest - 1 : 0;
}

void look_at_world(void *context, struct unit unit, struct world *world)
{
    struct looking *looking = context;
    struct lab *lab = looking->lab;
    begin_unit(looking, unit);
    lab_begin_text(lab);
    if (lab->writer.file != NULL) {
        struct writer *writer = &lab->writer;
        write_text(writer, "{\"cell\":%zu,\"replication\":%zu,\"now_s\":", unit.cell, unit.replication);
        write_json_number(writer, (double)world_now_ns(world) / 1e9);
        write_text(writer, ",\"logons\":[");
        write_logons(looking, world, writer);
        write_text(writer, ",\"stores\":[");
        write_stores(looking, world, writer);
        write_text(writer, "]}");
    }
    const char *text = lab_end_text(lab);
    if (text != NULL)
        looking->look(looking->context, text);
}
