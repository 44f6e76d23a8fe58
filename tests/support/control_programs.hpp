// A program with a branch, built in code.
#pragma once

#include <memory>
#include <utility>

#include "support/programs.hpp"

namespace test {

/// x → n = x * 2 → branch `n_1`: n + n + n (nodes `n`, `n_1` of the body) → n_2 = branch * 10.
inline treadle::GraphModule branching(bool predicate = true) {
  const auto body = [](const char* target) {
    ProgramBuilder inner(4);
    const auto x = inner.input("arg0");
    const auto twice = inner.binary(target, x, x);
    auto module = inner.finish({inner.binary(target, twice, x)});
    return std::make_shared<treadle::GraphBody>(std::move(module.graph));
  };
  ProgramBuilder b(4);
  const auto x = b.input("x");
  const auto doubled = b.binary("aten::mul.Tensor", x, treadle::Constant(2.0));
  const auto chosen =
      b.call("higher_order::cond", {{"", treadle::Constant(predicate)},
                                    {"", treadle::Subgraph{"yes", body("aten::add.Tensor")}},
                                    {"", treadle::Subgraph{"no", body("aten::mul.Tensor")}},
                                    {"", treadle::Argument::List{treadle::Argument(doubled)}}});
  return b.finish({b.binary("aten::mul.Tensor", chosen, treadle::Constant(10.0))});
}

}  // namespace test
