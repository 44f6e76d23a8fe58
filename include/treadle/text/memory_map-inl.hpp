// Definitions of the memory map's printers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include <treadle/text/memory_map.hpp>
#include <treadle/text/table.hpp>
#include <treadle/text/units.hpp>

namespace treadle::inline v0 {
namespace detail {

inline bool alive(const MemoryBlock& block, std::uint32_t step) noexcept {
  return block.first_step <= step && step <= block.last_step;
}

TREADLE_INLINE void finish_memory_map(MemoryMap& map) {
  std::sort(map.blocks.begin(), map.blocks.end(), [](const MemoryBlock& a, const MemoryBlock& b) {
    return std::tie(a.first_step, a.offset, a.name) < std::tie(b.first_step, b.offset, b.name);
  });
  for (auto& block : map.blocks)
    if (block.kind == MemoryBlock::Kind::value && block.bytes > 0 &&
        std::ranges::any_of(map.blocks, [&](const MemoryBlock& host) {
          return host.kind != MemoryBlock::Kind::workspace && host.bytes > 0 &&
                 host.offset == block.offset && host.last_step == block.first_step &&
                 host.first_step < block.first_step;
        }))
      block.kind = MemoryBlock::Kind::in_place;
}

inline std::string step_text(const MemoryMap& map, std::uint32_t step) {
  return step < map.steps.size() ? fmt::format("step {} ({})", step, map.steps[step])
                                 : fmt::format("step {}", step);
}

inline std::string_view kind_text(MemoryBlock::Kind kind) {
  switch (kind) {
    case MemoryBlock::Kind::value: return "";
    case MemoryBlock::Kind::in_place: return "in place";
    case MemoryBlock::Kind::workspace: return "workspace";
  }
  return "";
}

/// `&`, `<`, `>` and quotes as XML wants them; control characters are dropped.
inline std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      out += c;
  }
  return out;
}

/// The distance of at most `marks` marks on an axis of steps: 1, 2 or 5 times a power of ten.
inline std::size_t step_distance(std::size_t steps, std::size_t marks) {
  for (std::size_t power = 1;; power *= 10)
    for (const std::size_t factor : {1u, 2u, 5u})
      if (steps / (factor * power) <= marks) return factor * power;
}

/// The same on an axis of bytes: a power of two.
inline std::size_t byte_distance(std::size_t bytes, std::size_t marks) {
  std::size_t distance = 1;
  while (bytes / distance > marks) distance *= 2;
  return distance;
}

/// `0.25 MiB`, exactly, in the unit that suits an axis up to `top`.
inline std::string axis_bytes(std::size_t at, std::size_t top) {
  constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0, scale = 1;
  for (; unit + 1 < units.size() && top / scale >= 1024; ++unit) scale *= 1024;
  return fmt::format("{:g} {}", static_cast<double>(at) / static_cast<double>(scale), units[unit]);
}

/// Draws one map.
class MemoryDrawing {
 public:
  MemoryDrawing(const MemoryMap& map, std::string_view title) : map_(map), title_(title) {
    steps_ = std::max<std::size_t>(map.steps.size(), 1);
    for (const auto& block : map.blocks)
      steps_ = std::max<std::size_t>(steps_, std::size_t{block.last_step} + 1);
    top_ = std::max<std::size_t>(map.peak, 1);
  }

  std::string print() && {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
        "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#222222\">\n",
        left + width + right, above + height + below);
    add("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
    add(fmt::format("<title>{}</title>", xml_text(title_)));
    text(left, 24, "start", title_, " font-size=\"16\" font-weight=\"bold\"");
    text(left, 44, "start", summary(), " fill=\"#555555\"");
    add_legend();
    add_time_axis();
    add_bytes_axis();
    for (const auto& block : map_.blocks)
      if (block.bytes > 0) add_block(block);
    add_bound();
    return std::move(out_) + "</svg>\n";
  }

 private:
  static constexpr double left = 90, right = 30, above = 84, below = 52, width = 1080, height = 560;

  struct Look {
    std::string_view fill, stroke, label;
  };
  static constexpr std::array<Look, 3> looks = {
      {{"#8fb8de", "#2f5f8f", "value"},
       {"#a8d5a2", "#3f7f3a", "value in place of its argument"},
       {"#f2c38f", "#a8681c", "workspace of a kernel"}}};
  static const Look& look(MemoryBlock::Kind kind) { return looks[static_cast<std::size_t>(kind)]; }

  [[nodiscard]] double x(double step) const {
    return left + width * step / static_cast<double>(steps_);
  }
  [[nodiscard]] double y(std::size_t offset) const {
    return above + height - height * static_cast<double>(offset) / static_cast<double>(top_);
  }

  void add(std::string_view line) { (out_ += line) += '\n'; }
  void text(double at_x, double at_y, std::string_view anchor, std::string_view content,
            std::string_view more = {}) {
    add(fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>", at_x, at_y,
                    anchor, more, xml_text(content)));
  }
  void line(double x1, double y1, double x2, double y2, std::string_view stroke) {
    add(fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>", x1, y1,
                    x2, y2, stroke));
  }

  [[nodiscard]] std::string summary() const {
    return fmt::format("peak {}, lower bound {}, {} blocks, {} steps", bytes_text(map_.peak),
                       bytes_text(map_.lower_bound), map_.blocks.size(), map_.steps.size());
  }

  void add_legend() {
    double at = left;
    for (const auto& [fill, stroke, label] : looks) {
      add(
          fmt::format("<rect x=\"{:.1f}\" y=\"55\" width=\"14\" height=\"14\" fill=\"{}\" "
                      "stroke=\"{}\"/>",
                      at, fill, stroke));
      text(at + 20, 67, "start", label);
      at += 50 + 6.6 * static_cast<double>(label.size());
    }
  }

  void add_time_axis() {
    const std::size_t distance = step_distance(steps_, 16);
    for (std::size_t step = 0; step < steps_; step += distance) {
      const double at = x(static_cast<double>(step));
      line(at, above + height, at, above + height + 5, "stroke=\"#222222\"");
      text(at, above + height + 19, "middle", fmt::format("{}", step));
    }
    text(left + width / 2, above + height + 42, "middle", "step, in program order");
    line(left, above + height, left + width, above + height, "stroke=\"#222222\"");
  }

  void add_bytes_axis() {
    const std::size_t distance = byte_distance(top_, 12);
    for (std::size_t at = 0; at <= top_; at += distance) {
      if (at > 0) line(left, y(at), left + width, y(at), "stroke=\"#e2e2e2\"");
      text(left - 8, y(at) + 4, "end", axis_bytes(at, top_));
    }
    add(
        fmt::format("<text transform=\"translate(18 {:.1f}) rotate(-90)\" "
                    "text-anchor=\"middle\">offset in the arena</text>",
                    above + height / 2));
    line(left, above, left, above + height, "stroke=\"#222222\"");
  }

  void add_block(const MemoryBlock& block) {
    // What takes an argument's memory begins in the middle of the step, where the argument ends.
    const double begin =
        x(block.first_step + (block.kind == MemoryBlock::Kind::in_place ? 0.5 : 0));
    const double end = x(double(block.last_step) + 1);
    const double high = y(block.offset + block.bytes), tall = y(block.offset) - high;
    const Look& how = look(block.kind);
    add(
        fmt::format("<g><title>{}</title><rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" "
                    "height=\"{:.2f}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"0.7\"/>",
                    xml_text(tip(block)), begin, high, end - begin, tall, how.fill, how.stroke));
    if (tall >= 14 && end - begin >= 7.0 * static_cast<double>(block.name.size()) + 6)
      text((begin + end) / 2, high + tall / 2 + 4, "middle", block.name, " font-size=\"11\"");
    add("</g>");
  }

  [[nodiscard]] std::string tip(const MemoryBlock& block) const {
    std::string made = fmt::format("{}: {} at {}, {}", block.name, bytes_text(block.bytes),
                                   block.offset, step_text(map_, block.first_step));
    if (block.last_step != block.first_step) made += " to " + step_text(map_, block.last_step);
    return made;
  }

  void add_bound() {
    if (map_.lower_bound == 0 || map_.lower_bound > top_) return;
    const double at = y(map_.lower_bound);
    line(left, at, left + width, at, "stroke=\"#c0392b\" stroke-dasharray=\"6 4\"");
    text(left + width, at - 5, "end", "lower bound " + bytes_text(map_.lower_bound),
         " fill=\"#c0392b\"");
  }

  const MemoryMap& map_;
  std::string_view title_;
  std::size_t steps_ = 1;
  std::size_t top_ = 1;
  std::string out_;
};

}  // namespace detail

TREADLE_INLINE std::size_t MemoryMap::in_use(std::uint32_t step) const {
  std::vector<std::pair<std::size_t, std::size_t>> used;
  for (const auto& block : blocks)
    if (detail::alive(block, step)) used.emplace_back(block.offset, block.offset + block.bytes);
  std::sort(used.begin(), used.end());
  std::size_t bytes = 0, top = 0;
  for (const auto& [begin, end] : used) {
    if (end <= top) continue;
    bytes += end - std::max(begin, top);
    top = end;
  }
  return bytes;
}

TREADLE_INLINE std::uint32_t MemoryMap::busiest_step() const {
  std::uint32_t busiest = 0;
  std::size_t most = 0;
  // Use rises only where a block begins.
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i > 0 && blocks[i - 1].first_step == blocks[i].first_step) continue;
    if (const std::size_t bytes = in_use(blocks[i].first_step); bytes > most) {
      most = bytes;
      busiest = blocks[i].first_step;
    }
  }
  return busiest;
}

TREADLE_INLINE std::string memory_text(const MemoryMap& map) {
  Table table({{"value"},
               {"bytes", Align::right},
               {"offset", Align::right},
               {"first", Align::right},
               {"last", Align::right},
               {"kind"}});
  for (const auto& block : map.blocks)
    table.add({block.name, fmt::format("{}", block.bytes), fmt::format("{}", block.offset),
               fmt::format("{}", block.first_step), fmt::format("{}", block.last_step),
               std::string(detail::kind_text(block.kind))});
  std::string out = table.text();
  const std::size_t gap = map.peak - std::min(map.peak, map.lower_bound);
  out += fmt::format("\npeak {} bytes, lower bound {} bytes, gap {} bytes ({:.2f} %)\n", map.peak,
                     map.lower_bound, gap,
                     map.lower_bound == 0
                         ? 0.0
                         : 100.0 * static_cast<double>(gap) / static_cast<double>(map.lower_bound));
  if (map.blocks.empty()) return out;
  const std::uint32_t busiest = map.busiest_step();
  out += fmt::format("most is in use in {}, {} bytes:\n", detail::step_text(map, busiest),
                     map.in_use(busiest));
  for (const auto& block : map.blocks)
    if (detail::alive(block, busiest))
      out += fmt::format("  {} ({} bytes)\n", block.name, block.bytes);
  if (gap == 0) return out;
  out += "the arena ends with:\n";
  for (const auto& block : map.blocks)
    if (block.offset + block.bytes == map.peak)
      out += fmt::format("  {} ({} bytes at {})\n", block.name, block.bytes, block.offset);
  return out;
}

TREADLE_INLINE std::string memory_svg(const MemoryMap& map, std::string_view title) {
  return detail::MemoryDrawing(map, title).print();
}

}  // namespace treadle::inline v0
