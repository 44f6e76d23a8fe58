// Tests of reading every layout of program files.
#include <cstring>
#include <string>

#include <doctest/doctest.h>

#include <treadle/exported/read.hpp>

#include "exported/pt2.hpp"

using namespace treadle;

namespace {
ExportedArchive read(const std::string& name) {
  auto archive = read_pt2(test::golden(name));
  if (!archive) FAIL(archive.error().message());
  return *std::move(archive);
}
float element(const WeightRecord& weight, std::int64_t offset) {
  float value = 0;
  std::memcpy(&value, weight.storage.data() + (weight.meta.storage_offset + offset) * 4, 4);
  return value;
}
}  // namespace

TEST_CASE("every release's files are read, and their layout is told") {
  struct Row {
    const char* name;
    ArchiveLayout layout;
    std::int64_t major, minor;
    std::size_t nodes, weights, samples;
  };
  const Row rows[] = {
      {"2.2.2_counter", ArchiveLayout::flat_2_2, 2, 0, 6, 3, 0},
      {"2.2.2_trees", ArchiveLayout::flat_2_2, 2, 0, 2, 0, 0},
      {"2.4.1_cond", ArchiveLayout::flat, 5, 3, 3, 0, 1},
      {"2.4.1_counter", ArchiveLayout::flat, 5, 3, 6, 3, 2},
      {"2.6.0_symbolic", ArchiveLayout::flat, 8, 2, 17, 0, 2},
      {"2.8.0_shared_storage", ArchiveLayout::pickled, 8, 8, 13, 8, 1},
      {"2.9.1_symbolic", ArchiveLayout::archive, 8, 14, 16, 0, 2},
      {"2.13.0_shared_storage", ArchiveLayout::archive, 8, 20, 12, 8, 1},
  };
  for (const auto& row : rows) {
    CAPTURE(row.name);
    const auto archive = read(row.name);
    CHECK(archive.layout == row.layout);
    CHECK(archive.schema_major == row.major);
    CHECK(archive.schema_minor == row.minor);
    CHECK(archive.module.graph.node_count() == row.nodes);
    CHECK(archive.weights.size() == row.weights);
    const auto samples = archive.read_sample_inputs();
    CHECK((samples ? samples->leaves.size() : 0) == row.samples);
    CHECK(archive.notes.empty());
  }
}

TEST_CASE("names that share a storage share it in every layout") {
  for (const char* name : {"2.4.1_shared_storage", "2.6.0_shared_storage", "2.8.0_shared_storage",
                           "2.13.0_shared_storage"}) {
    CAPTURE(name);
    const auto archive = read(name);
    const auto* left = archive.find_weight("left");
    const auto* right = archive.find_weight("right");
    const auto* turned = archive.find_weight("t");
    REQUIRE(left);
    REQUIRE(right);
    REQUIRE(turned);
    CHECK(left->storage_id == right->storage_id);
    CHECK(left->storage.data() == right->storage.data());
    CHECK(right->meta.storage_offset == 3);
    CHECK(right->meta.strides == Dims{6, 1});
    CHECK(turned->meta.strides == Dims{1, 5});
    CHECK(turned->storage_id != left->storage_id);
    CHECK(element(*left, 3) == element(*right, 0));
    CHECK(archive.find_weight("ids")->meta.dtype == DType::int64);
    CHECK(archive.find_weight("wbf")->meta.dtype == DType::bfloat16);
  }
}

TEST_CASE("a buffer's mutations are in the signature of old files and in the graph of new ones") {
  const auto old_file = read("2.4.1_counter");
  CHECK(old_file.module.signature.outputs[0].kind == OutputKind::buffer_mutation);
  CHECK(old_file.module.signature.outputs[0].target == "calls");
  const auto new_file = read("2.13.0_counter");
  CHECK(new_file.module.signature.outputs[0].kind == OutputKind::user_output);
  const auto& graph = new_file.module.graph;
  CHECK(graph.node(graph.first()).target == "aten::add_.Tensor");
}

TEST_CASE("a constant input keeps its place without a value") {
  const auto archive = read("2.13.0_kwargs");
  REQUIRE(archive.module.graph.inputs().size() == 3);
  CHECK_FALSE(archive.module.graph.inputs()[2].valid());
  CHECK(archive.module.signature.inputs[2].kind == InputKind::constant_input);
  CHECK(std::get<bool>(archive.module.signature.inputs[2].value));
  CHECK(*archive.module.graph.outputs()[1].get<std::int64_t>() == 2);
}

TEST_CASE("subgraphs have names of their own") {
  for (const char* name : {"2.4.1_cond", "2.13.0_cond"}) {
    CAPTURE(name);
    const auto archive = read(name);
    const auto& graph = archive.module.graph;
    const Node& node = graph.node(graph.last());
    CHECK(node.target == "higher_order::cond");
    CHECK(node.result_lengths == SmallVector<std::int32_t, 2>{Node::single, Node::single});
    const auto* sub = node.arguments[1].value.subgraph();
    REQUIRE(sub);
    CHECK(sub->body->node_count() == 2);
    CHECK(sub->body->inputs().size() == 1);
    CHECK(node.arguments[3].value.list()->size() == 1);
  }
}

TEST_CASE("trees tell keys of dictionaries") {
  for (const char* name : {"2.2.2_trees", "2.13.0_trees"}) {
    const auto archive = read(name);
    const auto& out = archive.module.signature.out_spec;
    CHECK(out.kind == TreeKind::dict);
    CHECK(out.keys == std::vector<TreeKey>{"sum", "list"});
    CHECK(out.children[1].kind == TreeKind::list);
    CHECK(leaf_count(archive.module.signature.in_spec) == 4);
  }
}

TEST_CASE("sizes that are not known are expressions, with ranges and guards beside") {
  const auto archive = read("2.13.0_symbolic");
  const auto& value = archive.module.graph.value(archive.module.graph.inputs()[0]);
  CHECK(to_string(value.tensor->sizes[0]) == "s17");
  CHECK(archive.module.ranges.at("s17") == RangeConstraint{2, 16});
  CHECK(archive.module.guards.size() == 2);
}

TEST_CASE("metadata of nodes is dropped on request") {
  const auto path = test::golden("2.13.0_counter");
  const auto kept = read_pt2(path);
  const auto dropped = read_pt2(path, {}, {}, NodeMetadata::drop);
  REQUIRE(kept);
  REQUIRE(dropped);
  const auto first = kept->module.graph.first();
  CHECK_FALSE(kept->module.graph.node(first).meta("stack_trace").empty());
  CHECK(dropped->module.graph.node(first).metadata.empty());
  CHECK(equal(kept->module.graph, dropped->module.graph));
}

TEST_CASE("a model is chosen by name") {
  auto records = test::today();
  records.emplace_back("m/models/other.json", test::small_program);
  records.emplace_back("m/models/debug/other.json", "not a program");
  records.emplace_back("m/extra/notes/a.txt", "hello");
  const auto file = test::zip(records);
  const auto usual = read_pt2(file);
  REQUIRE(usual);
  CHECK(usual->model_name == "model");
  CHECK(usual->model_names == std::vector<std::string>{"model", "other"});
  CHECK(usual->read_extra("notes/a.txt")->text() == "hello");
  CHECK(usual->read_extra("b.txt").error().code() == ErrorCode::not_found);
  const auto other = read_pt2(file, {}, "other");
  REQUIRE(other);
  CHECK(other->weights.empty());
  CHECK(other->notes == std::vector<std::string>{"the file has no data for the parameter 'w'"});
  const auto none = read_pt2(file, {}, "third");
  REQUIRE_FALSE(none);
  CHECK(none.error().code() == ErrorCode::not_found);
}

TEST_CASE("a record without bytes stands for zeros") {
  auto records = test::today();
  records[1].second.clear();
  const auto archive = read_pt2(test::zip(records));
  REQUIRE(archive);
  CHECK(archive->weights[0].storage.size() == 24);
  CHECK(element(archive->weights[0], 5) == 0);
}

TEST_CASE("an early nativert package is read") {
  const test::Records records = {
      {"package/models/m.json",
       concat(R"({"name": "m", "tensorPaths": {"w": "weight_7"}, "constantPaths": {},)",
              R"("program": {"methods": {"forward": )", test::small_program, "}}}")},
      {"package/models/debug/m_readable.txt", "graph"},
      {"package/data/weights/weight_7", std::string(24, '\0')}};
  const auto archive = read_pt2(test::zip(records));
  REQUIRE(archive);
  CHECK(archive->layout == ArchiveLayout::nativert);
  CHECK(archive->model_name == "m");
  CHECK(archive->weights.at(0).meta.sizes == Dims{2, 3});
  CHECK(archive->weights.at(0).is_param);
}

TEST_CASE("sample inputs that hold a named tuple are read") {
  const auto archive = read_pt2(TREADLE_GOLDEN_DIR "/programs/nested_trees.pt2");
  REQUIRE(archive);
  const auto samples = archive->read_sample_inputs();
  if (!samples) FAIL(samples.error().message());
  REQUIRE(samples->leaves.size() == 5);
  const auto* right = std::get_if<PickledTensor>(&samples->leaves[1]);
  REQUIRE(right);
  CHECK(right->meta.sizes == Dims{3});
  CHECK(samples->tree.children[0].children[0].kind == TreeKind::custom);
}

TEST_CASE("other archives of PyTorch are refused by what they hold") {
  const struct {
    const char* record;
    const char* words;
  } rows[] = {
      {"m/data/aotinductor/model/lib.so", "it holds libraries that AOTInductor compiled"},
      {"m/code/__torch__.py", "it holds a TorchScript module"},
      {"m/data.pkl", "it holds pickled values of torch.save"},
      {"m/notes.txt", "it has neither"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.record);
    const auto archive = read_pt2(test::zip({{row.record, "x"}, {"m/byteorder", "little"}}));
    REQUIRE_FALSE(archive);
    CHECK(archive.error().code() == ErrorCode::unsupported_file);
    CHECK(archive.error().message().find(row.words) != std::string::npos);
  }
}

TEST_CASE("a default dictionary's context is JSON and is written back so") {
  const auto archive = read_pt2(TREADLE_GOLDEN_DIR "/programs/dictionaries.pt2");
  if (!archive) FAIL(archive.error().message());
  const auto& filled = archive->module.signature.in_spec.children[0].children[1];
  CHECK(filled.kind == TreeKind::default_dict);
  REQUIRE(filled.keys.size() == 1);
  CHECK(std::get<std::string>(filled.keys[0]) == "q");
  CHECK(archive->read_sample_inputs());
}

TEST_CASE("a custom object of a file counts as its data") {
  const auto archive = treadle::read_pt2(TREADLE_GOLDEN_DIR "/objects/queued.pt2");
  REQUIRE(archive);
  REQUIRE(archive->custom_objects.size() == 1);
  CHECK(archive->custom_objects[0].fqn == "queue");
  CHECK(archive->notes.empty());
}
