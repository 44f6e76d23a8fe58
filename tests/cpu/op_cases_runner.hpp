// Runs recorded calls of PyTorch's operators on the CPU backend and compares.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <treadle/core/dtype_visit.hpp>
#include <treadle/cpu/kernels.hpp>
#include <treadle/exec/call.hpp>
#include <treadle/exec/session.hpp>
#include <treadle/ops/normalize.hpp>
#include <treadle/ops/standard.hpp>

#include "cpu/op_case_program.hpp"

namespace test {

/// How one case went.
struct CaseResult {
  /// `lenient`: works where PyTorch refuses.
  enum class Kind { passed, failed, unknown_operator, missing_kernel, unsupported, lenient };
  Kind kind = Kind::passed;
  std::string message;
};

/// Recorded calls, as tests/pytorch/op_cases.py writes them: an index in JSON and the bytes.
class OpCases {
  using Json = nlohmann::json;
  using Tensor = treadle::cpu::Tensor;
  using Arg = treadle::CallArgument<treadle::cpu::Backend>;
  using Kind = CaseResult::Kind;
  using SchemaKind = treadle::SchemaKind;

 public:
  explicit OpCases(const std::string& directory) {
    std::ifstream index(directory + "/cases.json");
    cases_ = Json::parse(index, nullptr, false);
    std::ifstream bytes(directory + "/cases.bin", std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(bytes), {});
  }

  [[nodiscard]] std::size_t size() const { return cases_.is_array() ? cases_.size() : 0; }
  [[nodiscard]] std::string target(std::size_t i) const { return cases_[i]["t"]; }
  [[nodiscard]] std::string text(std::size_t i) const { return cases_[i]["a"].dump(); }

  [[nodiscard]] CaseResult run(std::size_t i) {
    const Json& one = cases_[i];
    const auto op = treadle::resolve(ops_, kernels_, target(i));
    if (!op) return {Kind::unknown_operator, op.error().message()};
    std::vector<treadle::cpu::Storage> storages;
    for (const auto& place : one["s"]) storages.push_back(storage(place));
    auto arguments = read_arguments(one["a"], op->schema, storages);
    if (!arguments) return {Kind::unsupported, arguments.error().message()};
    const bool refused = one.contains("e");
    if (one["o"].empty() && !refused) return {Kind::unsupported, "no results"};
    if (one["o"].size() == 1 && one["o"][0].is_object())
      return run_number(one["o"][0]["n"], op->schema, *arguments);
    for (const auto& out : one["o"])
      if (out.is_object()) return {Kind::unsupported, "numbers among several results"};
    if (!kernels_.contains(target(i)) && is_defined_by_others(*op->definition))
      return run_program(one, op->schema, *arguments, storages);
    treadle::RunContext<treadle::cpu::Backend> context(backend_, {}, random_);
    const auto results = treadle::call_operator(*op, context, *std::move(arguments));
    if (refused) return {results ? Kind::lenient : Kind::passed, {}};
    if (!results)
      return {results.error().code() == treadle::ErrorCode::missing_kernel ? Kind::missing_kernel
                                                                           : Kind::failed,
              results.error().message()};
    if (auto why = compare(one, *results, storages); !why.empty()) return {Kind::failed, why};
    return {};
  }

  /// Makes a session of one call and hands it to `look`; false if the call has none.
  template <class Look>
  bool with_session(std::size_t i, const Look& look) {
    const Json& one = cases_[i];
    if (one.contains("e") || one["o"].empty()) return false;
    const auto op = treadle::resolve(ops_, kernels_, target(i));
    if (!op) return false;
    std::vector<treadle::cpu::Storage> storages;
    for (const auto& place : one["s"]) storages.push_back(storage(place));
    const auto arguments = read_arguments(one["a"], op->schema, storages);
    if (!arguments) return false;
    std::vector<treadle::TensorType> types;
    for (const auto& out : one["o"])
      if (out.is_array()) types.push_back(treadle::to_type(meta(out)));
    if (types.size() != one["o"].size()) return false;
    OpCaseProgram program(op->schema, *arguments, types);
    const auto executable = program.bind(ops_, kernels_);
    if (!executable) return false;
    treadle::Serial scheduler;
    treadle::Executor<treadle::cpu::Backend, treadle::Serial> executor(*executable, scheduler);
    auto session =
        treadle::Session<treadle::cpu::Backend, treadle::Serial>::make(executor, program.inputs());
    if (!session) return false;
    look(*session);
    return true;
  }

 private:
  bool is_defined_by_others(const treadle::OpDef& definition) const {
    if (definition.decompose) return true;
    const auto* other = ops_.find(definition.functional);
    return other && other->decompose && !kernels_.contains(definition.functional);
  }

  /// Definitions that read a number from elements.
  CaseResult run_number(const Json& expected, const treadle::Schema& schema,
                        const std::vector<Arg>& arguments) {
    if (!expected.is_boolean()) return {Kind::unsupported, "a number that is no bool"};
    const auto result = OpCaseProgram(schema, arguments).run_truth(ops_, kernels_);
    if (!result) return {Kind::failed, result.error().message()};
    if (*result == expected.get<bool>()) return {};
    return {Kind::failed, treadle::concat(expected.dump(), " expected")};
  }

  /// Definitions by other operators: types and values must be PyTorch's; the layout may differ.
  CaseResult run_program(const Json& one, const treadle::Schema& schema,
                         const std::vector<Arg>& arguments,
                         const std::vector<treadle::cpu::Storage>& storages) {
    std::vector<treadle::TensorType> types;
    for (const auto& out : one["o"])
      if (!out.is_null()) types.push_back(treadle::to_type(meta(out)));
    const auto results = OpCaseProgram(schema, arguments, types).run(ops_, kernels_);
    if (one.contains("e")) return {results ? Kind::lenient : Kind::passed, {}};
    if (!results) return {Kind::failed, results.error().message()};
    for (std::size_t i = 0; i < results->size(); ++i) {
      const Json& expected = one["o"][i];
      const auto wanted = meta(expected);
      const auto& found = (*results)[i].meta();
      if (found.dtype != wanted.dtype || !(found.sizes == wanted.sizes))
        return {Kind::failed, treadle::concat("result ", i, ": type ", to_string(wanted),
                                              " expected, found ", to_string(found))};
      if (expected.size() < 6) continue;
      auto why = compare_values(expected[5], (*results)[i]);
      if (!why.empty()) return {Kind::failed, treadle::concat("result ", i, ": ", why)};
    }
    if (auto why = compare_storages(one, storages); !why.empty()) return {Kind::failed, why};
    return {};
  }

  treadle::cpu::Storage storage(const Json& place) const {
    const std::size_t offset = place[0], size = place[1];
    auto made = *treadle::cpu::Storage::allocate(size);
    std::memcpy(made.bytes(), bytes_.data() + offset, size);
    return made;
  }

  static treadle::TensorMeta meta(const Json& j) {
    treadle::TensorMeta out;
    out.dtype = *treadle::parse_dtype(j[0].get<std::string>());
    for (const std::int64_t s : j[1]) out.sizes.push_back(s);
    for (const std::int64_t s : j[2]) out.strides.push_back(s);
    out.storage_offset = j[3];
    return out;
  }

  static Tensor tensor(const Json& j, const std::vector<treadle::cpu::Storage>& storages) {
    return {storages[j[4].get<std::size_t>()], meta(j)};
  }

  // --- arguments ---------------------------------------------------------------------------------
  static treadle::Result<std::vector<Arg>> read_arguments(
      const Json& given, const treadle::Schema& schema,
      const std::vector<treadle::cpu::Storage>& storages) {
    std::vector<Arg> out;
    for (std::size_t i = 0; i < schema.argument_count; ++i) {
      const auto& argument = schema.arguments[i];
      const bool absent = i >= given.size() || (given[i].is_object() && given[i].contains("-"));
      if (absent && argument.has_default) {
        TREADLE_TRY(auto constant, treadle::parse_default(argument));
        out.emplace_back(std::move(constant));
      } else if (absent || given[i].is_null()) {
        out.emplace_back(treadle::Constant(treadle::None{}));
      } else if (argument.list) {
        out.push_back(read_list(given[i], argument, storages));
      } else if (given[i].is_object() && given[i].contains("T")) {
        out.emplace_back(tensor(given[i]["T"], storages));
      } else {
        out.emplace_back(constant(given[i]));
      }
    }
    return out;
  }

  static Arg read_list(const Json& j, const treadle::SchemaArgument& argument,
                       const std::vector<treadle::cpu::Storage>& storages) {
    if (!j.is_array()) return constant(j);
    if (argument.kind == SchemaKind::tensor) {
      std::vector<Tensor> tensors;
      for (const auto& item : j)
        tensors.push_back(item.is_null() ? Tensor() : tensor(item["T"], storages));
      return tensors;
    }
    const auto all = [&](auto kind) { return std::ranges::all_of(j, kind); };
    if (argument.kind == SchemaKind::boolean && all([](auto& v) { return v.is_boolean(); }))
      return treadle::Constant(j.get<std::vector<bool>>());
    if (argument.kind != SchemaKind::real && all([](auto& v) { return v.is_number_integer(); }))
      return treadle::Constant(j.get<std::vector<std::int64_t>>());
    return treadle::Constant(j.get<std::vector<double>>());
  }

  static treadle::Constant constant(const Json& j) {
    if (j.is_boolean()) return j.get<bool>();
    if (j.is_number_integer()) return j.get<std::int64_t>();
    if (j.is_number_float()) return j.get<double>();
    if (j.is_string()) return j.get<std::string>();
    if (j.contains("f")) {
      const std::string text = j["f"];
      return text == "nan" ? std::nan("") : text == "inf" ? INFINITY : -INFINITY;
    }
    if (j.contains("c")) return std::complex<double>(j["c"][0], j["c"][1]);
    if (j.contains("d")) return *treadle::parse_dtype(j["d"].get<std::string>());
    if (j.contains("D")) return treadle::Device{};
    if (j.contains("L")) return treadle::Layout::strided;
    if (j.contains("M"))
      for (auto f : {treadle::MemoryFormat::contiguous, treadle::MemoryFormat::channels_last,
                     treadle::MemoryFormat::channels_last_3d, treadle::MemoryFormat::preserve})
        if (treadle::name(f) == j["M"].get<std::string>()) return f;
    return treadle::None{};
  }

  // --- comparison --------------------------------------------------------------------------------
  std::string compare(const Json& one, const std::vector<Tensor>& results,
                      const std::vector<treadle::cpu::Storage>& storages) {
    const Json& expected = one["o"];
    if (results.empty() && expected.size() == 1 && expected[0].is_null())
      return compare_storages(one, storages);
    if (results.size() != expected.size())
      return treadle::concat(expected.size(), " results expected, found ", results.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (expected[i].is_null()) continue;
      auto why = compare_result(expected[i], results[i], storages);
      if (!why.empty()) return treadle::concat("result ", i, ": ", why);
    }
    return compare_storages(one, storages);
  }

  std::string compare_result(const Json& expected, const Tensor& result,
                             const std::vector<treadle::cpu::Storage>& storages) {
    const auto wanted = meta(expected);
    const auto& found = result.meta();
    if (found.dtype != wanted.dtype || !(found.sizes == wanted.sizes))
      return treadle::concat("type ", to_string(wanted), " expected, found ", to_string(found));
    const int shared = expected[4];
    int shows = -1;
    for (std::size_t k = 0; k < storages.size(); ++k)
      if (storages[k].owner() == result.storage().owner()) shows = static_cast<int>(k);
    if (shows != shared && treadle::element_count(wanted) != 0)
      return treadle::concat("aliasing: storage ", shared, " expected, found ", shows);
    if (treadle::element_count(wanted) != 0) {
      for (std::size_t d = 0; d < wanted.rank(); ++d)
        if (wanted.sizes[d] != 1 && wanted.strides[d] != found.strides[d])
          return treadle::concat("strides ", wanted.strides, " expected, found ", found.strides,
                                 " of ", to_string(found));
      if (shared >= 0 && wanted.storage_offset != found.storage_offset)
        return treadle::concat("offset ", wanted.storage_offset, " expected, found ",
                               found.storage_offset);
    }
    return expected.size() > 5 ? compare_values(expected[5], result) : std::string();
  }

  std::string compare_values(const Json& place, const Tensor& result) {
    const std::size_t offset = place[0], size = place[1];
    std::vector<std::byte> found(static_cast<std::size_t>(result.count()) *
                                 treadle::size_of(result.dtype()));
    if (found.size() != size) return treadle::concat(size, " bytes expected, found ", found.size());
    if (found.empty()) return {};
    if (!backend_.copy_to_host(result, found)) return "cannot read the result";
    return differences(result.dtype(), bytes_.data() + offset, found.data(), size);
  }

  /// What an operator writes must be as PyTorch writes it; all else must be as it was.
  std::string compare_storages(const Json& one,
                               const std::vector<treadle::cpu::Storage>& storages) {
    std::vector<Json> after(one["s"].begin(), one["s"].end());
    if (one.contains("w"))
      for (const auto& w : one["w"]) after[w[0].get<std::size_t>()] = w[1];
    std::vector<treadle::DType> dtypes(storages.size(), treadle::DType::uint8);
    const auto note = [&](const Json& t) {
      if (t.is_object() && t.contains("T"))
        dtypes[t["T"][4].get<std::size_t>()] = *treadle::parse_dtype(t["T"][0].get<std::string>());
    };
    for (const auto& a : one["a"]) {
      note(a);
      if (a.is_array())
        for (const auto& item : a) note(item);
    }
    for (std::size_t i = 0; i < storages.size(); ++i) {
      const std::size_t offset = after[i][0], size = after[i][1];
      if (size == 0) continue;
      auto why = differences(dtypes[i], bytes_.data() + offset, storages[i].bytes(), size);
      if (!why.empty()) return treadle::concat("storage ", i, " afterwards: ", why);
    }
    return {};
  }

  template <class T>
  static std::complex<double> number(const char* from, std::size_t i) {
    T value;
    std::memcpy(static_cast<void*>(&value), from + i * sizeof(T), sizeof(T));
    if constexpr (sizeof(T) == 16)
      return {value.real(), value.imag()};
    else if constexpr (std::is_convertible_v<T, std::complex<float>> &&
                       !std::is_convertible_v<T, float>)
      return std::complex<double>(static_cast<std::complex<float>>(value));
    else if constexpr (std::is_arithmetic_v<T>)
      return static_cast<double>(value);
    else
      return static_cast<double>(static_cast<float>(value));
  }

  static double tolerance(treadle::DType dtype) {
    switch (dtype) {
      case treadle::DType::float16:
      case treadle::DType::complex32: return 4e-3;
      case treadle::DType::bfloat16: return 3e-2;
      case treadle::DType::float32:
      case treadle::DType::complex64: return 2e-5;
      case treadle::DType::float64:
      case treadle::DType::complex128: return 1e-7;
      default: return 0;
    }
  }

  static bool close(double a, double b, double relative, double absolute) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b)) return a == b;
    return std::abs(a - b) <= absolute + relative * std::abs(b);
  }

  static std::string differences(treadle::DType dtype, const char* expected, const void* actual,
                                 std::size_t bytes) {
    if (std::memcmp(expected, actual, bytes) == 0) return {};
    const auto* found = static_cast<const char*>(actual);
    const double relative = tolerance(dtype);
    std::string why;
    treadle::visit_dtype(dtype, [&]<class T>(treadle::TypeTag<T>) {
      const std::size_t count = bytes / sizeof(T);
      double largest = 0;
      for (std::size_t i = 0; i < count; ++i)
        if (const double m = std::abs(number<T>(expected, i)); std::isfinite(m))
          largest = std::max(largest, m);
      // Sums of terms of both signs lose what is small beside the largest.
      const double absolute = relative * std::min(1.0, 0.5 * largest) + 1e-30;
      for (std::size_t i = 0; i < count && why.empty(); ++i) {
        const auto e = number<T>(expected, i), f = number<T>(found, i);
        // The parts of a complex number are as exact as the whole.
        const double slack = absolute + relative * (std::isfinite(std::abs(e)) ? std::abs(e) : 0);
        if (close(f.real(), e.real(), relative, slack) &&
            close(f.imag(), e.imag(), relative, slack))
          continue;
        why = treadle::concat("element ", i, " of ", count, " (", treadle::name(dtype),
                              "): ", std::to_string(e.real()), "+", std::to_string(e.imag()),
                              "j expected, found ", std::to_string(f.real()), "+",
                              std::to_string(f.imag()), "j");
      }
    });
    return why;
  }

  Json cases_;
  std::vector<char> bytes_;
  treadle::OpSet ops_ = treadle::standard_ops();
  treadle::KernelRegistry<treadle::cpu::Backend> kernels_ = treadle::cpu::kernels();
  treadle::cpu::Backend backend_;
  treadle::RandomState random_;
};

}  // namespace test
