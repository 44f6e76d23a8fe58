// Bounds on what a file may make the library allocate or walk.
#pragma once

#include <cstddef>
#include <cstdint>

namespace treadle::inline v0 {

/// Bounds that every reader checks before it asks for memory or goes deeper. The defaults admit any
/// model in common use; lower them for files from strangers. Hitting one is
/// `ErrorCode::limit_exceeded`, with the bound's name in the message.
struct LoadLimits {
  /// Bytes of the file itself.
  std::uint64_t max_file_bytes = std::uint64_t{1} << 40;
  /// Sum of the inflated sizes of all deflated records of one archive.
  std::uint64_t max_inflated_bytes = std::uint64_t{8} << 30;
  /// Inflated bytes for each deflated byte, checked for records above `free_inflated_bytes`.
  std::uint64_t max_deflate_ratio = 250;
  /// Records that inflate to at most this many bytes may have any ratio.
  std::uint64_t free_inflated_bytes = std::uint64_t{16} << 20;
  /// Records of one archive.
  std::uint64_t max_records = std::uint64_t{1} << 20;
  /// Nesting of containers in a pickle, of JSON, or of subgraphs.
  std::uint32_t max_depth = 256;
  /// Values of one pickle, shared ones counted once a use.
  std::uint64_t max_pickle_values = std::uint64_t{1} << 20;
  /// Bytes of one JSON document.
  std::uint64_t max_json_bytes = std::uint64_t{1} << 30;
  /// Nodes of one program, subgraphs included.
  std::uint64_t max_graph_nodes = std::uint64_t{1} << 22;
  /// Dimensions of one tensor.
  std::uint32_t max_rank = 64;
  /// Elements of one tensor.
  std::int64_t max_tensor_elements = std::int64_t{1} << 40;
  /// Whether the checksums of weights are verified too (about 0.1 ms a megabyte, and every page is
  /// touched at load time). All other records always are.
  bool verify_weights_crc = true;
};

}  // namespace treadle::inline v0
