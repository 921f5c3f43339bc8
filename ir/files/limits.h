// What the readers of files take at most, so that no file makes a command hang or use up the
// machine. docs/limits.md has the same table, and a test compares the two. How deep text may nest
// is said where text is read: ir/text/reader/python/python.h, ir/depth.h. The certificate checker,
// which shares nothing with the rest, has its own: analysis/certcheck/budget.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace proviso::ir::limits {

inline constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

// Bytes of a file.
inline constexpr std::uint64_t kProgramBytes = 16 * kMiB;  // a program or a schedule
inline constexpr std::uint64_t kBatchBytes = 1024 * kMiB;  // lines of JSON, also from a pipe
inline constexpr std::uint64_t kTensorBytes = 1024 * kMiB;
inline constexpr std::uint64_t kLogBytes = 1024 * kMiB;    // all files of a proof log together
inline constexpr std::uint64_t kOutputBytes = 256 * kMiB;  // a file that the log of a run names
inline constexpr std::uint64_t kKeyBytes = std::uint64_t{64} << 10;  // a key in PEM
inline constexpr std::uint64_t kCacheBytes = 16 * kMiB;              // an answer that a cache keeps
inline constexpr std::uint64_t kCaseBytes = 16 * kMiB;  // a file of a failure that fuzz saved

// Counts.
inline constexpr std::size_t kLogLines = 1'000'000;    // of steps.jsonl, of refusals.jsonl
inline constexpr std::size_t kLogObjects = 1'000'000;  // of objects.pack
inline constexpr std::size_t kLogArchiveFiles = 64;    // of a log that is one file
inline constexpr std::size_t kLogSignatures = 100;     // of a log
inline constexpr int kLogArchiveWindow = 27;           // of Zstandard: 2^27 bytes to look back
inline constexpr std::size_t kLogProblems = 1'000;     // told of one log
inline constexpr std::size_t kJsonValues = 4'000'000;  // of one JSON text
inline constexpr int kJsonDepth = 200;                 // brackets inside each other
inline constexpr std::size_t kLayouts = 64;  // that a schedule gives one buffer, one after another
inline constexpr std::size_t kTraceInstructions = 100'000;  // of a schedule that is a trace
inline constexpr std::size_t kImports = 50;                 // files that a schedule imports
inline constexpr std::size_t kImportDepth = 10;             // of them, one importing another
inline constexpr std::size_t kTokens = 4'000'000;           // words, numbers, signs of such a text
inline constexpr std::size_t kPythonValues = 1'000'000;     // that a program's Python makes
inline constexpr std::size_t kTensorRank = 64;              // as NumPy has it
inline constexpr std::uint64_t kTensorHeaderBytes = std::uint64_t{64} << 10;
inline constexpr std::uint64_t kTensorCells = std::uint64_t{1} << 28;

}  // namespace proviso::ir::limits
