// What a node is given: constants, values, and lists of them.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/device.hpp>
#include <treadle/core/dtype.hpp>
#include <treadle/core/function_ref.hpp>
#include <treadle/core/ids.hpp>
#include <treadle/core/scalar.hpp>

namespace treadle::inline v0 {

class GraphBody;

/// Python's None.
struct None {
  friend constexpr bool operator==(None, None) noexcept { return true; }
};

/// An operator given as an argument, by its target, e.g. `aten::add_.Tensor`.
struct OperatorName {
  std::string target;
  friend bool operator==(const OperatorName&, const OperatorName&) = default;
};

/// A graph given as an argument of a higher-order operator. Owned by the node; never null.
struct Subgraph {
  std::string name;
  std::shared_ptr<GraphBody> body;
  friend bool operator==(const Subgraph& a, const Subgraph& b);
};

/// Anything that is known when the program is written. A class of its own, so that the members of a
/// variant this wide are instantiated where they are defined and not by each user.
struct Constant
    : std::variant<None, bool, std::int64_t, double, std::complex<double>, std::string, DType,
                   Device, Layout, MemoryFormat, OperatorName, std::vector<bool>,
                   std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>> {
  Constant() noexcept;
  Constant(None) noexcept;  // NOLINT: implicit on purpose, as all that follow
  /// Exactly a bool, so that no pointer becomes one.
  template <std::same_as<bool> Bool>
  Constant(Bool v) noexcept : Constant(Tag{}, v) {}  // NOLINT
  /// Integers that always fit.
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool> && (std::signed_integral<Integer> || sizeof(Integer) < 8))
  Constant(Integer v) noexcept : Constant(Tag{}, std::int64_t{v}) {}  // NOLINT
  template <std::unsigned_integral Integer>
    requires(!std::same_as<Integer, bool> && sizeof(Integer) >= 8)
  Constant(Integer) = delete;                      // may not fit, and must not become a float
  Constant(double v) noexcept;                     // NOLINT
  Constant(std::complex<double> v) noexcept;       // NOLINT
  Constant(std::string v) noexcept;                // NOLINT
  Constant(const char* v);                         // NOLINT
  Constant(DType v) noexcept;                      // NOLINT
  Constant(Device v) noexcept;                     // NOLINT
  Constant(Layout v) noexcept;                     // NOLINT
  Constant(MemoryFormat v) noexcept;               // NOLINT
  Constant(OperatorName v) noexcept;               // NOLINT
  Constant(std::vector<bool> v) noexcept;          // NOLINT
  Constant(std::vector<std::int64_t> v) noexcept;  // NOLINT
  Constant(std::vector<double> v) noexcept;        // NOLINT
  Constant(std::vector<std::string> v) noexcept;   // NOLINT
  Constant(const Constant& other);
  Constant(Constant&& other) noexcept;
  Constant& operator=(const Constant& other);
  Constant& operator=(Constant&& other) noexcept;
  ~Constant();

  friend bool operator==(const Constant& a, const Constant& b) { return a.equals(b); }

 private:
  struct Tag {};
  Constant(Tag, bool v) noexcept;
  Constant(Tag, std::int64_t v) noexcept;
  [[nodiscard]] bool equals(const Constant& other) const;
};

/// One argument of a node, or one item of a list: a constant, a value, a list of arguments (which
/// may nest), a dictionary of arguments, or a subgraph. A list of plain numbers or strings is a
/// `Constant`; a list with a value or None in it is a list of arguments.
class Argument {
 public:
  using List = std::vector<Argument>;
  using Dict = std::vector<std::pair<std::string, Argument>>;

  Argument() noexcept;
  Argument(Constant constant) noexcept;  // NOLINT: implicit on purpose
  Argument(ValueId value) noexcept;      // NOLINT: implicit on purpose
  Argument(List list) noexcept;          // NOLINT: implicit on purpose
  Argument(Dict dict) noexcept;          // NOLINT: implicit on purpose
  Argument(Subgraph graph) noexcept;     // NOLINT: implicit on purpose
  Argument(const Argument& other);
  Argument(Argument&& other) noexcept;
  Argument& operator=(const Argument& other);
  Argument& operator=(Argument&& other) noexcept;
  ~Argument();

  [[nodiscard]] const Constant* constant() const noexcept { return std::get_if<Constant>(&data_); }
  [[nodiscard]] const ValueId* value() const noexcept { return std::get_if<ValueId>(&data_); }
  [[nodiscard]] const List* list() const noexcept { return std::get_if<List>(&data_); }
  [[nodiscard]] const Dict* dict() const noexcept { return std::get_if<Dict>(&data_); }
  [[nodiscard]] const Subgraph* subgraph() const noexcept { return std::get_if<Subgraph>(&data_); }
  [[nodiscard]] ValueId* value() noexcept { return std::get_if<ValueId>(&data_); }
  [[nodiscard]] List* list() noexcept { return std::get_if<List>(&data_); }
  [[nodiscard]] Dict* dict() noexcept { return std::get_if<Dict>(&data_); }
  [[nodiscard]] bool is_none() const noexcept {
    return constant() && std::holds_alternative<None>(*constant());
  }
  /// The constant as a `T`, or null if this is anything else.
  template <class T>
  [[nodiscard]] const T* get() const noexcept {
    return constant() ? std::get_if<T>(constant()) : nullptr;
  }

  /// Calls `function` on every value in here, lists and dictionaries included, subgraphs not.
  void for_each_value(FunctionRef<void(ValueId&)> function);
  void for_each_value(FunctionRef<void(const ValueId&)> function) const;

  friend bool operator==(const Argument& a, const Argument& b) { return a.equals(b); }

 private:
  [[nodiscard]] bool equals(const Argument& other) const;

  std::variant<Constant, ValueId, List, Dict, Subgraph> data_;
};

/// An argument with the schema's name for it; higher-order operators leave the name empty.
struct NamedArgument {
  std::string name;
  Argument value;
  bool keyword = false;

  friend bool operator==(const NamedArgument&, const NamedArgument&) = default;
};

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/graph/argument-inl.hpp>
#endif
