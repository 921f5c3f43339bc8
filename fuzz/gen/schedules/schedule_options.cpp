#include "fuzz/gen/schedules/schedule_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace proviso::fuzz {

using namespace ir;

namespace {

// Some of them, in their order; all of them now and then, or none.
std::string subset(Choice& choice, const std::vector<std::string>& words) {
    std::vector<std::string> out;
    for (const std::string& w : words) {
        if (choice.chance(55)) out.push_back(fmt::format("\"{}\"", w));
    }
    return fmt::format("[{}]", fmt::join(out, ", "));
}

std::optional<std::size_t> place(const std::vector<Buffer>& list, Buffer x) {
    const auto at = std::find(list.begin(), list.end(), x);
    if (at == list.end()) return std::nullopt;
    return static_cast<std::size_t>(at - list.begin());
}

}  // namespace

std::string maybe_block(Choice& choice, const std::string& block) {
    switch (choice.weighted({45, 35, 10, 10})) {
        case 0: return "";
        case 1: return "block=" + block;
        case 2: return block;
        default: return "\"" + block + "\"";
    }
}

std::string buffer_argument(Choice& choice, Buffer x, const std::string& name,
                            const std::vector<Buffer>& loaded, const std::vector<Buffer>& stored,
                            bool stores, bool tuple) {
    std::vector<Buffer> reads;  // an accumulator counts as written only
    for (Buffer b : loaded) {
        if (!place(stored, b)) reads.push_back(b);
    }
    const auto written = place(stored, x);
    const auto read = place(reads, x);
    const auto number = stores ? written : read;
    if (number && choice.chance(15)) return std::to_string(*number);
    if (tuple && choice.chance(15)) {
        if (written) return fmt::format("(\"write\", {})", *written);
        if (read) return fmt::format("(\"read\", {})", *read);
    }
    return fmt::format("\"{}\"", name);
}

std::string removal_arguments(Choice& choice, const std::string& block) {
    std::string out = choice.chance(70) ? "block=" + block : "";
    switch (choice.weighted({55, 40, 5})) {
        case 0: return out;
        case 1: out += out.empty() ? "partial=True" : ", partial=True"; return out;
        default: out += out.empty() ? "partial=False" : ", partial=False"; return out;
    }
}

std::string hoist_options(Choice& choice) {
    std::string out;
    if (choice.chance(60)) {
        out +=
            ", conditionals=" + subset(choice, {"IfElseStmt", "IfElseExpr", "BooleanExpression"});
    }
    if (choice.chance(45)) {
        out += ", let_bindings=" + subset(choice, {"RequiredByCondition", "LetStmt", "LetExpr"});
    }
    return out;
}

SplitFactors split_factors(Choice& choice, bool constant) {
    const auto f = [&] { return choice.between(2, 4); };
    switch (choice.weighted({50, 15, constant ? 12 : 1, constant ? 13 : 1, constant ? 10 : 1})) {
        case 0: return {fmt::format("[None, {}]", f()), 2};
        case 1: return {fmt::format("[None, {}, {}]", f(), choice.between(2, 3)), 3};
        case 2: return {fmt::format("[{}, None]", f()), 2};
        case 3: return {fmt::format("[{}, {}]", choice.between(2, 5), choice.between(2, 5)), 2};
        default: return {fmt::format("[{}, None, {}]", choice.between(1, 3), f()), 3};
    }
}

std::string placement(Choice& choice, bool reverse, const std::string& block,
                      const std::vector<std::string>& loops) {
    const char* back = reverse ? "reverse_" : "";
    if (loops.empty() || choice.chance(20)) {
        return fmt::format("sch.{}compute_inline({})\n", back, block);
    }
    std::string out;
    if (!reverse && choice.chance(25)) {
        out = fmt::format("sch.store_at({}{})\n", block, choice.chance(50) ? ", " + loops[0] : "");
    }
    const char* index = choice.pick({"", "", "", ", index=-2", ", index=0"});
    return out + fmt::format("sch.{}compute_at({}, {}{}{})\n", back, block, choice.pick(loops),
                             choice.chance(15) ? ", preserve_unit_loops=True" : "",
                             reverse ? "" : index);
}

std::string partition_arguments(Choice& choice) {
    switch (choice.weighted({25, 15, 30, 30})) {
        case 0: return fmt::format(", factors=[{}, None]", choice.between(1, 4));
        case 1: {
            const char* last = choice.chance(80) ? "None" : "1";
            return fmt::format(", factors=[{}, {}, {}]", choice.between(1, 2), choice.between(1, 2),
                               last);
        }
        case 2:
            return fmt::format(", hint=lambda i: i {} {}", choice.pick({"<", "<", ">=", "<="}),
                               choice.between(0, 5));
        default: return "";
    }
}

MapText index_map(Choice& choice, Buffer x, std::size_t rank) {
    std::vector<std::string> vars;
    std::vector<std::string> map;
    const bool as_declared = rank == x->rank();
    for (std::size_t d = 0; d < rank; ++d) {
        const std::string v(1, static_cast<char>('p' + d));
        vars.push_back(v);
        const std::int64_t factor = choice.between(2, 4);
        const std::int64_t before = choice.chance(20) ? choice.between(1, 3) : 0;
        const bool reversed = as_declared && is_int_const(x->shape[d]) && choice.chance(10);
        std::string from = before == 0 ? v : fmt::format("({} + {})", v, before);
        if (reversed) {
            const auto extent = static_cast<std::int64_t>(x->shape[d]->int_value());
            from = fmt::format("({} - {})", extent - 1 + before, v);
        }
        if (choice.chance(rank > 3 ? 10 : 55)) {
            map.push_back(fmt::format("{} // {}", from, factor));
            map.push_back(fmt::format("{} % {}", from, factor));
        } else {
            map.push_back(from);
        }
    }
    if (map.size() > 1 && choice.chance(25)) std::swap(map[0], map[1]);
    return {fmt::format("lambda {}: [{}]", fmt::join(vars, ", "), fmt::join(map, ", ")),
            map.size()};
}

std::string padding_option(Choice& choice, Buffer x, const std::string& name, std::size_t rank,
                           bool padded) {
    const std::string one = x->type.is_float() ? ".0" : "";
    const auto promised = [&](const std::string& value) {
        return value + (x->type.is_float() && choice.chance(30) ? ", exact=True" : "");
    };
    switch (choice.weighted({padded ? 0 : 27, padded ? 0 : 3, 32, 18, 12, 4, 4})) {
        case 0: return "";
        case 1: return ", pad_value=None";
        case 2: return x->type.is_bool() ? ", pad_value=False" : promised(", pad_value=0" + one);
        case 3: return fmt::format(", pad_value=T.undef(\"{}\")", x->type.str());
        case 4: return x->type.is_bool() ? ", pad_value=True" : promised(", pad_value=1" + one);
        default: break;
    }
    std::vector<std::string> cell;
    for (std::size_t d = 0; d < rank; ++d) cell.push_back(fmt::format("c{}", d));
    const std::string vars = fmt::format("{}", fmt::join(cell, ", "));
    if (x->type == x->shape[0]->type && choice.chance(50)) {
        return fmt::format(", pad_value=lambda {}: c0", vars);
    }
    for (std::size_t d = 0; d < rank; ++d) {  // another cell of the buffer
        if (choice.chance(50)) cell[d] = "0";
    }
    return promised(
        fmt::format(", pad_value=lambda {}: {}[{}]", vars, name, fmt::join(cell, ", ")));
}

}  // namespace proviso::fuzz
