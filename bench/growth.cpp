#include "bench/growth.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "rewrite/simplify/simplifier.h"

namespace proviso::bench {

using ir::Context;
using ir::Expr;
using nlohmann::json;

namespace {

struct Problem {
    Expr expr = nullptr;
    std::vector<Expr> facts;
};

Expr var(Context& ctx, const std::string& name, int number) {
    return ctx.var(name + std::to_string(number), ir::kInt32);
}

// T.Let(T.Let(.. , where={t2: (t1 + t1) // 3}), where={t1: (t0 + t0) // 3})
Problem lets(Context& ctx, int depth) {
    Expr out = var(ctx, "t", depth);
    for (int i = depth; i > 0; --i) {
        Expr t = var(ctx, "t", i - 1);
        out = ctx.let(var(ctx, "t", i), ctx.floordiv(ctx.add(t, t), ctx.i32(3)), out);
    }
    return {out, {}};
}

// min(e + 1, e - 1) within itself: twice as many paths a level.
Problem diamond(Context& ctx, int depth) {
    Expr e = ctx.var("x", ir::kInt32);
    for (int i = 0; i < depth; ++i) {
        e = ctx.max(ctx.floordiv(ctx.add(e, var(ctx, "y", i)), ctx.i32(3)),
                    ctx.floormod(e, ctx.i32(1000 + i)));
    }
    return {e, {}};
}

Problem sum(Context& ctx, int terms) {
    Expr e = ctx.i32(0);
    for (int i = 0; i < terms; ++i) {
        e = ctx.add(e, ctx.mul(var(ctx, "x", i % (terms / 2)), ctx.i32(i % 7 + 1)));
    }
    return {e, {}};
}

Problem divisions(Context& ctx, int depth) {
    Expr e = ctx.var("x", ir::kInt32);
    for (int i = 0; i < depth; ++i) {
        e = ctx.floordiv(ctx.add(ctx.mul(e, ctx.i32(5)), ctx.i32(i)), ctx.i32(7));
    }
    return {e, {}};
}

Problem facts(Context& ctx, int count) {
    Problem out;
    for (int i = 0; i < count / 4; ++i) {
        Expr x = var(ctx, "x", i);
        out.facts.push_back(ctx.le(ctx.i32(0), x));
        out.facts.push_back(ctx.lt(x, ctx.i32(8)));
        out.facts.push_back(ctx.le(x, var(ctx, "y", i)));
        out.facts.push_back(ctx.lt(var(ctx, "y", i), var(ctx, "z", i)));
    }
    out.expr = ctx.i32(0);
    for (int i = 0; i < 8; ++i) {
        out.expr = ctx.add(
            out.expr, ctx.floordiv(ctx.add(ctx.mul(var(ctx, "z", i), ctx.i32(8)), var(ctx, "x", i)),
                                   ctx.i32(8)));
        out.expr = ctx.add(out.expr, ctx.max(var(ctx, "x", i), var(ctx, "z", i)));
    }
    return out;
}

struct Curve {
    const char* name;
    const char* unit;
    std::function<Problem(Context&, int)> make;
    std::vector<int> sizes;
};

struct Cost {
    double us = 0;
    double kib = 0;
};

Cost measure(const Curve& curve, int size) {
    Cost best;
    for (int round = 0; round < 5; ++round) {
        Context ctx;
        const Problem p = curve.make(ctx, size);
        analysis::Prover prover(ctx, {});
        rewrite::Simplifier simplifier(prover, rewrite::RuleBook::standard(), {200'000, false});
        const auto before = mallinfo2().uordblks;
        const auto start = std::chrono::steady_clock::now();
        simplifier.simplify(p.expr, p.facts);
        const double us =
            std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
                .count();
        const auto after = mallinfo2().uordblks;
        const double kib = after > before ? static_cast<double>(after - before) / 1024 : 0;
        if (round == 0 || us < best.us) best.us = us;
        best.kib = kib;
    }
    return best;
}

}  // namespace

json measure_growth() {
    const std::vector<Curve> curves = {
        {"diamond of lets", "deep", lets, {8, 16, 32, 64, 128}},
        {"diamond of terms", "deep", diamond, {8, 16, 32, 64, 128}},
        {"sum", "terms", sum, {625, 1250, 2500, 5000, 10'000}},
        {"nested divisions", "deep", divisions, {25, 50, 100, 200, 400}},
        {"facts in scope", "facts", facts, {64, 128, 256, 512, 1024}},
    };
    rewrite::RuleBook::standard().meet(ir::kInt32);
    json out = json::array();
    for (const Curve& c : curves) {
        json one = {{"name", c.name}, {"unit", c.unit}, {"sizes", c.sizes}};
        std::vector<double> us;
        std::vector<double> kib;
        for (const int size : c.sizes) {
            const Cost cost = measure(c, size);
            us.push_back(cost.us);
            kib.push_back(cost.kib);
        }
        const double sizes = std::log(static_cast<double>(c.sizes.back()) / c.sizes[1]);
        one["us"] = us;
        one["kib"] = kib;
        one["exponent"] = std::log(us.back() / us[1]) / sizes;
        one["memory_exponent"] = kib[1] > 0 ? std::log(kib.back() / kib[1]) / sizes : 0.0;
        out.push_back(std::move(one));
    }
    return {{"curves", out}};
}

namespace {

// How far a curve goes on either axis, as a ratio to its start.
double reach(const json& growth) {
    double out = 1;
    for (const json& c : growth["curves"]) {
        for (std::size_t i = 0; i < c["sizes"].size(); ++i) {
            out = std::max({out, c["sizes"][i].get<double>() / c["sizes"][0].get<double>(),
                            c["us"][i].get<double>() / c["us"][0].get<double>()});
        }
    }
    return out;
}

}  // namespace

std::string growth_svg(const json& growth, const std::string& title) {
    static const char* colours[] = {"#1b6ca8", "#c0392b", "#27864a", "#8e44ad", "#b9770e"};
    constexpr double left = 70;
    constexpr double top = 30;
    constexpr double side = 360;
    const double decades = std::max(1.5, std::log10(reach(growth)));  // on both axes
    const auto x = [&](double ratio) { return left + side * std::log10(ratio) / decades; };
    const auto y = [&](double ratio) {
        return top + side - side * std::log10(std::max(ratio, 1.0)) / decades;
    };
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"450\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"760\" height=\"450\" fill=\"white\"/>\n"
        "<text x=\"{:.0f}\" y=\"18\" font-size=\"14\">{:s}</text>\n",
        left, title);
    const double step = decades > 2 ? 10 : 2;
    for (double tick = 1; std::log10(tick) <= decades; tick *= step) {
        out += fmt::format(
            "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/>\n"
            "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4:.0f}</text>\n"
            "<line x1=\"{5:.1f}\" y1=\"{6:.1f}\" x2=\"{7:.1f}\" y2=\"{6:.1f}\" stroke=\"#ddd\"/>\n"
            "<text x=\"{8:.1f}\" y=\"{9:.1f}\" text-anchor=\"end\">{4:.0f}</text>\n",
            x(tick), top, top + side, top + side + 18, tick, left, y(tick), left + side, left - 8,
            y(tick) + 4);
    }
    out += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#888\" "
        "stroke-dasharray=\"6 4\"/>\n",
        x(1), y(1), x(std::pow(10, decades)), y(std::pow(10, decades)));
    std::size_t n = 0;
    for (const json& c : growth["curves"]) {
        const char* colour = colours[n % 5];
        std::string points;
        for (std::size_t i = 0; i < c["sizes"].size(); ++i) {
            points += fmt::format("{:.1f},{:.1f} ",
                                  x(c["sizes"][i].get<double>() / c["sizes"][0].get<double>()),
                                  y(c["us"][i].get<double>() / c["us"][0].get<double>()));
        }
        out += fmt::format(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", points,
            colour);
        const double at = top + 20 + 24 * static_cast<double>(n);
        out += fmt::format(
            "<rect x=\"{0:.0f}\" y=\"{1:.0f}\" width=\"12\" height=\"12\" fill=\"{2}\"/>\n"
            "<text x=\"{3:.0f}\" y=\"{4:.0f}\">{5}: {6} to {7} {8}, size^{9:.2f}</text>\n",
            left + side + 20, at, colour, left + side + 38, at + 10, c["name"].get<std::string>(),
            c["sizes"].front().get<int>(), c["sizes"].back().get<int>(),
            c["unit"].get<std::string>(), c["exponent"].get<double>());
        ++n;
    }
    return out + "</svg>\n";
}

}  // namespace proviso::bench
