// The class studio::Queue of the golden programs with custom objects, as a host has it.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <treadle/archive/zip_reader.hpp>
#include <treadle/treadle.hpp>

namespace test {

/// A queue of tensors that scales what comes in.
struct Queue {
  using Tensor = treadle::cpu::Tensor;
  explicit Queue(double factor) : gain(factor) {}

  [[nodiscard]] static Tensor map(const Tensor& from, auto function) {
    treadle::cpu::Backend backend;
    Tensor to = *treadle::clone_tensor(backend, from);
    for (auto& e : to.elements<float>()) e = static_cast<float>(function(static_cast<double>(e)));
    return to;
  }
  void push(const Tensor& t) {
    items.push_back(map(t, [&](double e) { return e * gain; }));
  }
  treadle::Result<Tensor> pop() {
    if (items.empty()) return treadle::Error(treadle::ErrorCode::kernel_failed, "it is empty");
    Tensor first = items.front();
    items.erase(items.begin());
    return first;
  }
  Tensor mix(const Tensor& a, double k) {
    return map(a, [&](double e) { return e * gain * k; });
  }
  std::tuple<Tensor, Tensor> split(const Tensor& a) {
    return {map(a, [&](double e) { return e * gain; }), map(a, [&](double e) { return e - gain; })};
  }

  double gain;
  std::vector<Tensor> items;
};

/// The gain in the pickle that PyTorch wrote: the state is one float, big-endian after a 'G'.
inline treadle::Result<double> gain_of(const treadle::ObjectSource& source) {
  TREADLE_TRY(const auto zip, treadle::ZipReader::open(treadle::Bytes(source.owner, source.bytes)));
  TREADLE_TRY(const auto pickle, zip.read(treadle::concat(zip.root(), "data.pkl")));
  const std::string_view text = pickle.text();
  const auto at = text.find(")\x81G");
  if (at == std::string_view::npos || text.size() < at + 11)
    return treadle::Error(treadle::ErrorCode::corrupt_file, "no gain in the queue's state");
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 8; ++i)
    bits = bits << 8 | static_cast<std::uint8_t>(text[at + 3 + i]);
  return std::bit_cast<double>(bits);
}

inline treadle::CustomClasses<treadle::cpu::Backend> queue_methods() {
  treadle::CustomClasses<treadle::cpu::Backend> classes;
  classes.add("studio::Queue", "push", &Queue::push);
  classes.add("studio::Queue", "pop", [](Queue& queue) { return queue.pop(); });
  classes.add("studio::Queue", "mix", &Queue::mix);
  classes.add("studio::Queue", "split",
              [](Queue& queue, treadle::MethodCall<treadle::cpu::Backend>& call) {
                auto [a, b] = queue.split(*call.argument(0).tensor());
                call.give(a);
                call.give(b);
                return treadle::Status();
              });
  return classes;
}

inline treadle::CustomClasses<treadle::cpu::Backend> queue_class() {
  auto classes = queue_methods();
  classes.add_class(
      "studio::Queue",
      [](const treadle::ObjectSource& source) -> treadle::Result<std::shared_ptr<void>> {
        TREADLE_TRY(const double gain, gain_of(source));
        return std::shared_ptr<void>(std::make_shared<Queue>(gain));
      },
      [](const void* object) -> treadle::Result<std::shared_ptr<void>> {
        return std::shared_ptr<void>(std::make_shared<Queue>(*static_cast<const Queue*>(object)));
      });
  return classes;
}

}  // namespace test
