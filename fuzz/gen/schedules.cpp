#include "fuzz/gen/schedules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/site.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

struct ScheduledBlock {
    std::string name;
    std::vector<std::string> loops;  // Python variables, outermost first
    std::vector<Buffer> loaded;
    std::vector<Buffer> stored;
    bool has_sibling = false;  // another block in the same innermost loop
    bool rewritten = false;    // a later block stores to one of its buffers
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
            branches_ |= s->is<IfElse>();
        }
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
        const std::int64_t count = choice_.between(1, 5);
        for (std::int64_t k = 0; k < count; ++k) primitive(blocks_[pick_block()]);
        if (choice_.chance(50)) line("sch.simplify()");
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
            if (where.stmt->is<For>()) out.loops.emplace_back();
            out.has_sibling |= out.loops.empty() && where.stmt->is<Seq>();
        }
        for_each_expr(b.body, [&](Expr e) {
            for (Buffer l : loaded_buffers(e)) note(out.loaded, l);
        });
        for_each_stmt(b.body, [&](Stmt s) {
            if (const Store* n = s->as<Store>()) note(out.stored, n->buffer);
        });
        blocks_.push_back(std::move(out));
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
        switch (
            choice_.weighted({22, 10, 12, 22, 8, 8, 8, 16, 6, 4, 6, 6, 10, 6, 10, 12, 4, 6, 10})) {
            case 0: return split(b);
            case 1: return fuse(b);
            case 2: return reorder(b);
            case 3: return layout(b);
            case 4: return cache(b, "cache_read", b.loaded);
            case 5: return cache(b, "cache_write", b.stored);
            case 6:
                if (Buffer x = accessed(b)) {
                    line(fmt::format("sch.sequential_buffer_access({}, \"{}\")", b.name, x->name));
                }
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
            case 18: return pad_and_follow(b);
            default:
                if (!assumes_ && !choice_.chance(10)) return;
                return line(fmt::format("sch.lower_assume(mode=\"{}\")",
                                        choice_.chance(50) ? "check" : "drop"));
        }
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
        line(fmt::format("sch.sequential_buffer_access({}, \"{}\")", b.name, x->name));
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
        switch (choice_.weighted({40, 30, 30})) {
            case 0:
                return line(fmt::format("sch.loop_partition({}, factors=[{}, None])", loop,
                                        choice_.between(1, 4)));
            case 1:
                return line(fmt::format("sch.loop_partition({}, hint=lambda i: i < {})", loop,
                                        choice_.between(0, 5)));
            default: return line(fmt::format("sch.loop_partition({})", loop));
        }
    }

    // Mostly where there is a condition.
    void hoist(ScheduledBlock& b) {
        if (!branches_ && !choice_.chance(30)) return;
        const char* options = choice_.pick({"", ", conditionals=[\"IfElseStmt\"]",
                                            ", conditionals=[\"BooleanExpression\"]",
                                            ", conditionals=[], let_bindings=[\"LetStmt\"]"});
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
        line(fmt::format("sch.{}({}, \"{}\", \"local\")", name, b.name,
                         choice_.pick(buffers)->name));
    }

    void layout(ScheduledBlock& b) {
        if (Buffer x = accessed(b)) layout_of(b, x, false);
    }

    // `padded`: with something in the padding.
    void layout_of(ScheduledBlock& b, Buffer x, bool padded) {
        std::vector<std::string> vars;
        std::vector<std::string> map;
        for (std::size_t d = 0; d < x->rank(); ++d) {
            const std::string v(1, static_cast<char>('p' + d));
            vars.push_back(v);
            const std::int64_t factor = choice_.between(2, 4);
            if (choice_.chance(55)) {
                map.push_back(fmt::format("{} // {}", v, factor));
                map.push_back(fmt::format("{} % {}", v, factor));
            } else {
                map.push_back(v);
            }
        }
        if (map.size() > 1 && choice_.chance(25)) std::swap(map[0], map[1]);
        std::string pad;
        const std::string one = x->type.is_float() ? ".0" : "";
        switch (choice_.weighted({padded ? 0 : 30, 35, 20, 15})) {
            case 0: break;
            case 1: pad = x->type.is_bool() ? ", pad_value=False" : ", pad_value=0" + one; break;
            case 2: pad = fmt::format(", pad_value=T.undef(\"{}\")", x->type.str()); break;
            default: pad = x->type.is_bool() ? ", pad_value=True" : ", pad_value=1" + one; break;
        }
        line(fmt::format("sch.transform_layout({}, \"{}\", lambda {}: [{}]{})", b.name, x->name,
                         fmt::join(vars, ", "), fmt::join(map, ", "), pad));
    }

    Choice& choice_;
    bool assumes_ = false;   // the program has an assumption
    bool branches_ = false;  // or a branch
    std::vector<ScheduledBlock> blocks_;
    std::string text_;
    int next_ = 0;
};

}  // namespace

std::string generate_schedule(const Function& f, Choice& choice) {
    return ScheduleGen(f, choice).run();
}

}  // namespace proviso::fuzz
