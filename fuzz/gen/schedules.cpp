#include "fuzz/gen/schedules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "ir/children.h"
#include "ir/site.h"
#include "ir/text.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

struct ScheduledBlock {
    std::string name;
    std::vector<std::string> loops;  // Python variables, outermost first
    std::vector<Buffer> loaded;
    std::vector<Buffer> stored;
    bool has_sibling = false;              // another block in the same innermost loop
    bool rewritten = false;                // a later block stores to one of its buffers
    bool reduces = false;                  // has an initialisation
    bool serial = true;                    // every loop around it
    bool hoistable = false;                // has a condition that not every loop has a say in
    std::vector<Expr> extents;             // of the loops around it, as they are in the program
    std::map<Buffer, std::string> caches;  // what it accesses instead of a buffer
    std::string name_of(Buffer x) const {
        const auto cache = caches.find(x);
        return cache == caches.end() ? x->name : cache->second;
    }
    // The value that it stores to every cell of its buffer, where that is one constant.
    Expr constant = nullptr;
};

// A buffer of the function, once for each name.
void note(std::vector<Buffer>& list, Buffer b) {
    if (std::find(list.begin(), list.end(), b) == list.end()) list.push_back(b);
}

class ScheduleGen {
  public:
    ScheduleGen(const Function& f, Choice& choice) : choice_(choice) {
        for (const auto& [site, s] : all_statements(f)) {
            if (const Block* b = s->as<Block>()) add(f, site, *b);
            assumes_ |= s->is<Assume>();
        }
        for (Buffer b : f.buffer_params()) parameters_.insert(b->name);
        for (std::size_t k = 0; k < blocks_.size(); ++k) {
            for (std::size_t later = k + 1; later < blocks_.size(); ++later) {
                for (Buffer b : blocks_[later].stored) {
                    const std::vector<Buffer>& mine = blocks_[k].stored;
                    blocks_[k].rewritten |= std::find(mine.begin(), mine.end(), b) != mine.end();
                }
            }
        }
    }

    std::string run() {
        if (blocks_.empty()) return "";
        for (ScheduledBlock& b : blocks_) begin(b);
        if (choice_.chance(15)) assume(blocks_[pick_block()]);
        const bool conditions = std::any_of(blocks_.begin(), blocks_.end(),
                                            [](const ScheduledBlock& b) { return b.hoistable; });
        if (conditions && choice_.chance(50)) hoist(blocks_[0]);
        const std::int64_t count = choice_.between(1, 5);
        for (std::int64_t k = 0; k < count; ++k) primitive(blocks_[pick_block()]);
        if (choice_.chance(35)) line("sch.simplify()");
        if (choice_.chance(12)) return text_ + outlined(blocks_[pick_block()]);
        if (choice_.chance(25)) concurrent(blocks_[pick_block()]);
        return text_;
    }

  private:
    std::size_t pick_block() {
        return static_cast<std::size_t>(
            choice_.between(0, static_cast<std::int64_t>(blocks_.size()) - 1));
    }

    void add(const Function& f, const Site& site, const Block& b) {
        ScheduledBlock out;
        out.name = b.name;
        for (Site at = site; !at.steps.empty();) {
            at = at.parent();
            const Located where = *locate(f, at);
            if (const For* loop = where.stmt->as<For>()) {
                out.loops.emplace_back();
                out.extents.insert(out.extents.begin(), loop->hi);
                out.serial &= loop->kind == ForKind::Serial;
            }
            out.has_sibling |= out.loops.empty() && where.stmt->is<Seq>();
        }
        for_each_expr(b.body, [&](Expr e) {
            for (Buffer l : loaded_buffers(e)) note(out.loaded, l);
        });
        for_each_stmt(b.body, [&](Stmt s) {
            if (const Store* n = s->as<Store>()) note(out.stored, n->buffer);
            if (const IfElse* n = s->as<IfElse>()) out.hoistable |= leaves(b, n->cond);
        });
        out.reduces = b.init != nullptr;
        const Store* only = b.body->as<Store>();
        const bool all = is_true(b.predicate) && b.init == nullptr;
        if (only != nullptr && all && is_const(only->value)) out.constant = only->value;
        blocks_.push_back(std::move(out));
    }

    // Whether a condition is the same in all iterations of the innermost loop.
    static bool leaves(const Block& b, Expr condition) {
        return b.iters.size() > 1 && loaded_buffers(condition).empty() &&
               !occurs_free(b.iters.back().var, condition);
    }

    void line(const std::string& text) { text_ += text + "\n"; }
    std::string fresh() { return fmt::format("l{}", next_++); }
    static std::string list(const std::vector<std::string>& names) {
        return fmt::format("{}{}", fmt::join(names, ", "), names.size() == 1 ? "," : "");
    }

    void begin(ScheduledBlock& b) {
        line(fmt::format("{0} = sch.get_block(\"{0}\")", b.name));
        for (std::string& l : b.loops) l = fresh();
        if (!b.loops.empty()) line(fmt::format("{} = sch.get_loops({})", list(b.loops), b.name));
    }

    void primitive(ScheduledBlock& b) {
        switch (choice_.weighted(
            {20, 10, 12, 16, 8, 8, 8, 14, 4, 4, 6, 6, 10, 6, 10, 12, 4, 8, 12, 5, 12, 5, 6})) {
            case 0: return split(b);
            case 1: return fuse(b);
            case 2: return reorder(b);
            case 3: return layout(b);
            case 4: return cache(b, "cache_read", b.loaded);
            case 5: return cache(b, "cache_write", b.stored);
            case 6:
                if (Buffer x = accessed(b)) follow(b, x);
                return;
            case 7:
                return line(
                    fmt::format("sch.remove_branching_through_overcompute(block={})", b.name));
            case 8: return line("sch.simplify()");
            case 9: return line("sch.remove_no_op()");
            case 10: return line("sch.reduce_loop_extents()");
            case 11: return partition(b);
            case 12: return hoist(b);
            case 13: return line("sch.merge_adjacent_loops()");
            case 14: return undercompute(b);
            case 15: return fission(b);
            case 16: return one_loop(b, "unroll", "");
            case 17: return lower_assume();
            case 18: return pad_and_follow(b);
            case 19: return one_loop(b, "parallel", "");
            case 20: return walk_reduction(b);
            case 21: return compose(b);
            default: return decompose(b);
        }
    }

    // Mostly where there is an assumption.
    void lower_assume() {
        if (!assumes_ && !choice_.chance(3)) return;
        line(fmt::format("sch.lower_assume(mode=\"{}\")", choice_.chance(50) ? "check" : "drop"));
        assumes_ = false;
    }

    // At the end of a schedule, since little is left to do with such loops.
    void concurrent(ScheduledBlock& b) {
        if (b.loops.empty() || (!b.serial && !choice_.chance(20))) return;
        if (choice_.chance(40)) return line(fmt::format("sch.parallel({})", b.loops[0]));
        line(fmt::format("sch.bind({}, \"{}\")", b.loops[0],
                         choice_.pick({"blockIdx.x", "blockIdx.x", "threadIdx.x"})));
        if (b.loops.size() > 1 && choice_.chance(50)) {
            line(fmt::format("sch.bind({}, \"threadIdx.y\")", b.loops[1]));
        }
    }

    // Something that is so, or nearly: of a loop's variable, or of what an earlier block has
    // stored.
    void assume(ScheduledBlock& b) {
        if (b.loops.empty() || b.loops.size() != b.extents.size()) return;
        std::vector<std::string> vars;
        for (std::size_t k = 0; k < b.loops.size(); ++k) vars.push_back(fmt::format("x{}", k));
        std::string condition = choice_.chance(60) ? stored_before(b, vars) : "";
        if (condition.empty()) {
            const auto k = static_cast<std::size_t>(
                choice_.between(0, static_cast<std::int64_t>(b.loops.size()) - 1));
            Expr extent = b.extents[k];
            condition = is_int_const(extent)
                            ? fmt::format("x{} < {}", k,
                                          static_cast<std::int64_t>(extent->int_value()) -
                                              (choice_.chance(15) ? 1 : 0))
                            : fmt::format("0 <= x{}", k);
        }
        line(
            fmt::format("sch.assume({}, lambda {}: {})", b.name, fmt::join(vars, ", "), condition));
        assumes_ = true;
    }

    // What an earlier block has stored everywhere, over further parameters of a lambda; empty:
    // nothing is known.
    std::string stored_before(const ScheduledBlock& b, std::vector<std::string>& vars) const {
        for (const ScheduledBlock& other : blocks_) {
            if (&other == &b) break;
            if (other.constant == nullptr || other.rewritten) continue;
            Buffer x = other.stored[0];
            if (rank_.count(x->name) != 0) continue;
            std::vector<std::string> all;
            for (std::size_t d = 0; d < x->rank(); ++d) all.push_back(fmt::format("q{}", d));
            vars.insert(vars.end(), all.begin(), all.end());
            return fmt::format("{}[{}] == {}", x->name, fmt::join(all, ", "),
                               print(other.constant));
        }
        return "";
    }

    // A stage in a function of its own, and something done to it there. The last thing in a
    // schedule.
    std::string outlined(const ScheduledBlock& b) {
        std::vector<std::string> vars;
        const std::string known = choice_.chance(50) ? stored_before(b, vars) : "";
        std::string out = fmt::format("sch.outline({}, \"part\"", b.name);
        if (!known.empty()) {
            out += fmt::format(", assume=lambda {}: {}", fmt::join(vars, ", "), known);
        }
        out += ")\n";
        if (choice_.chance(25)) return out;
        out += "sch.work_on(\"part\")\n";
        static const std::vector<const char*> calls = {
            "sch.remove_branching_through_overcompute()", "sch.simplify()",
            "sch.reduce_loop_extents()", "sch.remove_no_op()", "sch.merge_adjacent_loops()"};
        const std::int64_t count = choice_.between(1, 2);
        for (std::int64_t k = 0; k < count; ++k) out += std::string(choice_.pick(calls)) + "\n";
        if (choice_.chance(50)) out += "sch.work_on(\"kernel\")\n";
        return out;
    }

    // The loops of a reduction in the order of something that it reads: the initialisation is in
    // the way of that.
    void walk_reduction(ScheduledBlock& b) {
        if (!b.reduces || b.loaded.empty()) return;
        Buffer x = choice_.pick(b.loaded);
        if (choice_.chance(40)) layout_of(b, x, choice_.chance(70));
        follow(b, x);
    }

    void follow(ScheduledBlock& b, Buffer x) {
        line(fmt::format("sch.sequential_buffer_access({}, \"{}\")", b.name, b.name_of(x)));
    }

    void decompose(ScheduledBlock& b) {
        if (!b.reduces || b.loops.empty()) return;
        line(fmt::format("sch.decompose_reduction({}, {})", b.name, choice_.pick(b.loops)));
        b.reduces = false;
    }

    // Two layouts of one buffer, one after the other.
    void compose(ScheduledBlock& b) {
        Buffer x = accessed(b);
        if (x == nullptr) return;
        layout_of(b, x, choice_.chance(50));
        layout_of(b, x, choice_.chance(50));
    }

    // Mostly where there is something to be saved.
    void undercompute(ScheduledBlock& b) {
        if (!b.rewritten && !choice_.chance(10)) return;
        line(fmt::format("sch.remove_overcompute_through_branching(block={})", b.name));
    }

    // Mostly of a loop with two statements.
    void fission(ScheduledBlock& b) {
        if (b.loops.empty() || (!b.has_sibling && !choice_.chance(10))) return;
        const std::string& loop = choice_.chance(85) ? b.loops.back() : choice_.pick(b.loops);
        line(fmt::format("sch.fission({}, 1)", loop));
    }

    // Strategies of padding from end to end: a layout, loops that follow it, guards removed, and
    // now and then put back.
    void pad_and_follow(ScheduledBlock& b) {
        if (b.stored.empty()) return;
        Buffer x = choice_.pick(b.stored);
        layout_of(b, x, true);
        follow(b, x);
        b.loops.clear();  // made anew
        if (choice_.chance(70)) {
            line(fmt::format("sch.remove_branching_through_overcompute(block={})", b.name));
        }
        if (choice_.chance(40)) {
            line(fmt::format("sch.remove_overcompute_through_branching(block={})", b.name));
        }
    }

    // A primitive after which the loop, and the block in it, may stand twice.
    void one_loop(ScheduledBlock& b, const char* name, const char* more) {
        if (b.loops.empty()) return;
        line(fmt::format("sch.{}({}{})", name, choice_.pick(b.loops), more));
    }

    void partition(ScheduledBlock& b) {
        if (b.loops.empty()) return;
        const std::string& loop = choice_.pick(b.loops);
        switch (choice_.weighted({35, 30, 25, 10})) {
            case 3: return line(fmt::format("sch.loop_partition(block={})", b.name));
            case 0:
                return line(fmt::format("sch.loop_partition({}, factors=[{}, None])", loop,
                                        choice_.between(1, 4)));
            case 1:
                return line(fmt::format("sch.loop_partition({}, hint=lambda i: i < {})", loop,
                                        choice_.between(0, 5)));
            default: return line(fmt::format("sch.loop_partition({})", loop));
        }
    }

    // Mostly where there is a condition that can leave a loop.
    void hoist(ScheduledBlock& drawn) {
        const auto can = std::find_if(blocks_.begin(), blocks_.end(),
                                      [](const ScheduledBlock& x) { return x.hoistable; });
        if (can == blocks_.end() && !choice_.chance(2)) return;
        const ScheduledBlock& b = can == blocks_.end() ? drawn : *can;
        const char* options = choice_.pick(
            {"", "", ", conditionals=[\"IfElseStmt\"]", ", conditionals=[\"BooleanExpression\"]",
             ", conditionals=[\"IfElseStmt\"], let_bindings=[\"LetStmt\"]"});
        line(fmt::format("sch.hoist_expression({}{})", b.name, options));
    }

    Buffer accessed(const ScheduledBlock& b) {
        std::vector<Buffer> all = b.loaded;
        for (Buffer s : b.stored) note(all, s);
        return all.empty() ? nullptr : choice_.pick(all);
    }

    void split(ScheduledBlock& b) {
        if (b.loops.empty()) return;
        const auto k = static_cast<std::size_t>(
            choice_.between(0, static_cast<std::int64_t>(b.loops.size()) - 1));
        const std::vector<std::string> made = {fresh(), fresh()};
        const std::int64_t factor = choice_.between(2, 4);
        line(fmt::format("{} = sch.split({}, factors=[None, {}])", list(made), b.loops[k], factor));
        b.loops[k] = made[1];
        b.loops.insert(b.loops.begin() + static_cast<std::ptrdiff_t>(k), made[0]);
    }

    void fuse(ScheduledBlock& b) {
        if (b.loops.size() < 2) return;
        const auto k = static_cast<std::size_t>(
            choice_.between(0, static_cast<std::int64_t>(b.loops.size()) - 2));
        const std::string made = fresh();
        line(fmt::format("{} = sch.fuse({}, {})", made, b.loops[k], b.loops[k + 1]));
        b.loops.erase(b.loops.begin() + static_cast<std::ptrdiff_t>(k));
        b.loops[k] = made;
    }

    void reorder(ScheduledBlock& b) {
        if (b.loops.size() < 2) return;
        const auto k = static_cast<std::size_t>(
            choice_.between(0, static_cast<std::int64_t>(b.loops.size()) - 2));
        std::swap(b.loops[k], b.loops[k + 1]);
        line(fmt::format("sch.reorder({}, {})", b.loops[k], b.loops[k + 1]));
    }

    void cache(ScheduledBlock& b, const char* name, const std::vector<Buffer>& buffers) {
        if (buffers.empty()) return;
        Buffer x = choice_.pick(buffers);
        const std::string was = b.name_of(x);
        line(fmt::format("sch.{}({}, \"{}\", \"local\")", name, b.name, was));
        const std::string made = was + "_local";
        const auto rank = rank_.find(was);
        if (rank != rank_.end()) rank_[made] = rank->second;
        b.caches[x] = made;
    }

    void layout(ScheduledBlock& b) {
        if (Buffer x = accessed(b)) layout_of(b, x, false);
    }

    // `padded`: with something in the padding.
    void layout_of(ScheduledBlock& b, Buffer x, bool padded) {
        const std::string name = b.name_of(x);
        const auto known = rank_.find(name);
        const std::size_t rank = known == rank_.end() ? x->rank() : known->second;
        std::vector<std::string> vars;
        std::vector<std::string> map;
        for (std::size_t d = 0; d < rank; ++d) {
            const std::string v(1, static_cast<char>('p' + d));
            vars.push_back(v);
            const std::int64_t factor = choice_.between(2, 4);
            const std::int64_t before = choice_.chance(20) ? choice_.between(1, 3) : 0;
            const std::string from = before == 0 ? v : fmt::format("({} + {})", v, before);
            if (choice_.chance(rank > 3 ? 10 : 55)) {
                map.push_back(fmt::format("{} // {}", from, factor));
                map.push_back(fmt::format("{} % {}", from, factor));
            } else {
                map.push_back(before == 0 ? v : fmt::format("{} + {}", v, before));
            }
        }
        if (map.size() > 1 && choice_.chance(25)) std::swap(map[0], map[1]);
        rank_[name] = map.size();
        const std::string pad = padding(x, name, map.size(), padded);
        if (!pad.empty() && parameters_.count(name) != 0) assumes_ = true;
        line(fmt::format("sch.transform_layout({}, \"{}\", lambda {}: [{}]{}{})", b.name, name,
                         fmt::join(vars, ", "), fmt::join(map, ", "), pad,
                         choice_.chance(20) ? ", plan=\"after\"" : ""));
    }

    std::string padding(Buffer x, const std::string& name, std::size_t rank, bool padded) {
        const std::string one = x->type.is_float() ? ".0" : "";
        switch (choice_.weighted({padded ? 0 : 30, 32, 18, 12, 4, 4})) {
            case 0: return "";
            case 1: return x->type.is_bool() ? ", pad_value=False" : ", pad_value=0" + one;
            case 2: return fmt::format(", pad_value=T.undef(\"{}\")", x->type.str());
            case 3: return x->type.is_bool() ? ", pad_value=True" : ", pad_value=1" + one;
            default: break;
        }
        std::vector<std::string> cell;
        for (std::size_t d = 0; d < rank; ++d) cell.push_back(fmt::format("c{}", d));
        const std::string vars = fmt::format("{}", fmt::join(cell, ", "));
        if (x->type == x->shape[0]->type && choice_.chance(50)) {
            return fmt::format(", pad_value=lambda {}: c0", vars);
        }
        for (std::size_t d = 0; d < rank; ++d) {  // another cell of the buffer
            if (choice_.chance(50)) cell[d] = "0";
        }
        return fmt::format(", pad_value=lambda {}: {}[{}]", vars, name, fmt::join(cell, ", "));
    }

    Choice& choice_;
    bool assumes_ = false;                     // there may be an assumption
    std::map<std::string, std::size_t> rank_;  // of buffers in another layout
    std::set<std::string> parameters_;
    std::vector<ScheduledBlock> blocks_;
    std::string text_;
    int next_ = 0;
};

}  // namespace

std::string generate_schedule(const Function& f, Choice& choice) {
    return ScheduleGen(f, choice).run();
}

}  // namespace proviso::fuzz
