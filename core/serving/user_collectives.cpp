#include "serving/user_collectives.h"

#include "data/measurement_store.h"
#include "serving/collective_fit.h"

namespace synperf {

CollectiveModel load_collectives(const GpuCatalogue& gpus, const std::filesystem::path& specs, const std::filesystem::path& user_specs, std::vector<Error>& problems) {
    CollectiveModel model = CollectiveModel::load(gpus, specs, user_specs);
    problems.insert(problems.end(), model.problems().begin(), model.problems().end());
    const std::string store = user_store();
    if (!store_exists(store)) return model;
    auto curves = stored_curves(store);
    if (curves) {
        model.put(gpus, std::move(*curves));
    } else {
        problems.push_back(curves.error());
    }
    return model;
}

}  // namespace synperf
