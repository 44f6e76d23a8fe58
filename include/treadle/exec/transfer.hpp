// Copies between tensors of any backend.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <treadle/backend/backend.hpp>
#include <treadle/core/concat.hpp>
#include <treadle/core/result.hpp>
#include <treadle/core/strided_copy.hpp>
#include <treadle/core/tensor_meta.hpp>

namespace treadle::inline v0 {

/// Copies all elements; sizes and dtypes must be equal. Through host memory where the backend's is
/// not addressable.
template <TensorBackend Backend>
Status copy_tensor(Backend& backend, const typename Backend::Tensor& from,
                   typename Backend::Tensor& to) {
  const TensorMeta& source = backend.meta(from);
  const TensorMeta& target = backend.meta(to);
  if (source.dtype != target.dtype || !(source.sizes == target.sizes))
    return Error(ErrorCode::type_mismatch,
                 concat("can't copy ", to_string(source), " to ", to_string(target)));
  if constexpr (HostBackend<Backend>) {
    if (backend.data(from) != backend.data(to))
      copy_elements(backend.data(from), source, backend.data(to), target);
    return {};
  } else {
    std::vector<std::byte> bytes(static_cast<std::size_t>(element_count(source)) *
                                 size_of(source.dtype));
    TREADLE_CHECK(backend.copy_to_host(from, bytes));
    return backend.copy_from_host(to, bytes);
  }
}

/// A contiguous copy in new memory.
template <TensorBackend Backend>
Result<typename Backend::Tensor> clone_tensor(Backend& backend,
                                              const typename Backend::Tensor& tensor) {
  const TensorMeta& meta = backend.meta(tensor);
  TREADLE_TRY(auto copy, backend.empty(make_meta(meta.dtype, meta.sizes, meta.device)));
  TREADLE_CHECK(copy_tensor(backend, tensor, copy));
  return copy;
}

}  // namespace treadle::inline v0
