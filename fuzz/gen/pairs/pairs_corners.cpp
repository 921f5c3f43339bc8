#include "fuzz/gen/pairs/pairs_corners.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace proviso::fuzz {

std::string CornerType::number(std::int64_t v) const {
    if (name == "int32") return std::to_string(v);
    return is_float ? fmt::format("T.{}({}.0)", name, v) : fmt::format("T.{}({})", name, v);
}

CornerType corner_type(Choice& choice) {
    switch (choice.weighted({74, 14, 5, 7})) {
        case 0: return {"int32", true, false, "2147483647", "1073741824"};
        case 1:
            return {"int64", true, false, "T.int64(9223372036854775807)",
                    "T.int64(4611686018427387904)"};
        case 2: return {"int8", false, false, "T.int8(127)", "T.int8(64)"};
        default: return {"float32", false, true, "T.float32(100000.0)", "T.float32(50000.0)"};
    }
}

Corner::Corner(Choice& choice_to_use)
    : choice(choice_to_use), t(corner_type(choice)), wide(choice.chance(75)) {}

void Corner::size(const std::string& name, std::int64_t lo, std::int64_t hi) {
    params_.push_back(name + ": T.int32");
    line(1, fmt::format("T.func_attr({{\"tir_var_lower_bound\": {{\"{0}\": {1}}}, "
                        "\"tir_var_upper_bound\": {{\"{0}\": {2}}}}})",
                        name, lo, hi));
}

void Corner::buffer(const std::string& name, std::int64_t cells) {
    params_.push_back(fmt::format("{}: T.Buffer(({},), \"{}\")", name, cells, t.name));
}

void Corner::line(int depth, const std::string& text) {
    text_.append(static_cast<std::size_t>(depth) * 4, ' ').append(text).append("\n");
    loads_ |= in_first_ && text.find("A[") != std::string::npos;
    for (const char* name : {"Y", "Z"}) {
        if (in_first_ && text.find(std::string(name) + "[") == 0) stored_.emplace_back(name);
    }
}

void Corner::has(const std::string& feature) {
    has_undef_ |= feature == "undefined arm";
    if (std::find(features_.begin(), features_.end(), feature) == features_.end()) {
        features_.push_back(feature);
    }
}

std::string Corner::fresh(const char* base) {
    return fmt::format("{}{}", base, next_++);
}

std::string Corner::call(const std::string& at) {
    const std::string more = choice.chance(15) ? ", " + std::to_string(choice.between(0, 2)) : "";
    const std::string first = t.name == "int32" && choice.chance(20) ? "A[" + at + "]"
                              : choice.chance(85)                    ? at
                                                                     : "3";
    return fmt::format("T.call_extern(\"int32\", \"ping\", {}{})", first, more);
}

std::string Corner::ask(const std::string& at) {
    return fmt::format("T.call_extern(\"bool\", \"ask\", {})", at);
}

std::string Corner::clamped(const std::string& value, std::int64_t last) {
    return fmt::format("T.min(T.max({}, 0), {})", value, last);
}

std::string Corner::condition(const std::string& at) {
    switch (choice.weighted({30, 25, 15, 15, 10, 5})) {
        case 0: return fmt::format("{} < {}", at, choice.between(1, 6));
        case 1: return fmt::format("A[{}] > {}", at, t.number(0));
        case 2: return fmt::format("A[{}] < {}", at, t.top);
        case 3: return fmt::format("{} % 2 == {}", at, choice.between(0, 1));
        case 4: return fmt::format("{}[{}] > {}", has_undef_ ? "A" : "Y", at, t.number(0));
        default: return fmt::format("A[0] != {}", t.number(0));
    }
}

void Corner::plain(int depth, const std::string& at) {
    const char* to = choice.pick({"Y", "Y", "Z"});
    const std::string value = choice.pick<std::string>(
        {fmt::format("A[{}]", at), t.number(0), fmt::format("T.max(A[{}], {})", at, t.number(0)),
         fmt::format("Y[{}]", at), t.number(1)});
    line(depth, fmt::format("{}[{}] = {}", to, at, value));
}

void Corner::pass_or_plain(int depth, const std::string& at) {
    if (choice.chance(50)) return line(depth, "pass");
    plain(depth, at);
}

PairText Corner::done(const std::string& schedule) {
    PairText out{"def kernel(" + fmt::format("{}", fmt::join(params_, ", ")) + "):\n" + text_,
                 schedule,
                 features_,
                 {}};
    if (wide && !t.is_float) {
        const auto whole = t.name == "int64"  ? CellRange{std::numeric_limits<std::int64_t>::min(),
                                                         std::numeric_limits<std::int64_t>::max()}
                           : t.name == "int8" ? CellRange{-128, 127}
                                              : CellRange{std::numeric_limits<std::int32_t>::min(),
                                                          std::numeric_limits<std::int32_t>::max()};
        out.ranges["A"] = whole;
    }
    return out;
}

// --- programs ----------------------------------------------------------------------------------

PairText Corner::pair(const CornerForm& form) {
    head();
    const bool apart = choice.chance(30);
    if (choice.chance(apart ? 60 : 15)) form.write(*this, 1, "0");
    if (choice.chance(20)) plain(1, "0");
    const CornerForm ordinary = {
        [](Corner& c, int depth, const std::string& at) { c.plain(depth, at); }};
    nest("b", apart ? ordinary : form);
    if (choice.chance(apart ? 50 : 12)) form.write(*this, 1, "1");
    const std::int64_t tail = std::exchange(tail_, 0);
    follows_ = choice.chance(45);
    if (follows_) nest("c", form);
    if (tail > 0 && choice.chance(80)) refill(tail);
    if (choice.chance(10)) plain(1, "0");
    return done(schedule());
}

// Parameters, and what is known of them.
void Corner::head() {
    over_size_ = choice.chance(15);
    if (over_size_) size("n", choice.between(-1, 1), 5);
    tail_ = !over_size_ && choice.chance(30) ? choice.between(5, 7) : 0;
    if (tail_ > 0 && choice.chance(50)) a_cells_ = tail_;
    const std::int64_t stored = tail_ == 0 && choice.chance(40) ? 6 : 8;
    for (const char* name : {"A", "Y", "Z"}) {
        buffer(name, *name == 'A' ? a_cells_ : stored);
    }
    if (t.is_float || !choice.chance(12)) return;
    assumes_ = true;
    wide = false;
    line(1, fmt::format("for q in range({}):", a_cells_));
    line(2, fmt::format("T.assume(A[q] < {})", t.number(120)));
}

// The form, under a guard or in its other arm.
void Corner::guarded(int depth, const std::string& at, const CornerForm& form) {
    if (!choice.chance(30)) return form.write(*this, depth, at);
    line(depth, fmt::format("if {}:", condition(at)));
    const bool second = choice.chance(25);
    if (second) {
        pass_or_plain(depth + 1, at);
    } else {
        form.write(*this, depth + 1, at);
    }
    if (!second && choice.chance(65)) return;
    line(depth, "else:");
    if (second || choice.chance(40)) {
        form.write(*this, depth + 1, at);
    } else {
        pass_or_plain(depth + 1, at);
    }
}

void Corner::statements(int depth, const std::string& at, const CornerForm& form) {
    if (choice.chance(30)) plain(depth, at);
    guarded(depth, at, form);
    if (choice.chance(35)) plain(depth, at);
    if (choice.chance(12)) guarded(depth, at, form);
}

void Corner::block(int depth, const std::string& name, const std::string& at,
                   const CornerForm& form) {
    line(depth, fmt::format("with T.block(\"{}\"):", name));
    const bool where = tail_ > 0 && choice.chance(60);
    const std::int64_t cells = where ? tail_ : tail_ > 0 ? 8 : std::min<std::int64_t>(6, a_cells_);
    const std::string size = over_size_ ? "n" : std::to_string(cells);
    std::string inside = "v";
    if (at == "i * 3 + j" && choice.chance(50)) {
        line(depth + 1, "vi, vj = T.axis.remap(\"SS\", [i, j])");
        inside = "vi * 3 + vj";
    } else {
        line(depth + 1, fmt::format("v = T.axis.spatial({}, {})", size, at));
    }
    std::string predicate = where ? fmt::format("{} < {}", at, tail_) : "";
    if (form.predicate != nullptr && (where || tail_ == 0) && choice.chance(20)) {
        predicate += (predicate.empty() ? "" : " and ") + form.predicate(*this, at);
    }
    if (!predicate.empty()) line(depth + 1, fmt::format("T.where({})", predicate));
    if (tail_ == 0 || where) return statements(depth + 1, inside, form);
    line(depth + 1, fmt::format("if {} < {}:", inside, tail_));
    statements(depth + 2, inside, form);
}

// Loops around a block: one, two of 2 and 3 iterations, or two of 8 of which a guard allows fewer.
void Corner::nest(const std::string& name, const CornerForm& form) {
    Nest made;
    std::string at = "i";
    int depth = 1;
    if (tail_ > 0) {
        made.loops = 2;
        made.has_tail = true;
        at = "i * 4 + j";
        line(depth++,
             fmt::format("for i in {}:",
                         form.in_order || choice.chance(85) ? "range(2)" : "T.parallel(2)"));
        line(depth++, "for j in range(4):");
    } else if (!over_size_ && a_cells_ > 5 && choice.chance(45)) {
        made.loops = 2;
        at = "i * 3 + j";
        line(depth++, "for i in range(2):");
        line(depth++, "for j in range(3):");
    } else {
        line(depth++,
             over_size_ ? "for i in range(n):"
                        : fmt::format("for i in range({}):", std::min<std::int64_t>(6, a_cells_)));
    }
    const bool loose = tail_ == 0 && choice.chance(15);
    if (loose && choice.chance(50)) {
        guarded(depth, at, form);
        ++made.statements;
    }
    in_first_ = name == "b";
    block(depth, name, at, form);
    in_first_ = false;
    if (tail_ == 0 && name == "b" && choice.chance(20)) {
        block(depth, "d", at, form);
        ++made.statements;
    }
    if (loose && made.statements == 1) {
        guarded(depth, at, form);
        ++made.statements;
    }
    if (name == "b") first_ = made;
}

// What over-compute leaves behind.
void Corner::refill(std::int64_t from) {
    for (const char* to : {"Y", "Z"}) {
        const std::string v = fresh("k");
        line(1, fmt::format("for {} in range({}, 8):", v, from + (choice.chance(12) ? 1 : 0)));
        line(2, fmt::format("with T.block(\"fill_{}\"):", to));
        line(3, fmt::format("v = T.axis.spatial(({}, 8), {})", from, v));
        line(3, fmt::format("{}[v] = {}", to, t.number(0)));
    }
}

// --- schedules ---------------------------------------------------------------------------------

// On the loops around block "b", as the program has them.
std::string Corner::on_loops() {
    const std::size_t last = first_.loops - 1;
    const auto any = static_cast<std::size_t>(choice.between(0, static_cast<std::int64_t>(last)));
    const int two = first_.loops == 2 ? 1 : 0;
    const int parts = first_.statements > 1 ? 1 : 0;
    const int stores = stored_.empty() ? 0 : 1;
    const int loads = loads_ ? 1 : 0;
    const std::string loops = "loops = sch.get_loops(\"b\")\n";
    switch (choice.weighted({18, 10 * two, 16 * two, 10, 7, 10, 30 * parts, follows_ ? 24 : 0,
                             6 * loads, 6 * stores, 6, 4})) {
        case 0: {
            const std::string factors = choice.chance(80)
                                            ? fmt::format("None, {}", choice.between(2, 4))
                                            : fmt::format("None, 2, {}", choice.between(2, 3));
            return loops +
                   fmt::format("parts = sch.split(loops[{}], factors=[{}])\n", any, factors);
        }
        case 1: return loops + "f = sch.fuse(loops[0], loops[1])\n";
        case 2: return loops + "sch.reorder(loops[1], loops[0])\n";
        case 3: return loops + fmt::format("sch.unroll(loops[{}], copies=True)\n", any);
        case 4: return loops + fmt::format("sch.parallel(loops[{}])\n", any);
        case 5:
            return loops +
                   fmt::format("sch.loop_partition(loops[{}]{})\n", any,
                               choice.pick<std::string>(
                                   {"", fmt::format(", factors=[{}, None]", choice.between(1, 3)),
                                    fmt::format(", hint=lambda x: x < {}", choice.between(1, 4))}));
        case 6: return loops + fmt::format("sch.fission(loops[{}], 1)\n", last);
        case 7: return "sch.merge_adjacent_loops()\n";
        case 8:
            return loops + fmt::format("sch.read_at(loops[{}], \"b\", \"A\", \"local\")\n", any);
        case 9:
            return loops + fmt::format("sch.write_at(loops[{}], \"b\", \"{}\", \"local\")\n", any,
                                       choice.pick(stored_));
        case 10:
            return loops +
                   fmt::format("o, r = sch.split(loops[{}], factors=[None, 2])\nsch.vectorize(r)\n",
                               last);
        default: return loops + fmt::format("sch.bind(loops[{}], \"threadIdx.x\")\n", last);
    }
}

// Of a buffer of block "b"; its loops follow, now and then.
std::string Corner::layout() {
    std::vector<std::string> buffers = stored_;
    if (loads_) buffers.emplace_back("A");
    const std::string buffer = choice.pick(buffers);
    const std::string pad =
        choice.pick<std::string>({"", ", pad_value=" + std::string(t.is_float ? "0.0" : "0"),
                                  fmt::format(", pad_value=T.undef(\"{}\")", t.name)});
    std::string out =
        fmt::format("sch.transform_layout(\"b\", \"{0}\", lambda p: [p // {1}, p % {1}]{2})\n",
                    buffer, choice.between(3, 4), pad);
    if (choice.chance(40)) {
        out += fmt::format("sch.sequential_buffer_access(\"b\", \"{}\")\n", buffer);
    }
    return out;
}

// On block "b", or on the whole program.
std::string Corner::on_block() {
    const bool all = choice.chance(40);
    const char* which = all ? "" : "\"b\"";
    const int stores = stored_.empty() ? 0 : 1;
    const int loads = loads_ ? 1 : 0;
    switch (choice.weighted({first_.has_tail ? 54 : 18, 20, 16, 12, 8, 6, 5 * loads, 6 * stores,
                             7 * (loads | stores), 4, assumes_ ? 12 : 0})) {
        case 0:
            return fmt::format("sch.remove_branching_through_overcompute({}{})\n", which,
                               choice.chance(50) ? "" : (all ? "partial=True" : ", partial=True"));
        case 1: return fmt::format("sch.simplify({})\n", which);
        case 2: return fmt::format("sch.remove_no_op({})\n", which);
        case 3: return fmt::format("sch.hoist_expression({})\n", which);
        case 4: return fmt::format("sch.reduce_loop_extents({})\n", which);
        case 5: return fmt::format("sch.remove_overcompute_through_branching({})\n", which);
        case 6: return "sch.cache_read(\"b\", \"A\", \"local\")\n";
        case 7:
            return fmt::format("sch.cache_write(\"b\", \"{}\", \"local\")\n", choice.pick(stored_));
        case 8: return layout();
        case 9:
            return "sch.outline(\"b\", \"part\")\nsch.work_on(\"part\")\n"
                   "sch.remove_branching_through_overcompute(\"b\", partial=True)\n";
        default: return "sch.lower_assume(mode=\"check\")\n";
    }
}

std::string Corner::schedule() {
    std::string out;
    switch (choice.weighted({35, 45, 20})) {
        case 0: out = on_loops(); break;
        case 1: out = on_block(); break;
        default: out = choice.chance(60) ? on_loops() + on_block() : on_block() + on_block();
    }
    if (choice.chance(30)) out += "sch.simplify()\n";
    if (choice.chance(15)) out += "sch.remove_no_op()\n";
    return out;
}

}  // namespace proviso::fuzz
