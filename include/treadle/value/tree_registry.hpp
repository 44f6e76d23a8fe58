// Host classes that stand for containers of a program.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/value/tree.hpp>

namespace treadle::inline v0 {

/// How objects of one class become children and come back from them.
template <TensorBackend Backend>
struct TreeClass {
  using Tree = ValueTree<Backend>;
  /// The children of an object, in the order that the program's class has.
  std::function<Result<std::vector<Tree>>(const CustomObject&)> flatten;
  /// An object from children; `context` is the program's text for what is no child.
  std::function<Result<CustomObject>(std::vector<Tree>, std::string_view context)> unflatten;
};

/// Classes by the type names that programs write. A value: copy it, add to it.
template <TensorBackend Backend>
class TreeRegistry {
 public:
  /// Replaces what the name stood for.
  void add(std::string type_name, TreeClass<Backend> functions) {
    classes_.insert_or_assign(std::move(type_name), std::move(functions));
  }
  /// Null if the name is not registered.
  [[nodiscard]] const TreeClass<Backend>* find(std::string_view type_name) const {
    const auto found = classes_.find(type_name);
    return found == classes_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, TreeClass<Backend>, std::less<>> classes_;
};

}  // namespace treadle::inline v0
