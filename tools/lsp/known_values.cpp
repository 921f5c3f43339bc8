#include "tools/lsp/known_values.h"

#include <utility>

#include "analysis/cheap/decide.h"
#include "ir/text.h"

namespace proviso::tools::lsp {

using ir::Context;
using ir::Expr;
using ir::Int128;
using ir::int128_text;

namespace {

class Search {
  public:
    Search(Context& ctx, const std::vector<Expr>& facts)
        : ctx_(ctx), facts_(facts), decider_(ctx) {}

    bool nothing_gets_here() { return decider_.contradictory(facts_); }
    bool holds(Expr claim) { return decider_.decide(facts_, claim).has_value(); }

    // The tightest bounds of an integer that are proved; those of the type otherwise.
    Int128 lower(Expr e) {
        Int128 known = e->type.min_value();
        for (Int128 most = e->type.max_value(); known < most;) {
            const Int128 middle = most - (most - known) / 2;
            if (holds(ctx_.le(ctx_.int_imm(e->type, middle), e))) {
                known = middle;
            } else {
                most = middle - 1;
            }
        }
        return known;
    }
    Int128 upper(Expr e) {
        Int128 known = e->type.max_value();
        for (Int128 least = e->type.min_value(); least < known;) {
            const Int128 middle = least + (known - least) / 2;
            if (holds(ctx_.le(e, ctx_.int_imm(e->type, middle)))) {
                known = middle;
            } else {
                least = middle + 1;
            }
        }
        return known;
    }

  private:
    Context& ctx_;
    const std::vector<Expr>& facts_;
    analysis::cheap::Decider decider_;
};

}  // namespace

std::vector<std::string> known_values(Context& ctx, const std::vector<Expr>& facts, Expr e,
                                      const std::string& text, const std::vector<Expr>& sizes) {
    Search search(ctx, facts);
    if (search.nothing_gets_here()) return {"control does not get here"};
    std::vector<std::string> out;
    if (e->type.is_bool()) {
        if (search.holds(e)) out.emplace_back("always true here");
        if (search.holds(ctx.not_(e))) out.emplace_back("always false here");
        return out;
    }
    if (!e->type.is_int()) return out;
    const Int128 low = search.lower(e);
    const Int128 high = search.upper(e);
    const bool below = low > e->type.min_value();
    const bool above = high < e->type.max_value();
    if (low == high) return {text + " = " + int128_text(low)};
    std::string range;
    if (below) range = int128_text(low) + " <= ";
    if (below || above) range += text;
    if (above) range += " <= " + int128_text(high);
    if (!range.empty()) out.push_back(range);
    for (const Expr size : sizes) {
        if (size->type != e->type || size == e) continue;
        const std::string n = ir::print(size);
        const std::pair<Expr, std::string> claims[] = {{ctx.lt(e, size), text + " < " + n},
                                                       {ctx.le(e, size), text + " <= " + n},
                                                       {ctx.lt(size, e), n + " < " + text},
                                                       {ctx.le(size, e), n + " <= " + text}};
        for (const auto& [claim, told] : claims) {
            if (!search.holds(claim)) continue;
            out.push_back(told);
            break;
        }
    }
    for (const int factor : {64, 32, 16, 8, 4, 2}) {
        if (!e->type.contains(factor)) continue;
        const Expr rest = ctx.floormod(e, ctx.int_imm(e->type, factor));
        if (!search.holds(ctx.eq(rest, ctx.int_imm(e->type, 0)))) continue;
        out.push_back("a multiple of " + std::to_string(factor));
        break;
    }
    return out;
}

}  // namespace proviso::tools::lsp
