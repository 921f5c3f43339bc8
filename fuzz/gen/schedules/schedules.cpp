#include "fuzz/gen/schedules/schedules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "fuzz/gen/schedules/schedule_options.h"
#include "fuzz/gen/schedules/scheduled_block.h"
#include "ir/children.h"
#include "ir/site.h"
#include "ir/text.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

class ScheduleGen {
  public:
    ScheduleGen(const Function& f, Choice& choice) : choice_(choice) {
        for (const auto& [site, s] : all_statements(f)) {
            if (const Block* b = s->as<Block>()) blocks_.push_back(described(f, site, *b));
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

    void line(const std::string& text) { text_ += text + "\n"; }
    std::string fresh() { return fmt::format("l{}", next_++); }
    static std::string list(const std::vector<std::string>& names) {
        return fmt::format("{}{}", fmt::join(names, ", "), names.size() == 1 ? "," : "");
    }
    void begin(ScheduledBlock& b) {
        line(fmt::format("{0} = sch.{1}(\"{0}\")", b.name,
                         choice_.chance(10) ? "get_sblock" : "get_block"));
        for (std::string& l : b.loops) l = fresh();
        if (!b.loops.empty()) line(fmt::format("{} = sch.get_loops({})", list(b.loops), b.name));
    }

    void primitive(ScheduledBlock& b) {
        switch (choice_.weighted({20, 10, 12, 16, 8,  8, 8, 14, 4, 4, 6, 6,  10, 6,  10, 12,
                                  4,  8,  12, 5,  12, 5, 6, 6,  7, 7, 4, 60, 40, 16, 30})) {
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
                if (b.guarded || choice_.chance(50)) remove_branching(b);
                return;
            case 8: return pass("simplify", b);
            case 9: return pass("remove_no_op", b);
            case 10:  // of a block mostly where a guard may leave out iterations
                if (b.bounded || choice_.chance(5)) return pass("reduce_loop_extents", b);
                if (choice_.chance(40)) line("sch.reduce_loop_extents()");
                return;
            case 11: return partition(b);
            case 12: return hoist(b);
            case 13: return line("sch.merge_adjacent_loops()");
            case 14: return undercompute(b);
            case 15: return fission(b);
            case 16: return unroll(b);
            case 17: return lower_assume(b);
            case 18: return pad_and_follow(b);
            case 19: return one_loop(b, "parallel");
            case 20: return walk_reduction(b);
            case 21: return compose(b);
            case 22: return decompose(b);
            case 23: return vectorize(b);
            case 24: return tile(b, "read_at", b.loaded);
            case 25: return tile(b, "write_at", b.stored);
            case 26: return merge_named();
            case 27: return about_block(b);
            case 28: return place(false);
            case 29: return place(true);
            default: return factor(b);
        }
    }

    void about_block(ScheduledBlock& b) {
        b.fresh = fresh();
        b.other = blocks_[pick_block()].name;
        // What has been copied, or is laid out otherwise, is accessed in another way now.
        std::erase_if(b.plain, [&](const PlainAccess& x) {
            return b.caches.count(x.buffer) != 0 || rank_.count(x.buffer->name) != 0;
        });
        b.own.clear();
        for (Buffer x : b.stored) {
            if (parameters_.count(x->name) == 0) b.own.push_back(x->name);
        }
        text_ += block_call(choice_, b);
    }

    void pass(const char* name, const ScheduledBlock& b) {
        line(fmt::format("sch.{}({})", name, maybe_block(choice_, b.name)));
    }

    void remove_branching(const ScheduledBlock& b) {
        line(fmt::format("sch.remove_branching_through_overcompute({})",
                         removal_arguments(choice_, b.name)));
    }

    // Mostly where there is an assumption.
    void lower_assume(const ScheduledBlock& b) {
        if (!assumes_ && !choice_.chance(3)) return;
        std::string arguments = maybe_block(choice_, b.name);
        if (choice_.chance(80)) {
            arguments += fmt::format("{}mode=\"{}\"", arguments.empty() ? "" : ", ",
                                     choice_.chance(50) ? "check" : "drop");
        }
        line(fmt::format("sch.lower_assume({})", arguments));
        assumes_ = false;
    }

    // At the end of a schedule, since little is left to do with such loops.
    void concurrent(ScheduledBlock& b) {
        if (b.loops.empty() || (!b.serial && !choice_.chance(20))) return;
        if (choice_.chance(40)) return line(fmt::format("sch.parallel({})", b.loops[0]));
        line(fmt::format(
            "sch.bind({}, \"{}\")", b.loops[0],
            choice_.pick({"blockIdx.x", "blockIdx.x", "blockIdx.y", "blockIdx.z", "threadIdx.x"})));
        if (b.loops.size() > 1 && choice_.chance(50)) {
            line(fmt::format("sch.bind({}, thread_axis=\"{}\")", b.loops[1],
                             choice_.pick({"threadIdx.y", "threadIdx.z"})));
        }
    }

    // Something that is so, or nearly: of a loop's variable, or of what an earlier block has
    // stored.
    void assume(ScheduledBlock& b) {
        if (b.loops.empty() || b.loops.size() != b.extents.size()) return;
        const auto innermost = static_cast<std::int64_t>(b.loops.size()) - 1;
        const bool in_loop = choice_.chance(30);  // at the start of a loop's body
        const auto depth =
            static_cast<std::size_t>(in_loop ? choice_.between(0, innermost) : innermost);
        std::vector<std::string> vars;
        for (std::size_t k = 0; k <= depth; ++k) vars.push_back(fmt::format("x{}", k));
        std::string condition = choice_.chance(60) ? stored_before(b, vars) : "";
        if (condition.empty()) {
            const auto k =
                static_cast<std::size_t>(choice_.between(0, static_cast<std::int64_t>(depth)));
            Expr extent = b.extents[k];
            condition = is_int_const(extent)
                            ? fmt::format("x{} < {}", k,
                                          static_cast<std::int64_t>(extent->int_value()) -
                                              (choice_.chance(15) ? 1 : 0))
                            : fmt::format("0 <= x{}", k);
        }
        line(fmt::format("sch.assume({}, lambda {}: {})", in_loop ? b.loops[depth] : b.name,
                         fmt::join(vars, ", "), condition));
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
            const std::string fact = fmt::format("lambda {}: {}", fmt::join(vars, ", "), known);
            out +=
                choice_.chance(60) ? ", assume=" + fact : fmt::format(", assume=[{0}, {0}]", fact);
        }
        out += ")\n";
        if (choice_.chance(25)) return out;
        out += "sch.work_on(\"part\")\n";
        static const std::vector<const char*> calls = {
            "sch.remove_branching_through_overcompute()",
            "sch.remove_branching_through_overcompute(partial=True)",
            "sch.simplify()",
            "sch.reduce_loop_extents()",
            "sch.remove_no_op()",
            "sch.merge_adjacent_loops()"};
        for (auto k = choice_.between(1, 2); k > 0; --k) {
            out += std::string(choice_.pick(calls)) + "\n";
        }
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

    // Mostly what is stored to, or read by iterators alone.
    void follow(ScheduledBlock& b, Buffer x) {
        const auto of_x = [&](const PlainAccess& a) { return a.buffer == x; };
        const bool stored = std::find(b.stored.begin(), b.stored.end(), x) != b.stored.end();
        const bool plain = std::any_of(b.plain.begin(), b.plain.end(), of_x);
        if (!stored && !plain && !choice_.chance(40)) return;
        line(
            fmt::format("sch.sequential_buffer_access({}, {})", b.name,
                        buffer_argument(choice_, x, b.name_of(x), b.loaded, b.stored, true, true)));
    }

    void decompose(ScheduledBlock& b) {
        if (!b.reduces || b.loops.empty()) return;
        line(fmt::format("sch.decompose_reduction({}, {})", b.name, choice_.pick(b.loops)));
        b.reduces = false;
    }

    // Mostly over a loop of the reduction, and a dimension that there is.
    void factor(ScheduledBlock& b) {
        if (!b.reduces || b.loops.empty()) return;
        const std::string loop = choice_.chance(70) ? b.loops.back() : choice_.pick(b.loops);
        line(fmt::format("{0}_rf = sch.rfactor({1}, {2})", b.name, loop, choice_.between(-3, 1)));
        b.loops.clear();  // those of the other block
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
        pass("remove_overcompute_through_branching", b);
    }

    // Mostly of a loop with two statements.
    void fission(ScheduledBlock& b) {
        if (b.loops.empty() || (b.statements < 2 && !choice_.chance(10))) return;
        const std::string& loop = choice_.chance(85) ? b.loops.back() : choice_.pick(b.loops);
        const auto most = std::max<std::int64_t>(1, static_cast<std::int64_t>(b.statements) - 1);
        line(fmt::format("sch.fission({}, {}{})", loop, choice_.chance(20) ? "at=" : "",
                         choice_.between(1, most)));
    }

    // Strategies of padding from end to end: a layout, loops that follow it, guards removed, and
    // now and then put back.
    void pad_and_follow(ScheduledBlock& b) {
        if (b.stored.empty()) return;
        Buffer x = choice_.pick(b.stored);
        layout_of(b, x, true);
        follow(b, x);
        b.loops.clear();  // made anew
        if (choice_.chance(70)) remove_branching(b);
        if (choice_.chance(40)) pass("remove_overcompute_through_branching", b);
        if (choice_.chance(25)) line("sch.merge_adjacent_loops()");
    }

    // A primitive after which the loop, and the block in it, may stand twice.
    void one_loop(ScheduledBlock& b, const char* name) {
        if (b.loops.empty()) return;
        line(fmt::format("sch.{}({})", name, choice_.pick(b.loops)));
    }

    void unroll(ScheduledBlock& b) {
        if (b.loops.empty()) return;
        const char* const how = choice_.chance(50) ? ", copies=True" : "";
        line(fmt::format("sch.unroll({}{})", choice_.pick(b.loops), how));
    }

    // Lanes: mostly of the last loop, in groups of 2 or 4.
    void vectorize(ScheduledBlock& b) {
        if (b.loops.empty()) return;
        if (choice_.chance(20)) return one_loop(b, "vectorize");
        const std::vector<std::string> made = {fresh(), fresh()};
        line(fmt::format("{} = sch.split({}, factors=[None, {}])", list(made), b.loops.back(),
                         choice_.pick({2, 2, 4})));
        line(fmt::format("sch.vectorize({})", made[1]));
        b.loops.back() = made[0];
        b.loops.push_back(made[1]);
    }

    // A copy of what one iteration of a loop touches.
    void tile(ScheduledBlock& b, const char* name, const std::vector<Buffer>& buffers) {
        if (buffers.empty() || b.loops.empty()) return;
        Buffer x = choice_.pick(buffers);
        const bool writes = std::string(name) == "write_at";
        const std::string was = b.name_of(x);
        const char* scope = choice_.pick({"local", "shared"});
        line(fmt::format("sch.{}({}, {}, {}, \"{}\")", name, choice_.pick(b.loops), b.name,
                         buffer_argument(choice_, x, was, b.loaded, b.stored, writes, false),
                         scope));
        b.caches[x] = fmt::format("{}_{}", was, scope);
    }

    // A stage in a loop of one that reads its result, or of which it reads the result; or inlined.
    void place(bool reverse) {
        const auto pairs = readers(blocks_);
        if (pairs.empty()) return;
        const auto [first, second] = choice_.pick(pairs);
        ScheduledBlock& moved = blocks_[reverse ? second : first];
        text_ += placement(choice_, reverse, moved.name, blocks_[reverse ? first : second].loops);
        moved.loops.clear();
    }

    // The loops of blocks whose nests stand next to each other.
    void merge_named() {
        std::vector<std::string> neighbours;
        const ScheduledBlock* last = nullptr;
        for (const ScheduledBlock& b : blocks_) {
            if (b.loops.empty()) break;
            if (last != nullptr && b.outermost == last->outermost) continue;
            neighbours.push_back(b.loops[0]);
            last = &b;
        }
        if (neighbours.size() < 2) return;
        const auto count = neighbours.size() > 2 && choice_.chance(30) ? 3 : 2;
        const auto from = static_cast<std::size_t>(choice_.between(
            0, static_cast<std::int64_t>(neighbours.size()) - static_cast<std::int64_t>(count)));
        const auto at = neighbours.begin() + static_cast<std::ptrdiff_t>(from);
        line(fmt::format("sch.{}({})", choice_.pick({"merge", "merge_adjacent_loops"}),
                         fmt::join(at, at + count, ", ")));
    }

    void partition(ScheduledBlock& b) {
        if (b.loops.empty()) return;
        switch (choice_.weighted({90, 7, 3})) {
            case 0:
                return line(fmt::format("sch.loop_partition({}{})", choice_.pick(b.loops),
                                        partition_arguments(choice_)));
            case 1:
                if (!b.guarded && !choice_.chance(5)) return;
                return line(fmt::format("sch.loop_partition(block={})", b.name));
            default: return line("sch.loop_partition()");
        }
    }

    // Mostly where there is a condition that can leave a loop.
    void hoist(ScheduledBlock& drawn) {
        const auto can = std::find_if(blocks_.begin(), blocks_.end(),
                                      [](const ScheduledBlock& x) { return x.hoistable; });
        if (can == blocks_.end() && !choice_.chance(2)) return;
        const ScheduledBlock& b = can == blocks_.end() ? drawn : *can;
        line(fmt::format("sch.hoist_expression({}{})", b.name, hoist_options(choice_)));
    }

    Buffer accessed(const ScheduledBlock& b) {
        std::vector<Buffer> all = b.loaded;
        for (Buffer s : b.stored) {
            if (std::find(all.begin(), all.end(), s) == all.end()) all.push_back(s);
        }
        return all.empty() ? nullptr : choice_.pick(all);
    }

    void split(ScheduledBlock& b) {
        if (b.loops.empty()) return;
        const auto k = static_cast<std::size_t>(
            choice_.between(0, static_cast<std::int64_t>(b.loops.size()) - 1));
        const bool constant =
            std::all_of(b.extents.begin(), b.extents.end(), [](Expr e) { return is_int_const(e); });
        const SplitFactors factors = split_factors(choice_, constant);
        std::vector<std::string> made;
        for (std::size_t n = 0; n < factors.count; ++n) made.push_back(fresh());
        line(fmt::format("{} = sch.split({}, {}{})", list(made), b.loops[k],
                         choice_.chance(80) ? "factors=" : "", factors.text));
        const auto at = b.loops.erase(b.loops.begin() + static_cast<std::ptrdiff_t>(k));
        b.loops.insert(at, made.begin(), made.end());
    }

    void fuse(ScheduledBlock& b) {
        if (b.loops.size() < 2) return;
        const auto k = static_cast<std::size_t>(
            choice_.between(0, static_cast<std::int64_t>(b.loops.size()) - 2));
        const std::string made = fresh();
        const std::size_t count = k + 2 < b.loops.size() && choice_.chance(25) ? 3 : 2;
        const auto at = b.loops.begin() + static_cast<std::ptrdiff_t>(k);
        const auto end = at + static_cast<std::ptrdiff_t>(count);
        line(fmt::format("{} = sch.fuse({})", made, fmt::join(at, end, ", ")));
        b.loops.erase(at + 1, end);
        b.loops[k] = made;
    }

    void reorder(ScheduledBlock& b) {
        if (b.loops.size() < 2) return;
        if (b.loops.size() > 2 && choice_.chance(25)) {  // all of them
            const auto by = choice_.between(1, static_cast<std::int64_t>(b.loops.size()) - 1);
            std::rotate(b.loops.begin(), b.loops.begin() + by, b.loops.end());
            return line(fmt::format("sch.reorder({})", fmt::join(b.loops, ", ")));
        }
        const auto k = static_cast<std::size_t>(
            choice_.between(0, static_cast<std::int64_t>(b.loops.size()) - 2));
        std::swap(b.loops[k], b.loops[k + 1]);
        line(fmt::format("sch.reorder({}, {})", b.loops[k], b.loops[k + 1]));
    }

    void cache(ScheduledBlock& b, const char* name, const std::vector<Buffer>& buffers) {
        if (buffers.empty()) return;
        Buffer x = choice_.pick(buffers);
        const std::string was = b.name_of(x);
        const bool writes = std::string(name) == "cache_write";
        const char* scope = choice_.pick({"local", "local", "shared", "global"});
        line(fmt::format("sch.{}({}, {}, \"{}\")", name, b.name,
                         buffer_argument(choice_, x, was, b.loaded, b.stored, writes, false),
                         scope));
        const std::string made = fmt::format("{}_{}", was, scope);
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
        const MapText map = index_map(choice_, x, rank);
        rank_[name] = map.rank;
        const std::string pad = padding_option(choice_, x, name, map.rank, padded);
        if (!pad.empty() && parameters_.count(name) != 0) assumes_ = true;
        const char* plan = choice_.pick({"", "", "", "", ", plan=\"after\"", ", plan=\"select\""});
        line(fmt::format("sch.transform_layout({}, {}, {}{}{})", b.name,
                         buffer_argument(choice_, x, name, b.loaded, b.stored, true, true),
                         map.text, pad, plan));
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
