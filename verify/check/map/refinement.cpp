#include "verify/check/map/refinement.h"

#include <algorithm>
#include <sstream>

#include "analysis/layout/layout.h"
#include "ir/text.h"
#include "rewrite/passes/passes.h"
#include "verify/check/map/carried.h"
#include "verify/check/map/inner_buffers.h"
#include "verify/check/map/layouts.h"
#include "verify/check/map/map.h"
#include "verify/check/map/rolling_buffers.h"
#include "verify/check/map/shared_buffers.h"
#include "verify/check/map/temporaries.h"
#include "verify/check/map/threads.h"
#include "verify/check/map/updated_buffers.h"

namespace proviso::verify {

using namespace ir;
using namespace rewrite;

namespace {

// Attributes with a meaning, but for bounds, licences and layouts.
bool same_meaning(const Function& a, const Function& b) {
    const auto part_of = [](const Function& one, const Function& other) {
        return std::all_of(one.attrs.begin(), one.attrs.end(), [&](const auto& attr) {
            const auto& [key, value] = attr;
            if (key.rfind("proviso.", 0) != 0 || key == kLicencesAttr) return true;
            if (key == analysis::kLayoutAttr) return true;  // same_layouts
            const auto found = other.attrs.find(key);
            return found != other.attrs.end() && found->second == value;
        });
    };
    return part_of(a, b) && part_of(b, a);
}

// "X, and not Y": the first line of the texts that differs.
std::string first_difference(const Function& a, const Function& b) {
    std::istringstream one(print(a.body));
    std::istringstream other(print(b.body));
    std::string x;
    std::string y;
    do {
        if (!std::getline(one, x)) x = "nothing";
        if (!std::getline(other, y)) y = "nothing";
    } while (x == y && x != "nothing");
    const auto trimmed = [](const std::string& line) {
        return line.substr(std::min(line.find_first_not_of(' '), line.size()));
    };
    return trimmed(x) + ", and not " + trimmed(y);
}

}  // namespace

std::optional<ProvedRefinement> ProvedRefinement::of(Derivation derivation, const Function& after,
                                                     std::string& why) {
    const Function& end = derivation.current();
    if (end.params != after.params) {
        why = "the parameters differ";
    } else if (!same_meaning(end, after) || !same_layouts(derivation.context(), end, after)) {
        why = "the attributes differ";
    } else if (end.body != after.body) {
        why = "the derivation ends in another text: " + first_difference(end, after);
    }
    for (const std::string& licence : after.licences()) {
        if (!end.has_licence(licence)) why = "the first program does not grant " + licence;
    }
    if (!why.empty()) return std::nullopt;
    return ProvedRefinement(std::move(derivation));
}

namespace {

class Search {
  public:
    Search(const Function& before, const Function& after, analysis::Prover& prover)
        : before_(before), after_(after), prover_(prover) {}

    RefinementSearch run() {
        if (!same_meaning(before_, after_)) {
            out_.tried.emplace_back("no map is looked for between programs of other attributes");
            return std::move(out_);
        }
        // With a buffer for each thing that one holds, where the second program has such; as it
        // stands; with temporaries inlined; simplified, and without stores that nobody sees.
        const bool temporaries = allocates(before_) || allocates(after_);
        const bool shares = has_shared_buffers(prover_, after_);
        // What the first program alone assumes goes along, or it goes first.
        assumes_ = has_assumptions(before_) && !has_assumptions(after_);
        for (const bool tidy : {false, true}) {
            for (const bool apart : {true, false}) {
                if (apart && !shares) continue;
                apart_ = apart;
                for (const Way way : {Way::AsIs, Way::Inline, Way::Compute, Way::Update}) {
                    if (way != Way::AsIs && !temporaries) continue;
                    if (attempt(tidy, way, false)) return std::move(out_);
                    if (assumes_ && attempt(tidy, way, true)) return std::move(out_);
                }
            }
        }
        return std::move(out_);
    }

  private:
    // What is done about temporaries: those of both get one name; all that can be are inlined;
    // those of the second program are computed from those of the first; and what is updated is
    // looked for in the cells that it is copied to.
    enum class Way : std::uint8_t { AsIs, Inline, Compute, Update };

    static bool allocates(const Function& f) {
        bool found = false;
        for_each_stmt(f.body, [&](Stmt s) { found = found || s->is<Allocate>(); });
        return found;
    }

    bool attempt(bool tidy, Way way, bool bare) {
        Result<Derivation> derivation = Derivation::start(before_, prover_);
        if (!derivation) {
            out_.tried.push_back(derivation.error().message);
            return false;
        }
        Proposer p(*derivation, prover_);
        if (tidy) {
            std::size_t steps = remove_no_op(p).steps;
            steps += remove_overcompute_through_branching(p).steps;
            steps += simplify(p).steps;
            if (steps == 0) return false;  // nothing new
        }
        if (assumes_ && !drop_assumptions(p, bare)) return false;
        std::vector<std::string> tried;
        const bool reached = p.current().body == after_.body || reach(p, after_, way, tried);
        for (std::string& why : tried) {
            const bool known =
                std::find(out_.tried.begin(), out_.tried.end(), why) != out_.tried.end();
            if (!reached && !known) out_.tried.push_back(std::move(why));
        }
        if (!reached) return false;
        std::string why;
        out_.found = ProvedRefinement::of(*std::move(derivation), after_, why);
        if (!out_.found) out_.tried.push_back(why);
        return out_.found.has_value();
    }

    bool reach(Proposer& p, const Function& after, Way way, std::vector<std::string>& tried) {
        if (!match_layouts(p, after, tried)) return false;
        if (has_threads(after) && !has_threads(p.current())) {
            const auto further = [&](const Function& f) { return reach(p, f, way, tried); };
            return reach_with_threads(p, after, further, tried);
        }
        if (has_rolling_buffers(after)) {
            bool any = false;
            const auto further = [&](const Function& f) { return reach(p, f, way, tried); };
            if (reach_with_rolling_buffers(p, after, further, any, tried)) return true;
            if (any) return false;
        }
        if (apart_) {
            bool any = false;
            const auto further = [&](const Function& f) { return reach(p, f, way, tried); };
            if (reach_with_shared_buffers(p, after, further, any, tried)) return true;
            if (any) return false;
        }
        if (way == Way::Update) {
            bool any = false;
            const auto further = [&](const Function& f) { return reach(p, f, Way::Update, tried); };
            if (reach_with_updated_buffers(p, after, further, any, tried)) return true;
            if (any) return false;
        }
        const Temporaries what = way == Way::AsIs      ? Temporaries::Keep
                                 : way == Way::Compute ? Temporaries::Compute
                                                       : Temporaries::Inline;
        if (way == Way::Compute || (way != Way::AsIs && has_inner_buffers(after))) {
            return reach_with_inner_buffers(p, after, what, tried);
        }
        const std::optional<Matched> root = match_temporaries(p, after, what, tried);
        if (!root) return false;
        Stmt target = locate(after, root->wanted)->stmt;
        if (locate(p.current(), root->mine)->stmt == target) return true;
        Stmt wide = with_padding(prover_.context(), p.current(), root->mine, target);
        return map_onto(p, root->mine, wide, tried) && drop_padding(p, target, tried);
    }

    const Function& before_;
    const Function& after_;
    analysis::Prover& prover_;
    bool assumes_ = false;  // the first program, and not the second one
    bool apart_ = false;    // what one buffer of the second program holds has several on the way
    RefinementSearch out_;
};

}  // namespace

RefinementSearch find_refinement(const Function& before, const Function& after,
                                 analysis::Prover& prover) {
    return Search(before, after, prover).run();
}

}  // namespace proviso::verify
