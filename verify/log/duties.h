// What a theorem asks of whoever calls the function: the same list for the proof log, the audit's
// theorem, the C header and `lower --json`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ir/context.h"
#include "ir/function.h"
#include "rewrite/kernel/step.h"

namespace proviso::verify {

// An assumption of the source program, as the theorem numbers it.
struct Axiom {
    std::string id;  // "A1"
    std::string site;
    std::string text;
    // For which runs of the statement: "for each q in range(m)", "where n > 3"; or empty.
    std::vector<std::string> when = {};

    // "for each q in range(m): T.assume(...) at body/2"
    std::string str() const;
};

// A block of the final program in whose place code calls a C function (ir/external.h). That the
// function does what the block says is an axiom of whoever runs the code.
struct ExternalAxiom {
    std::string id;  // "X1"
    std::string symbol;
    std::string block;
    std::string site;

    // "external `dot4` does what block "dot4" says, at body/0"
    std::string str() const;
};

struct Duties {
    std::vector<Axiom> axioms;
    std::vector<ExternalAxiom> external;
    std::vector<std::string> constraints;       // on shapes and sizes
    std::vector<std::string> relations;         // layouts of the final program's parameters
    std::vector<std::string> licences_granted;  // as the function names them
    std::vector<std::string> licences_used;     // in order of first use

    // axioms, external where there is one, constraints, relations, licences.granted, licences.used
    nlohmann::json json() const;
};

// `steps`: those that made `final` of `source`.
Duties duties_of(ir::Context& ctx, const ir::Function& source, const ir::Function& final,
                 const std::vector<rewrite::Step>& steps);

}  // namespace proviso::verify
