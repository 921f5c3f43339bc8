#include "ir/interp/program.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "ir/site.h"

namespace proviso::ir {

namespace {

class Preparer {
  public:
    explicit Preparer(Program& program) : program_(program) {}

    void run() {
        declare_params();
        program_.body = stmt(program_.function.body, kNone, "body");
    }
    const std::string& error_text() const { return error_; }

  private:
    void fail(const std::string& message) {
        if (error_.empty()) error_ = message;
    }

    // Variables. A name identifies its binder; an inner binder of the same name would hide the
    // outer one, so both may share a slot only because the interpreter restores lets.
    Slot variable_slot(const VariableCode& variable) {
        auto& all = program_.variables;
        const auto at = std::find(all.begin(), all.end(), variable);
        if (at != all.end()) return static_cast<Slot>(at - all.begin());
        all.push_back(variable);
        bound_.push_back(0);
        return static_cast<Slot>(all.size() - 1);
    }
    Slot variable_slot(Expr var) { return variable_slot(VariableCode{var->name, var->type}); }
    Slot bind(Expr var) {
        const Slot slot = variable_slot(var);
        ++bound_[slot];
        memo_.clear();
        return slot;
    }
    void unbind(Slot slot) {
        --bound_[slot];
        memo_.clear();
    }

    Slot declare_buffer(Buffer buffer) {
        program_.buffers.push_back(BufferCode{buffer, {}});
        const auto slot = static_cast<Slot>(program_.buffers.size() - 1);
        for (Expr e : buffer->shape) {
            const NodeId extent = expr(e);
            program_.buffers[slot].extents.push_back(extent);
        }
        in_scope_.emplace_back(buffer, slot);
        memo_.clear();
        return slot;
    }
    Slot buffer_slot(Buffer buffer) {
        for (auto it = in_scope_.rbegin(); it != in_scope_.rend(); ++it) {
            if (it->first == buffer) return it->second;
        }
        fail("buffer '" + buffer->name + "' is used out of its scope");
        return 0;
    }

    void declare_params() {
        const Function& f = program_.function;
        for (Expr e : f.scalar_params()) bind(e);
        for (Buffer b : f.buffer_params()) {
            for (Expr extent : b->shape) {
                if (extent->op != Op::Var) continue;
                const Slot slot = variable_slot(extent);
                if (bound_[slot] > 0) continue;
                ++bound_[slot];  // its value comes with the tensor
            }
        }
        for (const Param& p : f.params) {
            if (const Expr* e = std::get_if<Expr>(&p)) {
                const Slot slot = variable_slot(*e);
                program_.params.push_back(ParamCode{*(*e)->name, false, slot});
            } else {
                Buffer b = std::get<Buffer>(p);
                program_.params.push_back(ParamCode{b->name, true, declare_buffer(b)});
            }
        }
    }

    NodeId expr(Expr e) {
        const auto found = memo_.find(e);
        if (found != memo_.end()) return found->second;
        Slot slot = kNone;
        std::vector<NodeId> args;
        if (e->op == Op::Let) {
            args.push_back(expr(e->arg(0)));
            slot = variable_slot(VariableCode{e->name, e->var_type});
            ++bound_[slot];
            memo_.clear();
            args.push_back(expr(e->arg(1)));
            unbind(slot);
        } else {
            for (Expr a : e->args) args.push_back(expr(a));
            slot = leaf_slot(e);
        }
        const auto id = static_cast<NodeId>(program_.exprs.size());
        program_.exprs.push_back(ExprCode{e, slot, static_cast<std::uint32_t>(program_.args.size()),
                                          e->op, e->type,
                                          e->args.empty() ? e->type : e->arg(0)->type});
        program_.args.insert(program_.args.end(), args.begin(), args.end());
        memo_.emplace(e, id);
        return id;
    }

    Slot leaf_slot(Expr e) {
        if (e->op == Op::Var) {
            const Slot slot = variable_slot(e);
            if (bound_[slot] == 0) fail("variable '" + *e->name + "' is used out of its scope");
            return slot;
        }
        if (e->op == Op::Load) return buffer_slot(e->buffer);
        if (e->op == Op::CallExtern) {
            auto& names = program_.externs;
            const auto at = std::find(names.begin(), names.end(), *e->name);
            if (at != names.end()) return static_cast<Slot>(at - names.begin());
            names.push_back(*e->name);
            return static_cast<Slot>(names.size() - 1);
        }
        return kNone;
    }

    StmtId stmt(Stmt s, StmtId parent, std::string label) {
        const auto id = static_cast<StmtId>(program_.stmts.size());
        program_.stmts.push_back(StmtCode{s, parent, std::move(label), {}, {}, {}, {}, {}});
        StmtCode code = program_.stmts.back();
        std::visit([&](const auto& n) { fill(n, id, code); }, s->data);
        program_.stmts[id] = std::move(code);
        return id;
    }

    void fill(const Store& n, StmtId, StmtCode& code) {
        for (Expr e : n.indices) code.exprs.push_back(expr(e));
        code.exprs.push_back(expr(n.value));
        code.slots = {buffer_slot(n.buffer)};
    }
    void fill(const For& n, StmtId id, StmtCode& code) {
        code.exprs = {expr(n.lo), expr(n.hi)};
        const Slot var = bind(n.var);
        code.slots = {var};
        code.stmts = {stmt(n.body, id, "body")};
        unbind(var);
    }
    void fill(const IfElse& n, StmtId id, StmtCode& code) {
        code.exprs = {expr(n.cond)};
        code.stmts.push_back(stmt(n.then_body, id, "then"));
        if (n.else_body != nullptr) code.stmts.push_back(stmt(n.else_body, id, "else"));
    }
    void fill(const Seq& n, StmtId id, StmtCode& code) {
        for (std::size_t i = 0; i < n.body.size(); ++i) {
            code.stmts.push_back(stmt(n.body[i], id, std::to_string(i)));
        }
    }
    void fill(const LetStmt& n, StmtId id, StmtCode& code) {
        code.exprs = {expr(n.value)};
        const Slot var = bind(n.var);
        code.slots = {var};
        code.stmts = {stmt(n.body, id, "body")};
        unbind(var);
    }
    void fill(const Allocate& n, StmtId id, StmtCode& code) {
        const Slot buffer = declare_buffer(n.buffer);
        code.exprs = program_.buffers[buffer].extents;
        code.slots = {buffer};
        code.stmts = {stmt(n.body, id, "body")};
        in_scope_.pop_back();
        memo_.clear();
    }
    void fill(const Assert& n, StmtId, StmtCode& code) { code.exprs = {expr(n.cond)}; }
    void fill(const Assume& n, StmtId, StmtCode& code) { code.exprs = {expr(n.cond)}; }
    void fill(const Evaluate& n, StmtId, StmtCode& code) { code.exprs = {expr(n.value)}; }
    void fill(const Block& n, StmtId id, StmtCode& code) {
        code.exprs.push_back(expr(n.predicate));
        for (const BlockIter& it : n.iters) code.exprs.push_back(expr(it.binding));
        for (const BlockIter& it : n.iters) {
            code.exprs.push_back(expr(it.lo));
            code.exprs.push_back(expr(it.hi));
        }
        for (const BlockIter& it : n.iters) code.slots.push_back(bind(it.var));
        if (n.reads) code.reads = regions(*n.reads);
        if (n.writes) code.writes = regions(*n.writes);
        if (n.init != nullptr) code.stmts.push_back(stmt(n.init, id, "init"));
        code.stmts.push_back(stmt(n.body, id, "body"));
        for (const Slot s : code.slots) unbind(s);
    }

    std::vector<RegionCode> regions(const std::vector<BufferRegion>& list) {
        std::vector<RegionCode> out;
        for (const BufferRegion& region : list) {
            RegionCode code{buffer_slot(region.buffer), {}};
            for (const auto& [lo, hi] : region.ranges) code.ranges.emplace_back(expr(lo), expr(hi));
            out.push_back(std::move(code));
        }
        return out;
    }

    Program& program_;
    std::string error_;
    std::vector<int> bound_;  // by slot: binders around this point
    std::vector<std::pair<Buffer, Slot>> in_scope_;
    std::unordered_map<Expr, NodeId> memo_;  // valid for one set of binders and buffers
};

// The k-th entry of StmtCode::exprs as a step of a site; empty where it has none of its own.
std::string expr_label(const StmtCode& code, int k) {
    if (k < 0) return {};
    const auto index = static_cast<std::size_t>(k);
    if (const auto* block = code.stmt->as<Block>()) {
        if (index == 0) return "predicate";
        return index <= block->iters.size() ? "bind" + std::to_string(index - 1) : std::string();
    }
    if (code.stmt->is<Allocate>()) return {};
    std::vector<std::string> labels;
    for (const Child& c : children(code.stmt)) {
        if (c.expr != nullptr) labels.push_back(c.label);
    }
    return index < labels.size() ? labels[index] : std::string();
}

// Argument steps from `root` down to `node`, last first; false when it is not below.
bool find_path(const Program& program, NodeId root, NodeId node, std::unordered_set<NodeId>& seen,
               std::vector<Label>& steps) {
    if (root == node) return true;
    if (!seen.insert(root).second) return false;
    for (std::size_t i = 0; i < program.exprs[root].e->args.size(); ++i) {
        if (!find_path(program, program.arg(root, i), node, seen, steps)) continue;
        steps.push_back("a" + std::to_string(i));
        return true;
    }
    return false;
}

}  // namespace

Result<Program> prepare(const Function& f) {
    Program program;
    program.function = f;
    Preparer preparer(program);
    preparer.run();
    if (!preparer.error_text().empty()) return error(preparer.error_text() + " in " + f.name);
    return program;
}

std::string site_text(const Program& program, StmtId at, int k, NodeId node) {
    Site site;
    const StmtCode& code = program.stmts[at];
    const std::string label = expr_label(code, k);
    if (!label.empty()) {
        std::unordered_set<NodeId> seen;
        const NodeId root = code.exprs[static_cast<std::size_t>(k)];
        if (node != kNone) find_path(program, root, node, seen, site.steps);
        site.steps.push_back(label);
    }
    for (StmtId s = at; program.stmts[s].parent != kNone; s = program.stmts[s].parent) {
        site.steps.push_back(program.stmts[s].label);
    }
    std::reverse(site.steps.begin(), site.steps.end());
    return site.str();
}

}  // namespace proviso::ir
