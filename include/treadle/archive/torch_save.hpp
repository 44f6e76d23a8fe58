// Reads what `torch.save` writes.
#pragma once

#include <treadle/archive/bytes.hpp>
#include <treadle/archive/load_limits.hpp>
#include <treadle/archive/pickle.hpp>
#include <treadle/config.hpp>
#include <treadle/core/result.hpp>

namespace treadle::inline v0 {

/// Reads a `torch.save` archive, itself often a record of another one: nothing is copied where
/// records are stored and aligned. Every tensor's storage is filled, the same bytes for tensors
/// that share one. Big-endian archives, and pickles of anything but tensors in plain containers,
/// are refused by name; `objects` may keep instances of other classes as data. Storages' checksums
/// are verified if `limits.verify_weights_crc`.
[[nodiscard]] Result<PickleValue> read_torch_save(Bytes file, const LoadLimits& limits = {},
                                                  PickleObjects objects = PickleObjects::refuse);

}  // namespace treadle::inline v0

#if !TREADLE_COMPILED
#include <treadle/archive/torch_save-inl.hpp>
#endif
