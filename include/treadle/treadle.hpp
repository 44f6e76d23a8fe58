// The umbrella: everything that most users need.
#pragma once

#include <treadle/cpu/backend.hpp>
#include <treadle/cpu/kernels.hpp>
#include <treadle/cpu/tensor.hpp>
#include <treadle/kernel/registry.hpp>
#include <treadle/model/model.hpp>
#include <treadle/sched/inline.hpp>
#include <treadle/sched/serial.hpp>
