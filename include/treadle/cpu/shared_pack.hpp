// Packed copies of weights, made once for all nodes and plans that want the same.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include <treadle/core/function_ref.hpp>
#include <treadle/core/result.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/tensor.hpp>
#include <treadle/kernel/context.hpp>

namespace treadle::inline v0::cpu {

/// `bytes` bytes that `fill` wrote from `weight`. `key` names everything besides the weight that
/// `fill` depends on. Memory is counted where it is made first.
[[nodiscard]] inline Result<Storage> shared_pack(PrepareContext<Backend>& context,
                                                 const Tensor& weight, std::string key,
                                                 std::size_t bytes,
                                                 FunctionRef<Status(std::byte*)> fill) {
  if (auto* share = context.share())
    if (auto made = share->find(weight.bytes(), key))
      return Storage(std::static_pointer_cast<std::byte>(std::const_pointer_cast<void>(made)),
                     bytes);
  TREADLE_TRY(auto storage, Storage::allocate(bytes));
  TREADLE_CHECK(fill(storage.bytes()));
  context.count_kept(bytes);
  if (auto* share = context.share()) share->add(weight.bytes(), std::move(key), storage.owner());
  return storage;
}

}  // namespace treadle::inline v0::cpu
