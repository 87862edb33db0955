#include "sim/experiment/read/vocabulary.h"

struct vocabulary vocabulary_of_models(void)
{
    return (struct vocabulary){
        .stores = store_kinds,
        .workloads = workload_kinds,
        .hosts = &host_group_parameters,
        .network = &network_parameters,
        .run = &run_parameters,
    };
}
