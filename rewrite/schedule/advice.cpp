#include "rewrite/schedule/advice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "analysis/layout/layout.h"
#include "ir/text.h"
#include "rewrite/passes/zero_promise.h"

namespace proviso::rewrite {

using namespace ir;
using analysis::Owed;

namespace {

struct Advice {
    Owed kind;
    std::string_view rule;  // of the step that was refused; empty: any other one
    std::string_view text;
};

constexpr std::array<Advice, 23> kAdvice = {{
    {Owed::Invariant, "",
     "store only such values to the buffer before this point, or bound those that it reads "
     "(T.assume)"},
    {Owed::Assumed, "",
     "store only such values to the buffer before this point, or bound those that it reads "
     "(T.assume)"},
    {Owed::HoldsAlready, "drop-guard",
     "pad what is accumulated with a value that adds nothing (pad_value=0.0), or write the padding "
     "of the result afterwards (pad_value=… for the result)"},
    {Owed::Overwritten, "",
     "give the result a pad_value, so that its padding is written after the extra work"},
    {Owed::Unseen, "", "let what reads the padding run before the extra work, or not at all"},
    {Owed::Safe, "",
     "make room for the extra work: enlarge the layout of what it reads, and give it a "
     "pad_value (T.undef() is enough when the values do not matter)"},
    {Owed::Assumption, "drop-guard",
     "the assumption speaks of guarded cells alone: give it the guard as a premise "
     "(T.assume(not GUARD or CONDITION)), or assume it of the other cells, too"},
    {Owed::WrittenBefore, "stage-write",
     "the statement reads what the buffer held before, and its own copy does not hold that: "
     "sch.cache_inplace copies a buffer in and out"},
    {Owed::WrittenBefore, "", "store to the cell before the loop that accumulates in it"},
    {Owed::Inverse, "", "two elements of the buffer would share a cell; use a map with an inverse"},
    {Owed::InShape, "", "the map leaves the shape that was derived for it"},
    {Owed::InDomain, "", "lower the block first, or widen the domain of its iterator"},
    {Owed::Assumption, "drop-assume", ""},
    {Owed::Assumption, "",
     "a schedule adds what the program makes true; what only its callers know is assumed in the "
     "program itself (T.assume)"},
    {Owed::NoRace, "",
     "choose a loop whose iterations touch different cells, or give each iteration a buffer of its "
     "own (sch.cache_write)"},
    {Owed::TileCovers, "",
     "the tile is as long as the range of the indices without T.min and T.max, and begins at one "
     "of them: clamp the indices alike, or copy in another loop"},
    {Owed::NewLoad, "",
     "another iteration may be writing there: vectorize before the loops around are bound"},
    {Owed::OneBranch, "",
     "let the guard be the same for all lanes: sizes that the lanes divide, or a layout with "
     "padding"},
    {Owed::Neighbours, "",
     "lanes walk the last dimension of a buffer: sch.reorder, or another layout"},
    {Owed::Aligned, "", "pad the rows to a multiple of the lanes: sch.transform_layout"},
    {Owed::InRange, "", "bound the values, or compute in a wider type"},
    {Owed::SameValue, "", "say what is known about the values (T.assume), or grant a licence"},
    {Owed::NoNewFault, "", "show that the new expression is defined wherever the old one is"},
}};

// A parameter whose padding may not be touched.
std::string closed_padding(const Function& current) {
    for (Buffer b : current.buffer_params()) {
        const auto attr = current.attrs.find(analysis::kLayoutAttr);
        if (attr == current.attrs.end()) continue;
        const auto* all = std::get_if<AttrValue::Dict>(&attr->second.value);
        if (all == nullptr || all->count(b->name) == 0) continue;
        const auto* list = std::get_if<AttrValue::List>(&all->at(b->name).value);
        if (list == nullptr || list->empty()) continue;
        const auto* dict = std::get_if<AttrValue::Dict>(&list->back().value);
        if (dict == nullptr || dict->count("pad") == 0) continue;
        const auto* pad = std::get_if<std::string>(&dict->at("pad").value);
        if (pad != nullptr && *pad == "none") return b->name;
    }
    return {};
}

// Where an undefined integer of the refutation's values, which is computed with, is from.
Buffer undefined_operand(const Rejection& rejection) {
    for (const analysis::ModelValue& m : rejection.answer.model) {
        const bool undefined = m.value == nullptr && m.out_of_range.empty() && m.expr != nullptr;
        if (undefined && m.expr->op == Op::Load && m.expr->type.is_exact_int()) {
            return m.expr->buffer;
        }
    }
    return nullptr;
}

// The caller may provide padding of the zero that the refutation needs, and that `pad_value` does
// not name: which promise is missing; "" where it is none of padding.
std::string zero_not_promised(Context& ctx, const Rejection& rejection, const Function& current) {
    Substitution sizes;
    for (const analysis::ModelValue& m : rejection.answer.model) {
        const bool size = m.expr != nullptr && m.expr->op == Op::Var && m.value != nullptr;
        if (size) sizes[m.expr] = m.value;
    }
    for (const analysis::ModelValue& m : rejection.answer.model) {
        if (m.expr == nullptr || m.value == nullptr || m.value->op != Op::FloatImm) continue;
        Expr other = ctx.float_imm(m.value->type, -m.value->float_value());
        const auto missing = missing_promise(ctx, current, m.expr, other, sizes);
        if (!missing || !missing->names_it) continue;
        return missing->why + "; " + missing->hint;
    }
    return {};
}

// An input that the refutation needs to be infinite or NaN, in a product with something else.
std::string infinite_factor(const Rejection& rejection, const Function& current) {
    for (const analysis::ModelValue& m : rejection.answer.model) {
        const bool load = m.expr != nullptr && m.expr->op == Op::Load && m.value != nullptr;
        if (!load || m.value->op != Op::FloatImm || std::isfinite(m.value->float_value())) continue;
        const Buffer b = m.expr->buffer;
        const bool input = current.find_buffer_param(b->name) == b &&
                           !analysis::stores_to(current.body, b) &&
                           !current.has_licence("finite(" + b->name + ")");
        if (input) return b->name;
    }
    return {};
}

// Why the type of the buffer, if there is one, asks for the order of iterations that meet in a
// cell.
std::string advice_on_order(Buffer buffer, const Function& f) {
    std::string changes = "this order of loops changes which value a cell holds";
    if (buffer == nullptr) return changes;
    const std::string& name = buffer->name;
    if (buffer->type.is_exact_int()) {
        return changes + ", or a partial sum between: what is stored of " + buffer->type.str() +
               " has to be in its range at every step";
    }
    if (buffer->type.is_float() && f.has_licence("reassociate")) {
        return changes + "; 'reassociate' frees the order of additions, " + name + "[…] = " + name +
               "[…] + e, from each other and from nothing else";
    }
    if (buffer->type.is_float()) {
        return changes + "; floats are not re-associated without the licence 'reassociate', and " +
               "T.max and T.min of floats never are (NaN, zeros of both signs)";
    }
    if (buffer->type.is_bool()) {
        return changes + "; stores " + name + "[…] = e or " + name +
               "[…] are free of order, where every e is safe to evaluate whatever the cell holds: "
               "write " +
               name + "[…] = e or " + name + "[…] in place of `if e: " + name + "[…] = True`";
    }
    return changes;
}

// Where new iterations are not the old ones.
std::string advice_on_iterations(const std::string& rule) {
    if (rule == "merge-loops") {
        return "ranges of one length can be merged, wherever they begin: sch.loop_partition makes "
               "parts";
    }
    if (rule == "shift-loop") {
        return "a loop that walks a buffer has an iteration for each cell along it, and an index "
               "reaches beyond: give the buffer a layout with room for every index, such as "
               "sch.transform_layout(block, buffer, lambda i: [i // 8, i % 8], pad_value=0.0)";
    }
    return "the new loops run the iterations of the old one, no others: give sizes bounds "
           "(tir_var_lower_bound, tir_var_upper_bound), or factors that fit";
}

// The statement of the rewritten program that the obligation is about; null: none.
Stmt spoken_of(const Rejection& rejection) {
    const std::optional<Site>& site = rejection.failed->purpose.site;
    const Result<Located> at =
        site && rejection.after ? locate(*rejection.after, *site) : Located{};
    return at ? at->stmt : nullptr;
}

// A value in a cell is claimed not to be -0.0.
bool rules_out_minus_zero(Expr goal) {
    bool found = false;
    for_each_node(goal, [&](Expr e) {
        if (e->op != Op::Not || e->arg(0)->op != Op::Same) return;
        Expr v = e->arg(0)->arg(1);
        found |= v->op == Op::FloatImm && v->float_value() == 0.0 && std::signbit(v->float_value());
    });
    return found;
}

// The value that what `store` accumulates does not change for, as a pad_value of a layout; "" where
// it is another operation, or none.
std::string neutral_padding(const Store& store) {
    const bool is_float = store.value->type.is_float();
    switch (store.value->op) {
        case Op::Add:
        case Op::Sub: return is_float ? "0.0 for a sum" : "0 for a sum";
        case Op::Mul: return is_float ? "1.0 for a product" : "1 for a product";
        case Op::Max:
            return is_float ? "float(\"-inf\") for a maximum"
                            : "the type's least value for a maximum";
        case Op::Min:
            return is_float ? "float(\"inf\") for a minimum"
                            : "the type's greatest value for a minimum";
        default: return {};
    }
}

// What helps where a store would change a cell: padding that changes nothing, if it accumulates.
std::string advice_on_store(const Store& store) {
    const std::vector<Buffer> read = loaded_buffers(store.value);
    const bool accumulates = std::find(read.begin(), read.end(), store.buffer) != read.end();
    const std::string& result = store.buffer->name;
    const std::string neutral = accumulates ? neutral_padding(store) : "";
    if (!neutral.empty()) {
        return "pad what is accumulated with a value that changes nothing (pad_value=" + neutral +
               "), or write the padding of the result afterwards (pad_value=… for " + result + ")";
    }
    return "the extra work would overwrite cells of " + result +
           ": store to them afterwards, or give " + result +
           " a layout with padding in their place (pad_value=… for " + result + ")";
}

// Sizes may be as large or as small as their type lets them: those that the refutation names and
// that have no declared bound on that side, or else those whose bounds are too wide.
std::string advice_on_sizes(const Rejection& rejection, const Function& current) {
    std::string above;
    std::string below;
    std::string declared;
    const auto add = [](std::string& list, const std::string& item) {
        list += (list.empty() ? "" : ", ") + item;
    };
    for (Expr v : current.scalar_params()) {
        const auto& model = rejection.answer.model;
        const auto named =
            std::find_if(model.begin(), model.end(), [&](const auto& m) { return m.expr == v; });
        if (!v->type.is_int() || named == model.end()) continue;
        const bool negative =
            named->value != nullptr && is_int_const(named->value) && named->value->int_value() < 0;
        const bool bounded = negative ? current.lower_bound(*v->name).has_value()
                                      : current.upper_bound(*v->name).has_value();
        const std::string name = "\"" + *v->name + "\": ";
        if (bounded) {
            add(declared, *v->name);
        } else {
            add(negative ? below : above, name + (negative ? "0" : "1000"));
        }
    }
    std::string bounds;
    if (!below.empty()) add(bounds, "\"tir_var_lower_bound\": {" + below + "}");
    if (!above.empty()) add(bounds, "\"tir_var_upper_bound\": {" + above + "}");
    if (!bounds.empty()) {
        return "give the sizes bounds, so that the result stays in range: T.func_attr({" + bounds +
               "})";
    }
    if (declared.empty()) return {};
    return "narrow the bounds of " + declared +
           " (tir_var_lower_bound, tir_var_upper_bound), or use int64";
}

// A size of the refutation is so large that sums of sizes leave their type.
bool names_a_large_size(const Rejection& rejection, const Function& current) {
    const auto& sizes = current.scalar_params();
    const auto& model = rejection.answer.model;
    return std::any_of(model.begin(), model.end(), [&](const auto& m) {
        const bool size = std::find(sizes.begin(), sizes.end(), m.expr) != sizes.end();
        return size && m.value != nullptr && is_int_const(m.value) &&
               m.value->int_value() > (Int128(1) << 30);
    });
}

// Steps that move work or data have nothing to do with padding: what is undefined there has not
// been computed yet.
bool concerns_padding(const std::string& rule) {
    static constexpr std::array<std::string_view, 7> moving = {
        "compute-at", "fission", "merge-loops", "reorder", "restate", "stage-read", "stage-write"};
    return std::find(moving.begin(), moving.end(), rule) == moving.end();
}

// What helps where the extra work was seen to end in this fault; "" if the fault says no more than
// the obligation.
std::string advice_on_fault(FaultKind seen) {
    switch (seen) {
        case FaultKind::ZeroDivisor:
            return "the extra work divides by what the padding holds: give it a value that may "
                   "divide (pad_value=1), or let the division be chosen by the guard";
        case FaultKind::IndetUse:
            return "undefined values may be moved and chosen by a condition that is defined; in a "
                   "branch, an index, a bound or arithmetic on int32 and int64 they are a fault: "
                   "give the padding a value (pad_value=…)";
        case FaultKind::OutOfBounds:
            return "make room for the extra work: enlarge the layout of what it reads, and give it "
                   "a pad_value (T.undef() is enough when the values do not matter)";
        default: return {};
    }
}

}  // namespace

std::string advice(Context& ctx, const Rejection& rejection, const Function& current,
                   FaultKind seen) {
    if (!rejection.diagnostic.hint.empty()) return rejection.diagnostic.hint;
    if (!rejection.failed) return {};
    const analysis::Purpose& purpose = rejection.failed->purpose;
    std::string on_fault = advice_on_fault(seen);
    if (purpose.kind == Owed::Safe) {
        if (seen == FaultKind::OutOfBounds || seen == FaultKind::ZeroDivisor) return on_fault;
        const std::string closed = closed_padding(current);
        if (!closed.empty()) {
            return "the padding of " + closed + " may not be touched: pass a pad_value for " +
                   closed + " (T.undef() when its values do not matter, 0.0 when it is summed)";
        }
        const Buffer undefined = undefined_operand(rejection);
        if (undefined != nullptr && analysis::may_be_indet(current, undefined)) {
            return "of what was stored before this function begins, it knows what is exported: "
                   "sch.outline(…, assume=lambda …: " +
                   undefined->name + "[…] == 0)";
        }
        if (undefined != nullptr) {
            return "arithmetic on an undefined int32 or int64 is a fault: give the padding a value "
                   "(pad_value=0), or do no more than move, compare and choose";
        }
    }
    if (seen == FaultKind::IndetUse && concerns_padding(rejection.rule)) return on_fault;
    std::string missing = zero_not_promised(ctx, rejection, current);
    if (!missing.empty()) return missing;
    if (purpose.kind == Owed::HoldsAlready && rejection.rule == "drop-guard") {
        const std::string factor = infinite_factor(rejection, current);
        if (!factor.empty()) {
            return "0.0 times an infinity or NaN is NaN: declare that " + factor +
                   " holds neither, T.func_attr({\"proviso.licences\": [\"finite(" + factor +
                   ")\"]})";
        }
        const Stmt store = spoken_of(rejection);
        if (store != nullptr && store->is<Store>()) return advice_on_store(*store->as<Store>());
    }
    // Of two loops beside each other, no accumulation is the reason.
    const bool beside = rejection.rule == "merge-loops" || rejection.rule == "fission";
    if (purpose.kind == Owed::Order && (!beside || purpose.buffer == nullptr)) {
        return advice_on_order(purpose.buffer, current);
    }
    const Stmt at = purpose.kind == Owed::NoFault ? spoken_of(rejection) : nullptr;
    const bool large = purpose.kind == Owed::NoFault && names_a_large_size(rejection, current);
    if (purpose.kind == Owed::Extent || large || (at != nullptr && at->is<For>())) {
        const std::string sizes = advice_on_sizes(rejection, current);
        if (!sizes.empty()) return sizes;
    }
    for (const Owed visits : {Owed::Visited, Owed::NoOther, Owed::Once}) {
        if (purpose.kind == visits) return advice_on_iterations(rejection.rule);
    }
    if (purpose.kind == Owed::Invariant && rules_out_minus_zero(rejection.failed->goal)) {
        return "start the accumulator from +0.0 (not from an element or from -0.0), so that it is "
               "never -0.0 and adding a zero changes nothing";
    }
    for (const Advice& a : kAdvice) {
        const bool mine = a.rule.empty() || a.rule == rejection.rule;
        if (a.kind == purpose.kind && mine) return std::string(a.text);
    }
    return {};
}

std::string model_text(const std::vector<analysis::ModelValue>& model) {
    std::string out;
    for (const analysis::ModelValue& v : model) {
        const std::string value = v.value == nullptr ? "undefined" : print(v.value);
        out += (out.empty() ? "" : ", ") + v.name + " = " + value;
    }
    return out;
}

}  // namespace proviso::rewrite
