// Writes the measurements as JSON.
#include <utility>

#include <nlohmann/json.hpp>

#include "bench_report.hpp"

namespace tool {
namespace {

using Json = nlohmann::ordered_json;

void add_cost(Json& json, const Cost& cost) {
  json["count"] = cost.count;
  json["self_us"] = cost.self;
  json["total_us"] = cost.total;
  json["mean_us"] = cost.mean;
  json["min_us"] = cost.least;
  json["percent"] = cost.percent;
}

}  // namespace

std::string bench_json(const BenchReport& report) {
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
  if (report.nodes && report.by_node) {
    json["nodes"] = Json::array();
    for (const auto& node : report.nodes->nodes) {
      Json entry = {{"name", node.name}, {"target", node.target}, {"source", node.source}};
      add_cost(entry, node.cost);
      json["nodes"].push_back(std::move(entry));
    }
  }
  if (report.nodes) {
    json["operators"] = Json::array();
    for (const auto& op : report.nodes->operators) {
      Json entry = {{"target", op.target}, {"instances", op.instances}};
      add_cost(entry, op.cost);
      json["operators"].push_back(std::move(entry));
    }
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tool
