// Tests of trees of values.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <treadle/value/tree.hpp>
#include <treadle/value/tree_call.hpp>
#include <treadle/value/tree_flatten.hpp>

#include "support/backends.hpp"

using namespace treadle;

namespace {

using Backend = test::MinimalBackend;
using Tree = ValueTree<Backend>;
using Leaf = Value<Backend>;
using Keywords = std::vector<std::pair<std::string, Tree>>;

TreeSpec node(TreeKind kind, std::vector<TreeSpec> children, std::vector<TreeKey> keys = {},
              std::string type_name = {}) {
  TreeSpec spec;
  spec.kind = kind;
  spec.children = std::move(children);
  spec.keys = std::move(keys);
  spec.type_name = std::move(type_name);
  return spec;
}
TreeSpec leaf() { return {}; }
TreeSpec dict(std::vector<TreeKey> keys, std::vector<TreeSpec> children) {
  return node(TreeKind::dict, std::move(children), std::move(keys));
}
TreeSpec tuple(std::vector<TreeSpec> children) {
  return node(TreeKind::tuple, std::move(children));
}

std::vector<std::int64_t> integers(const Result<std::vector<Leaf>>& leaves) {
  if (!leaves) FAIL(leaves.error().message());
  std::vector<std::int64_t> out;
  for (const auto& value : *leaves) out.push_back(value.is_none() ? -1 : *value.integer());
  return out;
}

/// `forward(pair, options, *, gain, mode)` as an exported program states it.
TreeSpec call_spec() {
  return tuple({tuple({tuple({leaf(), leaf()}), dict({"scale", "shift"}, {leaf(), leaf()})}),
                dict({"gain", "mode"}, {leaf(), tuple({leaf(), leaf()})})});
}
const std::vector<std::string> call_names = {"pair", "options", "gain", "mode"};

}  // namespace

TEST_CASE("trees of every kind flatten to their leaves and come back") {
  const Tree trees[] = {
      1,
      Tree::tuple({1, 2}),
      Tree::list({1, Tree::tuple({2, 3}), Tree::list({})}),
      Tree::dict({{"a", 1}, {std::int64_t{7}, Tree::dict({{"b", 2}})}}),
      Tree::ordered_dict({{"z", 1}, {"y", 2}}),
      Tree::named_tuple("Point", {{"x", 1}, {"y", Tree::list({2})}}),
      Tree::custom("my.Class", {1, Tree::tuple({2})}),
      Tree::container(TreeKind::deque, {1, 2}),
      Tree::container(TreeKind::default_dict, {1}, {"k"}),
  };
  for (const auto& tree : trees) {
    const TreeSpec spec = spec_of(tree);
    CAPTURE(static_cast<int>(spec.kind));
    const auto leaves = flatten(tree, spec);
    const auto values = integers(leaves);
    REQUIRE(values.size() == tree.leaf_count());
    for (std::size_t i = 0; i < values.size(); ++i)
      CHECK(values[i] == static_cast<std::int64_t>(i + 1));
    const auto back = unflatten(spec, *leaves);
    REQUIRE(back);
    CHECK(spec_of(*back) == spec);
    CHECK(integers(flatten(*back, spec)) == values);
  }
}

TEST_CASE("keys of dictionaries may come in any order and in any kind of dictionary") {
  const auto spec = dict({"a", "b", std::int64_t{3}}, {leaf(), tuple({leaf()}), leaf()});
  CHECK(integers(flatten(Tree::dict({{std::int64_t{3}, 30}, {"b", Tree::tuple({20})}, {"a", 10}}),
                         spec)) == std::vector<std::int64_t>{10, 20, 30});
  CHECK(integers(flatten(
            Tree::ordered_dict({{"b", Tree::tuple({2})}, {"a", 1}, {std::int64_t{3}, 3}}), spec)) ==
        std::vector<std::int64_t>{1, 2, 3});
}

TEST_CASE("a tree of another form is refused with its place") {
  const auto spec = tuple({leaf(), dict({"a", "b"}, {leaf(), node(TreeKind::list, {leaf()})})});
  struct Row {
    Tree tree;
    const char* message;
  };
  const auto with = [](Tree inner) { return Tree::tuple({1, std::move(inner)}); };
  const Row rows[] = {
      {1, "expected a tuple of 2, found an integer"},
      {Tree::list({1, 2}), "expected a tuple of 2, found a list of 2"},
      {Tree::tuple({1}), "expected a tuple of 2, found 1 items"},
      {Tree::tuple({Tree::tuple({1, 2}), 3}),
       "item 0: expected a single value, found a tuple of 2"},
      {with(2.5), "item 1: expected a dict of 2, found a float"},
      {with(Tree::dict({{"a", 1}})), "item 1: key 'b' is missing"},
      {with(Tree::dict({{"a", 1}, {"b", Tree::list({1})}, {"c", 1}})),
       "item 1: unknown key 'c'; the program knows 'a', 'b'"},
      {with(Tree::dict({{"a", 1}, {"a", 1}, {"b", Tree::list({1})}})),
       "item 1: key 'a' is given twice"},
      {with(Tree::dict({{"a", 1}, {"b", Tree::list({})}})),
       "item 1: key 'b': expected a list of 1, found 0 items"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.message);
    const auto leaves = flatten(row.tree, spec);
    REQUIRE(!leaves);
    CHECK(leaves.error().code() == ErrorCode::invalid_argument);
    CHECK(leaves.error().message() == row.message);
  }
}

TEST_CASE("too few and too many leaves do not make a tree") {
  const auto spec = tuple({leaf(), leaf()});
  const auto few = unflatten<Backend>(spec, {Leaf(1)});
  REQUIRE(!few);
  CHECK(few.error().message() == "too few leaves: found 1");
  const auto many = unflatten<Backend>(spec, {Leaf(1), Leaf(2), Leaf(3)});
  REQUIRE(!many);
  CHECK(many.error().message() == "the tree has 2 leaves, found 3");
}

TEST_CASE("trees that nest too deep are refused both ways") {
  TreeSpec spec;
  Tree tree(1);
  for (int i = 0; i < 100; ++i) {
    spec = tuple({std::move(spec)});
    tree = Tree::tuple({std::move(tree)});
  }
  const auto leaves = flatten(tree, spec);
  REQUIRE(!leaves);
  CHECK(leaves.error().code() == ErrorCode::limit_exceeded);
  const auto back = unflatten<Backend>(spec, {Leaf(1)});
  REQUIRE(!back);
  CHECK(back.error().code() == ErrorCode::limit_exceeded);
}

TEST_CASE("a container named None takes None alone") {
  const auto spec = tuple({node(TreeKind::none, {}), leaf()});
  CHECK(integers(flatten(Tree::tuple({Tree(), 2}), spec)) == std::vector<std::int64_t>{2});
  CHECK(!flatten(Tree::tuple({1, 2}), spec));
  const auto back = unflatten<Backend>(spec, {Leaf(5)});
  REQUIRE(back);
  CHECK((*back)[0].leaf().is_none());
}

TEST_CASE("children are found by key, and leaves are mapped in place") {
  const Tree tree = Tree::dict({{"a", 1}, {"b", Tree::tuple({2, 3})}});
  REQUIRE(tree.find("b"));
  CHECK(*tree.find("b")->children()[1].leaf().integer() == 3);
  CHECK(!tree.find("c"));
  const Tree doubled = tree.map([](const Leaf& value) { return Leaf(*value.integer() * 2); });
  CHECK(integers(flatten(doubled, spec_of(tree))) == std::vector<std::int64_t>{2, 4, 6});
}

TEST_CASE("registered classes are taken apart and put together by the host's functions") {
  struct Box {
    std::int64_t width, height;
  };
  TreeRegistry<Backend> registry;
  registry.add("my.Box",
               {[](const CustomObject& object) -> Result<std::vector<Tree>> {
                  const auto& box = *static_cast<const Box*>(object.object.get());
                  return std::vector<Tree>{box.width, box.height};
                },
                [](std::vector<Tree> children, std::string_view context) -> Result<CustomObject> {
                  CHECK(context == "size");
                  auto box = std::make_shared<Box>();
                  box->width = *children[0].leaf().integer();
                  box->height = *children[1].leaf().integer();
                  return CustomObject{"my.Box", std::move(box)};
                }});
  auto spec = node(TreeKind::custom, {leaf(), leaf()}, {}, "my.Box");
  spec.context = "size";
  const Tree tree = Leaf(CustomObject{"my.Box", std::make_shared<Box>(Box{4, 9})});
  const auto leaves = flatten(tree, spec, registry);
  CHECK(integers(leaves) == std::vector<std::int64_t>{4, 9});
  CHECK(!flatten(tree, spec));
  const auto back = unflatten(spec, *leaves, registry);
  REQUIRE(back);
  const auto object = back->leaf().object();
  REQUIRE(object);
  CHECK(static_cast<const Box*>(object->object.get())->height == 9);
}

TEST_CASE("a call's arguments become flat inputs") {
  const Tree pair = Tree::tuple({1, 2});
  const Tree options = Tree::dict({{"shift", 4}, {"scale", 3}});
  const Tree mode = Tree::tuple({6, 7});
  struct Row {
    std::vector<Tree> positional;
    Keywords keywords;
    std::vector<std::int64_t> leaves;
  };
  const Row rows[] = {
      {{pair, options}, {{"gain", 5}, {"mode", mode}}, {1, 2, 3, 4, 5, 6, 7}},
      {{pair, options}, {{"mode", mode}, {"gain", 5}}, {1, 2, 3, 4, 5, 6, 7}},
      {{pair, options, 5, mode}, {}, {1, 2, 3, 4, 5, 6, 7}},
      {{pair}, {{"mode", mode}, {"options", options}}, {1, 2, 3, 4, -1, 6, 7}},
      {{pair, options}, {}, {1, 2, 3, 4, -1, -1, -1}},
  };
  for (const auto& row : rows)
    CHECK(integers(flatten_call(call_spec(), call_names, row.positional, row.keywords)) ==
          row.leaves);
}

TEST_CASE("a call that does not fit is refused with the argument's name") {
  const Tree pair = Tree::tuple({1, 2});
  const Tree options = Tree::dict({{"shift", 4}, {"scale", 3}});
  struct Row {
    std::vector<Tree> positional;
    Keywords keywords;
    const char* message;
  };
  const Row rows[] = {
      {{pair}, {}, "argument 'options' is missing"},
      {{pair, 1}, {}, "argument 'options': expected a dict of 2, found an integer"},
      {{pair, options},
       {{"tone", 1}},
       "the program has no argument 'tone'; it knows 'pair', 'options', 'gain', 'mode'"},
      {{pair, options}, {{"pair", pair}}, "argument 'pair' is given twice"},
      {{pair, options, 5}, {{"gain", 5}}, "argument 'gain' is given twice"},
      {{pair, options, 5, pair, 6}, {}, "too many arguments: the program takes 4"},
  };
  for (const auto& row : rows) {
    const auto leaves = flatten_call(call_spec(), call_names, row.positional, row.keywords);
    REQUIRE(!leaves);
    CHECK(leaves.error().message() == row.message);
  }
  CHECK(!flatten_call<Backend>(leaf(), call_names, {pair}));
}
