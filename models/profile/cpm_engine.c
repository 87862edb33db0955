/* Citrix Profile Management, file by file, as a profile engine; the procedures are cpm_logon.c, cpm_session.c,
 * cpm_logoff.c. */
#include "models/profile/profile_engine.h"

static void cpm_engine_log_on(struct profile_session *session, struct logon_record *record)
{
    cpm_logon(&session->files, record);
}

static bool cpm_engine_open_mailbox(struct profile_session *session)
{
    return cpm_open_mailbox(&session->files);
}

static void cpm_engine_change_file(struct profile_session *session, int64_t file)
{
    cpm_change_local_file(&session->files, file);
}

static void cpm_engine_write_back(struct profile_session *session, struct smb_caller *caller)
{
    cpm_write_back(&session->files, caller);
}

static void cpm_engine_log_off(struct profile_session *session)
{
    cpm_logoff(&session->files);
}

const struct profile_engine cpm_engine = {
    .log_on = cpm_engine_log_on,
    .open_mailbox = cpm_engine_open_mailbox,
    .change_file = cpm_engine_change_file,
    .write_back = cpm_engine_write_back,
    .log_off = cpm_engine_log_off,
};
