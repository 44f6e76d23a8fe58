// A program that loads any model and runs it with every stock kernel.
#include <span>
#include <string>

#include <treadle/cpu/kernels.hpp>
#include <treadle/model/model.hpp>

using Value = treadle::Value<treadle::cpu::Backend>;

treadle::Result<treadle::Model<>::Outputs> load_and_run(const std::string& path,
                                                        std::span<const Value> inputs) {
  TREADLE_TRY(auto model, treadle::Model<>::load(path));
  return model.run(inputs);
}
