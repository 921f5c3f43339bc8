// Lets in all their forms, and variables that are declared before they get a value.
//
//     x: T.int32 = v      x: T.let[T.int32] = v      x = T.bind(v)        bind the rest of their
//     list with T.LetStmt(v) as x:      with T.LetStmt(v, var=x):      with T.let(x, v):
//     x, y = v, w
//
// A variable made by `x = T.int32()` is a let's when a let has it as `var=`, else a size.
#include <algorithm>

#include "ir/text/reader/python/quoted.h"
#include "ir/text/reader/stmt_binder.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

// One let before it is bound. `var` is declared before; `target` is a new name. One of them is set.
struct StmtBinder::LetParts {
    const Node* target = nullptr;
    const Node* var = nullptr;
    const Node* value = nullptr;
    const Node* type = nullptr;
};

bool is_free_variable(const Node& value) {
    if (!value.is(NodeKind::Call)) return false;
    const std::string name = value.items[0].dotted();
    if (name == "T.var") return true;
    if (name.rfind("T.", 0) != 0 || !ScalarType::parse(name.substr(2))) return false;
    if (value.items.size() != 1) return false;
    return std::all_of(value.keywords.begin(), value.keywords.end(),
                       [](const python::Keyword& k) { return k.name == "is_size_var"; });
}

bool StmtBinder::is_declaration(const Statement& s) const {
    if (!s.is(StatementKind::Assign)) return false;
    const auto declares = [](const Node& value) {
        return is_free_variable(value) || value.is_call_of("T.env_thread");
    };
    const bool several = s.value.is(NodeKind::Tuple) && !s.value.items.empty() &&
                         s.target.is(NodeKind::Tuple) &&
                         s.target.items.size() == s.value.items.size();
    if (several) return std::all_of(s.value.items.begin(), s.value.items.end(), declares);
    return declares(s.value);
}

// m, n = T.int32(), T.int32()
void StmtBinder::bind_declarations(const Statement& s) {
    if (!s.value.is(NodeKind::Tuple)) return bind_declared(s.target, s.value);
    for (std::size_t i = 0; i < s.value.items.size(); ++i) {
        bind_declared(s.target.items[i], s.value.items[i]);
    }
}

// n = T.int32(), n = T.var("int32"), tx = T.env_thread("threadIdx.x")
void StmtBinder::bind_declared(const Node& target, const Node& call) {
    Declared out{nullptr, target.at, "", head_ != nullptr && top_, false};
    ScalarType type = kInt32;
    if (call.is_call_of("T.env_thread")) {
        check_arguments(exprs_.source(), call, 1, 2, {"thread_tag", "dtype"});
        const Node* tag = argument(call, 0, "thread_tag");
        if (tag == nullptr) wrong(call, "`T.env_thread` needs the name of a thread index");
        out.thread = thread_tag(*tag);
        if (const Node* named = argument(call, 1, "dtype")) type = exprs_.bind_type(*named);
        if (!type.is_exact_int()) wrong(call, "a thread index is int32 or int64");
    } else if (call.is_call_of("T.var")) {
        check_arguments(exprs_.source(), call, 1, 1, {"dtype"});
        type = exprs_.bind_type(*argument(call, 0, "dtype"));
    } else {
        type = exprs_.bind_type(call.items[0]);
    }
    if (out.at_top && is_defined(target)) {  // by a shape of a parameter
        Expr var = head_->defined.at(target.text);
        if (var->type != type) {
            wrong(call, "`" + target.text + "` is " + var->type.str() + " in the shape above");
        }
        return;
    }
    out.var = declare_var(target, type);
    declared_.push_back(out);
}

bool StmtBinder::is_defined(const Node& target) const {
    const auto found = head_->defined.find(target.text);
    const NameEntry* entry = names_.find(target.text);
    return target.is(NodeKind::Name) && found != head_->defined.end() && entry != nullptr &&
           entry->var == found->second;
}

StmtBinder::Declared* StmtBinder::find_declared(const Node& name) {
    const NameEntry* entry = name.is(NodeKind::Name) ? names_.find(name.text) : nullptr;
    if (entry == nullptr || entry->var == nullptr) return nullptr;
    const auto found = std::find_if(declared_.begin(), declared_.end(),
                                    [&](const Declared& d) { return d.var == entry->var; });
    return found == declared_.end() ? nullptr : &*found;
}

Expr StmtBinder::use_declared(const Node& name, Declared& declared) {
    if (!declared.used) {
        declared.used = true;
        return declared.var;
    }
    Declared again = declared;
    again.var = declare_var(name, declared.var->type);
    declared_.push_back(again);
    return again.var;
}

void StmtBinder::finish_declared(Stmt body) {
    std::set<Expr> mentioned;
    for_each_expr(body, [&](Expr e) {
        for (Expr v : free_vars(e)) mentioned.insert(v);
    });
    for (const Declared& d : declared_) {
        if (d.used) continue;
        if (!d.thread.empty()) {
            exprs_.wrong(d.at, "thread `" + *d.var->name + "` is never launched",
                         "with T.launch_thread(" + *d.var->name + ", n):");
        }
        const bool size = d.at_top && is_extent(d.var);
        // One that nothing mentions stands in no program of TVM's; lets in expressions name theirs.
        if (!size && mentioned.count(d.var) == 0) continue;
        if (!d.at_top) {
            exprs_.wrong(d.at, "variable `" + *d.var->name + "` gets no value",
                         "size variables are declared at the top of a function, others are bound "
                         "by `with T.LetStmt(value, var=" +
                             *d.var->name + "):`");
        }
        if (!d.var->type.is_exact_int()) exprs_.wrong(d.at, "a size variable is int32 or int64");
        head_->sizes.push_back({d.var, d.at});
    }
}

// In the shape of a parameter, or among its strides.
bool StmtBinder::is_extent(Expr var) const {
    const auto uses = [&](Expr e) { return occurs_free(var, e); };
    if (std::any_of(head_->strides.begin(), head_->strides.end(), uses)) return true;
    for (const Param& p : head_->params) {
        const Buffer* b = std::get_if<Buffer>(&p);
        if (b == nullptr || *b == nullptr) continue;
        for (Expr e : (*b)->shape) {
            if (occurs_free(var, e)) return true;
        }
    }
    return false;
}

Expr StmtBinder::declare_var(const Node& target, ScalarType type) {
    if (!target.is(NodeKind::Name))
        wrong(target, "a name is expected here", "one name a line: `x = …`");
    Expr var = ctx_.var(names_.unique(target.text), type);
    names_.bind(target.text, NameEntry{var, nullptr});
    return var;
}

void StmtBinder::check_new_name(const Statement& s, const Node& target) const {
    if (!target.is(NodeKind::Name))
        wrong(target, "a name is expected here", "one name a line: `x = …`");
    const std::string& name = target.text;
    const NameEntry* old = names_.find(name);
    const bool variable =
        old != nullptr &&
        (old->var != nullptr || exprs_.is_vector(old->buffer, ExprBinder::VectorKind::Variable));
    // A declaration in its own right, of another scalar.
    if (old != nullptr && scalars_.count(old->buffer) != 0 &&
        s.is(StatementKind::AnnotatedAssign)) {
        return;
    }
    if (old != nullptr && !variable) {
        wrong(target, "`" + name + "` is a buffer already",
              "store to a cell: `" + name + "[…] = …`");
    }
    if (old != nullptr && s.is(StatementKind::Assign) && !names_.is_of_this_body(name)) {
        wrong(target, "this does not change the `" + name + "` outside of these lines",
              "bind another name, or keep the value in a buffer of shape (1,)");
    }
}

namespace {

bool is_list(const Node& node) {
    return node.is(NodeKind::Tuple) || node.is(NodeKind::List);
}

// `T.let[T.int32]` says int32; `T.let` leaves the type to the value.
const Node* annotated_type(const Node& annotation) {
    if (annotation.dotted() == "T.let") return nullptr;
    const bool let = annotation.is(NodeKind::Subscript) && annotation.items.size() == 2 &&
                     annotation.items[0].dotted() == "T.let";
    return let ? &annotation.items[1] : &annotation;
}

}  // namespace

// The type of the scalar that has the name already, by lines of the same list.
std::optional<ScalarType> StmtBinder::type_before(const Node& name) const {
    const NameEntry* old = names_.find(name.text);
    if (old == nullptr || scalar_lets_.count(old->var) == 0) return std::nullopt;
    return old->var->type;
}

StmtBinder::LetParts StmtBinder::let_parts(const Statement& s) const {
    LetParts out;
    if (s.target) out.target = &s.target;
    out.value = &s.value;
    if (s.is(StatementKind::AnnotatedAssign)) {
        out.type = annotated_type(s.annotation);
        if (!s.value && is_let_annotation(s.annotation)) {
            wrong(s, "`" + s.target.text + "` has no value");
        }
    }
    const Node& call = s.value;
    if (call.is_call_of("T.let") && s.is(StatementKind::With)) {
        check_arguments(exprs_.source(), call, 2, 2, {});
        if (s.target) wrong(s.target, "`T.let` names its variable already");
        out.var = &call.items[1];
        out.value = &call.items[2];
    } else if (call.is_call_of("T.LetStmt") || call.is_call_of("T.bind")) {
        check_arguments(exprs_.source(), call, 1, 3, {"value", "type_annotation", "var"});
        out.value = argument(call, 0, "value");
        out.var = argument(call, 2, "var");
        if (const Node* type = argument(call, 1, "type_annotation")) {
            if (out.type != nullptr) wrong(*type, "the type is given twice");
            out.type = type;
        }
        if (out.value == nullptr) wrong(call, "a let needs a value");
        if (call.items.size() > 3) wrong(call.items[3], "the variable is given as `var=`");
        const std::string name = call.items[0].dotted();
        if (out.var == nullptr && out.target == nullptr) {
            wrong(s, "`" + name + "` needs a name",
                  s.is(StatementKind::With) ? "with " + name + "(value) as x:"
                                            : "x = " + name + "(value)");
        }
        // The name after `as` or before `=` would be a second one of the same variable.
        if (out.var != nullptr && out.target != nullptr && out.target->text != out.var->text) {
            wrong(*out.target, "the let has its variable by `var=` already");
        }
    }
    return out;
}

// x, y = v, w. As in Python, all values are computed before a name is bound. Where no value
// mentions a name before it, the lines `x = v` and `y = w` do the same.
Stmt StmtBinder::bind_several(const Statement& s, Lines rest) {
    const std::vector<Node>& targets = s.target.items;
    const std::vector<Node>& values = s.value.items;
    const std::string counts =
        std::to_string(targets.size()) + " names for " + std::to_string(values.size()) + " values";
    for (const std::vector<Node>* list : {&targets, &values}) {
        for (const Node& item : *list) {
            if (item.is(NodeKind::Starred)) {
                no_meaning(item, "what Python unpacks has no meaning here");
            }
        }
    }
    if (targets.size() != values.size()) wrong(s.target, counts);
    std::set<std::string> before;
    bool in_turn = true;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        if (!targets[i].is(NodeKind::Name)) {
            wrong(targets[i], "a name is expected here",
                  "a line of its own for each that is none: `A[i] = …`");
        }
        for (const std::string& name : python::names_in(values[i])) {
            in_turn = in_turn && before.count(name) == 0;
        }
        before.insert(targets[i].text);
    }
    if (!in_turn) return bind_at_once(s, rest);
    std::vector<const Statement*> lines;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        Statement& one = made_lines_.emplace_back();
        one.kind = StatementKind::Assign;
        one.at = targets[i].at;
        one.target = targets[i];
        one.value = values[i];
        lines.push_back(&one);
    }
    lines.insert(lines.end(), rest.begin(), rest.end());
    return bind_rest(lines);
}

// x, y = y, x + y: names of values that do not change. What TVM 0.27 makes of others, it stores one
// after the other.
Stmt StmtBinder::bind_at_once(const Statement& s, Lines rest) {
    const std::vector<Node>& targets = s.target.items;
    const int count = static_cast<int>(targets.size());
    if (depth_ + count > python::kMaxStatements) {
        wrong(s, "more than " + std::to_string(python::kMaxStatements) +
                     " loops and bindings are inside each other");
    }
    std::vector<Expr> values;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const Node& value = s.value.items[i];
        const bool plain = is_scalar_value(value) && scalar_named(targets[i]) == nullptr &&
                           exprs_.find_vector(value) == nullptr &&
                           !is_changed(targets[i].text, rest);
        if (!plain) {
            no_meaning(targets[i],
                       "`" + targets[i].text +
                           "` changes in a line whose other values mention it, which has no "
                           "meaning here",
                       "bind one name a line, in the order that is meant");
        }
        check_new_name(s, targets[i]);
        values.push_back(bind_scalar_value(targets[i], value));
    }
    depth_ += count;
    const std::size_t mark = names_.mark();
    const std::function<Stmt(std::size_t)> from = [&](std::size_t i) -> Stmt {
        if (i == targets.size()) return bind_rest(rest);
        Expr var = declare_var(targets[i], values[i]->type);
        scalar_lets_.insert(var);
        Stmt body = bind_scope_of(var, values[i], [&] { return from(i + 1); });
        return ctx_.stmt(LetStmt{var, values[i], body});
    };
    Stmt out = from(0);
    names_.release(mark);
    depth_ -= count;
    return out;
}

// The value of `x = v`, where no type is written: that of a scalar `x` of the same list.
Expr StmtBinder::bind_scalar_value(const Node& target, const Node& node) {
    const auto before = type_before(target);
    Expr value = exprs_.bind(node, before);
    if (before && value->type != *before) {
        wrong(node,
              "`" + target.text + "` is " + before->str() + ", and this value is " +
                  value->type.str(),
              "TVM 0.27 casts it, and others give `" + target.text +
                  "` its type: write the cast, or bind another name");
    }
    return value;
}

Stmt StmtBinder::bind_let(const Statement& s, Lines rest) {
    if (s.is(StatementKind::Assign) && is_list(s.target)) {
        if (is_list(s.value)) return bind_several(s, rest);
        exprs_.bind(s.value);  // says what has no meaning
        wrong(s.target, "one value for several names", "one name a line: `x = …`");
    }
    if (s.is(StatementKind::Assign) && (is_list(s.value) || s.value.is(NodeKind::Dict))) {
        no_meaning(s.value, "a name of several values has no meaning here",
                   "of numbers it has, when the name is given once; of others: xs = "
                   "T.meta_var([…])");
    }
    const LetParts let = let_parts(s);
    Declared* declared = nullptr;
    if (let.var != nullptr) {
        declared = find_declared(*let.var);
        if (declared == nullptr || !declared->thread.empty()) {
            wrong(*let.var, "this is not a variable that was declared and has no value",
                  "declare it before: `x = T.int32()`");
        }
    } else if (!s.is(StatementKind::With)) {
        check_new_name(s, *let.target);
    }
    if (!s.value) return bind_scalar(*let.target, exprs_.bind_type(*let.type), nullptr, rest);
    if (exprs_.find_vector(*let.value) != nullptr) {
        if (let.var != nullptr) {
            no_meaning(*let.var, "a declared variable of a vector has no meaning here",
                       "give the vector a name by a let: v = A[0:4]");
        }
        return bind_vector_let(*let.target, let.type, *let.value, rest);
    }
    std::optional<ScalarType> type;
    if (let.type != nullptr) type = exprs_.bind_type(*let.type);
    if (declared != nullptr && !type) type = declared->var->type;
    const std::string name = let.var != nullptr ? let.var->text : let.target->text;
    const bool scalar = !s.is(StatementKind::With) && let.value == &s.value &&
                        !(s.is(StatementKind::AnnotatedAssign) && is_let_annotation(s.annotation));
    Expr value = type     ? exprs_.bind_typed(*let.value, *type, "the value of `" + name + "`")
                 : scalar ? bind_scalar_value(*let.target, *let.value)
                          : exprs_.bind(*let.value);
    // `x = C` of a whole buffer gives it a second name in TVM.
    if (scalar && s.is(StatementKind::Assign) && scalar_named(*let.value) != nullptr &&
        scalars_.count(scalar_named(*let.value)) == 0) {
        wrong(*let.value, "`" + let.value->text + "` is a buffer, not a value",
              "load a cell: `" + let.value->text + "[0]`");
    }
    if (scalar && is_changed(name, rest)) {
        return bind_scalar(*let.target, value->type, value, rest);
    }
    if (declared != nullptr && declared->var->type != value->type) {
        wrong(*let.var, "`" + name + "` was declared as " + declared->var->type.str());
    }
    const std::size_t mark = names_.mark();
    Expr var = declared != nullptr ? use_declared(*let.var, *declared)
                                   : declare_var(*let.target, value->type);
    if (scalar) scalar_lets_.insert(var);
    Stmt body = bind_scope_of(var, value, [&] { return bind_after(nullptr, rest); });
    names_.release(mark);
    return ctx_.stmt(LetStmt{var, value, body});
}

}  // namespace proviso::ir
