// Expressions over named sizes: `expr_node.hpp` with its definitions where those are inline.
#pragma once

#include <treadle/config.hpp>
#include <treadle/symbolic/expr_node.hpp>

#if !TREADLE_COMPILED
#include <treadle/symbolic/expr-inl.hpp>
#endif
