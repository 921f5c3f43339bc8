#include "verify/tv/refinement.h"

#include <algorithm>
#include <cmath>

#include "ir/domains/value.h"
#include "verify/harness/freedom.h"

namespace proviso::verify {

using namespace ir;

namespace {

// The terms of a sum of floats, each with whether it is subtracted.
using Terms = std::vector<std::pair<Expr, bool>>;
void add_terms(Expr e, bool subtracted, Terms& out) {
    if (!e->type.is_float() || (e->op != Op::Add && e->op != Op::Sub)) {
        out.emplace_back(e, subtracted);
        return;
    }
    add_terms(e->arg(0), subtracted, out);
    add_terms(e->arg(1), subtracted != (e->op == Op::Sub), out);
}

// Under `reassociate`: the same terms, or constants among them added up in some order. A zero that
// is a term may be one several times, as partial sums start at it: with itself, it is itself.
bool is_sum_in_another_order(Expr was, Expr is, bool signs_of_zero) {
    constexpr std::size_t kMostConstants = 5;
    constexpr std::uint32_t kMostNodes = 4'000;  // of trees: a shared term counts each time
    if (!was->type.is_float() || was->size > kMostNodes || is->size > kMostNodes) return false;
    Terms before;
    Terms after;
    add_terms(was, false, before);
    add_terms(is, false, after);
    const Terms all = before;
    for (auto t = before.begin(); t != before.end();) {
        const auto same = std::find(after.begin(), after.end(), *t);
        if (same == after.end()) {
            ++t;
        } else {
            after.erase(same);
            t = before.erase(t);
        }
    }
    std::erase_if(after, [&](const auto& t) {
        const bool zero = is_const(t.first) && t.first->float_value() == 0.0;
        return zero && std::find(all.begin(), all.end(), t) != all.end();
    });
    if (after.empty() || before.empty()) return after.empty() && before.empty();
    if (after.size() > 1 || before.size() > kMostConstants || !is_const(after[0].first)) {
        return false;
    }
    std::vector<double> constants;
    for (const auto& [e, subtracted] : before) {
        if (!is_const(e)) return false;
        constants.push_back(subtracted ? -e->float_value() : e->float_value());
    }
    const double wanted = after[0].first->float_value() * (after[0].second ? -1 : 1);
    std::sort(constants.begin(), constants.end());
    do {
        double sum = constants[0];
        for (std::size_t k = 1; k < constants.size(); ++k) {
            sum = round_to_type(was->type, sum + constants[k]);
        }
        const bool same_sign = !signs_of_zero || std::signbit(sum) == std::signbit(wanted);
        if (sum == wanted && same_sign) return true;
    } while (std::next_permutation(constants.begin(), constants.end()));
    return false;
}

}  // namespace

Refinement::Refinement(Context& ctx, Simplifier& simplifier, const Function& f)
    : ctx_(ctx),
      s_(simplifier),
      signs_of_zero_(!f.has_licence("no_signed_zero")),
      exact_sums_(!f.has_licence("reassociate")),
      floats_are_chosen_(freedom_of(f).floats) {}

Expr Refinement::of(const SymbolicValue& was, const SymbolicValue& is) const {
    const bool unchanged = was.value == is.value && was.defined == is.defined;
    if (unchanged || is_false(was.defined)) return ctx_.true_();
    Expr equal = s_.same(was.value, is.value);
    if (!exact_sums_ && is_sum_in_another_order(was.value, is.value, signs_of_zero_))
        equal = ctx_.true_();
    if (!signs_of_zero_ && was.value->type.is_float()) {
        Expr zero = zero_term(ctx_, was.value->type);
        equal = s_.either(
            equal, s_.both(s_.make(Op::Eq, {was.value, zero}), s_.make(Op::Eq, {is.value, zero})));
    }
    return s_.implies(was.defined, s_.both(is.defined, equal));
}

const char* Refinement::doubt() const {
    return !floats_are_chosen_ ? nullptr
           : !exact_sums_      ? "sums may be re-associated"
                               : "zeros may have either sign";
}

}  // namespace proviso::verify
