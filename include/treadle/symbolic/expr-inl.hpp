// Every definition behind expr.hpp.
#pragma once

#include <treadle/symbolic/fold-inl.hpp>
#include <treadle/symbolic/node-inl.hpp>
#include <treadle/symbolic/print-inl.hpp>
