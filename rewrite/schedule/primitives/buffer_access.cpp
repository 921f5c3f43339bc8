// annotate_buffer_access: a region that a block reads, or writes, of a buffer.
//
// That it covers every access is proved where each access is made, as an assumption that goes again
// (add-assume, lower-assume): the log has the proofs, and the program has TVM's annotation alone.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/children.h"
#include "ir/text.h"
#include "rewrite/rules/common.h"
#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// "A[vi - 1:vi + 1, vj]"
std::string region_text(Context& ctx, Buffer buffer, const Primitives::Region& region) {
    std::string out;
    for (const auto& [lo, hi] : region) {
        const bool one = ctx.add(lo, ctx.int_imm(lo->type, 1)) == hi;
        out += (out.empty() ? "" : ", ") + print(lo) + (one ? "" : ":" + print(hi));
    }
    return buffer->name + "[" + out + "]";
}

// That what the statement itself accesses of the buffer is in the region; null: it accesses none.
Expr within(Context& ctx, Stmt s, Buffer buffer, bool written, const Primitives::Region& region) {
    std::vector<Expr> all;
    const auto inside = [&](std::span<const Expr> cell, Expr when) {
        std::vector<Expr> in;
        for (std::size_t d = 0; d < cell.size(); ++d) {
            in.push_back(ctx.le(region[d].first, cell[d]));
            in.push_back(ctx.lt(cell[d], region[d].second));
        }
        all.push_back(is_true(when) ? ctx.all_of(in) : ctx.or_(ctx.not_(when), ctx.all_of(in)));
    };
    if (written) {
        const Store* store = s->as<Store>();
        if (store != nullptr && store->buffer == buffer) inside(store->indices, ctx.true_());
    } else if (!s->is<Assume>()) {
        for (const Child& c : children(s)) {
            if (c.expr == nullptr) continue;
            for (const LoadMade& made : loads_made(ctx, c.expr)) {
                if (made.load->buffer == buffer) inside(made.load->args, made.when);
            }
        }
    }
    return all.empty() ? nullptr : ctx.all_of(all);
}

}  // namespace

Outcome Primitives::annotate_buffer_access(const std::string& block, Buffer buffer, bool written,
                                           const Region& region) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return Refusal{no_block(block), std::nullopt};
    std::int64_t number = 0;
    while (buffer_by_index(block, written, static_cast<std::size_t>(number)) != buffer) {
        if (buffer_by_index(block, written, static_cast<std::size_t>(number++)) != nullptr)
            continue;
        return refuse("block " + block + " does not " + (written ? "store to " : "read ") +
                      buffer->name);
    }
    const std::size_t start = p_.derivation().steps().size();
    const std::string text = region_text(p_.ctx(), buffer, region);
    for (const auto& [site, s] : all_statements(p_.current())) {
        if (!at->contains(site) || site == *at) continue;
        Expr covered = within(p_.ctx(), s, buffer, written, region);
        if (covered == nullptr) continue;
        Outcome proved = assume(site, {}, covered);
        if (Refusal* no = std::get_if<Refusal>(&proved)) {
            p_.derivation().roll_back(start);
            const std::string asked = "the assumption is proved where it is added";
            const std::size_t at_words = no->diagnostic.message.find(asked);
            if (at_words != std::string::npos) {
                no->diagnostic.message.replace(
                    at_words, asked.size(),
                    text + " covers what block " + block + (written ? " writes" : " reads"));
            }
            no->diagnostic.hint =
                "the values are those of an access outside of the region: make it larger, (begin, "
                "end) for each dimension, of which the end is not in it";
            return *no;
        }
        const bool alone = locate(p_.current(), site)->stmt->is<Assume>();
        if (auto no = step("lower-assume", alone ? site : site.child("0"), json::object())) {
            p_.derivation().roll_back(start);
            return *no;
        }
    }
    Outcome kept = annotated({false, block}, [&](Annotations& all) {
        auto& list = all[written ? "explicit_write_region" : "explicit_read_region"].value;
        if (!std::holds_alternative<AttrValue::List>(list)) list = AttrValue::List{};
        auto& numbers = std::get<AttrValue::List>(list);
        const AttrValue own{number};
        if (std::find(numbers.begin(), numbers.end(), own) == numbers.end()) numbers.push_back(own);
    });
    if (std::holds_alternative<Names>(kept)) {
        note_ = text + " covers what is " + (written ? "written" : "read");
    }
    return kept;
}

}  // namespace proviso::rewrite
