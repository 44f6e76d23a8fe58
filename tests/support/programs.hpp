// Small programs built in code.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <treadle/graph/graph_module.hpp>

namespace test {

/// Builds a program of float32 vectors node by node.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(std::int64_t width) : width_(width) {}

  treadle::ValueId input(std::string name) {
    const auto id = module_.graph.add_input(value(name));
    treadle::InputSpec spec;
    spec.name = std::move(name);
    module_.signature.inputs.push_back(std::move(spec));
    return id;
  }
  treadle::ValueId buffer(std::string name) {
    const auto id = module_.graph.add_input(value(name));
    treadle::InputSpec spec;
    spec.kind = treadle::InputKind::buffer;
    spec.name = name;
    spec.target = std::move(name);
    module_.signature.inputs.push_back(std::move(spec));
    return id;
  }
  treadle::ValueId call(std::string target, std::vector<treadle::NamedArgument> arguments) {
    treadle::Node node;
    node.name = module_.graph.unique_name("n");
    node.target = std::move(target);
    node.arguments = std::move(arguments);
    const auto out = module_.graph.add_value(value(node.name));
    node.outputs.push_back(out);
    node.result_lengths.push_back(treadle::Node::single);
    node.metadata.emplace_back("stack_trace", "File \"model.py\", line 31, in forward");
    module_.graph.add_node(std::move(node));
    return out;
  }
  treadle::ValueId binary(std::string target, treadle::ValueId a, treadle::Argument b) {
    return call(std::move(target), {{"self", a}, {"other", std::move(b)}});
  }
  treadle::GraphModule finish(const std::vector<treadle::ValueId>& outputs) {
    std::vector<treadle::Argument> arguments(outputs.begin(), outputs.end());
    module_.graph.set_outputs(std::move(arguments));
    module_.signature.outputs.resize(outputs.size());
    return std::move(module_);
  }

 private:
  [[nodiscard]] treadle::GraphValue value(std::string name) const {
    treadle::GraphValue v;
    v.name = std::move(name);
    v.tensor = treadle::make_type(treadle::DType::float32, {width_});
    return v;
  }

  std::int64_t width_;
  treadle::GraphModule module_;
};

/// x → four branches → their sum: width for schedulers to use.
inline treadle::GraphModule diamond(std::int64_t width = 8) {
  ProgramBuilder b(width);
  const auto x = b.input("x");
  const auto y = b.input("y");
  std::vector<treadle::ValueId> branches;
  for (int i = 0; i < 4; ++i) {
    auto v = b.binary("aten::mul.Tensor", x, treadle::Constant(static_cast<double>(i + 1)));
    branches.push_back(b.binary("aten::add.Tensor", v, y));
  }
  auto sum = branches[0];
  for (int i = 1; i < 4; ++i)
    sum = b.binary("aten::add.Tensor", sum, branches[static_cast<std::size_t>(i)]);
  return b.finish({sum});
}

/// One value → `branches` chains of `depth` nodes → their sum.
inline treadle::GraphModule wide(int branches, int depth, std::int64_t width = 8) {
  ProgramBuilder b(width);
  const auto x = b.input("x");
  const auto y = b.input("y");
  const auto root = b.binary("aten::add.Tensor", x, y);
  std::vector<treadle::ValueId> ends;
  for (int i = 0; i < branches; ++i) {
    auto v = b.binary("aten::mul.Tensor", root, treadle::Constant(static_cast<double>(i % 3)));
    for (int k = 1; k < depth; ++k) v = b.binary("aten::add.Tensor", v, y);
    ends.push_back(v);
  }
  auto sum = ends[0];
  for (std::size_t i = 1; i < ends.size(); ++i) sum = b.binary("aten::add.Tensor", sum, ends[i]);
  return b.finish({sum});
}

/// A square grid in which each node waits for those above and to the left of it.
inline treadle::GraphModule wavefront(std::size_t side, std::int64_t width = 8) {
  ProgramBuilder b(width);
  const auto x = b.input("x");
  const auto y = b.input("y");
  std::vector<treadle::ValueId> row(side, x);
  for (std::size_t i = 0; i < side; ++i) {
    auto left = y;
    for (auto& above : row) above = left = b.binary("aten::mul.Tensor", above, left);
  }
  return b.finish({row.back()});
}

/// A buffer that each run raises in place, read before and after.
inline treadle::GraphModule counter() {
  ProgramBuilder b(4);
  const auto calls = b.buffer("calls");
  const auto x = b.input("x");
  const auto before = b.binary("aten::mul.Tensor", calls, treadle::Constant(10.0));
  b.binary("aten::add_.Tensor", calls, x);
  const auto after = b.binary("aten::mul.Tensor", calls, treadle::Constant(1.0));
  return b.finish({before, after});
}

}  // namespace test
