// The frame of kernels that compute one matrix after the other: operands, batches, workspace.
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <treadle/core/result.hpp>
#include <treadle/cpu/reduction/packed.hpp>
#include <treadle/cpu/reduction/planned_kernel.hpp>

namespace treadle::inline v0::cpu::detail {

/// A dense row-major matrix, or a vector with one column.
template <class T>
struct MatrixView {
  T* data = nullptr;
  std::int64_t rows = 0, columns = 0;

  [[nodiscard]] T& operator()(std::int64_t i, std::int64_t j) const noexcept {
    return data[i * columns + j];
  }
  [[nodiscard]] T& operator[](std::int64_t i) const noexcept { return data[i]; }
  [[nodiscard]] std::int64_t count() const noexcept { return rows * columns; }
};

/// One operand of all batches.
struct MatrixOperand {
  Packed packed;
  std::size_t slot = 0;
  std::int64_t rows = 1, columns = 1;

  /// `bytes` are those of all batches in a run.
  template <class T>
  [[nodiscard]] MatrixView<T> at(std::byte* bytes, std::int64_t batch) const noexcept {
    return {reinterpret_cast<T*>(bytes) + batch * rows * columns, rows, columns};
  }
};

/// The operands of one matrix problem.
struct MatrixProblem {
  const std::vector<MatrixOperand>& inputs;
  const std::vector<MatrixOperand>& outputs;
  std::byte* const* input_bytes;
  std::byte* const* output_bytes;
  std::int64_t batch;
  std::byte* work;

  template <class T>
  [[nodiscard]] MatrixView<T> in(std::size_t i) const noexcept {
    return inputs[i].at<T>(input_bytes[i], batch);
  }
  template <class T>
  [[nodiscard]] MatrixView<T> out(std::size_t i) const noexcept {
    return outputs[i].at<T>(output_bytes[i], batch);
  }
};

template <class T>
using RealNumber = decltype(std::abs(T{}));

template <class T>
[[nodiscard]] T conjugate(T x) noexcept {
  if constexpr (std::is_same_v<T, RealNumber<T>>)
    return x;
  else
    return std::conj(x);
}
template <class T>
[[nodiscard]] RealNumber<T> real_part(T x) noexcept {
  if constexpr (std::is_same_v<T, RealNumber<T>>)
    return x;
  else
    return x.real();
}

template <class T>
void copy_matrix(MatrixView<T> from, MatrixView<T> to) noexcept {
  std::copy_n(from.data, from.count(), to.data);
}
template <class T>
void set_identity(MatrixView<T> m) noexcept {
  std::fill_n(m.data, m.count(), T(0));
  for (std::int64_t i = 0; i < std::min(m.rows, m.columns); ++i) m(i, i) = T(1);
}

/// What all such kernels have in common: operands, batches, workspace. The algorithm is reached
/// through virtual functions, so that this exists once.
class MatrixFrame {
 public:
  using Operands = std::vector<MatrixOperand>;

  Status prepare(const CallArguments& call) {
    TREADLE_CHECK(prepare_algorithm(call));
    const Schema& schema = call.schema();
    std::vector<TensorMeta> metas;
    for (std::size_t i = 0; i < schema.argument_count; ++i) {
      if (schema.arguments[i].kind != SchemaKind::tensor) continue;
      metas.push_back(call.tensor(schema.arguments[i].name).meta());
      is_complex_ |= is_complex(metas.back().dtype);
    }
    const auto in = ranks(true), out = ranks(false);
    Dims batch = batch_sizes(metas, in);
    batches_ = element_count(batch);
    if (metas.size() > most_operands || call.result_count() > most_operands)
      return call.context().fail("too many operands");
    Packer packer(call.context());
    for (std::size_t i = 0; i < metas.size(); ++i)
      TREADLE_CHECK(add_input(packer, metas[i], batch, in[i], i));
    for (std::size_t i = 0; i < call.result_count(); ++i)
      TREADLE_CHECK(add_output(packer, call.result(i), batch, out[i], call.result_slot(i)));
    work_ = (work(inputs_, outputs_) * element_size() + 63) / 64 * 64;
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(1, batches_));
    if (work_ > (std::size_t{1} << 40) / count) return call.context().fail("too large");
    work_at_ = packer.reserve(work_ * count);
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    std::array<std::byte*, most_operands> inputs{}, outputs{};
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      inputs[i] = static_cast<std::byte*>(
          const_cast<void*>(inputs_[i].packed.load(context, *tensors[inputs_[i].slot])));
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      outputs[i] =
          static_cast<std::byte*>(outputs_[i].packed.target(context, *tensors[outputs_[i].slot]));
    for (std::int64_t b = 0; b < batches_; ++b) {
      const MatrixProblem problem{
          inputs_,
          outputs_,
          inputs.data(),
          outputs.data(),
          b,
          context.scratch() + work_at_ + static_cast<std::size_t>(b) * work_};
      TREADLE_CHECK(is_complex_ ? run_complex(problem, context) : run_real(problem, context));
    }
    for (const auto& operand : outputs_) operand.packed.store(context, *tensors[operand.slot]);
    return {};
  }

 protected:
  MatrixFrame() = default;
  MatrixFrame(MatrixFrame&&) = default;
  MatrixFrame& operator=(MatrixFrame&&) = default;
  ~MatrixFrame() = default;

 private:
  static constexpr std::size_t most_operands = 8;  ///< of one side; no schema has more

  [[nodiscard]] std::size_t element_size() const noexcept { return is_complex_ ? 16 : 8; }

  virtual Status prepare_algorithm(const CallArguments& call) = 0;
  /// Dimensions of every input or output that are not batch; read after `prepare_algorithm`.
  [[nodiscard]] virtual std::span<const std::size_t> ranks(bool of_inputs) const = 0;
  [[nodiscard]] virtual std::size_t work(const Operands& in, const Operands& out) const = 0;
  virtual Status run_real(const MatrixProblem& problem, RunContext<Backend>& context) const = 0;
  virtual Status run_complex(const MatrixProblem& problem, RunContext<Backend>& context) const = 0;

  static Dims batch_sizes(const std::vector<TensorMeta>& metas,
                          std::span<const std::size_t> in_ranks) {
    Dims batch;
    for (std::size_t i = 0; i < metas.size(); ++i) {
      const std::size_t rank = metas[i].rank() - std::min(metas[i].rank(), in_ranks[i]);
      while (batch.size() < rank) batch.insert(batch.begin(), 1);
      for (std::size_t d = 0; d < rank; ++d)
        if (auto& size = batch[batch.size() - rank + d]; size == 1) size = metas[i].sizes[d];
    }
    return batch;
  }

  static void expand(TensorMeta& meta, const Dims& batch, std::size_t core) {
    const std::size_t lead = meta.rank() - core;
    Dims sizes = batch, strides(batch.size(), 0);
    for (std::size_t d = 0; d < lead; ++d)
      if (meta.sizes[d] != 1) strides[batch.size() - lead + d] = meta.strides[d];
    for (std::size_t d = lead; d < meta.rank(); ++d) {
      sizes.push_back(meta.sizes[d]);
      strides.push_back(meta.strides[d]);
    }
    meta.sizes = sizes;
    meta.strides = strides;
  }

  static void set_shape(MatrixOperand& operand, const TensorMeta& meta, std::size_t core) {
    const std::size_t rank = meta.rank();
    if (core == 2) operand.columns = meta.sizes[rank - 1];
    if (core > 0) operand.rows = meta.sizes[rank - core];
  }

  [[nodiscard]] ComputeType type_of(const TensorMeta& meta) const noexcept {
    if (is_complex(meta.dtype)) return ComputeType::complex128;
    return is_floating(meta.dtype) ? ComputeType::float64 : ComputeType::int64;
  }

  Status add_input(Packer& packer, TensorMeta meta, const Dims& batch, std::size_t core,
                   std::size_t slot) {
    expand(meta, batch, core);
    MatrixOperand operand;
    set_shape(operand, meta, core);
    operand.slot = slot;
    const bool number = is_floating(meta.dtype) && is_complex_;
    TREADLE_TRY(operand.packed,
                packer.input(meta, number ? ComputeType::complex128 : type_of(meta)));
    inputs_.push_back(std::move(operand));
    return {};
  }
  Status add_output(Packer& packer, TensorMeta meta, const Dims& batch, std::size_t core,
                    std::size_t slot) {
    MatrixOperand operand;
    operand.slot = slot;
    // Results that are not asked for are empty.
    if (meta.rank() >= core && element_count(meta) > 0) {
      // Factors of a matrix that many right-hand sides share are written once for each.
      expand(meta, batch, core);
      set_shape(operand, meta, core);
    }
    TREADLE_TRY(operand.packed, packer.output(meta, type_of(meta)));
    if (element_count(meta) == 0) operand.rows = operand.columns = 0;
    outputs_.push_back(std::move(operand));
    return {};
  }

  bool is_complex_ = false;
  std::int64_t batches_ = 1;
  Operands inputs_, outputs_;
  std::size_t work_ = 0, work_at_ = 0;
};

/// A kernel around an `Algorithm`, which computes in double precision, real or complex:
///   std::array in_ranks, out_ranks             dimensions of an operand that are not batch
///   Status prepare(const CallArguments&)       reads flags
///   std::size_t work(inputs, outputs) const    elements of workspace that one problem needs
///   template <class T> Status run(const MatrixProblem&, RunContext<Backend>&) const
template <class Algorithm>
class MatrixKernel final : public MatrixFrame {
 private:
  Status prepare_algorithm(const CallArguments& call) override { return algorithm_.prepare(call); }
  [[nodiscard]] std::span<const std::size_t> ranks(bool of_inputs) const override {
    if (of_inputs) return algorithm_.in_ranks;
    return algorithm_.out_ranks;
  }
  [[nodiscard]] std::size_t work(const Operands& in, const Operands& out) const override {
    return algorithm_.work(in, out);
  }
  Status run_real(const MatrixProblem& problem, RunContext<Backend>& context) const override {
    return algorithm_.template run<double>(problem, context);
  }
  Status run_complex(const MatrixProblem& problem, RunContext<Backend>& context) const override {
    return algorithm_.template run<std::complex<double>>(problem, context);
  }

  Algorithm algorithm_;
};

}  // namespace treadle::inline v0::cpu::detail
