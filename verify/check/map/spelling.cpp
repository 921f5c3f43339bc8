#include "verify/check/map/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/child_at.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"

namespace proviso::verify {

using namespace ir;
using namespace rewrite;
using nlohmann::json;

namespace {

class Speller {
  public:
    Speller(Proposer& p, std::optional<Rejection>& why) : p_(p), ctx_(p.ctx()), why_(why) {}

    bool statement(const Site& site, Stmt wanted) {
        const Result<Located> at = locate(p_.current(), site);
        if (!at || at->stmt == nullptr) return false;
        if (at->stmt == wanted) return true;
        if (at->stmt->data.index() != wanted->data.index()) return false;
        for (const Child& c : children(wanted)) {
            const bool done = c.stmt != nullptr ? statement(site.child(c.label), c.stmt)
                                                : expression(site.child(c.label), c.expr);
            if (!done) return false;
        }
        return locate(p_.current(), site)->stmt == wanted;
    }

  private:
    // Piece by piece, so that obligations stay small; the whole where a piece is refused.
    bool expression(const Site& site, Expr wanted) {
        const Result<Located> at = locate(p_.current(), site);
        if (!at || at->expr == nullptr) return false;
        Expr e = at->expr;
        if (e == wanted) return true;
        const bool same_node = e->op == wanted->op && e->args.size() == wanted->args.size() &&
                               !e->args.empty() && e->op != Op::Let && e->type == wanted->type &&
                               with_args(ctx_, e, wanted->args) == wanted;
        if (same_node) {
            const std::size_t start = p_.derivation().steps().size();
            bool all = true;
            for (std::size_t k = 0; k < e->args.size() && all; ++k) {
                all = expression(site.child("a" + std::to_string(k)), wanted->arg(k));
            }
            if (all) return true;
            p_.derivation().roll_back(start);
        }
        return replace(site, e, wanted);
    }

    // What is read anew is known by claims about memory, if at all.
    bool replace(const Site& site, Expr e, Expr wanted) {
        const std::vector<Buffer> before = loaded_buffers(e);
        const std::vector<Buffer> now = loaded_buffers(wanted);
        const bool reads_anew = std::any_of(now.begin(), now.end(), [&](Buffer b) {
            return std::find(before.begin(), before.end(), b) == before.end();
        });
        if (reads_anew) return with_claims(site, e, wanted) || plainly(site, wanted);
        return plainly(site, wanted) || (!before.empty() && with_claims(site, e, wanted));
    }

    bool plainly(const Site& site, Expr wanted) {
        std::optional<Rejection> no;
        json args = {{"to", print(wanted)}};
        if (p_.try_apply("replace", site, args, &no)) return true;
        keep_more_telling(why_, std::move(no));
        constexpr const char* zeros = "no_signed_zero";
        if (!wanted->type.is_float() || !p_.current().has_licence(zeros)) return false;
        args["licences"] = json::array({zeros});
        std::optional<Rejection> licensed;
        if (p_.try_apply("replace", site, args, &licensed)) return true;
        why_ = std::move(licensed);  // what it says without the licence is not the point
        return false;
    }

    bool with_claims(const Site& site, Expr e, Expr wanted) {
        if (e->type != wanted->type) return false;
        const Site statement = statement_around(p_.current(), site);
        const KnownMemory known =
            known_memory(p_.memory(), p_.prover(), ctx_.same(e, wanted), statement);
        if (known.claims.empty()) return false;
        const json args = {{"to", print(wanted)}, {"claims", known.claims}};
        std::optional<Rejection> no;
        if (p_.try_apply("replace", site, args, &no)) return true;
        keep_more_telling(why_, std::move(no));
        return false;
    }

    Proposer& p_;
    Context& ctx_;
    std::optional<Rejection>& why_;
};

}  // namespace

bool spell(Proposer& p, const Site& site, Stmt wanted, std::optional<Rejection>& why) {
    why.reset();
    return Speller(p, why).statement(site, wanted);
}

nlohmann::json texts(std::span<const Expr> list) {
    nlohmann::json out = nlohmann::json::array();
    for (Expr e : list) out.push_back(print(e));
    return out;
}

std::string refusal_text(const Rejection& no) {
    std::string out = no.diagnostic.message;
    if (no.failed && no.failed->purpose.site) out += " (" + no.failed->purpose.site->str() + ")";
    std::string values;
    constexpr std::size_t most = 6;
    for (std::size_t k = 0; k < no.answer.model.size() && k < most; ++k) {
        const analysis::ModelValue& v = no.answer.model[k];
        if (v.value == nullptr) continue;
        values += (values.empty() ? " with " : ", ") + v.name + " = " + print(v.value);
    }
    if (!no.answer.why.empty()) out += ": " + no.answer.why;
    return out + values;
}

}  // namespace proviso::verify
