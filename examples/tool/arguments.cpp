// Parses the command line and writes the help.
#include "arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/core.h>

namespace tool {
namespace {

using treadle::Error;
using treadle::ErrorCode;
using treadle::Result;
using treadle::Status;

Error wrong(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_choice(std::string_view choices, std::string_view word) {
  while (true) {
    const auto bar = choices.find('|');
    if (choices.substr(0, bar) == word) return true;
    if (bar == std::string_view::npos) return false;
    choices.remove_prefix(bar + 1);
  }
}

Status check(const Option& option, std::string_view value) {
  const auto expected = [&](std::string_view what) {
    return wrong(fmt::format("{} takes {}, found '{}'", option.name, what, value));
  };
  if (option.kind == OptionKind::count) {
    const auto found = number<std::size_t>(value);
    if (!found || *found == 0 || *found > 1'000'000'000) return expected("a whole number from 1");
  }
  if (option.kind == OptionKind::real) {
    const auto found = number<double>(value);
    if (!found || !std::isfinite(*found) || *found < 0) return expected("a number from 0");
  }
  if (option.kind == OptionKind::choice && !is_choice(option.value, value))
    return expected(fmt::format("one of {}", option.value));
  return {};
}

/// Edits that turn one word into the other (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

Error unknown(const Command& command, std::string_view name) {
  const Option* nearest = nullptr;
  std::size_t best = 4;
  for (const auto& option : command.options)
    if (const auto d = distance(option.name, name); d < best) {
      best = d;
      nearest = &option;
    }
  return wrong(fmt::format("'treadle {}' has no option {}{}", command.name, name,
                           nearest ? fmt::format("; did you mean {}?", nearest->name) : ""));
}

}  // namespace

Result<Arguments> Arguments::parse(const Command& command,
                                   std::span<const std::string_view> words) {
  Arguments parsed;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string_view word = words[i];
    if (word.size() < 2 || word[0] != '-') {
      if (parsed.operands_.size() == command.operands.size())
        return wrong(
            fmt::format("'treadle {}' does not take the operand '{}'", command.name, word));
      parsed.operands_.emplace_back(word);
      continue;
    }
    const auto equals = word.find('=');
    const auto name = word.substr(0, equals);
    const auto option = std::ranges::find(command.options, name, &Option::name);
    if (option == command.options.end()) return unknown(command, name);
    if (parsed.has(name)) return wrong(fmt::format("{} is given twice", name));
    std::string_view value;
    if (equals != std::string_view::npos) {
      if (option->kind == OptionKind::flag) return wrong(fmt::format("{} takes no value", name));
      value = word.substr(equals + 1);
    } else if (option->kind != OptionKind::flag) {
      if (++i == words.size())
        return wrong(fmt::format("{} needs a value {}", name, option->value));
      value = words[i];
    }
    TREADLE_CHECK(check(*option, value));
    parsed.options_.emplace(name, value);
  }
  if (parsed.operands_.size() < command.operands.size())
    return wrong(fmt::format("'treadle {}' needs {}", command.name,
                             command.operands[parsed.operands_.size()]));
  return parsed;
}

std::optional<std::string> Arguments::text(std::string_view option) const {
  const auto found = options_.find(option);
  if (found == options_.end()) return std::nullopt;
  return found->second;
}

std::size_t Arguments::count(std::string_view option, std::size_t otherwise) const {
  const auto found = text(option);
  return found ? number<std::size_t>(*found).value_or(otherwise) : otherwise;
}

std::optional<double> Arguments::real(std::string_view option) const {
  const auto found = text(option);
  return found ? number<double>(*found) : std::nullopt;
}

std::string usage(const Command& command) {
  std::string text = fmt::format("treadle {}", command.name);
  for (const auto operand : command.operands) text += fmt::format(" {}", operand);
  if (!command.options.empty()) text += " [options]";
  return text;
}

std::string help(const Command& command) {
  std::string text = fmt::format("{}\n\nusage: {}\n", command.summary, usage(command));
  if (!command.options.empty()) text += "\noptions:\n";
  for (const auto& option : command.options)
    text +=
        fmt::format("  {:<36}{}\n", fmt::format("{} {}", option.name, option.value), option.help);
  return text + fmt::format("\nexamples:\n{}", command.examples);
}

}  // namespace tool
