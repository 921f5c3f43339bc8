// Proposals of the two theorems (docs/refinement.md) as text: what tests and the planted-fault
// campaign put before the checks in rewrite/rules/reschedule/ and rewrite/rules/relocate/, and no
// rule would propose.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/facts/path.h"
#include "ir/text.h"
#include "rewrite/rules/relocate/relocate.h"
#include "rewrite/rules/reschedule/reschedule.h"

namespace proviso::rewrite {

// A part: sites below that of the step, values by the names of variables.
struct PartText {
    std::string now, origin;
    std::map<std::string, std::string> from, to;
    std::string when = {}, where = {};
};

// A rescheduling. The texts are bodies of functions with the same head.
struct ProposalText {
    std::string before, after;
    std::string at = "body";
    std::vector<PartText> parts = {};
    std::set<std::pair<std::size_t, std::size_t>> apart = {};
    std::vector<std::string> dropped = {};
    std::string text_at = {};  // of the new text in `after`; empty: as `at`
    std::size_t count = 1;
    std::string unseen = {};  // JSON
    std::string extra = {};   // likewise
};

struct WitnessText {
    std::string statement;
    std::map<std::string, std::string> at;
};

// A staging of a function's buffer.
struct StagingText {
    std::string buffer = "A";
    std::vector<std::string> extents = {"16"};
    std::vector<std::string> map = {"x"};
    std::vector<std::string> inverse = {"c"};
    std::string guard = {};
    bool back = false;
    WitnessText writer = {};
    std::map<std::string, std::vector<WitnessText>> reads = {};
    std::string at = "body";
    std::vector<std::string> vars = {"x"};
    std::vector<std::string> loops = {"c"};
    std::string name = "C";
    bool keeps_claims = false;
    std::string block = {};
    std::string scope = "local";
    std::string again = {};
};

// Another buffer with partial results.
struct PartialText {
    std::string buffer, name;
    std::string start = "0";
    WitnessText writer = {};
    ir::Int128 most = 0;
};
// How values of several buffers are updated, and two partial results of them combined; no site: not
// together.
struct TupleText {
    std::string at = {};
    std::vector<std::string> left = {"a0", "a1"};
    std::vector<std::string> right = {"b0", "b1"};
    std::vector<std::string> combine = {};
};

// Partial results of what a function accumulates.
struct PartialsText {
    std::string buffer = "B";
    std::vector<std::string> extents = {"4", "8"};
    std::vector<std::string> map = {"k", "x"};  // also over what is bound around the first store
    std::vector<std::string> inverse = {"d"};
    std::string start = "0";
    WitnessText writer = {"body/0/body", {{"j", "d"}}};
    ir::Int128 most = 0;
    std::string at = "body/1";
    std::vector<std::string> vars = {"x"};
    std::vector<std::string> loops = {"c", "d"};
    std::string name = "P";
    std::vector<PartialText> also = {};
    TupleText step = {};
};

struct BoxText {
    std::vector<std::pair<std::string, std::string>> ranges;
    bool guarded = false;
};

// Another layout of a function's buffer.
struct RelayoutText {
    std::string buffer = "A";
    std::vector<std::string> shape = {"4", "4"};
    std::vector<std::string> map = {"x // 4", "x % 4"};
    std::vector<std::string> inverse = {"p * 4 + q"};
    std::string pad = "none";  // "undef", or a value
    bool old_padding = false;  // which reads the buffer as it was
    std::vector<BoxText> boxes = {};
    std::string after = "body";
    std::vector<std::string> vars = {"x"};
    std::vector<std::string> physical = {"p", "q"};
    std::vector<ir::Int128> limits = {1000, 1000};
    bool exact = false;
};

// Reads values over names. The first mistake is kept.
class ProposalReader {
  public:
    // `ghosts`: names that are in no scope.
    explicit ProposalReader(ir::Context& ctx, std::vector<std::string> ghosts = {})
        : ctx_(ctx), ghosts_(std::move(ghosts)) {}

    const std::string& wrong() const { return wrong_; }

    Rescheduling read(const ir::Function& old, const ir::Function& now, const ProposalText& t) {
        const ir::Site at = site(t.at);
        const ir::Site text = t.text_at.empty() ? at : site(t.text_at);
        Rescheduling out;
        if (!locate(old, at) || !locate(now, text)) {
            wrong_ = t.at;
            return out;
        }
        out.count = t.count;
        out.after = locate(now, text)->stmt;
        out.apart = t.apart;
        out.unseen = t.unseen;
        out.extra = t.extra;
        for (const std::string& origin : t.dropped) out.dropped.push_back(site(origin));
        for (const PartText& p : t.parts) {
            const ir::Scope here = scope_below(now, text, p.now);
            const ir::Scope there = scope_below(old, at, p.origin);
            Part& part = out.parts.emplace_back();
            part.now = site(p.now);
            part.origin = site(p.origin);
            part.from = values(there, here, p.from);
            part.to = values(here, there, p.to);
            if (!p.when.empty()) part.when = value(p.when, there);
            if (!p.where.empty()) part.where = value(p.where, here);
        }
        return out;
    }

    Staging read(const ir::Function& f, const StagingText& t) {
        ir::Scope logical = analysis::scope_at(ctx_, f, site(t.at));
        ir::Scope physical = logical;
        Staging out;
        const auto buffer = logical.buffers.find(t.buffer);
        if (buffer == logical.buffers.end()) {
            wrong_ = t.buffer;
            return out;
        }
        out.buffer = buffer->second;
        out.copy = ctx_.buffer(t.name, out.buffer->type, list(t.extents, logical), t.scope);
        out.cells.vars = variables(t.vars, logical);
        out.cells.physical_vars = variables(t.loops, physical);
        for (const std::string& v : ghosts_) logical.vars[v] = ctx_.var(v, ir::kInt32);
        out.cells.map = list(t.map, logical);
        out.cells.inverse = list(t.inverse, physical);
        if (!t.guard.empty()) out.guard = value(t.guard, physical, ir::kBool);
        out.block = t.block;
        out.back = t.back;
        out.keeps_claims = t.keeps_claims;
        if (!t.again.empty()) out.again = site(t.again);
        if (t.back) out.writer = witness(f, t.writer, physical);
        for (const auto& [load, witnesses] : t.reads) {
            for (const WitnessText& w : witnesses) {
                out.reads[site(load)].push_back(
                    witness(f, w, analysis::scope_at(ctx_, f, site(load))));
            }
        }
        return out;
    }

    Partials read(const ir::Function& f, const PartialsText& t) {
        const ir::Site at = site(t.at);
        ir::Scope physical = analysis::scope_at(ctx_, f, at);
        ir::Scope logical = physical;
        Partials out;
        const auto buffer = physical.buffers.find(t.buffer);
        if (buffer == physical.buffers.end()) {
            wrong_ = t.buffer;
            return out;
        }
        for (const auto& [where, s] : all_statements(f)) {
            const ir::Store* store = s->as<ir::Store>();
            if (store == nullptr || store->buffer != buffer->second || !at.contains(where))
                continue;
            logical = analysis::scope_at(ctx_, f, where);
            break;
        }
        out.cells.vars = variables(t.vars, logical);
        out.cells.physical_vars = variables(t.loops, physical);
        for (const std::string& v : ghosts_) physical.vars[v] = ctx_.var(v, ir::kInt32);
        out.cells.map = list(t.map, logical);
        out.cells.inverse = list(t.inverse, physical);
        std::vector<PartialText> buffers = {{t.buffer, t.name, t.start, t.writer, t.most}};
        buffers.insert(buffers.end(), t.also.begin(), t.also.end());
        for (const PartialText& one : buffers) {
            const auto found = physical.buffers.find(one.buffer);
            if (found == physical.buffers.end()) {
                wrong_ = one.buffer;
                return out;
            }
            PartialBuffer& of = out.of.emplace_back();
            of.buffer = found->second;
            of.partials =
                ctx_.buffer(one.name, of.buffer->type, list(t.extents, physical), "local");
            of.start = value(one.start, physical, of.buffer->type);
            of.writer = witness(f, one.writer, physical);
            of.most = one.most;
        }
        if (!t.step.at.empty()) out.step = tuple_step(t.step, out.of);
        return out;
    }

    Relayout read(const ir::Function& f, const RelayoutText& t) {
        ir::Scope scope;
        for (ir::Expr v : f.scalar_params()) scope.vars[*v->name] = v;
        Relayout out;
        out.buffer = f.find_buffer_param(t.buffer);
        for_each_stmt(f.body, [&](ir::Stmt s) {
            const ir::Allocate* n = s->as<ir::Allocate>();
            if (n != nullptr && n->buffer->name == t.buffer) out.buffer = n->buffer;
        });
        if (out.buffer == nullptr) {
            wrong_ = t.buffer;
            return out;
        }
        out.shape = list(t.shape, scope);
        out.limits = t.limits;
        ir::Scope logical = scope;
        ir::Scope physical = scope;
        for (ir::Buffer b : f.buffer_params()) {
            logical.buffers[b->name] = physical.buffers[b->name] = b;
        }
        out.layout.vars = variables(t.vars, logical);
        out.layout.physical_vars = variables(t.physical, physical);
        for (const std::string& v : t.physical) out.names.push_back("w_" + v);
        out.layout.map = list(t.map, logical);
        out.layout.inverse = list(t.inverse, physical);
        out.layout.exact = t.exact;
        if (t.pad == "undef") {
            out.layout.pad_kind = analysis::PadKind::Undef;
        } else if (t.pad != "none") {
            if (!t.old_padding) {
                physical.buffers[t.buffer] =
                    ctx_.buffer(t.buffer, out.buffer->type, out.shape, out.buffer->scope);
            }
            out.layout.pad = value(t.pad, physical, out.buffer->type);
        }
        out.after = site(t.after);
        for (const BoxText& box : t.boxes) {
            PadBox& b = out.boxes.emplace_back();
            b.guarded = box.guarded;
            for (const auto& [lo, hi] : box.ranges) {
                b.ranges.emplace_back(value(lo, scope, ir::kInt32), value(hi, scope, ir::kInt32));
            }
        }
        return out;
    }

  private:
    TupleStep tuple_step(const TupleText& t, const std::vector<PartialBuffer>& of) {
        TupleStep out;
        out.at = site(t.at);
        ir::Scope values;
        for (std::size_t k = 0; k < of.size(); ++k) {
            const ir::ScalarType type = of[k].buffer->type;
            out.left.push_back(ctx_.var(t.left.at(k), type));
            out.right.push_back(ctx_.var(t.right.at(k), type));
            values.vars[t.left[k]] = out.left[k];
            values.vars[t.right[k]] = out.right[k];
        }
        for (const std::string& v : ghosts_) values.vars[v] = ctx_.var(v, ir::kInt32);
        for (std::size_t k = 0; k < of.size() && k < t.combine.size(); ++k) {
            out.combine.push_back(value(t.combine[k], values, of[k].buffer->type));
        }
        return out;
    }

    ir::Site site(const std::string& text) {
        const auto found = ir::Site::parse(text);
        if (found.ok()) return *found;
        wrong_ = text;
        return ir::Site{};
    }

    ir::Expr value(const std::string& text, const ir::Scope& over,
                   std::optional<ir::ScalarType> type = std::nullopt) {
        const Result<ir::Expr> e = parse_expr(ctx_, text, over, type);
        if (e.ok()) return *e;
        wrong_ = e.error().str();
        return ctx_.int_imm(ir::kInt32, 0);
    }

    std::vector<ir::Expr> list(const std::vector<std::string>& texts, const ir::Scope& over) {
        std::vector<ir::Expr> out;
        for (const std::string& text : texts) out.push_back(value(text, over, ir::kInt32));
        return out;
    }

    // Adds the names to the scope.
    std::vector<ir::Expr> variables(const std::vector<std::string>& names, ir::Scope& scope) {
        std::vector<ir::Expr> out;
        for (const std::string& name : names) {
            out.push_back(ctx_.var(name, ir::kInt32));
            scope.vars[name] = out.back();
        }
        return out;
    }

    // `of`: where the names are bound.
    ir::Substitution values(const ir::Scope& of, const ir::Scope& over,
                            const std::map<std::string, std::string>& text) {
        ir::Substitution out;
        for (const auto& [name, is] : text) {
            const auto bound = of.vars.find(name);
            out[bound == of.vars.end() ? ctx_.var(name, ir::kInt32) : bound->second] =
                value(is, over);
        }
        return out;
    }

    ir::Scope scope_below(const ir::Function& f, const ir::Site& at, const std::string& path) {
        ir::Site below = at;
        for (const std::string& step : site(path).steps) below.steps.push_back(step);
        ir::Scope out = analysis::scope_at(ctx_, f, locate(f, below) ? below : at);
        for (const std::string& name : ghosts_) out.vars[name] = ctx_.var(name, ir::kInt32);
        return out;
    }

    analysis::Witness witness(const ir::Function& f, const WitnessText& t, const ir::Scope& scope) {
        analysis::Witness out{site(t.statement), {}};
        const Result<ir::Located> at = locate(f, out.statement);
        if (!at || at->stmt == nullptr) {
            wrong_ = t.statement;
            return out;
        }
        for (ir::Expr loop : analysis::point_at(ctx_, f, out.statement).loops) {
            const auto found = t.at.find(*loop->name);
            if (found != t.at.end()) out.at[loop] = value(found->second, scope, ir::kInt32);
        }
        return out;
    }

    ir::Context& ctx_;
    std::vector<std::string> ghosts_;
    std::string wrong_;
};

}  // namespace proviso::rewrite
