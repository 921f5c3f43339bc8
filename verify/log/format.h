// How a proof log is written down, shared by the writer and the audit: file names, canonical JSON,
// hash chains and the Merkle root.
//
//   run.json        the statement (in-toto Statement v1); one line
//   run.sha256      SHA-256 of run.json, in hex, LF
//   steps.jsonl     one step a line; `prev` of a line is the hash of the line before it
//   refusals.jsonl  one refusal a line, chained in the same way
//   objects.pack    content-addressed store (objects.h): the source and the final program,
//                   obligations, certificates, rule table, schedule
//   run.dsse.json   optional: signatures of run.json (sign/envelope.h)
//   timing.jsonl    optional; nothing hashed, nothing believed
//
// They lie in a folder, or in one archive (files/log_files.h).
//
// Canonical JSON: one line, keys sorted, no spaces, no floats, ASCII. A line's hash is over its
// bytes without the line feed. Of the programs in between a step holds what it changes (edits.h).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace proviso::verify {

inline constexpr const char* kRunFile = "run.json";
inline constexpr const char* kRunDigestFile = "run.sha256";
inline constexpr const char* kStepsFile = "steps.jsonl";
inline constexpr const char* kRefusalsFile = "refusals.jsonl";
inline constexpr const char* kTimingFile = "timing.jsonl";
inline constexpr const char* kObjectsFile = "objects.pack";
inline constexpr const char* kEnvelopeFile = "run.dsse.json";
// All of these.
const std::vector<std::string>& log_file_names();

inline constexpr const char* kStatementType = "https://in-toto.io/Statement/v1";
inline constexpr const char* kPredicateType = "urn:proviso:derivation:v1";
inline constexpr int kSemanticsVersion = 2;
inline constexpr int kLogVersion = 6;  // 5: a file for each object; 4: no kinds of obligations; 3:
                                       // no versions of rules; 2: every program in full

std::string versions();  // "semantics 2, proof log 6"

// "E1", "E2", "E3", and each with "+v": every step has been validated as well.
const std::vector<std::string>& policies();
// Grades of evidence: 1 for "E1" (one solver), 2 for "E2" (two solvers), 3 for "E3" (a
// certificate), "+v" or not; 0 for anything else.
int policy_grade(const std::string& policy);
bool policy_validates(const std::string& policy);

std::string canonical(const nlohmann::json& value);
// True when a float occurs anywhere.
bool has_float(const nlohmann::json& value);

std::string digest(std::string_view bytes);         // "sha256:" + hex
std::string digest_hex(const std::string& digest);  // without the prefix
bool is_hex_digest(const std::string& text);        // 64 digits

// What the first line's `prev` is.
std::string chain_start();
// Merkle root over lines: leaf SHA-256(0x00 line), inner SHA-256(0x01 left right), a node without a
// sibling moves up as it is (the tree of RFC 6962); of no lines SHA-256 of nothing.
std::string merkle_root(const std::vector<std::string>& lines);

// {"count", "last", "root", "lines": [hash of each]}
nlohmann::json chain_summary(const std::vector<std::string>& lines);

}  // namespace proviso::verify
