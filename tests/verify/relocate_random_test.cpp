// Relocations proposed at random: what the theorem accepts, neither translation validation nor a
// run refutes. Most proposals are wrong in some way: cells collide, a copy misses one, what is
// copied back was not stored.
#include <gtest/gtest.h>

#include "analysis/facts/path.h"
#include "rewrite/rules/relocate/relocate.h"
#include "tests/verify/random_relocations.h"

namespace proviso::verify {
namespace {

using namespace ir;

// A map, and what takes it back where it is right.
struct MapText {
    std::string map, inverse;
};
const std::vector<MapText> kMaps = {{"x", "c"},
                                    {"3 - x", "3 - c"},
                                    {"x + 1", "c - 1"},
                                    {"x // 2", "c * 2"},
                                    {"(x + 1) % 4", "(c + 3) % 4"},
                                    {"x * 2", "c // 2"},
                                    {"x % 2", "c + 2"},
                                    {"x - n", "c + n"},
                                    {"T.max(x, 1)", "T.min(c, 3)"}};

class RandomRelocations : public RandomProposals {
  protected:
    RandomRelocations() : RandomProposals(20261123) {}

    Expr expr(const std::string& text, const Scope& scope, ScalarType type = kInt32) {
        const Result<Expr> e = parse_expr(ctx, text, scope, type);
        PROVISO_CHECK(e.ok(), e.error().str());
        return *e;
    }

    // Of a buffer of the function; none where it has none of the name.
    std::optional<rewrite::Relayout> layout(const Function& f, const std::string& name) {
        Scope scope;
        for (Expr v : f.scalar_params()) scope.vars[*v->name] = v;
        rewrite::Relayout r;
        r.buffer = f.find_buffer_param(name);
        for_each_stmt(f.body, [&](Stmt s) {
            const Allocate* n = s->as<Allocate>();
            if (n != nullptr && n->buffer->name == name) r.buffer = n->buffer;
        });
        if (r.buffer == nullptr) return std::nullopt;
        r.layout.vars = {ctx.var("x", kInt32)};
        r.layout.physical_vars = {ctx.var("c", kInt32)};
        Scope logical = scope;
        logical.vars["x"] = r.layout.vars[0];
        Scope physical = scope;
        physical.vars["c"] = r.layout.physical_vars[0];
        const MapText& map = pick(kMaps);
        const std::string inverse = random_() % 4 == 0 ? pick(kMaps).inverse : map.inverse;
        r.layout.map = {expr(map.map, logical)};
        r.layout.inverse = {expr(inverse, physical)};
        r.shape = {expr(pick<std::string>({"3", "4", "5", "6", "8", "T.max(n, 4)"}), scope)};
        r.limits = {Int128{pick<int>({3, 8, 1000, 2147483647})}};
        r.names = {"w" + std::to_string(++names_)};
        const int pad = static_cast<int>(random_() % 4);
        if (pad == 1) r.layout.pad_kind = analysis::PadKind::Undef;
        if (pad == 2) r.layout.pad = expr(pick<std::string>({"7", "c", "7 // n"}), physical);
        physical.buffers[name] = ctx.buffer(name, kInt32, r.shape, r.buffer->scope);
        if (pad == 3)
            r.layout.pad = expr(name + pick<std::string>({"[0]", "[c - 4]", "[3]"}), physical);
        r.after = *Site::parse(pick<std::string>({"body", "body", "body/body/0", "body/body"}));
        const std::vector<std::pair<std::string, std::string>> boxes = {
            {"4", "5"}, {"0", "1"}, {"4", "8"}, {"1", "2"}, {"5", "6"}, {"3", "4"}, {"0", "8"}};
        for (std::size_t left = random_() % 3; left > 0; --left) {
            const auto& [lo, hi] = pick(boxes);
            r.boxes.push_back({{{expr(lo, scope), expr(hi, scope)}}, random_() % 3 == 0});
        }
        return r;
    }

    // Further layouts on what was accepted, each compared with the program at the start.
    void chain(const Function& before, Function now) {
        for (std::size_t left = random_() % 9; left > 0; --left) {
            const auto r = layout(now, pick<std::string>({"A", "B", "C", "t"}));
            if (!r || r->buffer->rank() != 1) continue;
            const Result<rewrite::Proposal> next = rewrite::relayout(ctx, now, *r);
            if (!look(before, next)) continue;
            ++chained_;
            now = next->after;
        }
    }

    std::size_t chained_ = 0;
    std::size_t names_ = 0;
};

TEST_F(RandomRelocations, StagingIsRight) {
    struct Case {
        std::string body, buffer;
        std::string at;
        std::string writer = {}, load = {};  // of a copy back
    };
    const std::string loop = "    for i in range(4):\n";
    const std::string block =
        loop +
        "        with T.block(\"b\"):\n                v = T.axis.spatial(4, i)\n"
        "                T.reads(A[v])\n                T.writes(B[v])\n";
    const std::string sum =
        loop +
        "        with T.block(\"b\"):\n            v = T.axis.spatial(4, i)\n"
        "            k = T.axis.reduce(1, 0)\n            T.reads(A[v])\n"
        "            T.writes(B[v])\n            with T.init():\n                B[v] = 0\n"
        "            B[v] = T.max(B[v], A[v])\n";
    const std::vector<Case> cases = {
        {loop + "        B[i] = A[i]\n", "A", "body"},
        {loop + "        B[i] = A[i]\n", "A", "body/body"},
        {"    for i in range(3):\n        B[i] = A[i + 1] + A[i] // 4\n", "A", "body"},
        {"    for i in range(3):\n        B[i] = A[i + 1] // 2 + A[i] // 4\n", "A", "body/body"},
        {loop + "        if n < i:\n            B[i] = A[3 - i]\n", "A", "body"},
        {loop + "        T.assume(i < 2 or A[i] == T.undef(\"int32\"))\n        B[i] = A[0]\n", "A",
         "body"},
        {loop + "        A[i] = A[0]\n", "A", "body"},
        {"    for i in T.parallel(4):\n        B[i] = A[i]\n", "A", "body/body"},
        {loop + "        B[i] = A[i]\n", "B", "body", "body/body"},
        {loop + "        B[i] = A[i]\n", "B", "body/body", "body/body"},
        {"    for i in range(3):\n        B[i] = A[i]\n", "B", "body", "body/body"},
        {"    for i in range(n):\n        if i < 4:\n            B[i] = A[i]\n", "B", "body",
         "body/body/then"},
        {loop + "        B[3 - i] = A[i]\n", "B", "body", "body/body"},
        {loop + "        B[i] = 0\n        for k in range(3):\n"
                "            B[i] = B[i] // 2 + A[k] // 4\n",
         "B", "body", "body/body/0", "body/body/1/body"},
        {loop + "        B[i] = 0\n        for k in range(3):\n"
                "            B[i] = B[i] // 2 + A[k] // 4\n",
         "B", "body/body", "body/body/0", "body/body/1/body"},
        {loop + "        B[i] = A[i]\n        assert A[i] < 9, \"large\"\n", "B", "body",
         "body/body/0"},
        {loop + "        B[i] = A[i]\n        A[i] = B[(i + 3) % 4]\n", "B", "body", "body/body/0",
         "body/body/1"},
        // Blocks with claims, initialisations, lets, calls, concurrent loops, local buffers.
        {block + "                B[v] = A[v]\n", "A", "body"},
        {block + "                B[v] = A[v]\n", "A", "body/body"},
        {block + "                B[v] = A[v]\n", "A", "body/body/body"},
        {block + "                B[v] = A[v]\n", "B", "body", "body/body/body"},
        {block + "                B[v] = A[v]\n", "B", "body/body", "body/body/body"},
        {sum, "A", "body"},
        {sum, "B", "body", "body/body/init", "body/body/body"},
        {sum, "B", "body/body", "body/body/init", "body/body/body"},
        {"    w: T.int32 = n % 3\n    for i in range(3):\n        B[i] = A[T.min(i + w, 3)]\n", "A",
         "body/body"},
        {"    for i in T.parallel(4):\n        B[i] = i\n", "B", "body/body", "body/body"},
        {"    for i in T.parallel(4):\n        B[i] = i\n", "B", "body", "body/body"},
        {"    for i in T.parallel(2):\n        for j in range(2):\n            B[i * 2 + j] = "
         "A[j]\n",
         "A", "body/body"},
        {loop + "        B[i] = T.call_extern(\"int32\", \"g\", A[i])\n", "A", "body"},
        {loop + "        B[i] = T.call_extern(\"int32\", \"g\", A[i])\n", "B", "body", "body/body"},
        {loop + "        assert A[i] < 3, \"large\"\n        B[i] = A[i]\n", "A", "body"},
        {loop + "        if A[i] > 0:\n            B[i] = A[3 - i] // 2\n", "A", "body"},
        {"    t = T.alloc_buffer((4,), \"int32\")\n    for i in range(3):\n        t[i] = A[i]\n"
         "    for j in range(3):\n        B[j] = t[j]\n",
         "t", "body/body/1"},
        {"    t = T.alloc_buffer((4,), \"int32\")\n    for i in range(3):\n        t[i] = A[i]\n"
         "    for j in range(3):\n        B[j] = t[j]\n",
         "t", "body/body/0", "body/body/0/body"},
        {"    for i in range(2, n):\n        if i < 4:\n            B[i - 2] = A[i]\n", "A",
         "body"},
        {loop + "        B[i] = T.if_then_else(i < n, A[i], 0)\n", "A", "body"},
    };
    const std::vector<std::string> guards = {"",
                                             "0 <= INV and INV < 4",
                                             "0 <= INV and INV < 4",
                                             "c < 3",
                                             "c != 1",
                                             "n == 0",
                                             "0 < n and c < n",
                                             "INV < 4"};
    for (std::size_t turn = 0; turn < 6000; ++turn) {
        const Case& chosen = pick(cases);
        const Function f = parse(chosen.body);
        const Site site = *Site::parse(chosen.at);
        Scope scope = analysis::scope_at(ctx, f, site);
        const MapText& map = pick(kMaps);
        const std::string inverse = random_() % 4 == 0 ? pick(kMaps).inverse : map.inverse;
        rewrite::Staging s;
        s.buffer = scope.buffers.at(chosen.buffer);
        s.copy = ctx.buffer(
            "C", kInt32, {expr(pick<std::string>({"1", "2", "4", "4", "5", "8"}), scope)}, "local");
        s.cells.vars = {ctx.var("x", kInt32)};
        s.cells.physical_vars = {ctx.var("c", kInt32)};
        Scope logical = scope;
        logical.vars["x"] = s.cells.vars[0];
        // Of one iteration: its own cell alone.
        const bool own = scope.vars.count("i") != 0 && random_() % 2 == 0;
        s.cells.map = {expr(own ? "x - i" : map.map, logical)};
        scope.vars["c"] = s.cells.physical_vars[0];
        const std::string back = own ? "c + i" : inverse;
        s.cells.inverse = {expr(back, scope)};
        std::string guard = pick(guards);
        for (std::size_t at = guard.find("INV"); at != std::string::npos; at = guard.find("INV")) {
            guard.replace(at, 3, "(" + back + ")");
        }
        if (!guard.empty()) s.guard = expr(guard, scope, kBool);
        s.back = !chosen.writer.empty();
        s.keeps_claims = s.back;
        const auto witness = [&](const std::string& statement, const std::vector<std::string>& at,
                                 const Scope& over) {
            analysis::Witness w{*Site::parse(statement), {}};
            for (Expr v : analysis::point_at(ctx, f, w.statement).loops) {
                const bool outer = analysis::scope_at(ctx, f, site).vars.count(*v->name) != 0;
                w.at[v] = outer ? v : expr(pick(at), over);
            }
            return w;
        };
        if (s.back)
            s.writer = witness(chosen.writer, {back, back, "c", "3 - (" + back + ")"}, scope);
        if (!chosen.load.empty()) {
            const Site load = *Site::parse(chosen.load);
            s.reads[load] = {witness(chosen.writer, {"i", "(i + 3) % 4", "i - 1"},
                                     analysis::scope_at(ctx, f, load))};
        }
        const Result<rewrite::Proposal> staged = rewrite::stage(ctx, f, site, s);
        if (look(f, staged)) chain(f, staged->after);
    }
    EXPECT_GT(accepted_, 300U);
    EXPECT_GT(bounded_ * 10, accepted_ * 8);
    EXPECT_GT(refined_, accepted_ * 4);
    EXPECT_GT(chained_, 100U);
}

TEST_F(RandomRelocations, LayoutsAreRight) {
    const std::string loop = "    for i in range(4):\n";
    const std::vector<std::string> bodies = {
        loop + "        B[i] = A[i] // 2\n",
        "    for i in range(3):\n        B[i] = A[i + 1] // 2\n        A[i] = B[i]\n",
        "    t = T.alloc_buffer((4,), \"int32\")\n" + loop + "        t[i] = A[i]\n" +
            "    for j in range(4):\n        B[j] = t[3 - j]\n",
    };
    for (std::size_t turn = 0; turn < 3000; ++turn) {
        const Function f = parse(pick(bodies));
        const auto r = layout(f, pick<std::string>({"A", "B", "t"}));
        if (!r) continue;
        const Result<rewrite::Proposal> moved = rewrite::relayout(ctx, f, *r);
        if (look(f, moved)) chain(f, moved->after);
    }
    EXPECT_GT(accepted_, 150U);
    EXPECT_GT(bounded_ * 10, accepted_ * 8);
    EXPECT_GT(refined_, accepted_ * 4);
    EXPECT_GT(chained_, 20U);
}

}  // namespace
}  // namespace proviso::verify
