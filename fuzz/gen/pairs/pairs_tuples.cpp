// Reductions with two results, in parts: the best value and its index, or two sums.
#include <fmt/format.h>

#include "fuzz/gen/pairs/pairs.h"

namespace proviso::fuzz {

// Ties that the index breaks or the order does, values that may be NaN or zeros of both signs, a
// start that a term may fall short of; sums whose terms may be too large or read each other.
PairText tuple_in_parts(Choice& choice) {
    const std::string type =
        choice.pick({"int32", "int32", "uint8", "int64", "float32", "float32", "uint32"});
    const bool is_float = type.rfind("float", 0) == 0;
    const auto constant = [&](const std::string& value) { return "T." + type + "(" + value + ")"; };
    const auto count = choice.between(1, 6);
    const std::string term = choice.pick({"A[vi, vk]", "A[vi, vk]", "A[vi, vk]", "A[vk // 2, vk]"});
    const std::string index = choice.pick({"vk", "vk", "vk", "5 - vk", "vk // 2"});
    std::string licence;
    std::string body, first, start;
    if (choice.chance(25)) {
        first = "0";
        start = constant("0");
        const std::string other = choice.chance(90) ? term : "T.cast(I[vi], \"" + type + "\")";
        body = "            I[vi] = T.max(I[vi], vk * 3 % 5)\n            V[vi] = V[vi] + " +
               other + (is_float || choice.chance(50) ? "" : " % " + constant("5")) + "\n";
        if (choice.chance(80)) licence = "reassociate";
    } else {
        const std::string keeps = fmt::format(
            fmt::runtime(choice.pick({"{0} > {1} or {0} == {1} and I[vi] < {2}",
                                      "{0} > {1} or {0} == {1} and I[vi] < {2}",
                                      "{0} < {1} or {0} == {1} and I[vi] <= {2}", "{0} >= {1}",
                                      "{0} >= {1}", "{0} > {1}", "{0} <= {1}"})),
            "V[vi]", term, index);
        const std::string best = choice.chance(90)
                                     ? fmt::format("T.Select({}, V[vi], {})", keeps, term)
                                     : fmt::format("T.max(V[vi], {})", term);
        const std::string at = fmt::format("T.Select({}, I[vi], {})", keeps, index);
        first = choice.pick({"-1", "-1", "0", "7"});
        start = choice.chance(70) ? fmt::format("T.min_value(\"{}\")", type) : constant("3");
        if (keeps.find("V[vi] <") == 0 && choice.chance(70)) {
            start = fmt::format("T.max_value(\"{}\")", type);
        }
        body = choice.chance(60)
                   ? fmt::format(
                         "            u: T.int32 = {}\n            v: T.{} = {}\n"
                         "            I[vi] = u\n            V[vi] = v\n",
                         at, type, best)
                   : fmt::format("            I[vi] = {}\n            V[vi] = {}\n", at, best);
        if (is_float && choice.chance(70)) licence = "finite(A)";
    }
    std::string schedule = "i, k = sch.get_loops(\"best\")\nloops = [i, k]\n";
    if (choice.chance(80)) {
        schedule += fmt::format("loops = [i] + sch.split(k, factors=[{}])\n",
                                choice.pick({"None, 2", "2, None", "None, 3"}));
    }
    schedule += fmt::format("best_rf = sch.rfactor(loops[{}], {})\n",
                            choice.pick({"-1", "-1", "1", "1", "0"}), choice.between(-2, 1));
    if (choice.chance(30)) schedule += "sch.parallel(sch.get_loops(best_rf)[-1])\n";
    return {
        fmt::format(
            R"(def kernel(A: T.Buffer((3, 6), "{0}"), I: T.Buffer((3,), "int32"), V: T.Buffer((3,), "{0}")):
{1}    for i, k in T.grid(3, {2}):
        with T.block("best"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                I[vi] = {3}
                V[vi] = {4}
{5})",
            type,
            licence.empty() ? ""
                            : "    T.func_attr({\"proviso.licences\": [\"" + licence + "\"]})\n",
            count, first, start, body),
        schedule};
}

}  // namespace proviso::fuzz
