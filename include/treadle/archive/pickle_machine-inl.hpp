// The stack machine that pickles are programs for, without the opcodes that run code.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <treadle/archive/endian.hpp>
#include <treadle/archive/failure.hpp>
#include <treadle/archive/load_limits.hpp>
#include <treadle/archive/pickle.hpp>
#include <treadle/archive/pickle_constructors-inl.hpp>
#include <treadle/archive/pickle_rebuild-inl.hpp>
#include <treadle/config.hpp>
#include <treadle/core/result.hpp>

namespace treadle::inline v0 {
namespace detail::pickle {

/// Fills a tree from the opcodes in its source. Opcodes as in CPython's `pickletools`. Every
/// operation that can fail notes the first error and goes on harmlessly; the loop then stops.
class Machine {
 public:
  Machine(PickleTree& tree, const LoadLimits& limits, PickleObjects objects)
      : tree_(tree),
        limits_(limits),
        objects_(objects),
        rebuilder_(tree, limits),
        bytes_(tree.source.span()) {}

  /// The root's position.
  [[nodiscard]] Result<std::uint32_t> run() {
    while (error_.empty()) {
      const auto op = static_cast<char>(number<std::uint8_t>());
      if (!error_.empty()) break;
      if (op == '.') return finish();
      if (!(scalar(op) || text(op) || container(op) || memo(op) || object(op))) refuse(op);
      check_memory();
    }
    return std::move(error_).with_context(concat("pickle, byte ", at_));
  }

 private:
  [[nodiscard]] Result<std::uint32_t> finish() {
    if (stack_.size() == 1 && marks_.empty()) return stack_.back();
    return corrupt_file("pickle, byte ", at_, ": ", stack_.size(), " values and ", marks_.size(),
                        " marks are left, expected one value");
  }

  void fail(Error error) {
    if (error_.empty()) error_ = std::move(error);
  }
  /// Bounds what opcodes of a byte or two can pile up or copy over and over.
  void check_memory() {
    if (stack_.size() + marks_.size() + memo_.size() + copied_ > 8 * limits_.max_pickle_values)
      fail(limit_exceeded("much more data than max_pickle_values, ", limits_.max_pickle_values,
                          ", allows"));
  }
  void refuse(char op) {
    fail(unsupported_file("opcode ", static_cast<int>(static_cast<unsigned char>(op)),
                          " is not one that tensors need"));
  }

  // --- bytes ---

  [[nodiscard]] std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - at_) {
      fail(corrupt_file("truncated: ", count, " bytes wanted, ", bytes_.size() - at_, " left"));
      return {};
    }
    const auto view = tree_.source.text().substr(at_, static_cast<std::size_t>(count));
    at_ += static_cast<std::size_t>(count);
    return view;
  }
  template <class Unsigned>
  [[nodiscard]] Unsigned number() {
    const auto view = take(sizeof(Unsigned));
    return view.empty() ? Unsigned{0} : load_le<Unsigned>(std::as_bytes(std::span(view)).data());
  }
  [[nodiscard]] std::string_view line() {
    const auto rest = tree_.source.text().substr(at_);
    const auto end = rest.find('\n');
    if (end == std::string_view::npos) {
      fail(corrupt_file("truncated: a line has no end"));
      return {};
    }
    at_ += end + 1;
    return rest.substr(0, end);
  }

  // --- stack ---

  [[nodiscard]] std::uint32_t add(PickleNode node) {
    if (tree_.nodes.size() >= limits_.max_pickle_values) {
      fail(limit_exceeded("more values than max_pickle_values, ", limits_.max_pickle_values));
      return 0;
    }
    tree_.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(tree_.nodes.size() - 1);
  }
  void push(PickleNode node) { stack_.push_back(add(std::move(node))); }
  void push(PickleKind kind, std::int64_t integer = 0) {
    PickleNode node;
    node.kind = kind;
    node.integer = integer;
    push(std::move(node));
  }
  void push_text(PickleKind kind, std::string_view view) {
    PickleNode node;
    node.kind = kind;
    node.text = view;
    push(std::move(node));
  }
  [[nodiscard]] bool has(std::size_t count) {
    const std::size_t floor = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() - floor >= count) return true;
    fail(corrupt_file("the stack has too few values"));
    return false;
  }
  /// Position 0 always exists, so it stands in for what is missing.
  [[nodiscard]] std::uint32_t pop() {
    if (!has(1)) return 0;
    const auto top = stack_.back();
    stack_.pop_back();
    return top;
  }
  /// The topmost value's node, which stays on the stack, or null after noting an error.
  [[nodiscard]] PickleNode* top(PickleKind kind) {
    if (!has(1)) return nullptr;
    auto& node = tree_.nodes[stack_.back()];
    if (node.kind == kind) return &node;
    fail(corrupt_file("found a ", name(node.kind), " where a ", name(kind), " is filled"));
    return nullptr;
  }
  [[nodiscard]] std::vector<std::uint32_t> pop_count(std::size_t count) {
    if (!has(count)) return {};
    const auto first = stack_.end() - static_cast<std::ptrdiff_t>(count);
    std::vector<std::uint32_t> items(first, stack_.end());
    stack_.erase(first, stack_.end());
    return items;
  }
  [[nodiscard]] std::vector<std::uint32_t> pop_mark() {
    if (marks_.empty()) {
      fail(corrupt_file("the stack has no mark"));
      return {};
    }
    auto items = pop_count(stack_.size() - marks_.back());
    marks_.pop_back();
    return items;
  }

  // --- opcodes, by family; each returns whether the opcode is of that family ---

  [[nodiscard]] bool scalar(char op) {
    switch (op) {
      case 'N': push(PickleKind::none); return true;
      case '\x88': push(PickleKind::boolean, 1); return true;
      case '\x89': push(PickleKind::boolean, 0); return true;
      case 'K': push(PickleKind::integer, number<std::uint8_t>()); return true;
      case 'M': push(PickleKind::integer, number<std::uint16_t>()); return true;
      case 'J':
        push(PickleKind::integer, static_cast<std::int32_t>(number<std::uint32_t>()));
        return true;
      case '\x8a': push_long(number<std::uint8_t>()); return true;
      case '\x8b': push_long(number<std::uint32_t>()); return true;
      case 'G': push_double(); return true;
      case '\x80':
        if (const auto version = number<std::uint8_t>(); version < 2 || version > 5)
          fail(unsupported_file("protocol ", version, " is not read, only 2 to 5"));
        return true;
      case '\x95':
        if (number<std::uint64_t>() > bytes_.size() - at_)
          fail(corrupt_file("truncated: a frame is longer than the pickle"));
        return true;
      default: return false;
    }
  }

  void push_long(std::uint64_t size) {
    if (size > 8) return fail(unsupported_file("an integer of ", size, " bytes is not read"));
    const auto digits = take(size);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < digits.size(); ++i)
      value |= std::uint64_t{static_cast<unsigned char>(digits[i])} << (8 * i);
    const bool negative = !digits.empty() && (static_cast<unsigned char>(digits.back()) & 0x80);
    if (negative && digits.size() < 8) value |= ~std::uint64_t{0} << (8 * digits.size());
    push(PickleKind::integer, static_cast<std::int64_t>(value));
  }

  void push_double() {
    std::uint64_t bits = 0;
    for (const char c : take(8)) bits = bits << 8 | static_cast<unsigned char>(c);
    PickleNode node;
    node.kind = PickleKind::floating;
    node.real = std::bit_cast<double>(bits);
    push(std::move(node));
  }

  [[nodiscard]] bool text(char op) {
    switch (op) {
      case 'X': push_text(PickleKind::string, take(number<std::uint32_t>())); return true;
      case '\x8c': push_text(PickleKind::string, take(number<std::uint8_t>())); return true;
      case '\x8d': push_text(PickleKind::string, take(number<std::uint64_t>())); return true;
      case 'T': push_text(PickleKind::string, take(number<std::uint32_t>())); return true;
      case 'U': push_text(PickleKind::string, take(number<std::uint8_t>())); return true;
      case 'B': push_text(PickleKind::bytes, take(number<std::uint32_t>())); return true;
      case 'C': push_text(PickleKind::bytes, take(number<std::uint8_t>())); return true;
      case '\x8e':
      case '\x96': push_text(PickleKind::bytes, take(number<std::uint64_t>())); return true;
      default: return false;
    }
  }

  [[nodiscard]] bool container(char op) {
    switch (op) {
      case '(': marks_.push_back(stack_.size()); return true;
      case ')': push(PickleKind::tuple); return true;
      case ']': push(PickleKind::list); return true;
      case '}': push(PickleKind::dict); return true;
      case '\x85': push_items(PickleKind::tuple, pop_count(1)); return true;
      case '\x86': push_items(PickleKind::tuple, pop_count(2)); return true;
      case '\x87': push_items(PickleKind::tuple, pop_count(3)); return true;
      case 't': push_items(PickleKind::tuple, pop_mark()); return true;
      case 'l': push_items(PickleKind::list, pop_mark()); return true;
      case 'd': push_items(PickleKind::dict, pop_mark()); return true;
      case 'a': extend(PickleKind::list, pop_count(1)); return true;
      case 'e': extend(PickleKind::list, pop_mark()); return true;
      case 's': extend(PickleKind::dict, pop_count(2)); return true;
      case 'u': extend(PickleKind::dict, pop_mark()); return true;
      default: return false;
    }
  }

  void push_items(PickleKind kind, std::vector<std::uint32_t> items) {
    if (kind == PickleKind::dict && items.size() % 2 != 0)
      return fail(corrupt_file("a dictionary has a key without a value"));
    PickleNode node;
    node.kind = kind;
    node.items = std::move(items);
    push(std::move(node));
  }

  void extend(PickleKind kind, const std::vector<std::uint32_t>& items) {
    PickleNode* node = top(kind);
    if (node == nullptr) return;
    if (kind == PickleKind::dict && items.size() % 2 != 0)
      return fail(corrupt_file("a dictionary has a key without a value"));
    node->items.insert(node->items.end(), items.begin(), items.end());
  }

  [[nodiscard]] bool memo(char op) {
    switch (op) {
      case 'q': put(number<std::uint8_t>()); return true;
      case 'r': put(number<std::uint32_t>()); return true;
      case '\x94': put(static_cast<std::uint32_t>(memo_.size())); return true;
      case 'h': get(number<std::uint8_t>()); return true;
      case 'j': get(number<std::uint32_t>()); return true;
      case '0':
        if (!stack_.empty() && !marks_.empty() && marks_.back() == stack_.size())
          marks_.pop_back();
        else
          static_cast<void>(pop());
        return true;
      case '1': static_cast<void>(pop_mark()); return true;
      case '2':
        if (has(1)) stack_.push_back(stack_.back());
        return true;
      default: return false;
    }
  }

  void put(std::uint32_t key) {
    if (has(1)) memo_[key] = stack_.back();
  }
  void get(std::uint32_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) return fail(corrupt_file("the memo has no value ", key));
    stack_.push_back(found->second);
  }

  [[nodiscard]] bool object(char op) {
    switch (op) {
      case 'c': {
        const auto module = line();
        push_name(module, line());
        return true;
      }
      case '\x93': {
        const auto pair = pop_count(2);
        if (pair.size() == 2) push_name(tree_.nodes[pair[0]].text, tree_.nodes[pair[1]].text);
        return true;
      }
      case 'R': reduce(); return true;
      case 'b': build(); return true;
      case 'Q': {
        const auto id = pop();
        if (error_.empty()) push_result(rebuilder_.storage(tree_.nodes[id]));
        return true;
      }
      case 'i': {
        const auto module = line();
        refuse_name(module, line());
        return true;
      }
      case '\x81': instance(); return true;
      case '\x92':
      case 'o': fail(unsupported_file("instances of classes are not read")); return true;
      default: return false;
    }
  }

  void push_result(Result<PickleNode> node) {
    if (!node) return fail(std::move(node).error());
    copied_ += node->items.size();
    if (node->kind == PickleKind::tensor) copied_ += 16 + 4 * tree_.tensors.back().meta.rank();
    push(std::move(*node));
  }

  void refuse_name(std::string_view module, std::string_view text) {
    fail(unsupported_file("the pickle asks for ", in_quotes(concat(module, '.', text)),
                          reason_to_refuse(text), ", which is not read"));
  }

  void push_name(std::string_view module, std::string_view text) {
    if (!error_.empty()) return;
    auto node = find_name(module, text);
    if (!node) {
      if (objects_ == PickleObjects::refuse || module.starts_with("torch"))
        return refuse_name(module, text);
      node = make_constructor(Constructor::unknown_class);
      node->text = text;
    }
    push(std::move(*node));
  }

  /// An object of a class, which is called like a function but never a known one.
  void instance() {
    if (!has(2)) return;
    const auto& type = tree_.nodes[stack_[stack_.size() - 2]];
    if (static_cast<Constructor>(type.code) == Constructor::unknown_class) return reduce();
    fail(unsupported_file("instances of classes are not read"));
  }

  void reduce() {
    const auto operands = pop_count(2);
    if (operands.size() != 2) return;
    const auto& callable = tree_.nodes[operands[0]];
    const auto& arguments = tree_.nodes[operands[1]];
    if (callable.kind != PickleKind::constructor || arguments.kind != PickleKind::tuple)
      return fail(corrupt_file("a ", name(callable.kind), " is called with a ",
                               name(arguments.kind), ", expected a constructor and a tuple"));
    push_result(rebuilder_.call(callable, arguments));
  }

  /// Attributes of an unknown object are its last items, as far as they are set: so PyTorch takes
  /// dataclasses apart. Those of a dictionary, such as a state
  /// dict's version numbers, are of no use here.
  void build() {
    const auto state = pop();
    if (error_.empty() && tree_.nodes[state].kind != PickleKind::dict)
      return fail(unsupported_file("the state of an object is not read"));
    if (!has(1)) return;
    PickleNode& object = tree_.nodes[stack_.back()];
    if (object.kind != PickleKind::object) return static_cast<void>(top(PickleKind::dict));
    const auto& attributes = tree_.nodes[state].items;
    for (std::size_t i = 1; i < attributes.size(); i += 2)
      if (tree_.nodes[attributes[i]].kind != PickleKind::none)
        object.items.push_back(attributes[i]);
    copied_ += attributes.size();
  }

  PickleTree& tree_;
  const LoadLimits& limits_;
  PickleObjects objects_;
  Rebuilder rebuilder_;
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  std::vector<std::uint32_t> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint32_t, std::uint32_t> memo_;
  std::uint64_t copied_ = 0;  ///< work of constructors, in items
  Error error_;
};

}  // namespace detail::pickle
}  // namespace treadle::inline v0
