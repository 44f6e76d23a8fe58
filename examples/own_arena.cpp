// Memory that the caller brings: ask what a session needs, lend it, look at where things are.
//
//   model ──plan──▶ needs: bytes, alignment
//                     │
//   your bytes ──lend─┴─▶ session: every intermediate value and workspace lies in them
#include <cstdio>
#include <memory>
#include <new>
#include <span>

#include <treadle/text/memory_map.hpp>
#include <treadle/treadle.hpp>

int main() {
  auto model = treadle::Model<>::load(TREADLE_EXAMPLES_DIR "/digits/digits.pt2");
  if (!model) return std::fprintf(stderr, "%s\n", model.error().message().c_str()), 1;
  auto image = treadle::cpu::Tensor::zeros(treadle::DType::float32, {1, 1, 8, 8});
  const treadle::Value<treadle::cpu::Backend> inputs[] = {*image};

  const auto needs = model->executor().arena_needs(inputs);
  if (!needs) return std::fprintf(stderr, "%s\n", needs.error().message().c_str()), 1;
  // Here from the heap; it could be a static array, shared memory or a fast scratchpad.
  const auto free_bytes = [&](std::byte* p) {
    ::operator delete(p, std::align_val_t{needs->alignment});
  };
  const std::unique_ptr<std::byte, decltype(free_bytes)> arena(
      static_cast<std::byte*>(::operator new(needs->bytes, std::align_val_t{needs->alignment})),
      free_bytes);

  auto session = model->session(inputs, {.arena = std::span(arena.get(), needs->bytes)});
  if (!session) return std::fprintf(stderr, "%s\n", session.error().message().c_str()), 1;
  if (auto status = session->run(); !status)
    return std::fprintf(stderr, "%s\n", status.error().message().c_str()), 1;
  std::printf("%s", treadle::memory_text(treadle::memory_map(session->plan())).c_str());
  return 0;
}
