/* Cloud Cache: reads come from the local cache or, once, from the first provider that can be reached; writes go to the
 * local cache and from there, a little later, to every provider. A provider that cannot be reached gets what it has missed
 * when it is back, or when the user's next session begins. Sign-out waits for all that can be reached, and for as many as
 * are needed. */
#include "models/profile/container_session.h"
#include "models/world/world_state.h"

bool cloud_cache_reaches(const struct container_session *session, size_t provider)
{
    const struct container_settings *settings = session->settings;
    const int64_t since_ns = container_now_ns(session) - settings->outage_start_ns;
    return (int64_t)provider + 1 != settings->outage_provider || since_ns < 0 ||
           since_ns >= settings->outage_length_ns;
}

size_t cloud_cache_reads_from(const struct container_session *session)
{
    for (size_t provider = 0; provider < session->provider_count; provider++)
        if (cloud_cache_reaches(session, provider))
            return provider;
    return SIZE_MAX;
}

static void flush_lives(struct sim_process *self)
{
    struct cloud_flush *flush = SIM_CONTAINER_OF(self, struct cloud_flush, process);
    const struct container_session *session = flush->attachment->session;
    const struct container_settings *settings = session->settings;
    while (flush->dirty_bytes > 0) {
        if (!cloud_cache_reaches(session, flush->provider)) {
            flush->waits_for_provider = true;
            sim_hold(self,
                     settings->outage_start_ns + settings->outage_length_ns - container_now_ns(session));
            flush->waits_for_provider = false;
            continue;
        }
        const int64_t bytes = flush->dirty_bytes;
        flush->dirty_bytes = 0;
        smb_write(&flush->caller, &flush->attachment->container->files[flush->provider], bytes);
        flush->flushed_bytes += bytes;
    }
}

static void start(struct cloud_flush *flush, int64_t delay_ns)
{
    const struct container_session *session = flush->attachment->session;
    flush->waits_for_provider = false;
    sim_process_init(&flush->process, "cloud cache", flush_lives);
    smb_caller_init(&flush->caller, &flush->process, session->providers[flush->provider],
                    session->session->files.caller.workload);
    sim_process_start_after(session->session->files.host->world->sim, &flush->process, delay_ns);
}

static void add(struct cloud_flush *flush, int64_t bytes, int64_t delay_ns)
{
    flush->dirty_bytes += bytes;
    if (bytes > 0 && !sim_process_alive(&flush->process))
        start(flush, delay_ns);
}

void cloud_cache_wrote(struct container_attachment *attachment, int64_t bytes)
{
    const struct container_session *session = attachment->session;
    for (size_t provider = 0; provider < session->provider_count; provider++)
        add(&attachment->flushes[provider], bytes, session->settings->flush_delay_ns);
}

void cloud_cache_catch_up(struct container_attachment *attachment)
{
    for (size_t provider = 0; provider < attachment->session->provider_count; provider++) {
        struct cloud_flush *flush = &attachment->flushes[provider];
        flush->attachment = attachment;
        flush->provider = provider;
        add(flush, attachment->container->unflushed_bytes[provider], 0);
        attachment->container->unflushed_bytes[provider] = 0;
    }
}

static int64_t reachable(const struct container_session *session)
{
    int64_t count = 0;
    for (size_t provider = 0; provider < session->provider_count; provider++)
        count += cloud_cache_reaches(session, provider);
    return count;
}

void cloud_cache_drain(struct container_attachment *attachment)
{
    struct container_session *session = attachment->session;
    struct sim_process *process = session->session->files.caller.process;
    for (size_t provider = 0; provider < session->provider_count; provider++) {
        struct cloud_flush *flush = &attachment->flushes[provider];
        const bool leaves = reachable(session) >= session->settings->providers_needed;
        if (flush->process.state == SIM_PROCESS_STARTING || (flush->waits_for_provider && leaves))
            sim_process_stop(&flush->process);
        if (flush->dirty_bytes > 0 && !sim_process_alive(&flush->process) &&
            (cloud_cache_reaches(session, provider) || !leaves))
            start(flush, 0);
    }
    for (size_t provider = 0; provider < session->provider_count; provider++) {
        struct cloud_flush *flush = &attachment->flushes[provider];
        if (sim_process_alive(&flush->process))
            sim_process_join(process, &flush->process, SIM_NEVER_NS);
        attachment->container->unflushed_bytes[provider] += flush->dirty_bytes;
        flush->dirty_bytes = 0;
    }
}
