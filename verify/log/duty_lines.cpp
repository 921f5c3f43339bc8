#include "verify/log/duty_lines.h"

#include <algorithm>

namespace proviso::verify {

namespace {

// What it means to grant one (docs/semantics.md, "Licences").
std::string meaning(const std::string& licence) {
    if (licence == "no_signed_zero") return "the sign of a zero may differ";
    if (licence == "reassociate") return "sums of floats may be formed in another order";
    if (licence == "contract") {
        return "code may compute a sum of a product with the exact product, rounding once";
    }
    // finite(A)
    return "no cell of " + licence.substr(7, licence.size() - 8) + " is a NaN or an infinity";
}

}  // namespace

std::vector<std::string> lines_of(const Duties& duties) {
    std::vector<std::string> out = duties.relations;
    for (const std::string& c : duties.constraints) out.push_back(c);
    for (const Axiom& a : duties.axioms) out.push_back(a.str());
    for (const ExternalAxiom& e : duties.external) out.push_back(e.str());
    for (const std::string& licence : duties.licences_granted) {
        const bool is_used = std::find(duties.licences_used.begin(), duties.licences_used.end(),
                                       licence) != duties.licences_used.end();
        out.push_back("licence " + licence + ": " + meaning(licence) +
                      (is_used || licence == "contract" ? "" : " (granted, not made use of)"));
    }
    return out;
}

}  // namespace proviso::verify
