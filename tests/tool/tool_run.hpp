// Runs the tool as a user would and keeps what it said.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#if !defined(_WIN32)
#include <sys/wait.h>
#endif

namespace tool_test {

/// What one run of the tool gave.
struct ToolRun {
  int status = -1;
  std::string out;
  std::string error;
};

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

/// A folder for one test, empty at first and removed at last.
class Scratch {
 public:
  explicit Scratch(std::string_view name)
      : path_(std::filesystem::temp_directory_path() / ("treadle_tool_" + std::string(name))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string file(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline std::string golden(std::string_view name) {
  return std::string(TREADLE_GOLDEN_DIR) + "/" + std::string(name);
}

/// `words` go through the shell.
inline ToolRun run_tool(const std::string& words) {
  const Scratch scratch("streams");
  const std::string out = scratch.file("out");
  const std::string error = scratch.file("error");
  const std::string command =
      "\"" TREADLE_TOOL_PATH "\" " + words + " >\"" + out + "\" 2>\"" + error + "\"";
  ToolRun run;
  const int raw = std::system(command.c_str());
#if defined(_WIN32)
  run.status = raw;
#else
  run.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
#endif
  run.out = read_file(out);
  run.error = read_file(error);
  return run;
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace tool_test
