// The kernel of every Fourier transform.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treadle/core/concat.hpp>
#include <treadle/core/dtype_visit.hpp>
#include <treadle/core/result.hpp>
#include <treadle/cpu/elementwise/convert.hpp>
#include <treadle/cpu/fft/fft_line.hpp>
#include <treadle/cpu/reduction/call_arguments.hpp>
#include <treadle/cpu/table_memory.hpp>
#include <treadle/ops/fft/fft_form.hpp>

namespace treadle::inline v0::cpu {

/// A plan for `planned_kernel`. Works on a dense complex128 copy of the whole tensor, one
/// transformed dimension after the other.
class FftKernel {
 public:
  Status prepare(const CallArguments& call) {
    form_ = treadle::detail::fft_form(call.base_name());
    const TensorMeta& in = call.tensor("self").meta();
    const TensorMeta& out = call.result(0);
    out_slot_ = call.result_slot(0);
    read_dims(call, in);
    if (form_.raw && form_.kind == Kind::real_to_half && !call.get<bool>("onesided", true))
      form_.kind = Kind::real_to_full;
    if (form_.raw && form_.kind == Kind::complex_to_complex)
      form_.forward = call.get<bool>("forward", true);
    sizes_ = out.sizes;
    if (!dims_.empty()) {
      std::int64_t& last = sizes_[dims_.back()];
      if (form_.kind == Kind::real_to_half) last = wanted_last(call, in);
    }
    TREADLE_CHECK(prepare_copies(call.context(), in, out));
    scale_ = scale_of(call);
    count_ = element_count(sizes_);
    std::int64_t work = 0;
    for (const std::size_t d : dims_) {
      if (!has_memory_for(sizes_[d], FftLine::table_bytes))
        return Error(ErrorCode::out_of_memory,
                     concat("no memory for the tables of a transform of length ", sizes_[d]));
      lines_.emplace_back(sizes_[d]);
      work = std::max(work, sizes_[d] + lines_.back().workspace());
    }
    work_ = (work + 3) / 4 * 4;
    call.context().request_scratch(sizeof(Complex) *
                                   static_cast<std::size_t>(count_ + slots * work_ + 4));
    return {};
  }

  Status run(RunContext<Backend>& context, Tensor* const* tensors) const {
    auto* const data = reinterpret_cast<Complex*>(context.scratch());
    load(tensors[0]->bytes(), data);
    if (count_ > 0)
      for (std::size_t i = 0; i < dims_.size(); ++i)
        transform(i, data, data + (count_ + 3) / 4 * 4, context.parallel_for);
    store(data, tensors[out_slot_]->bytes());
    return {};
  }

 private:
  using Complex = std::complex<double>;
  using Kind = treadle::detail::FftKind;
  static constexpr std::int64_t slots = 16;

  void read_dims(const CallArguments& call, const TensorMeta& in) {
    const auto rank = static_cast<std::int64_t>(in.rank());
    std::vector<std::int64_t> dims = call.integers("dim");
    if (!form_.many) {
      dims = {call.get<std::int64_t>("dim", -1)};
    } else if (!call.get<std::vector<std::int64_t>>("dim")) {
      const auto sizes = call.get<std::vector<std::int64_t>>("s");
      const std::int64_t count = sizes ? static_cast<std::int64_t>(sizes->size()) : rank;
      for (std::int64_t d = rank - count; d < rank; ++d) dims.push_back(d);
    }
    for (const std::int64_t d : dims) dims_.push_back(wrap_dim(d, in.rank()));
  }

  /// Data points along the last dimension of a transform of real numbers.
  std::int64_t wanted_last(const CallArguments& call, const TensorMeta& in) const {
    if (!form_.raw) {
      if (const auto n = call.get<std::int64_t>("n")) return *n;
      const auto s = call.get<std::vector<std::int64_t>>("s");
      if (s && !s->empty() && s->back() != -1) return s->back();
    }
    return in.sizes[dims_.back()];
  }

  double scale_of(const CallArguments& call) const {
    double points = 1;
    for (const std::size_t d : dims_) points *= static_cast<double>(sizes_[d]);
    if (form_.raw) {
      const auto mode = call.get<std::int64_t>("normalization", 0);
      return mode == 0 ? 1 : mode == 1 ? 1 / std::sqrt(points) : 1 / points;
    }
    const auto norm = call.get<std::string>("norm", "backward");
    if (norm == "ortho") return 1 / std::sqrt(points);
    return (norm == "forward") == form_.forward ? 1 / points : 1;
  }

  Status prepare_copies(PrepareContext<Backend>& context, const TensorMeta& in,
                        const TensorMeta& out) {
    in_sizes_ = in.sizes;
    in_strides_ = in.strides;
    out_sizes_ = out.sizes;
    out_strides_ = out.strides;
    in_item_ = static_cast<std::int64_t>(size_of(in.dtype));
    out_item_ = static_cast<std::int64_t>(size_of(out.dtype));
    for (std::size_t d = 0; d < in_sizes_.size(); ++d)
      in_sizes_[d] = std::min(in_sizes_[d], sizes_[d]);
    if (form_.kind == Kind::half_to_real && !dims_.empty())
      in_sizes_[dims_.back()] = std::min(in_sizes_[dims_.back()], sizes_[dims_.back()] / 2 + 1);
    load_ = load_loop(in.dtype, compute_type(DType::complex128));
    store_ = store_loop(compute_type(DType::complex128), out.dtype);
    if (load_ && store_) return {};
    return context.fail("can't transform ", name(in.dtype), " to ", name(out.dtype));
  }

  /// Calls `row(offset in the tensor, offset in the data)` for every innermost row of `sizes`.
  template <class Function>
  void for_each_row(const Dims& sizes, const Dims& strides, const Function& row) const {
    const std::size_t last = sizes.size() - 1;
    const Dims dense = contiguous_strides(sizes_);
    std::int64_t count = 1;
    for (std::size_t d = 0; d < last; ++d) count *= sizes[d];
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t rest = i, at = 0, place = 0;
      for (std::size_t d = last; d-- > 0;) {
        at += rest % sizes[d] * strides[d];
        place += rest % sizes[d] * dense[d];
        rest /= sizes[d];
      }
      row(at, place);
    }
  }

  void load(const std::byte* in, Complex* data) const {
    if (in_sizes_ != sizes_) std::fill(data, data + count_, Complex());
    if (element_count(in_sizes_) == 0) return;
    const bool turns = form_.conjugates && form_.kind == Kind::half_to_real;
    for_each_row(in_sizes_, in_strides_, [&](std::int64_t at, std::int64_t place) {
      const std::int64_t n = in_sizes_.back();
      load_(in + at * in_item_, in_strides_.back() * in_item_,
            reinterpret_cast<std::byte*>(data + place), sizeof(Complex), n);
      if (turns)
        for (std::int64_t i = 0; i < n; ++i) data[place + i] = std::conj(data[place + i]);
    });
  }

  void store(Complex* data, std::byte* out) const {
    if (element_count(out_sizes_) == 0) return;
    const bool turns = form_.conjugates && form_.kind != Kind::half_to_real;
    for_each_row(out_sizes_, out_strides_, [&](std::int64_t at, std::int64_t place) {
      const std::int64_t n = out_sizes_.back();
      for (std::int64_t i = 0; i < n; ++i) {
        data[place + i] *= scale_;
        if (turns) data[place + i] = std::conj(data[place + i]);
      }
      store_(reinterpret_cast<const std::byte*>(data + place), sizeof(Complex),
             out + at * out_item_, out_strides_.back() * out_item_, n);
    });
  }

  void transform(std::size_t index, Complex* data, Complex* scratch,
                 const ParallelFor& parallel_for) const {
    const FftLine& line = lines_[index];
    const std::size_t dim = dims_[index];
    const std::int64_t n = sizes_[dim];
    std::int64_t step = 1;
    for (std::size_t d = dim + 1; d < sizes_.size(); ++d) step *= sizes_[d];
    const std::int64_t count = count_ / n, pieces = std::min(count, slots);
    const bool restores = form_.kind == Kind::half_to_real && index + 1 == dims_.size();
    // `hfft` runs backward on conjugated numbers.
    const bool forward = form_.kind == Kind::half_to_real   ? false
                         : form_.kind == Kind::real_to_half ? true
                                                            : form_.forward;
    const std::int64_t cost = (count + pieces - 1) / pieces * n * 10;
    parallel_for(pieces, std::max<std::int64_t>(1, 20000 / std::max<std::int64_t>(cost, 1)),
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t p = begin; p < end; ++p)
                     for (std::int64_t i = count * p / pieces; i < count * (p + 1) / pieces; ++i)
                       transform_line(line, data + i / step * step * n + i % step, step, forward,
                                      restores, scratch + p * work_);
                 });
  }

  static void transform_line(const FftLine& line, Complex* data, std::int64_t step, bool forward,
                             bool restores, Complex* buffer) {
    const std::int64_t n = line.length();
    for (std::int64_t i = 0; i < n; ++i) buffer[i] = data[i * step];
    if (restores) {
      buffer[0] = buffer[0].real();
      if (n % 2 == 0) buffer[n / 2] = buffer[n / 2].real();
      for (std::int64_t i = 1; i < (n + 1) / 2; ++i) buffer[n - i] = std::conj(buffer[i]);
    }
    if (!forward)
      for (std::int64_t i = 0; i < n; ++i) buffer[i] = std::conj(buffer[i]);
    line.forward(buffer, buffer + n);
    for (std::int64_t i = 0; i < n; ++i)
      data[i * step] = forward ? buffer[i] : std::conj(buffer[i]);
  }

  treadle::detail::FftForm form_;
  std::vector<std::size_t> dims_;
  std::vector<FftLine> lines_;  ///< one a transformed dimension
  Dims sizes_;                  ///< of the working copy
  Dims in_sizes_, in_strides_, out_sizes_, out_strides_;
  std::int64_t in_item_ = 0, out_item_ = 0, count_ = 0, work_ = 0;
  ConvertLoop load_ = nullptr, store_ = nullptr;
  double scale_ = 1;
  std::size_t out_slot_ = 1;
};

}  // namespace treadle::inline v0::cpu
