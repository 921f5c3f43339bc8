// Statements and values that most programs do not have: undefined arms beside exact integers that
// reach the ends of their type, opaque calls in conditions, indices and bounds, asserts with stores
// around them, values that are evaluated for nothing. What guards them must stay, mostly; now and
// then the value is harmless.
#include <fmt/format.h>

#include "fuzz/gen/pairs/pairs_corners.h"

namespace proviso::fuzz {

namespace {

// A value about A[at] and where it has no fault. `is` and `not_` are opposites.
struct Hazard {
    std::string is;
    std::string not_;
    std::string value;
};

Hazard hazard(Corner& c, const std::string& at) {
    const CornerType& t = c.t;
    const std::string a = "A[" + at + "]";
    const auto below = [&](const std::string& bound, const std::string& value) {
        return Hazard{fmt::format("{} < {}", a, bound), fmt::format("{} >= {}", a, bound), value};
    };
    const std::string one = t.number(1);
    if (!t.exact) {
        return c.choice.chance(70) ? below(t.top, fmt::format("{} + {}", a, one))
                                   : below(t.half, fmt::format("{0} * {1}", a, t.number(2)));
    }
    const Hazard above_least = {fmt::format("{} >= -{}", a, t.top),
                                fmt::format("{} < -{}", a, t.top), ""};
    switch (c.choice.weighted({34, 10, 10, 6, 8, 8, 14, 10})) {
        case 0: return below(t.top, fmt::format("{} + {}", a, one));
        case 1: return below(t.number(100), fmt::format("{} + {}", a, one));
        case 2: return {above_least.is, above_least.not_, fmt::format("{} - {}", a, one)};
        case 3: return {above_least.is, above_least.not_, fmt::format("{} - {}", t.number(0), a)};
        case 4:
            return {fmt::format("{1} <= {0} and {0} < {2}", a, t.number(0), t.half),
                    fmt::format("{0} < {1} or {0} >= {2}", a, t.number(0), t.half),
                    fmt::format("{} * {}", a, t.number(2))};
        case 5:
            return {fmt::format("{} != {}", a, t.number(0)),
                    fmt::format("{} == {}", a, t.number(0)),
                    fmt::format("{} // {}", t.number(100), a)};
        case 6:  // harmless
            return below(t.top, c.choice.pick<std::string>(
                                    {a, fmt::format("T.max({}, {})", a, t.number(0)), t.number(7),
                                     fmt::format("T.min({}, {}) + {}", a, t.number(50), one)}));
        default: {
            const auto k = c.choice.between(2, 5);
            return {fmt::format("{} < {}", at, k), fmt::format("{} >= {}", at, k), a};
        }
    }
}

std::string undef(const Corner& c) {
    return fmt::format("T.undef(\"{}\")", c.t.name);
}

// The value, or nothing in particular.
std::string arms(Corner& c, const Hazard& h) {
    const std::string chooses = c.choice.chance(75) ? "T.if_then_else" : "T.Select";
    // What is chosen by T.Select is evaluated before, and a division with it.
    const std::string f = h.value.find("//") != std::string::npos ? "T.if_then_else" : chooses;
    if (c.choice.chance(25)) return fmt::format("{}({}, {}, {})", f, h.not_, undef(c), h.value);
    return fmt::format("{}({}, {}, {})", f, h.is, h.value, undef(c));
}

// Something that the same condition decides.
void follow(Corner& c, int depth, const std::string& at, const Hazard& h) {
    const std::string one = c.t.number(1);
    const std::string two = c.t.number(2);
    switch (c.choice.weighted({35, 20, 20, 25})) {
        case 0:
            return c.line(depth,
                          fmt::format("Z[{}] = T.if_then_else({}, {}, {})", at, h.is, one, two));
        case 1:
            c.line(depth, fmt::format("if {}:", h.not_));
            c.line(depth + 1, fmt::format("Z[{}] = {}", at, one));
            c.line(depth, "else:");
            return c.line(depth + 1, fmt::format("Z[{}] = {}", at, two));
        case 2:
            return c.line(
                depth, fmt::format("Z[{}] = T.if_then_else({}, {}, {})", at, h.is, h.value, one));
        default: return;
    }
}

void undefined_arm(Corner& c, int depth, const std::string& at) {
    c.has("undefined arm");
    const Hazard h = hazard(c, at);
    const char* to = c.choice.pick({"Y", "Y", "Y", "Z"});
    const auto store = [&](int d, const std::string& v) {
        c.line(d, fmt::format("{}[{}] = {}", to, at, v));
    };
    if (c.choice.chance(15)) follow(c, depth, at, h);
    switch (c.choice.weighted({40, 16, 10, 10, 10, 7, 7})) {
        case 0: store(depth, arms(c, h)); break;
        case 1: {
            const bool first = c.choice.chance(75);
            c.line(depth, fmt::format("if {}:", first ? h.is : h.not_));
            store(depth + 1, first ? h.value : undef(c));
            c.line(depth, "else:");
            store(depth + 1, first ? undef(c) : h.value);
            break;
        }
        case 2:
            store(depth, undef(c));
            c.line(depth, fmt::format("if {}:", h.is));
            store(depth + 1, h.value);
            break;
        case 3: {
            const std::string x = c.fresh("x");
            c.line(depth, fmt::format("{}: T.{} = {}", x, c.t.name, arms(c, h)));
            store(depth, c.choice.chance(60)
                             ? x
                             : fmt::format("T.if_then_else({}, {}, {})", h.is, x, c.t.number(0)));
            break;
        }
        case 4:
            store(depth, fmt::format("T.if_then_else({}, {}, {})", c.condition(at), arms(c, h),
                                     c.choice.chance(50) ? undef(c) : "A[" + at + "]"));
            break;
        case 5: {
            const std::string tmp = c.fresh("tmp");
            c.line(depth, fmt::format("{} = T.alloc_buffer((1,), \"{}\")", tmp, c.t.name));
            c.line(depth, fmt::format("{}[0] = {}", tmp, arms(c, h)));
            store(depth, c.choice.chance(50)
                             ? tmp + "[0]"
                             : fmt::format("T.Select({}, {}[0], {})", h.is, tmp, c.t.number(3)));
            break;
        }
        default:
            c.line(depth, fmt::format("if {}:", h.is));
            store(depth + 1, h.value);
            c.line(depth, fmt::format("if {}:", h.not_));
            store(depth + 1, undef(c));
    }
    if (c.choice.chance(65)) follow(c, depth, at, h);
}

// --- opaque calls ------------------------------------------------------------------------------

std::string asks(Corner& c, const std::string& at) {
    c.has("opaque call in a condition");
    const std::string more = fmt::format("{} > {}", c.call(at), c.choice.between(-1, 1));
    switch (c.choice.weighted({30, 8, 10, 8, 8, 6, 6, 6, 4, 4, 4, 6})) {
        case 1: return c.ask(at);
        case 2: return fmt::format("{} < {} and {}", at, c.choice.between(0, 5), more);
        case 3: return fmt::format("{} and {} < {}", more, at, c.choice.between(1, 8));
        case 4: return fmt::format("({} >= {} or {})", at, c.choice.between(0, 5), more);
        case 5: return fmt::format("({} or {} >= 0)", more, at);
        case 6:
            return fmt::format("T.if_then_else(A[{}] > {}, {}, 1) > 0", at, c.t.number(0),
                               c.call(at));
        case 7: return fmt::format("T.Select({} < 3, {}, 1) > 0", at, c.call(at));
        case 8: return c.call(at) + " * 0 == 0";
        case 9: return fmt::format("{} == {}", c.call(at), c.call(at));
        case 10: {
            const std::string u = c.fresh("u");
            return fmt::format("T.let({0}, {1}, {0} > 0 or {0} < -9)", u, c.call(at));
        }
        case 11:
            c.has("opaque call in an index");
            return fmt::format("A[{}] > {}", Corner::clamped(c.call(at), 3), c.t.number(0));
        default: return more;
    }
}

void calling(Corner& c, int depth, const std::string& at) {
    const std::string zero = c.t.number(0);
    const std::string a = "A[" + at + "]";
    switch (c.choice.weighted({20, 14, 10, 10, 9, 10, 8, 9, 6, 4, 6})) {
        case 0:
            c.line(depth, fmt::format("if {}:", asks(c, at)));
            c.line(depth + 1, "pass");
            if (!c.choice.chance(30)) return;
            c.line(depth, "else:");
            return c.pass_or_plain(depth + 1, at);
        case 1:
            c.line(depth, fmt::format("if {}:", asks(c, at)));
            c.plain(depth + 1, at);
            if (!c.choice.chance(40)) return;
            c.line(depth, "else:");
            return c.plain(depth + 1, at);
        case 2:
            c.has("opaque call in a bound");
            c.line(depth,
                   fmt::format("for {} in range({}):", c.fresh("k"),
                               c.choice.chance(80) ? Corner::clamped(c.call(at), 2)
                                                   : "1, " + Corner::clamped(c.call(at), 2)));
            return c.pass_or_plain(depth + 1, at);
        case 3: {
            c.has("opaque call in a let");
            const std::string x = c.fresh("x");
            c.line(depth, fmt::format("{}: T.int32 = {}", x, c.call(at)));
            if (c.choice.chance(35)) return c.plain(depth, at);
            return c.line(depth,
                          fmt::format("Y[{}] = T.if_then_else({} > 0, {}, {})", at, x, a, zero));
        }
        case 4:
            c.has("evaluate");
            c.has("opaque call in a value");
            return c.line(depth, fmt::format("T.evaluate({})",
                                             c.choice.chance(70) ? c.call(at)
                                                                 : "T.min(" + c.call(at) + ", 3)"));
        case 5:
            c.has("opaque call in a value");
            if (c.t.name == "int32" && c.choice.chance(60)) {
                return c.line(depth, fmt::format("Y[{}] = {}", at, c.call(at)));
            }
            return c.line(
                depth, fmt::format("Y[{}] = T.if_then_else({}, {}, {})", at, asks(c, at), a, zero));
        case 6: {  // in both arms, the same or not
            c.has("opaque call in a value");
            const std::string first = fmt::format("T.evaluate({})", c.call(at));
            c.line(depth, fmt::format("if {}:", c.condition(at)));
            c.line(depth + 1, first);
            c.line(depth, "else:");
            return c.line(depth + 1,
                          c.choice.chance(50) ? first : fmt::format("T.evaluate({})", c.call(at)));
        }
        case 7:
            c.has("opaque call in an index");
            if (c.choice.chance(50)) {
                return c.line(depth,
                              fmt::format("Y[{}] = A[{}]", at, Corner::clamped(c.call(at), 4)));
            }
            return c.line(depth, fmt::format("Y[{}] = {}", Corner::clamped(c.call(at), 4), a));
        case 8:
            c.has("assert");
            return c.line(depth, fmt::format("assert {} > -7, \"called\"", c.call(at)));
        case 9: {
            c.has("opaque call in an extent");
            const std::string own = c.fresh("own");
            const std::string m = c.fresh("m");
            c.line(depth, fmt::format("{}: T.int32 = {}", m, c.call(at)));
            c.line(depth, fmt::format("{} = T.alloc_buffer(({} + 1,), \"{}\")", own,
                                      Corner::clamped(m, 3), c.t.name));
            c.line(depth, fmt::format("{}[0] = {}", own, a));
            return c.line(depth,
                          fmt::format("Y[{}] = {}", at, c.choice.chance(60) ? own + "[0]" : zero));
        }
        default:
            c.has("opaque call in a value");
            c.line(depth, fmt::format("if {}:", c.condition(at)));
            return c.line(depth + 1, fmt::format("T.evaluate({})", c.call(at)));
    }
}

// --- asserts -----------------------------------------------------------------------------------

void stop(Corner& c, int depth, const std::string& at) {
    c.has("assert");
    const std::string a = "A[" + at + "]";
    const std::string zero = c.t.number(0);
    const std::string message = c.choice.pick({"\"one\"", "\"two\""});
    const Hazard h = hazard(c, at);
    const std::string holds = c.choice.pick<std::string>(
        {h.is, h.is, fmt::format("{} > {}", a, c.t.number(-50)), at + " < 7",
         fmt::format("{}[{}] != {}", c.vague() ? "A" : "Y", at, c.t.number(3)),
         fmt::format("A[0] < {}", c.t.number(90)), fmt::format("{} != {}", a, c.t.number(-4))});
    const std::string check = fmt::format("assert {}, {}", holds, message);
    switch (c.choice.weighted({20, 10, 22, 16, 8, 8, 8, 8})) {
        case 0: return c.line(depth, check);
        case 1:
            c.line(depth, fmt::format("if {}:", c.condition(at)));
            return c.line(depth + 1, check);
        case 2:  // and what it says
            c.line(depth, fmt::format("assert {}, {}", h.is, message));
            if (c.choice.chance(50)) c.line(depth, fmt::format("Y[{}] = {}", at, h.value));
            return follow(c, depth, at, h);
        case 3:  // what it leaves behind
            c.line(depth, fmt::format("Y[{}] = {}", at, c.choice.chance(50) ? zero : a));
            c.line(depth, check);
            return c.line(depth,
                          fmt::format("Y[{}] = {}", at, c.choice.chance(50) ? a : c.t.number(1)));
        case 4:
            c.line(depth, fmt::format("if {}:", c.condition(at)));
            c.line(depth + 1, check);
            c.line(depth, "else:");
            return c.line(depth + 1, c.choice.chance(50) ? check
                                                         : fmt::format("assert {} < {}, \"two\"", a,
                                                                       c.t.number(60)));
        case 5:
            c.line(depth,
                   fmt::format("for {} in range({}):", c.fresh("k"), c.choice.between(0, 2)));
            return c.line(depth + 1, check);
        case 6:
            c.line(depth, check);
            c.plain(depth, at);
            return c.line(depth, check);
        default:
            c.line(depth, fmt::format("Z[{0}] = Y[{0}]", at));
            c.line(depth, check);
            return c.line(depth, fmt::format("Y[{0}] = Z[{0}]", at));
    }
}

// --- values for nothing ------------------------------------------------------------------------

void evaluation(Corner& c, int depth, const std::string& at) {
    c.has("evaluate");
    const Hazard h = hazard(c, at);
    const auto evaluate = [&](int d, const std::string& v) {
        c.line(d, fmt::format("T.evaluate({})", v));
    };
    switch (c.choice.weighted({30, 14, 12, 8, 8, 10, 10, 8})) {
        case 0:
            c.line(depth, fmt::format("if {}:", h.is));
            evaluate(depth + 1, h.value);
            if (c.choice.chance(50)) c.plain(depth + 1, at);
            break;
        case 1: evaluate(depth, "A[" + at + "]"); break;
        case 2:
            evaluate(depth,
                     fmt::format("T.if_then_else({}, {}, {})", h.is, h.value, c.t.number(0)));
            break;
        case 3:
            c.has("undefined arm");
            evaluate(depth, arms(c, h));
            break;
        case 4:
            c.line(depth, fmt::format("if {}:", h.not_));
            evaluate(depth + 1, c.choice.chance(50) ? "A[0]" : "Y[" + at + "]");
            c.line(depth, "else:");
            evaluate(depth + 1, h.value);
            break;
        case 5:
            c.line(depth, fmt::format("Y[{0}] = A[{0}]", at));
            evaluate(depth, "Y[" + at + "]");
            break;
        case 6: {
            c.line(depth, fmt::format("if {}:", h.is));
            const std::string x = c.fresh("x");
            c.line(depth + 1, fmt::format("{}: T.{} = {}", x, c.t.name, h.value));
            evaluate(depth + 1, x);
            break;
        }
        default:
            c.line(depth,
                   fmt::format("for {} in range({}):", c.fresh("k"), c.choice.between(0, 2)));
            evaluate(depth + 1, "A[" + at + "]");
    }
    if (c.choice.chance(30)) follow(c, depth, at, h);
}

// --- families ----------------------------------------------------------------------------------

PairText undefined_arms(Choice& choice) {
    return Corner(choice).pair({undefined_arm});
}
PairText calls_in_guards(Choice& choice) {
    return Corner(choice).pair({calling, true, asks});
}
PairText stops(Choice& choice) {
    return Corner(choice).pair({stop, true});
}
PairText evaluates(Choice& choice) {
    return Corner(choice).pair({evaluation});
}

// All of them in one program.
void any_form(Corner& c, int depth, const std::string& at) {
    c.choice.pick({&undefined_arm, &calling, &stop, &evaluation})(c, depth, at);
}
PairText mixed(Choice& choice) {
    return Corner(choice).pair({any_form, true});
}

}  // namespace

const std::vector<PairFamily>& corner_pairs() {
    static const std::vector<PairFamily> list = [] {
        std::vector<PairFamily> out = {
            {"undefined arms", undefined_arms},
            {"undefined arms", undefined_arms},
            {"calls in guards", calls_in_guards},
            {"calls in guards", calls_in_guards},
            {"stops", stops},
            {"evaluates", evaluates},
            {"all corners", mixed},
        };
        out.insert(out.end(), extent_pairs().begin(), extent_pairs().end());
        return out;
    }();
    return list;
}

}  // namespace proviso::fuzz
