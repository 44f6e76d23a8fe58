// From a program file to outputs: the door that most users take.
#pragma once

#include <treadle/model/basic_model.hpp>
#include <treadle/model/standard_dialect.hpp>

#if TREADLE_COMPILED
#include <treadle/model/stock_instances.hpp>
#endif
