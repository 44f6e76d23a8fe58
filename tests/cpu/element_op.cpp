// The types that elements are computed in.
#include <complex>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

// This order: once the name of one hid a function that the other calls.
#include <treadle/cpu/elementwise/element_op.hpp>
#include <treadle/cpu/tensor.hpp>

using namespace treadle;

TEST_CASE_TEMPLATE("tensors of a type that elements are computed in are not converted", T, float,
                   double, std::int64_t, std::complex<double>) {
  const auto tensor = *cpu::Tensor::from(std::vector<T>{T(3)}, {1});
  const DType dtype = tensor.meta().dtype;
  CHECK(cpu::stored_dtype(cpu::compute_type(dtype)) == dtype);
  CHECK(tensor.template data<T>()[0] == T(3));
}
