// The command line: what a subcommand takes, and what it was given.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <treadle/core/result.hpp>

namespace tool {

/// What an option's value must look like.
enum class OptionKind : unsigned char {
  flag,    ///< no value
  text,    ///< anything
  count,   ///< a whole number from 1 on
  real,    ///< a number from 0 on
  choice,  ///< one of the words of `value`, which `|` separates
};

struct Option {
  std::string_view name;  ///< with its dashes
  OptionKind kind = OptionKind::flag;
  std::string_view value;  ///< how the help calls the value
  std::string_view help;
};

// Options that several subcommands take.
inline constexpr Option inputs_option = {"--inputs", OptionKind::text, "IN.npz",
                                         "arrays in0, in1, … instead of the file's samples"};
inline constexpr Option scheduler_option = {"--scheduler", OptionKind::choice, "serial|inline|pool",
                                            "what runs the nodes (serial)"};
inline constexpr Option threads_option = {"--threads", OptionKind::count, "N",
                                          "threads of the pool (all)"};
inline constexpr Option rtol_option = {"--rtol", OptionKind::real, "R",
                                       "relative tolerance of floats, instead of the dtype's"};
inline constexpr Option atol_option = {"--atol", OptionKind::real, "A",
                                       "absolute tolerance of floats, instead of the dtype's"};
inline constexpr Option device_map_option = {"--device-map", OptionKind::text, "MAP",
                                             "where its devices are: cuda:0=cpu,*=cpu"};
inline constexpr Option model_option = {"--model", OptionKind::text, "NAME",
                                        "which model of a file that holds several"};

class Arguments;

/// A subcommand. All members are constant text or constant tables.
struct Command {
  std::string_view name;
  std::span<const std::string_view> operands;  ///< names of the operands, all required
  std::string_view summary;
  std::span<const Option> options;
  std::string_view examples;
  int (*run)(const Arguments&) = nullptr;
};

/// A parsed command line: operands are there, options are known and well-formed.
class Arguments {
 public:
  /// Errors are sentences for the user.
  static treadle::Result<Arguments> parse(const Command& command,
                                          std::span<const std::string_view> words);

  [[nodiscard]] const std::string& operand(std::size_t i) const { return operands_[i]; }
  [[nodiscard]] bool has(std::string_view option) const { return options_.contains(option); }
  /// The option's value, or nothing if it was not given.
  [[nodiscard]] std::optional<std::string> text(std::string_view option) const;
  [[nodiscard]] std::size_t count(std::string_view option, std::size_t otherwise) const;
  [[nodiscard]] std::optional<double> real(std::string_view option) const;

 private:
  std::vector<std::string> operands_;
  std::map<std::string, std::string, std::less<>> options_;
};

/// The text of `treadle COMMAND --help`.
[[nodiscard]] std::string help(const Command& command);
/// `treadle run MODEL [options]`.
[[nodiscard]] std::string usage(const Command& command);

}  // namespace tool
