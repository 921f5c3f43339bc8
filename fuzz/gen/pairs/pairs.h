// Pairs of a program and a schedule in which a primitive's obligations decide: small programs with
// a dependence, a guard, a padding or an overwritten store that is sometimes in the way of the call
// and sometimes just not. Programs that are made up at random seldom have one where their schedule
// meets it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fuzz/gen/program.h"

namespace proviso::fuzz {

struct GeneratedPair {
    GeneratedProgram program;
    std::string schedule;
};
// Of the families of this name; empty: of all.
GeneratedPair generate_pair(ir::Context& ctx, Choice& choice, const std::string& family = "");

// The same as text, before it is read. Cells of integer parameters are in [-100, 100], but for
// those with a range of their own.
struct PairText {
    std::string program;
    std::string schedule;
    std::vector<std::string> features = {};  // "assert", ..
    std::map<std::string, CellRange> ranges = {};
};
struct PairFamily {
    const char* name;  // what its programs have in common
    PairText (*make)(Choice& choice);
};
// The families, by what they are about.
const std::vector<PairFamily>& loop_pairs();
const std::vector<PairFamily>& store_pairs();
const std::vector<PairFamily>& layout_pairs();
const std::vector<PairFamily>& padding_pairs();
const std::vector<PairFamily>& copy_pairs();
const std::vector<PairFamily>& placement_pairs();
const std::vector<PairFamily>& corner_pairs();  // statements and values that few programs have

// One of the loop pairs, in a file of its own.
PairText tuple_in_parts(Choice& choice);

// What the families write their programs with.
struct PairType {
    std::string name;  // "int32"
    bool is_float = false;
    std::string zero() const;
    std::string buffer(const std::string& name, const std::string& shape) const;
    // Something of two values that depends on both, and on their order.
    std::string both(Choice& choice, const std::string& a, const std::string& b) const;
};
PairType pair_type(Choice& choice);

}  // namespace proviso::fuzz
