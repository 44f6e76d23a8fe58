// A reduction made ready: its two loop nests, its fold, its conversions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/cpu/elementwise/convert.hpp>
#include <treadle/cpu/loops.hpp>
#include <treadle/cpu/reduction/call_arguments.hpp>
#include <treadle/cpu/reduction/reducer.hpp>

namespace treadle::inline v0::cpu {

/// Everything about a reduction but addresses.
class ReducePlan {
 public:
  /// One result of the reduction: which of the fold's two results, and where it goes.
  struct Output {
    std::size_t slot = 0;
    const TensorMeta* meta = nullptr;  ///< used while preparing only
    std::size_t source = 0;
  };
  struct Request {
    const TensorMeta* input = nullptr;
    std::size_t input_slot = 0;
    std::vector<bool> mask;  ///< dimensions to reduce
    std::vector<Output> outputs;
    const ReduceOp* op = nullptr;
    ComputeType type = ComputeType::float32;
    ReduceParameters parameters;
    bool ordered = false;  ///< places count: elements in row-major order
  };

  Status prepare(PrepareContext<Backend>& context, const Request& request);
  Status run(RunContext<Backend>& context, Tensor* const* tensors) const;

 private:
  struct Destination {
    std::size_t slot = 0;
    std::size_t source = 0;
    ConvertLoop store = nullptr;
  };
  static constexpr std::int64_t chunk_elements = 1024;
  static constexpr std::int64_t tile = 64;

  void fold_one(std::byte* input, void* state) const;
  void fold_run(void* state, const std::byte* input, std::int64_t stride, std::int64_t n) const;
  void finish_one(const void* state, std::byte* const* results) const;
  void reduce_range(std::byte* const* bases, std::int64_t begin, std::int64_t end) const;
  void reduce_tile(std::byte* const* pointers, const std::int64_t* strides, std::int64_t n) const;
  [[nodiscard]] std::vector<TensorMeta> kept_metas(const Request& request) const;

  Reducer reducer_;
  ReduceParameters parameters_;
  LoopNest kept_;     ///< the results, then the input
  LoopNest reduced_;  ///< an order, then the input
  std::array<Destination, 2> results_{};
  std::size_t result_count_ = 0;
  std::size_t input_slot_ = 0;
  ConvertLoop load_ = nullptr;
  std::size_t element_size_ = 0;  ///< of the compute type
  bool same_type_ = false;        ///< elements need no conversion
  bool dense_ = false;            ///< nor do reduced runs need packing
  bool by_rows_ = false;          ///< results lie side by side in the input
  std::int64_t grain_ = 1;
};

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/reduction/reduce_plan-inl.hpp>
#endif
