// Writes the measurements as JSON.
#include <utility>

#include <nlohmann/json.hpp>

#include "bench_report.hpp"

namespace tool {

std::string bench_json(const BenchReport& report) {
  using Json = nlohmann::ordered_json;
  Json json = {{"model", report.model},
               {"scheduler", report.scheduler},
               {"threads", report.threads},
               {"inputs", report.inputs},
               {"median_us", report.session.median()},
               {"minimum_us", report.session.smallest()},
               {"runs", report.session.runs},
               {"model_run_median_us", report.run.median()},
               {"model_run_minimum_us", report.run.smallest()},
               {"model_runs", report.run.runs}};
  if (report.nodes) {
    json["nodes"] = Json::array();
    for (const auto& node : report.nodes->nodes)
      json["nodes"].push_back({{"name", node.name},
                               {"target", node.target},
                               {"source", node.source},
                               {"us", node.microseconds},
                               {"percent", node.percent}});
    json["operators"] = Json::array();
    for (const auto& op : report.nodes->operators)
      json["operators"].push_back({{"target", op.target},
                                   {"instances", op.instances},
                                   {"us", op.microseconds},
                                   {"percent", op.percent}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tool
