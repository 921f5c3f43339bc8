#include <algorithm>

#include "ir/text.h"
#include "tools/bounds/report.h"

namespace proviso::tools {

using namespace analysis;

namespace {

std::string counted(const CellCount& n) {
    const std::string text = n.str();
    return text + (text == "1" ? " cell" : " cells");
}

// "12 cells (box: 16), exact".
std::string measured(const KnownRegion& r) {
    std::string out = counted(r.cells);
    const bool same =
        r.cells.or_none && r.hull.formula && r.hull.formula->str() == r.cells.formula->str();
    if (r.hull.known() && r.hull.str() != r.cells.str() && !same) {
        out += " (box: " + r.hull.str() + ")";
    }
    if (!r.region.exact) out += ", " + r.kind();
    return out;
}

std::string stage_list(const std::vector<ir::Buffer>& all) {
    std::string out;
    for (ir::Buffer b : all) out += (out.empty() ? "" : ", ") + b->name;
    return out;
}

class BoundsTree {
  public:
    explicit BoundsTree(const Bounds& bounds) : bounds_(bounds) {}

    std::string run(const std::string& root) {
        out_ = root + "\n";
        std::vector<std::size_t> all;
        for (std::size_t k = 0; k < bounds_.map.stages.size(); ++k) all.push_back(k);
        below(all, 0, "");
        return out_;
    }

  private:
    // Stages that have their first `depth` loops in common.
    void below(const std::vector<std::size_t>& stages, std::size_t depth,
               const std::string& indent) {
        for (std::size_t k = 0; k < stages.size();) {
            const Stage& s = bounds_.map.stages[stages[k]];
            std::vector<std::size_t> inside = {stages[k]};
            std::size_t next = k + 1;
            if (s.loops.size() > depth) {
                while (next < stages.size()) {
                    const Stage& other = bounds_.map.stages[stages[next]];
                    if (other.loops.size() <= depth || !(other.loops[depth] == s.loops[depth])) {
                        break;
                    }
                    inside.push_back(stages[next++]);
                }
            }
            const bool last = next == stages.size();
            out_ += indent + (last ? "└─ " : "├─ ");
            if (s.loops.size() > depth) {
                out_ += loop_text(*s.loops[depth].loop) + "\n";
                below(inside, depth + 1, indent + (last ? "   " : "│  "));
            } else {
                out_ += stage_line(stages[k]) + "\n";
            }
            k = next;
        }
    }

    std::string stage_line(std::size_t number) const {
        const Stage& s = bounds_.map.stages[number];
        std::string out = s.name + ":";
        if (!s.consumes.empty()) out += " loads " + stage_list(s.consumes);
        if (!s.produces.empty()) {
            out += (s.consumes.empty() ? " stores to " : ", stores to ") + stage_list(s.produces);
        }
        const StageRuns& runs = bounds_.runs[number];
        if (runs.runs.str() != runs.iterations.str()) {
            out += "; runs " + runs.runs.str() + " of " + runs.iterations.str() + " iterations";
        } else {
            out += "; " + runs.iterations.str() +
                   (runs.iterations.str() == "1" ? " iteration" : " iterations");
        }
        for (const Stage& consumer : bounds_.map.stages) {
            const bool consumes =
                &consumer != &s &&
                std::any_of(s.produces.begin(), s.produces.end(), [&](ir::Buffer b) {
                    return std::find(consumer.consumes.begin(), consumer.consumes.end(), b) !=
                           consumer.consumes.end();
                });
            const std::size_t n = shared_loops(s, consumer);
            if (!consumes || n == 0) continue;
            out += "; shares ";
            for (std::size_t k = 0; k < n; ++k) {
                out += (k == 0 ? "" : ", ") + *s.loops[k].loop->var->name;
            }
            out += " with " + consumer.name;
        }
        return out;
    }

    const Bounds& bounds_;
    std::string out_;
};

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text;
}

std::string use_text(const Bounds& bounds, const BufferUse& use, const char* does) {
    const Stage& stage = bounds.map.stages[use.stage];
    std::string out = "  " + stage.name + " " + does + "\n";
    std::size_t width = 0;
    std::size_t region = 0;
    for (const BoundsLevel& level : use.levels) {
        width = std::max(width, level_text(stage.loops, level.fixed).size());
        if (level.region.text.size() <= 48) region = std::max(region, level.region.text.size());
    }
    for (const BoundsLevel& level : use.levels) {
        out += "    " + padded(level_text(stage.loops, level.fixed), width) + "  " +
               padded(level.region.text, region) + "  " + measured(level.region);
        if (level.fresh && level.fresh->cells.str() != level.region.cells.str()) {
            out += level.fresh->region.empty()
                       ? "; nothing new"
                       : "; new: " + level.fresh->text + ", " + counted(level.fresh->cells);
        }
        if (level.too_many_fresh) out += "; new: ? (more parts than are looked at)";
        std::string threads;
        for (std::size_t k = level.fixed; k < stage.loops.size(); ++k) {
            const ir::For& loop = *stage.loops[k].loop;
            if (loop.kind == ir::ForKind::ThreadBinding) {
                threads += (threads.empty() ? "" : ", ") + loop.thread_tag;
            }
        }
        if (!threads.empty()) out += "; over " + threads;
        out += "\n";
    }
    return out;
}

std::string summary(const BufferBounds& b) {
    if (!b.needed_in_all || !b.computed_in_all || b.is_param) return "";
    std::string out;
    if (!b.shared.empty()) {
        out += "  " + level_text(b.shared, b.shared.size()) + ": needed " + b.needed->cells.str() +
               ", computed " + b.computed->cells.str() + "\n";
    }
    if (b.asked) {
        out += "  outputs ask for  " + b.asked->text + "  " + measured(*b.asked) + "\n";
    }
    out += "  in all: needed " + b.needed_in_all->cells.str() + ", computed " +
           b.computed_in_all->cells.str() + "; stored " + b.stored->cells.str() + ", allocated " +
           b.allocated.str() + "\n";
    const std::string loss = loss_text(b);
    if (!loss.empty()) out += "  loss: " + loss + "\n";
    return out;
}

// What is needed once, and what of it is computed: in numbers where they are known.
struct LossParts {
    const CellCount *computed, *needed;
};

LossParts loss_of(const BufferBounds& b) {
    const KnownRegion& needed = b.asked ? *b.asked : *b.needed_in_all;
    return {&b.computed_in_all->cells, &needed.cells};
}

// a - b; empty: not known.
std::string difference(const CellCount& a, const CellCount& b) {
    if (a.or_none || b.or_none) return "";
    if (a.formula && b.formula) return (*a.formula - *b.formula).str();
    return a.most && b.most ? (*a.most - *b.most).str() : "";
}

}  // namespace

std::string loop_text(const ir::For& loop) {
    std::string out = "for " + *loop.var->name + " in range(";
    if (!ir::is_int_const(loop.lo, 0)) out += ir::print(loop.lo) + ", ";
    out += ir::print(loop.hi) + ")";
    switch (loop.kind) {
        case ir::ForKind::Serial: break;
        case ir::ForKind::Parallel: out += ", parallel"; break;
        case ir::ForKind::Vectorized: out += ", vectorized"; break;
        case ir::ForKind::Unrolled: out += ", unrolled"; break;
        case ir::ForKind::ThreadBinding: out += " on " + loop.thread_tag; break;
    }
    return out;
}

std::string level_text(const std::vector<StageLoop>& loops, std::size_t fixed) {
    if (fixed == 0) return "in all";
    std::string out = "one ";
    for (std::size_t k = 0; k < fixed; ++k) out += (k == 0 ? "" : ", ") + *loops[k].loop->var->name;
    return out;
}

std::string loss_ratio(const BufferBounds& b) {
    if (!b.needed_in_all || !b.computed_in_all || b.is_param) return "";
    if (b.repeats != Repeats::Same) return "";
    const auto [computed, needed] = loss_of(b);
    if (!computed->most || !needed->most || needed->most->sign() <= 0) return "";
    // Two decimals, rounded to the nearest.
    const ir::Integer hundredths =
        floordiv(*computed->most * ir::Integer(200) + *needed->most, *needed->most * 2);
    const std::string rest = floormod(hundredths, 100).str();
    return floordiv(hundredths, 100).str() + "." + (rest.size() < 2 ? "0" : "") + rest;
}

std::string loss_text(const BufferBounds& b) {
    if (!b.needed_in_all || !b.computed_in_all || b.is_param) return "";
    if (b.repeats == Repeats::Others) {
        return "nothing computed again; a cell holds one value after another, so how many are "
               "asked for is not known";
    }
    if (b.repeats == Repeats::Unknown) {
        return "not known: a cell may hold one value after another";
    }
    const auto [computed, needed] = loss_of(b);
    if (!computed->known() || !needed->known()) return "";
    if (computed->or_none || needed->or_none) return "";  // the conditions may differ
    if (computed->str() == needed->str()) return "none";
    std::string out = "computed " + computed->str() + ", needed " + needed->str();
    const std::string ratio = loss_ratio(b);
    if (!ratio.empty()) out = ratio + " (" + out + ")";
    // What it consists of.
    const std::string again = difference(*computed, b.computed_once->cells);
    const std::string unread = difference(b.computed_once->cells, *needed);
    if (again != "0" && !again.empty()) out += ", " + again + " computed again";
    if (unread != "0" && !unread.empty()) out += ", " + unread + " never asked for";
    return out;
}

bool all_exact(const Bounds& bounds) {
    const auto exact = [](const BufferUse& use) {
        return std::all_of(use.levels.begin(), use.levels.end(),
                           [](const BoundsLevel& l) { return l.region.region.exact; });
    };
    return std::all_of(bounds.buffers.begin(), bounds.buffers.end(), [&](const BufferBounds& b) {
        return std::all_of(b.consumers.begin(), b.consumers.end(), exact) &&
               std::all_of(b.producers.begin(), b.producers.end(), exact);
    });
}

std::string bounds_text(const ir::Function& f, const Bounds& bounds) {
    std::string out = BoundsTree(bounds).run(f.name);
    for (const BufferBounds& b : bounds.buffers) {
        out += "\n" + b.buffer->name + ": " + b.buffer->type.str() + "[";
        for (std::size_t k = 0; k < b.buffer->shape.size(); ++k) {
            out += (k == 0 ? "" : ", ") + ir::print(b.buffer->shape[k]);
        }
        out += "], ";
        if (b.is_param) {
            out += "a parameter\n";
        } else if (b.around.empty()) {
            out += "allocated once\n";
        } else {
            out += "allocated in " + *b.around.back().loop->var->name + "\n";
        }
        for (const BufferUse& use : b.consumers) out += use_text(bounds, use, "requests");
        for (const BufferUse& use : b.producers) out += use_text(bounds, use, "computes");
        out += summary(b);
    }
    return out;
}

}  // namespace proviso::tools
