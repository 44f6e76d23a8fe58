// Declares the public names; costs next to nothing to include.
#pragma once

#include <cstdint>

namespace treadle::inline v0 {

enum class DType : std::uint8_t;
enum class DeviceType : std::uint8_t;
enum class Layout : std::uint8_t;
enum class MemoryFormat : std::uint8_t;
enum class ErrorCode : int;
enum class ArchiveLayout : std::uint8_t;
enum class InputKind : std::uint8_t;
enum class OutputKind : std::uint8_t;

class Error;
template <class T>
class Result;
class Scalar;
struct Device;
struct TensorMeta;
struct TreeSpec;

class Bindings;
class SymInt;
struct ExprNode;
struct Interval;
struct Number;

class Bytes;
class MappedFile;
class ZipReader;
class ZipWriter;
struct LoadLimits;
struct NpyArray;
class PickleValue;

class Argument;
class GraphBody;
struct GraphModule;
struct GraphValue;
struct Node;
struct Signature;
struct TensorType;

class InferContext;
class OpSet;
struct OpDef;
struct Schema;

struct BoundProgram;
struct Specialization;

class ParallelFor;
class RandomState;
struct Task;
struct Serial;
class Inline;
class ThreadPool;
struct ThreadPoolOptions;
struct RunOptions;
struct TaskOptions;
struct NoTracer;
class NodeTimes;
class Recorder;
struct NodeRun;

class Placement;
struct ArenaNeeds;
struct ArenaRegion;
struct ArenaPlan;
struct BumpPlanner;
struct GreedyPlanner;
struct MemoryBlock;
struct MemoryMap;
class MemoryProblem;
struct MemoryRegion;
struct MemoryRequest;
struct RegionPlan;
struct RepackingPlanner;
struct SearchPlanner;
struct SessionOptions;

struct ExportedArchive;
struct WeightRecord;
struct ExecutorOptions;

namespace cpu {
class Backend;
class Storage;
class Tensor;
}  // namespace cpu

}  // namespace treadle::inline v0
