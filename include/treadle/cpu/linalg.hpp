// CPU kernels of linear algebra beyond products.
#pragma once

#include <treadle/config.hpp>
#include <treadle/cpu/backend.hpp>
#include <treadle/kernel/registry.hpp>

namespace treadle::inline v0::cpu {

/// Inverses, determinants, systems, triangular factors.
void add_factor_kernels(KernelRegistry<Backend>& registry);
/// Orthogonal factors, eigenvalues, singular values, exponentials.
void add_spectral_kernels(KernelRegistry<Backend>& registry);
/// All of these. They compute in double precision whatever the dtype.
[[nodiscard]] KernelRegistry<Backend> linalg_kernels();

}  // namespace treadle::inline v0::cpu

#if !TREADLE_COMPILED
#include <treadle/cpu/linalg-inl.hpp>
#include <treadle/cpu/linalg_spectral-inl.hpp>
#endif
