// Random tensors: schemas and shape rules.
#pragma once

#include <treadle/ops/creation_rules.hpp>
#include <treadle/ops/op_def.hpp>

namespace treadle::inline v0::detail {

inline constexpr OpTraits random_traits = {.random = true};
/// In evaluation the result is the argument.
inline constexpr OpTraits dropout_traits = {.random = true, .may_alias = true};

inline constexpr OpDef creation_random_table[] = {
    {"aten::rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_float,
     random_traits,
     {}},
    {"aten::rand.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_float,
     random_traits,
     {}},
    {"aten::randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_float,
     random_traits,
     {}},
    {"aten::randn.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_float,
     random_traits,
     {}},
    {"aten::randint(SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_integer,
     random_traits,
     {}},
    {"aten::randint.generator(SymInt high, SymInt[] size, *, Generator? generator, ScalarType? "
     "dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_integer,
     random_traits,
     {}},
    {"aten::randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::made_integer,
     random_traits,
     {}},
    {"aten::randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, "
     "ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
     "Tensor",
     &rules::made_integer,
     random_traits,
     {}},
    {"aten::rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     &rules::made_like,
     random_traits,
     {}},
    {"aten::rand_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? "
     "memory_format=None) -> Tensor",
     &rules::made_like,
     random_traits,
     {}},
    {"aten::randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     &rules::made_like,
     random_traits,
     {}},
    {"aten::randn_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? "
     "memory_format=None) -> Tensor",
     &rules::made_like,
     random_traits,
     {}},
    {"aten::randint_like(Tensor self, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     &rules::made_like,
     random_traits,
     {}},
    {"aten::randint_like.generator(Tensor self, SymInt high, *, Generator? generator, ScalarType? "
     "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? "
     "memory_format=None) -> Tensor",
     &rules::made_like,
     random_traits,
     {}},
    {"aten::randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, ScalarType? "
     "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? "
     "memory_format=None) -> Tensor",
     &rules::made_like,
     random_traits,
     {}},
    {"aten::randint_like.low_generator_dtype(Tensor self, SymInt low, SymInt high, *, Generator? "
     "generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
     "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     &rules::made_like,
     random_traits,
     {}},
    {"aten::randperm(SymInt n, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, "
     "bool? pin_memory=None) -> Tensor",
     &rules::permutation,
     random_traits,
     {}},
    {"aten::randperm.generator(SymInt n, *, Generator? generator, ScalarType? dtype=4, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     &rules::permutation,
     random_traits,
     {}},
    {"aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor",
     &rules::row_major<rules::same_as_self>,
     random_traits,
     {}},
    {"aten::bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor",
     &rules::row_major<rules::same_as_self>,
     random_traits,
     {}},
    {"aten::bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> "
     "Tensor(a!)",
     nullptr, random_traits, "aten::bernoulli.p"},
    {"aten::bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor",
     &rules::same_as_self,
     random_traits,
     {}},
    {"aten::bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> "
     "Tensor(a!)",
     nullptr, random_traits, "aten::bernoulli.Tensor"},
    {"aten::uniform(Tensor self, float from=0., float to=1., *, Generator? generator=None) -> "
     "Tensor",
     &rules::same_as_self,
     random_traits,
     {}},
    {"aten::uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None) -> "
     "Tensor(a!)",
     nullptr, random_traits, "aten::uniform"},
    {"aten::normal_functional(Tensor self, float mean=0., float std=1., *, Generator? "
     "generator=None) -> Tensor",
     &rules::same_as_self,
     random_traits,
     {}},
    {"aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> "
     "Tensor(a!)",
     nullptr, random_traits, "aten::normal_functional"},
    {"aten::exponential(Tensor self, float lambd=1., *, Generator? generator=None) -> Tensor",
     &rules::same_as_self,
     random_traits,
     {}},
    {"aten::exponential_(Tensor(a!) self, float lambd=1., *, Generator? generator=None) -> "
     "Tensor(a!)",
     nullptr, random_traits, "aten::exponential"},
    {"aten::geometric(Tensor self, float p, *, Generator? generator=None) -> Tensor",
     &rules::same_as_self,
     random_traits,
     {}},
    {"aten::geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!)",
     nullptr, random_traits, "aten::geometric"},
    {"aten::cauchy(Tensor self, float median=0., float sigma=1., *, Generator? generator=None) -> "
     "Tensor",
     &rules::same_as_self,
     random_traits,
     {}},
    {"aten::cauchy_(Tensor(a!) self, float median=0., float sigma=1., *, Generator? "
     "generator=None) -> Tensor(a!)",
     nullptr, random_traits, "aten::cauchy"},
    {"aten::log_normal(Tensor self, float mean=1., float std=2., *, Generator? generator=None) -> "
     "Tensor",
     &rules::same_as_self,
     random_traits,
     {}},
    {"aten::log_normal_(Tensor(a!) self, float mean=1., float std=2., *, Generator? "
     "generator=None) -> Tensor(a!)",
     nullptr, random_traits, "aten::log_normal"},
    {"aten::random(Tensor self, *, Generator? generator=None) -> Tensor",
     &rules::same_as_self,
     random_traits,
     {}},
    {"aten::random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)", nullptr,
     random_traits, "aten::random"},
    {"aten::random.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor",
     &rules::same_as_self,
     random_traits,
     {}},
    {"aten::random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> "
     "Tensor(a!)",
     nullptr, random_traits, "aten::random.from"},
    {"aten::random.to(Tensor self, int to, *, Generator? generator=None) -> Tensor",
     &rules::same_as_self,
     random_traits,
     {}},
    {"aten::random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)",
     nullptr, random_traits, "aten::random.to"},
    {"aten::normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor",
     &rules::row_major<rules::promoted<0, 1>>,
     random_traits,
     {}},
    {"aten::normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor",
     &rules::row_major<rules::same_as_self>,
     random_traits,
     {}},
    {"aten::normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor",
     &rules::row_major<rules::like_second>,
     random_traits,
     {}},
    {"aten::normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, "
     "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
     "Tensor",
     &rules::made_float,
     random_traits,
     {}},
    {"aten::poisson(Tensor self, Generator? generator=None) -> Tensor",
     &rules::row_major<rules::same_as_self>,
     random_traits,
     {}},
    {"aten::_standard_gamma(Tensor self, Generator? generator=None) -> Tensor",
     &rules::row_major<rules::same_as_self>,
     random_traits,
     {}},
    {"aten::binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor",
     &rules::row_major<rules::promoted<0, 1>>,
     random_traits,
     {}},
    {"aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)",
     &rules::native_dropout,
     random_traits,
     {}},
    {"aten::dropout(Tensor input, float p, bool train) -> Tensor",
     &rules::dropout,
     dropout_traits,
     {}},
    {"aten::dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", nullptr, random_traits,
     "aten::dropout"},
    {"aten::feature_dropout(Tensor input, float p, bool train) -> Tensor",
     &rules::dropout,
     dropout_traits,
     {}},
    {"aten::feature_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", nullptr,
     random_traits, "aten::feature_dropout"},
    {"aten::alpha_dropout(Tensor input, float p, bool train) -> Tensor",
     &rules::dropout,
     dropout_traits,
     {}},
    {"aten::alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", nullptr,
     random_traits, "aten::alpha_dropout"},
    {"aten::feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor",
     &rules::dropout,
     dropout_traits,
     {}},
    {"aten::feature_alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", nullptr,
     random_traits, "aten::feature_alpha_dropout"},
};

}  // namespace treadle::inline v0::detail
