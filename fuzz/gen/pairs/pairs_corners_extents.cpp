// Buffers whose extents speak of loops, of a block's iterators, of sizes and of memory: what moves
// or copies an iteration has to keep, or to give each its own.
#include <fmt/format.h>

#include "fuzz/gen/pairs/pairs_corners.h"

namespace proviso::fuzz {

namespace {

constexpr std::int64_t kMost = 5;  // iterations of the outer loop

// Of a buffer in an iteration e of [0, n), n at most kMost; from 1 on, but for the last ones.
std::string extent(Corner& c, const std::string& e, const std::string& n) {
    const std::size_t kind = c.choice.weighted({36, 16, 8, 8, 8, 6, n == "n" ? 40 : 0, 6, 6});
    if (kind < 6) {
        c.has(e[0] == 'v'   ? "extent over a block iterator"
              : e[0] == 'x' ? "extent over a let"
                            : "extent over a loop variable");
    }
    switch (kind) {
        case 0: return e + " + 1";
        case 1: return n + " - " + (e.size() > 2 ? "(" + e + ")" : e);
        case 2: return e + " + 2";
        case 3: return fmt::format("T.min({} + 1, 3)", e);
        case 4: return fmt::format("({}) // 2 + 1", e);
        case 5: return e;
        case 6: c.has("extent over a size"); return "n + 1";
        case 7: return c.t.name == "int32" ? Corner::clamped("m", 2) + " + 1" : "2";
        default: return "3";
    }
}

// The name that an extent speaks of, where it does.
void from_memory(Corner& c, int depth, const std::string& x, const std::string& e) {
    if (x.find("(m,") == std::string::npos) return;
    c.has("extent over a loaded value");
    c.line(depth, fmt::format("m: T.int32 = A[{}]", e));
}

std::string value(Corner& c, const std::string& cell) {
    const std::string a = "A[" + cell + "]";
    return c.choice.pick<std::string>(
        {a, a, fmt::format("T.max({}, {})", a, c.t.number(0)), c.t.number(2),
         c.t.exact ? fmt::format("T.min({}, {}) + {}", a, c.t.number(9), c.t.number(1)) : a});
}

struct Own {
    std::size_t loops = 1;      // around block "p"
    std::string reads;          // what the block reads; empty: nothing
    bool has_consumer = false;  // block "p" fills the buffer, block "c" reads it
    bool two = false;           // the buffer has two dimensions
};

// Loops in an iteration that fill a buffer and read it.
Own filled_and_read(Corner& c, int depth, const std::string& e, const std::string& n) {
    const std::string x = extent(c, e, n);
    from_memory(c, depth, x, e);
    c.line(depth, fmt::format("own = T.alloc_buffer(({},), \"{}\"{})", x, c.t.name,
                              c.choice.chance(40) ? ", scope=\"local\"" : ""));
    const std::string from = c.choice.pick<std::string>({"vj", "vj", e, "0"});
    c.line(depth, fmt::format("for j in range({}):", x));
    c.line(depth + 1, "with T.block(\"p\"):");
    c.line(depth + 2, fmt::format("vj = T.axis.spatial({}, j)", x));
    const bool inner = c.choice.chance(20);
    if (inner) {
        c.line(depth + 2, fmt::format("row = T.alloc_buffer((vj + 1,), \"{}\")", c.t.name));
        c.line(depth + 2, fmt::format("row[vj] = {}", value(c, from)));
    }
    const std::string stored = inner ? "row[vj]" : value(c, from);
    if (c.choice.chance(25)) {
        c.line(depth + 2, fmt::format("if vj < {}:", c.choice.between(1, 3)));
        c.line(depth + 3, "own[vj] = " + stored);
        c.line(depth + 2, "else:");
        c.line(depth + 3, "own[vj] = " + c.t.number(0));
    } else {
        c.line(depth + 2, "own[vj] = " + stored);
    }
    const auto shift = c.choice.chance(25) ? 1 : 0;  // into the cell of a later iteration
    c.line(depth, fmt::format("for k in range({}):", x));
    c.line(depth + 1, "with T.block(\"c\"):");
    c.line(depth + 2, fmt::format("vk = T.axis.spatial({}, k)", x));
    switch (c.choice.weighted({40, 30, 30})) {
        case 0:
            c.line(depth + 2,
                   fmt::format("Y[{} + {}] = T.max(Y[{} + {}], own[vk])", e, shift, e, shift));
            break;
        case 1: c.line(depth + 2, fmt::format("Y[vk + {}] = own[vk]", shift)); break;
        default:
            c.line(depth + 2, fmt::format("if own[vk] > {}:", c.t.number(0)));
            c.line(depth + 3, fmt::format("Z[vk + {}] = A[{}]", shift, e));
    }
    return {2, stored.find("A[") != std::string::npos ? "A" : "", true, false};
}

// Statements in an iteration that use a few of its buffer's cells.
Own few_cells(Corner& c, int depth, const std::string& e, const std::string& n) {
    std::string x = extent(c, e, n);
    while (x == e) x = extent(c, e, n);
    const bool two = c.choice.chance(35);
    const std::string last = c.choice.chance(60) ? x + " - 1" : "0";
    const std::string rest = two ? ", " + std::to_string(c.choice.between(0, 1)) : "";
    const std::string at = two ? last + rest : last;
    from_memory(c, depth, x, e);
    c.line(depth,
           fmt::format("own = T.alloc_buffer(({}, {}), \"{}\")", x, two ? "2" : "", c.t.name));
    c.line(depth, fmt::format("own[{}] = {}", at, value(c, e)));
    if (c.choice.chance(30))
        c.line(depth, fmt::format("own[{}] = {}", two ? "0, 0" : "0", value(c, e)));
    c.line(depth, "with T.block(\"p\"):");
    c.line(depth + 1, fmt::format("v = T.axis.spatial({}, {})", kMost * 2, e));
    const std::string kept = fmt::format("own[{}]", at);
    if (c.choice.chance(35)) {
        c.line(depth + 1, fmt::format("if v < {}:", c.choice.between(1, 4)));
        c.line(depth + 2, "Y[v] = " + kept);
    } else {
        c.line(depth + 1, "Y[v] = " + kept);
    }
    return {1, "own", false, two};
}

std::string schedule(Corner& c, const Own& own) {
    const std::string loops = "loops = sch.get_loops(\"p\")\n";
    const auto last = static_cast<std::int64_t>(own.loops) - 1;
    const auto outer = c.choice.chance(65) ? 0 : c.choice.between(0, last);
    const int two = own.loops > 1 ? 1 : 0;
    const int reads = own.reads.empty() ? 0 : 1;
    const int fills = own.has_consumer ? 1 : 0;
    std::string out;
    switch (c.choice.weighted({22, 14, 10, 12 * two, 10 * two, 8, 8, 5 * reads, 5 * reads,
                               6 * fills, 6, 5, 12, 8 * two})) {
        case 0:
            out = loops + fmt::format("parts = sch.split(loops[{}], factors=[None, {}])\n", outer,
                                      c.choice.between(2, 3));
            break;
        case 1: out = loops + fmt::format("sch.unroll(loops[{}], copies=True)\n", outer); break;
        case 2:
            out = loops + fmt::format("sch.loop_partition(loops[{}]{})\n", outer,
                                      c.choice.pick<std::string>({"", ", factors=[1, None]",
                                                                  ", factors=[2, None]",
                                                                  ", hint=lambda x: x < 2"}));
            break;
        case 3: out = loops + "f = sch.fuse(loops[0], loops[1])\n"; break;
        case 4: out = loops + "sch.reorder(loops[1], loops[0])\n"; break;
        case 5:
            out = loops + fmt::format("sch.fission(loops[0], {})\n", c.choice.chance(85) ? 1 : 2);
            break;
        case 6: out = loops + fmt::format("sch.parallel(loops[{}])\n", outer); break;
        case 7: out = fmt::format("sch.cache_read(\"p\", \"{}\", \"local\")\n", own.reads); break;
        case 8:
            out = loops + fmt::format("sch.read_at(loops[{}], \"p\", \"{}\", \"local\")\n", outer,
                                      own.reads);
            break;
        case 9: out = "sch.cache_read(\"c\", \"own\", \"local\")\n"; break;
        case 10:
            out =
                fmt::format("sch.transform_layout(\"p\", \"own\", lambda {}{})\n",
                            own.two ? "p, q: [q, p]" : "p: [p // 2, p % 2]",
                            c.choice.chance(20) ? ", pad_value=T.undef(\"" + c.t.name + "\")" : "");
            break;
        case 11: out = "sch.merge_adjacent_loops()\n"; break;
        case 12:
            out = fmt::format("sch.remove_branching_through_overcompute({})\n",
                              c.choice.pick({"", "partial=True", "\"p\"", "\"p\", partial=True"}));
            break;
        default:
            out = loops +
                  "f = sch.fuse(loops[0], loops[1])\nparts = sch.split(f, factors=[None, 2])\n";
    }
    switch (c.choice.weighted({35, 25, 15, 10, 10, 5})) {
        case 1: out += "sch.simplify()\n"; break;
        case 2: out += "sch.remove_no_op()\n"; break;
        case 3: out += "sch.remove_branching_through_overcompute(partial=True)\n"; break;
        case 4: out += "sch.hoist_expression()\n"; break;
        case 5: out += "sch.reduce_loop_extents()\n"; break;
        default: break;
    }
    return out;
}

PairText own_extents(Choice& choice) {
    Corner c(choice);
    const bool sized = choice.chance(30);
    const std::string n = sized ? "n" : std::to_string(choice.between(3, kMost));
    if (sized) c.size("n", choice.between(0, 1), kMost);
    for (const char* name : {"A", "Y", "Z"}) c.buffer(name, 12);
    std::string e = "i";
    int depth = 1;
    const bool perfect = !sized && choice.chance(40);
    Own own;
    if (perfect) {
        c.line(1, fmt::format("for i in range({}):", choice.between(2, 3)));
        c.line(2, "for o in range(2):");
        e = choice.pick<std::string>({"i * 2 + o", "i * 2 + o", "i", "o", "i + o"});
        own = few_cells(c, 3, e, "6");
        own.loops = 2;
        return c.done(schedule(c, own));
    }
    c.line(depth++, fmt::format("for i in range({}):", n));
    if (choice.chance(35)) {
        c.line(depth++, "with T.block(\"o\"):");
        c.line(depth, fmt::format("vi = T.axis.spatial({}, i)", n));
        if (choice.chance(25)) c.line(depth, fmt::format("T.where(i < {})", choice.between(2, 4)));
        e = "vi";
    } else if (choice.chance(20)) {
        c.line(depth, "if i % 2 == 0:");
        ++depth;
    }
    if (choice.chance(15)) {
        c.line(depth, fmt::format("x: T.int32 = {} + 1", e));
        e = "x - 1";
    }
    if (choice.chance(35)) {  // something that needs no buffer, before it
        c.line(depth, fmt::format("Z[{}{}] = {}", e, choice.chance(20) ? " + 1" : "", value(c, e)));
    }
    own = choice.chance(65) ? filled_and_read(c, depth, e, n) : few_cells(c, depth, e, n);
    return c.done(schedule(c, own));
}

}  // namespace

const std::vector<PairFamily>& extent_pairs() {
    static const std::vector<PairFamily> list = {
        {"own extents", own_extents},
        {"own extents", own_extents},
    };
    return list;
}

}  // namespace proviso::fuzz
