// The arena as text and as a drawing.
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <treadle/text/memory_map.hpp>

using treadle::MemoryBlock;
using treadle::MemoryMap;

namespace {

/// `b` takes the memory of `a`; `c & d` stands above both.
MemoryMap small_map() {
  MemoryMap map;
  map.blocks = {{"c & d", 64, 128, 1, 3, MemoryBlock::Kind::value},
                {"a", 128, 0, 0, 2, MemoryBlock::Kind::value},
                {"b", 128, 0, 2, 3, MemoryBlock::Kind::value},
                {"workspace of n", 256, 256, 1, 1, MemoryBlock::Kind::workspace}};
  map.steps = {"a = aten::mul.Tensor", "n = aten::mm", "b = aten::relu", "e = aten::add.Tensor"};
  map.peak = 512;
  map.lower_bound = 448;
  treadle::detail::finish_memory_map(map);
  return map;
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("memory that two values share counts once") {
  const auto map = small_map();
  CHECK(map.in_use(0) == 128);
  CHECK(map.in_use(1) == 448);
  CHECK(map.in_use(2) == 192);
  CHECK(map.busiest_step() == 1);
}

TEST_CASE("the memory table names every block, the gap and what fills the busiest step") {
  CHECK(treadle::memory_text(small_map()) ==
        "value           bytes  offset  first  last  kind\n"
        "a                 128       0      0     2\n"
        "c & d              64     128      1     3\n"
        "workspace of n    256     256      1     1  workspace\n"
        "b                 128       0      2     3  in place\n"
        "\n"
        "peak 512 bytes, lower bound 448 bytes, gap 64 bytes (14.29 %)\n"
        "most is in use in step 1 (n = aten::mm), 448 bytes:\n"
        "  a (128 bytes)\n"
        "  c & d (64 bytes)\n"
        "  workspace of n (256 bytes)\n"
        "the arena ends with:\n"
        "  workspace of n (256 bytes at 256)\n");
}

TEST_CASE("the drawing has a rectangle with a tip for each block") {
  const std::string svg = treadle::memory_svg(small_map(), "Memory of <m>");
  CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(count(svg, "<title>") == 1 + 4);
  CHECK(count(svg, "<g>") == count(svg, "</g>"));
  for (const std::string_view part :
       {"<title>Memory of &lt;m&gt;</title>", "peak 512 B, lower bound 448 B, 4 blocks, 4 steps",
        "<title>c &amp; d: 64 B at 128, step 1 (n = aten::mm) to step 3 (e = aten::add.Tensor)",
        "step, in program order", "offset in the arena", "lower bound 448 B", ">256 B<"})
    CHECK_MESSAGE(count(svg, part) >= 1, part);
}

TEST_CASE("an empty arena has a table and a drawing") {
  const MemoryMap map;
  CHECK(treadle::memory_text(map) ==
        "value  bytes  offset  first  last  kind\n"
        "\n"
        "peak 0 bytes, lower bound 0 bytes, gap 0 bytes (0.00 %)\n");
  CHECK(count(treadle::memory_svg(map, "nothing"), "<g>") == 0);
}
