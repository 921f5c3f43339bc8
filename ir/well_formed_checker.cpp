#include "ir/well_formed_checker.h"

#include <algorithm>

#include "ir/children.h"
#include "ir/well_formed.h"

namespace proviso::ir {

std::vector<Diagnostic> Checker::run() {
    if (!is_printable_name(f_.name)) wrong("function name `" + f_.name + "` cannot be written");
    if (f_.body == nullptr) {
        wrong("the function has no body");
        return std::move(found_);
    }
    parameters();
    attributes();
    statement(f_.body, Site{});
    for (const auto& [name, site] : let_names_) {
        if (names_.count(name) == 0) continue;
        here_ = site;
        wrong("the let of `" + name + "` has the name of another binder");
    }
    return std::move(found_);
}

void Checker::wrong(const std::string& message) {
    found_.push_back(error((here_ ? here_->str() + ": " : "") + message));
}

void Checker::binder(const std::string& name) {
    if (!is_printable_name(name)) wrong("the name `" + name + "` cannot be written");
    if (!names_.insert(name).second) wrong("`" + name + "` is bound twice");
}

void Checker::parameters() {
    for (const Param& p : f_.params) {
        if (const Expr* var = std::get_if<Expr>(&p)) {
            if (*var == nullptr || (*var)->op != Op::Var) {
                wrong("a scalar parameter is not a variable");
                continue;
            }
            binder(*(*var)->name);
            vars_.insert(*var);
        }
    }
    for (const Param& p : f_.params) {
        if (const Buffer* b = std::get_if<Buffer>(&p)) {
            binder((*b)->name);
            declaration(*b);  // over scalar parameters only: no buffer is in scope yet
        }
    }
    for (Buffer b : f_.buffer_params()) buffers_.insert(b);
}

void Checker::declaration(Buffer b) {
    if (!is_buffer_scope(b->scope)) {
        wrong("buffer `" + b->name + "` has the scope \"" + b->scope + "\", which is no name");
    }
    Int128 bytes = b->type.bytes();
    bool constant = true;
    for (Expr e : b->shape) {
        expression(e, "an extent of `" + b->name + "`");
        // An extent is one number as long as the buffer lives.
        if (has_op(e, Op::Load) || has_op(e, Op::CallExtern) || has_op(e, Op::Undef)) {
            wrong("an extent of `" + b->name + "` is read from memory or a call");
        }
        if (!e->type.is_exact_int()) wrong("an extent of `" + b->name + "` is " + e->type.str());
        constant &= e->op == Op::IntImm;
        if (e->op != Op::IntImm) continue;
        if (e->int_value() < 0) wrong("an extent of `" + b->name + "` is negative");
        bytes = bytes > kMaxBufferBytes ? bytes : bytes * e->int_value();
    }
    if (constant && bytes > kMaxBufferBytes) {
        wrong("buffer `" + b->name + "` is larger than 2**47 bytes");
    }
}

void Checker::attributes() {
    for (const char* key : {kLowerBoundAttr, kUpperBoundAttr}) {
        const auto it = f_.attrs.find(key);
        if (it == f_.attrs.end()) continue;
        const auto* dict = std::get_if<AttrValue::Dict>(&it->second.value);
        if (dict == nullptr) {
            wrong(std::string("attribute \"") + key + "\" is not a dictionary");
            continue;
        }
        for (const auto& [name, value] : *dict) size_bound(key, name, value);
    }
    const auto it = f_.attrs.find(kLicencesAttr);
    if (it == f_.attrs.end()) return;
    const auto* list = std::get_if<AttrValue::List>(&it->second.value);
    if (list == nullptr) return wrong("licences are not a list of strings");
    for (const AttrValue& v : *list) {
        const auto* text = std::get_if<std::string>(&v.value);
        if (text == nullptr) {
            wrong("a licence is not a string");
        } else if (!is_licence(*text)) {
            wrong("licence \"" + *text +
                  "\" is not known: licences are \"no_signed_zero\", \"reassociate\", "
                  "\"contract\" and \"finite(X)\" of a float parameter X");
        }
    }
}

void Checker::size_bound(const std::string& key, const std::string& name, const AttrValue& value) {
    const auto sizes = f_.scalar_params();
    const bool known = std::any_of(sizes.begin(), sizes.end(),
                                   [&](Expr v) { return *v->name == name && v->type.is_int(); });
    if (!known) {
        wrong("\"" + key + "\" bounds `" + name + "`, which is no integer parameter");
    }
    if (!std::holds_alternative<std::int64_t>(value.value)) {
        wrong("the bound of `" + name + "` is not an integer");
    }
}

bool Checker::is_licence(const std::string& text) const {
    if (text == "no_signed_zero" || text == "reassociate" || text == "contract") return true;
    if (text.rfind("finite(", 0) != 0 || text.back() != ')') return false;
    Buffer b = f_.find_buffer_param(text.substr(7, text.size() - 8));
    return b != nullptr && b->type.is_float();
}

// Scope, types of leaves, operators of obligations. `what` names the expression.
void Checker::expression(Expr e, const std::string& what) {
    for (Expr v : free_vars(e)) {
        if (vars_.count(v) == 0 && !is_bound_around(v, nullptr)) {
            wrong("variable `" + *v->name + "` (" + v->type.str() + ") of " + what +
                  " is not in scope");
        }
    }
    for (Buffer b : loaded_buffers(e)) used(b);
    for_each_node(e, [&](Expr n) {
        if (!nodes_.insert(n).second) return;  // seen in another expression
        if (is_logic_only(n->op)) {
            wrong("`" + std::string(op_info(n->op).name) + "` stands in obligations only");
        }
        if (n->op == Op::Let) let(n);
    });
}

void Checker::let(Expr n) {
    if (!is_printable_name(*n->name)) wrong("the name `" + *n->name + "` cannot be written");
    let_names_.emplace(*n->name, here_);
    for_each_node(n->arg(1), [&](Expr inner) {
        if (inner->op == Op::Let && inner->name == n->name) {
            wrong("a let of `" + *n->name + "` stands inside another one");
        }
    });
}

void Checker::used(Buffer b) {
    if (buffers_.count(b) != 0 || is_bound_around(nullptr, b)) return;
    wrong("buffer `" + b->name + "` is not in scope");
}

void Checker::condition(Expr e, const std::string& what) {
    expression(e, what);
    if (!e->type.is_bool()) wrong(what + " is " + e->type.str() + ", not bool");
    definite(e, what);
}

void Checker::definite(Expr e, const std::string& what) {
    if (is_always_indeterminate(e)) wrong(what + " is always indeterminate");
}

// A binder around a body: in scope there, and there only.
void Checker::with_var(Expr var, Stmt body, const Site& site) {
    bind(var);
    statement(body, site);
    vars_.erase(var);
}
void Checker::bind(Expr var) {
    if (var->op != Op::Var) return wrong("a binder is not a variable");
    binder(*var->name);
    vars_.insert(var);
}

void Checker::statement(Stmt s, const Site& site) {
    here_ = site;
    std::visit(Overloaded{
                   [&](const Store& n) { store(n); },
                   [&](const For& n) { loop(n, site); },
                   [&](const IfElse& n) {
                       condition(n.cond, "the condition");
                       statement(n.then_body, site.child("then"));
                       if (n.else_body) statement(n.else_body, site.child("else"));
                   },
                   [&](const Seq& n) {
                       if (n.body.size() == 1) wrong("a list of one statement");
                       for (std::size_t i = 0; i < n.body.size(); ++i) {
                           if (n.body[i]->is<Seq>()) wrong("a list in a list");
                           statement(n.body[i], site.child(std::to_string(i)));
                       }
                   },
                   [&](const LetStmt& n) {
                       expression(n.value, "the value");
                       if (n.var->type != n.value->type) {
                           wrong("variable and value of a let differ in type");
                       }
                       with_var(n.var, n.body, site.child("body"));
                   },
                   [&](const Allocate& n) {
                       binder(n.buffer->name);
                       declaration(n.buffer);
                       buffers_.insert(n.buffer);
                       statement(n.body, site.child("body"));
                       buffers_.erase(n.buffer);
                   },
                   [&](const Assert& n) { condition(n.cond, "the condition"); },
                   [&](const Assume& n) {
                       expression(n.cond, "the assumption");
                       if (!n.cond->type.is_bool()) wrong("the assumption is not bool");
                       if (!is_usable_assumption(n.cond)) {
                           wrong("the assumption is always indeterminate");
                       }
                       claim(n.cond, "the assumption");
                   },
                   [&](const Evaluate& n) { expression(n.value, "the value"); },
                   [&](const Block& n) { block(n, site); },
               },
               s->data);
}

// A claim may be checked or not, so it has no effect of its own.
void Checker::claim(Expr e, const std::string& what) {
    if (has_op(e, Op::CallExtern)) wrong(what + " makes an opaque call");
}

void Checker::store(const Store& n) {
    used(n.buffer);
    if (n.indices.size() != n.buffer->rank()) wrong("a store has the wrong number of indices");
    for (Expr i : n.indices) {
        expression(i, "an index");
        if (!i->type.is_int()) wrong("an index is " + i->type.str());
        definite(i, "an index");
    }
    expression(n.value, "the stored value");
    if (n.value->type != n.buffer->type) {
        wrong("a value of " + n.value->type.str() + " is stored to `" + n.buffer->name + "` of " +
              n.buffer->type.str());
    }
}

void Checker::loop(const For& n, const Site& site) {
    bound(n.lo, n.var, "the lower bound");
    bound(n.hi, n.var, "the upper bound");
    if (!n.var->type.is_exact_int()) wrong("the loop variable is " + n.var->type.str());
    const bool threads = n.kind == ForKind::ThreadBinding;
    if (threads && !is_thread_tag(n.thread_tag)) {
        wrong("\"" + n.thread_tag + "\" is not the name of a thread index");
    }
    if (!threads && !n.thread_tag.empty()) wrong("a loop over no threads names a thread index");
    with_var(n.var, n.body, site.child("body"));
}

void Checker::bound(Expr e, Expr var, const std::string& what) {
    expression(e, what);
    if (e->type != var->type) wrong(what + " differs in type from `" + *var->name + "`");
    definite(e, what);
}

void Checker::block(const Block& n, const Site& site) {
    const auto empty = [](const auto& regions) { return !regions || regions->empty(); };
    if (n.name == "root" && n.iters.empty() && is_true(n.predicate) && n.init == nullptr &&
        empty(n.reads) && empty(n.writes) && n.annotations.empty()) {
        wrong("a block \"root\" of nothing but a body stands for its body");
    }
    condition(n.predicate, "the predicate");
    for (const BlockIter& it : n.iters) {
        if (!it.var->type.is_exact_int()) wrong("an iterator is " + it.var->type.str());
        bound(it.lo, it.var, "the start of a domain");
        bound(it.hi, it.var, "the end of a domain");
        bound(it.binding, it.var, "a binding");
        claim(it.lo, "the start of a domain");
        claim(it.hi, "the end of a domain");
    }
    for (const BlockIter& it : n.iters) bind(it.var);
    for (const auto* regions : {&n.reads, &n.writes}) {
        if (!regions->has_value()) continue;
        for (const BufferRegion& r : **regions) region(r);
    }
    if (n.init != nullptr) statement(n.init, site.child("init"));
    statement(n.body, site.child("body"));
    for (const BlockIter& it : n.iters) vars_.erase(it.var);
}

void Checker::region(const BufferRegion& r) {
    used(r.buffer);
    if (r.ranges.size() != r.buffer->rank()) wrong("a region has the wrong number of ranges");
    for (const auto& [lo, hi] : r.ranges) {
        expression(lo, "a region");
        expression(hi, "a region");
        claim(lo, "a region");
        claim(hi, "a region");
        if (!lo->type.is_int() || lo->type != hi->type) {
            wrong("the ends of a region are not integers of one type");
        }
    }
}

void Checker::part(const std::vector<Stmt>& around, Stmt s) {
    if (!parameters_known_) {
        for (Expr v : f_.scalar_params()) vars_.insert(v);
        for (Buffer b : f_.buffer_params()) buffers_.insert(b);
        parameters_known_ = true;
    }
    around_ = around;
    statement(s, Site{});
}

// A statement around the part binds one of the two for those below it.
bool Checker::is_bound_around(Expr var, Buffer buffer) const {
    return std::any_of(around_.rbegin(), around_.rend(), [&](Stmt s) {
        if (const For* n = s->as<For>()) return n->var == var;
        if (const LetStmt* n = s->as<LetStmt>()) return n->var == var;
        if (const Allocate* n = s->as<Allocate>()) return n->buffer == buffer;
        const Block* n = s->as<Block>();
        return n != nullptr && std::any_of(n->iters.begin(), n->iters.end(),
                                           [&](const BlockIter& it) { return it.var == var; });
    });
}

}  // namespace proviso::ir
