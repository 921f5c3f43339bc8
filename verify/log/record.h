// The content of a proof log as text, made from a derivation: lines, objects and the statement.
// The writer makes it from the derivation that ran; the audit makes it again from what it has
// re-derived itself, and compares.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ir/context.h"
#include "rewrite/kernel/rule.h"
#include "rewrite/kernel/step.h"
#include "verify/files/object_pack.h"
#include "verify/log/duties.h"
#include "verify/log/edits.h"

namespace proviso::verify {

// Hex of an obligation's id -> a certificate that the checker accepts for it.
using Certificates = std::map<std::string, std::string>;

// Everything of the statement that does not follow from the derivation.
struct RunClaims {
    std::string policy = "E2";                     // least grade of evidence wanted
    std::string schedule;                          // its text; empty: none
    std::map<std::string, std::string> artefacts;  // further outputs: name -> SHA-256 in hex
    std::map<std::string, std::string> versions;   // "z3" -> "4.8.12"
    Certificates certificates = {};                // those of no obligation are left out
};

// Names, versions and summaries of all statement rules, one a line; its digest is the rule table's.
// (A rule on expressions decides nothing of a step: `replace` owes the equation itself.)
std::string rule_table();
std::string rule_digest(const rewrite::Rule& rule);  // of its line

// One line of steps.jsonl, without the line feed. `before` and `after`: content hashes of the
// step's programs; `changed`: what makes the text of the one that of the other.
std::string step_line(std::size_t seq, const std::string& prev, const rewrite::Step& step,
                      const std::string& before, const std::string& after,
                      const std::vector<LineEdit>& changed);

// What an obligation is for: "purpose" and "kind", and "site" and "buffer" where it is about one.
nlohmann::json purpose_json(const analysis::Purpose& purpose);
// A step's arguments, which are JSON by contract; text that is none is kept as a string.
nlohmann::json logged_arguments(const std::string& text);
// The edits that such a line holds; none where they are malformed.
std::optional<std::vector<LineEdit>> logged_edits(const nlohmann::json& line);

// Gives the digest.
std::string keep(Objects& objects, std::string bytes);

struct Record {
    std::vector<std::string> steps;
    std::vector<std::string> refusals;
    Objects objects;
    nlohmann::json statement() const;  // what run.json says

    // Ids of obligations -> digests of their certificates, which are among the objects.
    std::map<std::string, std::string> certificates;

    // Of the statement.
    ir::Function source;
    ir::Function final;
    Duties duties;
    RunClaims claims;
};

// `lines`: those of the steps. Without refusals, which are no part of what is derived.
Record make_record(ir::Context& ctx, const ir::Function& source,
                   const std::vector<rewrite::Step>& steps, const std::vector<std::string>& lines,
                   const RunClaims& claims);

}  // namespace proviso::verify
