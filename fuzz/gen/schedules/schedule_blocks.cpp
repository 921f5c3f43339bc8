#include "fuzz/gen/schedules/schedule_blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "fuzz/gen/schedules/schedule_copies.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

std::string names_of_iterators(std::size_t count) {
    std::vector<std::string> out;
    for (std::size_t k = 0; k < count; ++k) out.push_back(fmt::format("x{}", k));
    return fmt::format("{}", fmt::join(out, ", "));
}

// A lambda over so many indices, to these of them: mostly in another order, now and then one of
// them in two digits.
std::string map_to(Choice& choice, std::size_t count, const std::vector<std::size_t>& named) {
    std::vector<std::string> order;
    for (const std::size_t k : named) order.push_back(fmt::format("x{}", k));
    if (order.size() > 1 && choice.chance(70)) {
        const auto by = choice.between(1, static_cast<std::int64_t>(order.size()) - 1);
        std::rotate(order.begin(), order.begin() + by, order.end());
    }
    if (choice.chance(30)) {
        const std::string last = order.back();
        const int by = choice.pick({2, 3, 4});
        order.back() = fmt::format("{} // {}", last, by);
        order.push_back(fmt::format("{} % {}", last, by));
    }
    return fmt::format("lambda {}: ({},)", names_of_iterators(count), fmt::join(order, ", "));
}

std::string map_of(Choice& choice, std::size_t count) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return map_to(choice, count, all);
}

std::string value_of(Choice& choice) {
    return choice.pick({"1", "-2", "\"text\"", "True", "[0, 1, 2]", "0.5", "{\"a\": [1]}", "None"});
}

std::string place(Choice& choice, const BlockHandles& b) {
    if (b.loops.empty() || choice.chance(40)) return b.name;
    return choice.pick(b.loops);
}

std::string annotation(Choice& choice, const BlockHandles& b) {
    const std::string at = place(choice, b);
    const std::string key = choice.pick({"pragma_unroll", "stage", "order"});
    std::string out = fmt::format("sch.annotate({}, \"{}\", {})\n", at, key, value_of(choice));
    if (choice.chance(25)) out += fmt::format("sch.unannotate({}, \"{}\")\n", at, key);
    return out;
}

std::string tile_of_blocks(Choice& choice, const BlockHandles& b) {
    if (b.loops.empty()) return "";
    if (choice.chance(50)) return fmt::format("sch.blockize({})\n", choice.pick(b.loops));
    return fmt::format(
        "{0}o, {0}i = sch.split({1}, factors=[None, {2}])\n"
        "{0} = sch.blockize({0}i)\n",
        b.fresh, b.loops.back(), choice.pick({2, 3, 4}));
}

std::string order_of_iterators(Choice& choice, const BlockHandles& b) {
    if (b.iterators == 0) return "";
    std::vector<std::size_t> order(b.iterators);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::rotate(order.begin(),
                order.begin() + choice.between(0, static_cast<std::int64_t>(b.iterators) - 1),
                order.end());
    if (choice.chance(10)) order.push_back(0);
    return fmt::format("sch.reorder_block_iter_var({}, [{}])\n", b.name, fmt::join(order, ", "));
}

// A copy in the layout of the iterators; mostly of a buffer that can be copied so.
std::string reindexed(Choice& choice, const BlockHandles& b, bool by_map) {
    std::vector<PlainAccess> can;
    std::copy_if(b.plain.begin(), b.plain.end(), std::back_inserter(can),
                 [&](const PlainAccess& x) { return !x.iterators.empty(); });
    if (can.empty() && !choice.chance(5)) return "";
    PlainAccess x;
    if (!can.empty() && choice.chance(85)) {
        x = choice.pick(can);
    } else {
        x.stored = choice.chance(40);
        const std::vector<Buffer>& any = x.stored ? b.stored : b.loaded;
        if (any.empty() || b.iterators == 0) return "";
        x.buffer = choice.pick(any);
        x.iterators.resize(b.iterators);
        std::iota(x.iterators.begin(), x.iterators.end(), std::size_t{0});
    }
    if (!by_map) return fmt::format("sch.reindex({}, \"{}\")\n", b.name, x.buffer->name);
    return fmt::format("sch.reindex_cache_{}({}, \"{}\", \"{}\", {})\n",
                       x.stored ? "write" : "read", b.name, x.buffer->name,
                       choice.pick({"local", "shared"}), map_to(choice, b.iterators, x.iterators));
}

std::string data(Choice& choice, const BlockHandles& b) {
    const bool write = choice.chance(40);
    const std::vector<Buffer>& buffers = write ? b.stored : b.loaded;
    if (buffers.empty()) return "";
    std::string buffer = choice.pick(buffers)->name;
    const char* scope = choice.pick({"local", "shared"});
    switch (choice.weighted({3, 3, 3, 4})) {
        case 0:
            if (b.own.empty() && !choice.chance(10)) return "";
            if (!b.own.empty() && choice.chance(90)) buffer = choice.pick(b.own);
            return fmt::format("sch.set_scope({}, \"{}\", \"{}\")\n", b.name, buffer, scope);
        case 1: return reindexed(choice, b, false);
        case 2: return reindexed(choice, b, true);
        default: {
            if (write) {
                return fmt::format("sch.storage_align({}, \"{}\", axis={}, factor={}, offset={})\n",
                                   b.name, buffer, choice.pick({0, 0, -1, 1}),
                                   choice.pick({16, 32}), choice.pick({0, 8}));
            }
            const bool both = b.other != b.name && choice.chance(50);
            return fmt::format("sch.cache_read({}, \"{}\", \"{}\", consumer_blocks=[{}])\n", b.name,
                               buffer, scope, both ? b.name + ", " + b.other : b.name);
        }
    }
}

std::string question(Choice& choice, const BlockHandles& b) {
    switch (choice.between(0, 3)) {
        case 0:
            return fmt::format(
                "for {0} in sch.get_producers({1}) + sch.get_consumers({1}):\n"
                "    sch.annotate({0}, \"near\", len(sch.get_loops({0})))\n",
                b.fresh, b.name);
        case 1:
            return fmt::format(
                "for {0} in sch.get_output_blocks(\"root\"):\n"
                "    sch.annotate({0}, \"seen\", True)\n",
                b.fresh);
        case 2:
            if (b.loops.empty()) return "";
            return fmt::format(
                "{0} = sch.get_child_blocks({1})\n"
                "if len({0}) == 1:\n    sch.add_unit_loop({0}[0])\n"
                "else:\n    sch.annotate({1}, \"blocks\", len({0}))\n",
                b.fresh, b.loops.front());
        default: return "sch.trace()\n";
    }
}

// A function with a default, called by name; a list that grows.
std::string composite(Choice& choice, const BlockHandles& b) {
    return fmt::format(
        "def {0}(s, block, key=\"{1}\", *more):\n"
        "    marked = []\n"
        "    for n, loop in enumerate(s.get_loops(block)[::{2}]):\n"
        "        s.annotate(loop, \"{{}}_{{}}\".format(key, n), n + 1)\n"
        "        marked.append(loop)\n"
        "    return marked\n"
        "{0}_done = {0}(sch, {3})\n",
        b.fresh, choice.pick({"level", "depth"}), choice.pick({"1", "-1", "2"}), b.name);
}

// Calls that see one loop of the block alone.
std::string inside(Choice& choice, const BlockHandles& b) {
    if (b.loops.empty()) return "";
    std::string call = choice.pick({"simplify()", "remove_no_op()", "show()"});
    const std::vector<Buffer>& buffers = choice.chance(40) ? b.stored : b.loaded;
    if (choice.chance(60) && !buffers.empty()) {
        call =
            fmt::format("cache_{}({}, \"{}\", \"local\")", &buffers == &b.stored ? "write" : "read",
                        b.name, choice.pick(buffers)->name);
    } else if (choice.chance(30)) {
        call = fmt::format("remove_branching_through_overcompute({}, partial=True)", b.name);
    }
    return fmt::format("with sch.inside({0}) as {1}:\n    {1}.{2}\n", choice.pick(b.loops), b.fresh,
                       call);
}

// The loops of another block as these are, once something was done to them.
std::string like(Choice& choice, const BlockHandles& b) {
    if (b.loops.empty() || b.other == b.name) return "";
    std::string shape = fmt::format("sch.parallel({})\n", b.loops.front());
    if (choice.chance(40)) {
        shape = fmt::format("{0}o, {0}i = sch.split({1}, factors=[None, {2}])\n", b.fresh,
                            choice.pick(b.loops), choice.pick({2, 3, 4}));
    } else if (b.loops.size() > 1 && choice.chance(50)) {
        shape = fmt::format("sch.reorder({}, {})\n", b.loops[1], b.loops[0]);
    } else if (choice.chance(30)) {
        shape = fmt::format("sch.annotate({}, \"stage\", 1)\n", choice.pick(b.loops));
    }
    return shape + fmt::format("{} = sch.like({}, {})\n", b.fresh, b.other, b.name);
}

}  // namespace

std::string block_call(Choice& choice, const BlockHandles& b) {
    switch (choice.weighted({4, 3, 4, 2, 4, 9, 3, 9, 4, 3, 2})) {
        case 0: return annotation(choice, b);
        case 1: return fmt::format("sch.add_unit_loop({})\n", place(choice, b));
        case 2: return tile_of_blocks(choice, b);
        case 3: return order_of_iterators(choice, b);
        case 4:
            if (b.iterators == 0) return "";
            return fmt::format("sch.transform_block_layout({}, {})\n", b.name,
                               map_of(choice, b.iterators));
        case 5: return data(choice, b);
        case 6: return question(choice, b);
        case 7: return copy_call(choice, b);
        case 8: return inside(choice, b);
        case 9: return like(choice, b);
        default: return composite(choice, b);
    }
}

}  // namespace proviso::fuzz
