// From some new weights to a whole new set.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/config.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/tensor_meta.hpp>
#include <treadle/exec/weights.hpp>

namespace treadle::inline v0 {

/// What a swap does with names that are not on both sides.
struct WeightSwapOptions {
  /// Names for which this is true may be missing and keep their old values. Empty: all must be
  /// there.
  std::function<bool(std::string_view)> keep = {};
  /// Given names for which this is true are passed over, whatever they are. Empty: none.
  std::function<bool(std::string_view)> skip = {};
  /// Names that the program does not have are passed over instead of refused.
  bool allow_unknown = false;
};

/// A host copy of a tensor's elements as a weight of this name.
template <TensorBackend Backend>
[[nodiscard]] Result<WeightSource> weight_source(Backend& backend, std::string name,
                                                 const typename Backend::Tensor& tensor) {
  WeightSource source;
  source.name = std::move(name);
  const TensorMeta& meta = backend.meta(tensor);
  source.meta = make_meta(meta.dtype, meta.sizes, meta.device);
  auto bytes = std::make_shared<std::vector<std::byte>>(
      static_cast<std::size_t>(element_count(meta)) * size_of(meta.dtype));
  TREADLE_CHECK(backend.copy_to_host(tensor, *bytes));
  source.bytes = *bytes;
  source.owner = std::move(bytes);
  return source;
}

namespace detail {

/// `old` with `given` in place of those of the same names.
[[nodiscard]] Result<std::vector<WeightSource>> merge_sources(std::vector<WeightSource> old,
                                                              std::vector<WeightSource> given,
                                                              const WeightSwapOptions& options);

}  // namespace detail

/// The program's weights with `given` in place of those of the same names. Strides and sharing stay
/// as they were: weights that share storage with a given one show its new values. All problems are
/// reported in one error.
template <TensorBackend Backend>
[[nodiscard]] Result<std::vector<WeightSource>> merge_weights(const Weights<Backend>& current,
                                                              std::vector<WeightSource> given,
                                                              const WeightSwapOptions& options) {
  std::vector<WeightSource> old;
  for (const auto& entry : current.entries())
    if (!entry.folded) old.push_back(entry.source);
  return detail::merge_sources(std::move(old), std::move(given), options);
}

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/exec/weight_update-inl.hpp>
#endif
