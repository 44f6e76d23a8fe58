// Makes program files in memory and finds the recorded ones, for tests of readers and writers.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/archive/zip_writer.hpp>
#include <treadle/exported/read.hpp>

namespace test {

using Records = std::vector<std::pair<std::string, std::string>>;

inline std::string golden(std::string_view name) {
  return treadle::concat(TREADLE_GOLDEN_DIR "/pt2/", name, ".pt2");
}

/// Every recorded program, by name.
inline std::vector<std::string> golden_names() {
  return {"2.2.2_counter",  "2.2.2_trees",    "2.4.1_cond",           "2.4.1_counter",
          "2.4.1_kwargs",   "2.4.1_trees",    "2.4.1_shared_storage", "2.6.0_kwargs",
          "2.6.0_symbolic", "2.8.0_counter",  "2.8.0_shared_storage", "2.6.0_shared_storage",
          "2.9.1_cond",     "2.9.1_symbolic", "2.13.0_cond",          "2.13.0_counter",
          "2.13.0_kwargs",  "2.13.0_trees",   "2.13.0_symbolic",      "2.13.0_shared_storage"};
}

inline treadle::Bytes zip(const Records& records) {
  auto writer = treadle::ZipWriter::to_memory();
  for (const auto& [name, text] : records) REQUIRE(writer.add(name, std::string_view(text)));
  REQUIRE(writer.finish());
  return treadle::Bytes::own(std::move(writer).take());
}

/// The first place of `from` in `text` made `to`; it must be there.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  CAPTURE(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// A program of one node, `y = relu(x + w)` short of the addition: a parameter, an input.
inline const std::string small_program = R"({
 "graph_module": {"graph": {
  "inputs": [{"as_tensor": {"name": "p_w"}}, {"as_tensor": {"name": "x"}}],
  "outputs": [{"as_tensor": {"name": "y"}}],
  "nodes": [
   {"target": "torch.ops.aten.add.Tensor",
    "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}, "kind": 1},
               {"name": "other", "arg": {"as_tensor": {"name": "p_w"}}, "kind": 1}],
    "outputs": [{"as_tensor": {"name": "sum"}}], "metadata": {}, "name": "sum"},
   {"target": "torch.ops.aten.relu.default",
    "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "sum"}}, "kind": 1}],
    "outputs": [{"as_tensor": {"name": "y"}}], "metadata": {"stack_trace": "line 3"}, "name": "y"}],
  "tensor_values": {
   "p_w": {"dtype": 7, "sizes": [{"as_int": 2}, {"as_int": 3}], "requires_grad": true,
           "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 3}, {"as_int": 1}],
           "storage_offset": {"as_int": 0}, "layout": 7},
   "x": {"dtype": 7, "sizes": [{"as_int": 2}, {"as_int": 3}], "requires_grad": false,
         "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 3}, {"as_int": 1}],
         "storage_offset": {"as_int": 0}, "layout": 7},
   "sum": {"dtype": 7, "sizes": [{"as_int": 2}, {"as_int": 3}], "requires_grad": false,
           "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 3}, {"as_int": 1}],
           "storage_offset": {"as_int": 0}, "layout": 7},
   "y": {"dtype": 7, "sizes": [{"as_int": 2}, {"as_int": 3}], "requires_grad": false,
         "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 3}, {"as_int": 1}],
         "storage_offset": {"as_int": 0}, "layout": 7}},
  "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": false,
  "custom_obj_values": {}},
 "signature": {
  "input_specs": [{"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}},
                  {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}],
  "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": "y"}}}}]},
 "module_call_graph": [{"fqn": "", "signature": {"inputs": [], "outputs": [],
  "in_spec": "[1, {\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [{\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [{\"type\": null, \"context\": null, \"children_spec\": []}]}, {\"type\": \"builtins.dict\", \"context\": \"[]\", \"children_spec\": []}]}]",
  "out_spec": "[1, {\"type\": null, \"context\": null, \"children_spec\": []}]"}}],
 "metadata": {}},
 "opset_version": {"aten": 10}, "range_constraints": {"s0": {"min_val": 2, "max_val": 9}},
 "schema_version": {"major": 8, "minor": 20}, "verifiers": ["TRAINING"],
 "torch_version": "2.13.0", "guards_code": []})";

inline const std::string small_weights = R"({"config": {"w": {"path_name": "weight_0",
 "is_param": true, "use_pickle": false, "tensor_meta": {"dtype": 7,
 "sizes": [{"as_int": 2}, {"as_int": 3}], "requires_grad": true,
 "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 3}, {"as_int": 1}],
 "storage_offset": {"as_int": 0}, "layout": 7}}}})";

/// Today's layout around a program and its weights.
inline Records today(std::string program = small_program, std::string weights = small_weights) {
  return {{"m/models/model.json", std::move(program)},
          {"m/data/weights/weight_0", std::string(24, '\x01')},
          {"m/data/weights/model_weights_config.json", std::move(weights)},
          {"m/archive_format", "pt2"},
          {"m/archive_version", "0"},
          {"m/byteorder", "little"}};
}

}  // namespace test
