// Calls in expressions: T.<type>(…), operators and math functions by name, and the few that have a
// reading of their own.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ir/hint.h"
#include "ir/text/reader/expressions/expr_binder.h"
#include "ir/text/reader/expressions/foreign.h"
#include "ir/text/reader/expressions/intrinsics.h"
#include "ir/text/spelling.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;

const Node* argument(const Node& call, std::size_t position, const std::string& keyword) {
    if (position + 1 < call.items.size()) return &call.items[position + 1];
    for (const python::Keyword& k : call.keywords) {
        if (k.name == keyword) return &k.value;
    }
    return nullptr;
}

void check_arguments(const python::Source& source, const Node& call, std::size_t least,
                     std::size_t most, const std::vector<std::string>& keywords) {
    const std::string name = call.items[0].dotted();
    const std::size_t given = call.items.size() - 1;
    for (const Node& item : call.items) {
        if (item.is(NodeKind::Starred)) {
            fail_opaque(source.at(item.at, "what Python unpacks has no meaning here"));
        }
    }
    const std::size_t total = given + call.keywords.size();
    for (const python::Keyword& k : call.keywords) {
        if (std::find(keywords.begin(), keywords.end(), k.name) == keywords.end()) {
            fail(source.at(k.at, "`" + name + "` has no argument `" + k.name + "` here",
                           suggest(k.name, keywords)));
        }
    }
    if (total > most) {
        fail(source.at(given > most ? call.items[most + 1].at : call.keywords.back().at,
                       "`" + name + "` takes " + (most == least ? "" : "at most ") +
                           std::to_string(most) + " argument" + (most == 1 ? "" : "s") + ", not " +
                           std::to_string(total)));
    }
    if (total < least) {
        fail(source.at(call.at, "`" + name + "` takes " + (most == least ? "" : "at least ") +
                                    std::to_string(least) + " argument" + (least == 1 ? "" : "s") +
                                    ", not " + std::to_string(total)));
    }
}

void ExprBinder::check_arguments(const Node& call, std::size_t least, std::size_t most,
                                 const std::vector<std::string>& keywords) const {
    ir::check_arguments(source_, call, least, most, keywords);
}

namespace {

// Older printers add the result's type to calls: T.exp(x, dtype="float32").
bool has_result_type(const Node& node, const std::string& member) {
    const bool plain = find_operator_name(member) != nullptr || find_math_name(member) ||
                       member == "likely" || member == "isinf" || member == "isfinite" ||
                       member == "clz" || member == "popcount";
    return plain && std::any_of(node.keywords.begin(), node.keywords.end(),
                                [](const python::Keyword& k) { return k.name == "dtype"; });
}

}  // namespace

Expr ExprBinder::bind_with_result_type(const Node& node) {
    Node call = node;
    call.only_literals.reset();
    ScalarType type;
    std::erase_if(call.keywords, [&](const python::Keyword& k) {
        if (k.name != "dtype") return false;
        type = bind_type(k.value);
        return true;
    });
    return bind_typed(call, type, "the result of `" + node.items[0].dotted() + "`");
}

Expr ExprBinder::bind_call(const Node& node, std::optional<ScalarType> expected) {
    const Node& callee = node.items[0];
    const std::string name = callee.dotted();
    if (name == "float") {  // float("inf"), Python's: a bare literal
        if (node.items.size() != 2 || !node.items[1].is(NodeKind::String)) {
            wrong(node, "`float` takes a string here", "write T.Cast(\"float32\", …)");
        }
        return bind_typed_call(node, expected.value_or(kFloat32));
    }
    if (name == "len" && node.items.size() == 2 && !names_.is_of_file(name)) {
        check_arguments(node, 1, 1);
        if (const auto parts = parts_of_shape(node.items[1])) {
            const bool typed = expected && expected->is_int();
            return ctx_.int_imm(typed ? *expected : kInt32, static_cast<Int128>(parts->size()));
        }
    }
    if (name == "defined") return bind_defined(node);
    if (name == "same") {
        if (!logic_) unknown_call(node, name);
        check_arguments(node, 2, 2);
        const auto [a, b] = bind_pair(node.items[1], node.items[2], std::nullopt,
                                      "the operands of `same`", node.at);
        return ctx_.same(a, b);
    }
    if (callee.is(NodeKind::Attribute) && callee.text == "astype") {
        check_arguments(node, 1, 1);
        return ctx_.cast(bind_type(node.items[1]), bind(callee.items[0]));
    }
    if (name.rfind("T.", 0) != 0) unknown_call(node, name);
    const std::string member = name.substr(2);
    if (const auto type = ScalarType::parse(member)) return bind_typed_call(node, *type);
    if (lanes_) {
        if (const auto vector = vector_type(callee)) {  // T.float32x4(v): a cast
            require_lanes(node, vector->second);
            return bind_typed_call(node, vector->first);
        }
    }
    if (has_result_type(node, member)) return bind_with_result_type(node);
    if (const OperatorName* row = find_operator_name(member)) {
        return bind_operator_call(node, row->op, row->swap, expected);
    }
    if (const auto fn = find_math_name(member)) return bind_math(node, *fn, expected);
    if (is_special_name(member)) return bind_special(node, member, expected);
    unknown_call(node, name);
}

void ExprBinder::unknown_call(const Node& node, const std::string& name) {
    const std::string& member = node.items[0].text;  // after the last dot
    const std::string root = name.substr(0, name.find('.'));
    // cls.f(A), Module.f(A): the module is here, so a function that it does not have is a mistake.
    const bool of_module = !module_.empty() && (root == "cls" || root == module_) &&
                           name == root + "." + member && names_.find(root) == nullptr;
    static const std::vector<std::string> none;
    const std::vector<std::string>& functions = functions_ == nullptr ? none : *functions_;
    if (of_module && std::find(functions.begin(), functions.end(), member) == functions.end()) {
        wrong(node, "the module has no function `" + member + "`", suggest(member, functions));
    }
    const bool bare = name == member && names_.find(name) == nullptr;
    if ((of_module || bare) &&
        std::find(functions.begin(), functions.end(), member) != functions.end()) {
        no_meaning(node, "a call of `" + member + "` inside of an expression has no meaning here",
                   "call it on a line of its own, which names the result if it has one: x = " +
                       name + "(…)");
    }
    const bool foreign = is_foreign_name(name) || names_.is_of_file(root) ||
                         (node.items[0].is(NodeKind::Attribute) && is_foreign_member(member));
    if (foreign) {
        no_meaning(node, "`" + name + "` has no meaning here", std::string(hint_for(name)));
    }
    if (name.empty()) wrong(node, "only functions of `T` can be called");
    if (name == "defined" || name == "same") {
        wrong(node, "`" + name + "(…)` stands in obligations only, not in programs");
    }
    if (name.rfind("T.", 0) == 0 && is_statement_name(name.substr(2, name.find('.', 2) - 2))) {
        wrong(node, "`" + name + "` is a statement, not a value");
    }
    std::vector<std::string> candidates = expression_names();
    candidates.insert(candidates.end(), functions.begin(), functions.end());
    if (logic_) candidates.insert(candidates.end(), {"defined", "same"});
    std::string hint(hint_for(name));
    if (hint.empty()) hint = suggest(name, candidates);
    if (hint.empty() && name.find('.') == std::string::npos) {
        hint = suggest(
            "T." + name, candidates,
            "a function of which nothing is known: T.call_extern(\"int32\", \"" + name + "\", …)");
    }
    if (hint.empty()) hint = "the operators and functions are listed in docs/semantics.md";
    wrong(node, "`" + name + "` is not supported", hint);
}

// Of an operator or function with so many operands: how it is written.
void ExprBinder::check_operands(const Node& call, std::size_t count) const {
    const bool starred = std::any_of(call.items.begin(), call.items.end(),
                                     [](const Node& n) { return n.is(NodeKind::Starred); });
    if (!starred && call.keywords.empty() && call.items.size() != count + 1) {
        const std::string name = call.items[0].dotted();
        const char* form = count == 1 ? "(a)" : count == 2 ? "(a, b)" : "(condition, a, b)";
        wrong(call.items.size() > count + 1 ? call.items[count + 1] : call,
              "`" + name + "` takes " + std::to_string(count) + " argument" +
                  (count == 1 ? "" : "s") + ", not " + std::to_string(call.items.size() - 1),
              name + form);
    }
    check_arguments(call, count, count);
}

// T.int64(3), T.float32("inf"), T.bool(True): constants. T.int64(x): a cast.
Expr ExprBinder::bind_typed_call(const Node& node, ScalarType type) {
    if (node.items.size() == 1 && node.keywords.empty()) {
        wrong(node, "`" + node.items[0].dotted() + "()` without a value is a size variable",
              "size variables are made by assignments: n = T.int32()");
    }
    check_arguments(node, 1, 1);
    const Node& value = node.items[1];
    if (value.is(NodeKind::String)) {
        const bool minus = value.text.rfind('-', 0) == 0;
        const std::string word = value.text.substr(minus ? 1 : 0);
        if (!type.is_float()) wrong(value, "a string is no value of " + type.str());
        if (word == "inf" || word == "infinity") {
            return ctx_.float_imm(type, minus ? -HUGE_VAL : HUGE_VAL);
        }
        if (word == "nan") {
            return ctx_.float_imm(type, std::numeric_limits<double>::quiet_NaN());
        }
        return float_literal(value, word, minus, type);
    }
    if (type.is_bool() && value.is(NodeKind::Int) && (value.text == "0" || value.text == "1")) {
        return ctx_.bool_imm(value.text == "1");
    }
    if (type.is_bool() && value.is(NodeKind::Constant)) return bind(value);
    const bool minus = value.is(NodeKind::Unary) && value.text == "-";
    const Node& number = minus ? value.items[0] : value;
    const bool is_number = number.is(NodeKind::Int) || number.is(NodeKind::Float);
    if (is_number && !(minus && number.parenthesized)) return literal(number, minus, type);
    return ctx_.cast(type, bind(value));
}

Expr ExprBinder::bind_operator_call(const Node& node, Op op, bool swap,
                                    std::optional<ScalarType> expected) {
    const OpInfo& info = op_info(op);
    const auto arity = static_cast<std::size_t>(info.arity);
    const std::string written = "`" + node.items[0].dotted() + "`";
    check_operands(node, arity);
    if (arity == 3) {
        return bind_choice(op, node.items[1], node.items[2], node.items[3], expected);
    }
    if (info.op_class == OpClass::Unary) {
        Expr e = bind(node.items[1]);
        require_bool(e, node.items[1], "the operand of " + written);
        return ctx_.not_(e);
    }
    const bool inner = info.op_class == OpClass::Arithmetic || info.op_class == OpClass::Bits;
    if (!inner || (expected && expected->is_bool())) expected.reset();
    const bool chosen = op == Op::Min || op == Op::Max;  // the same one in every type
    if (!logic_ && !chosen && is_flexible(node.items[1]) && is_flexible(node.items[2])) {
        expected.reset();
    }
    auto [a, b] = bind_operands(node.items[1], node.items[2], expected,
                                "the operands of " + written, node.at, literal_beside(op));
    if (swap) std::swap(a, b);
    return apply(op, a, b, node.at, written);
}

Expr ExprBinder::bind_math(const Node& node, MathFn fn, std::optional<ScalarType> expected) {
    const MathFnInfo& info = math_fn_info(fn);
    const auto arity = static_cast<std::size_t>(info.arity);
    check_operands(node, arity);
    // In programs a function of numbers alone is computed in float32, whatever its place expects.
    if (!logic_ || (expected && (!expected->is_float() || fn == MathFn::IsNan))) expected.reset();
    const bool bare = is_flexible(node.items[1]) && (arity == 1 || is_flexible(node.items[2]));
    if (bare && !expected && fn != MathFn::Abs) expected = kFloat32;
    std::vector<Expr> args;
    if (arity == 1) {
        args.push_back(bind(node.items[1], expected));
    } else {
        const auto [a, b] =
            bind_operands(node.items[1], node.items[2], expected,
                          "the operands of `T." + std::string(info.name) + "`", node.at);
        args = {a, b};
    }
    const ScalarType type = args[0]->type;
    if (!type.is_float() && !(fn == MathFn::Abs && type.is_int())) {
        wrong(node.items[1], "`" + node.items[0].dotted() + "` takes floats, not " + type.str(),
              cast_hint(kFloat32));
    }
    return ctx_.math(fn, args);
}

Expr ExprBinder::bind_special(const Node& node, const std::string& name,
                              std::optional<ScalarType> expected) {
    if (name == "undef") return bind_undef(node, expected);
    if (name == "call_extern") return bind_extern(node);
    if (name == "Cast") {  // T.Cast("int64", x)
        check_arguments(node, 2, 2);
        return ctx_.cast(bind_type(node.items[1]), bind(node.items[2]));
    }
    if (name == "cast") {  // T.cast(x, "int64")
        check_arguments(node, 1, 2, {"dtype"});
        const Node* type = argument(node, 1, "dtype");
        if (type == nullptr) wrong(node, "`T.cast` needs a type", "T.cast(x, \"int64\")");
        return ctx_.cast(bind_type(*type), bind(node.items[1]));
    }
    if (name == "Let" || name == "let") return bind_let(node, expected);
    if (name == "likely") {
        check_arguments(node, 1, 1);
        return hinted(ctx_, bind_typed(node.items[1], kBool, "what is likely"));
    }
    if (name == "bitwise_not") {
        check_arguments(node, 1, 1);
        return bind_sign(node, "~", node.items[1], expected);
    }
    if (name == "rsqrt") {  // as TVM's code for processors computes it
        Expr root = bind_math(node, MathFn::Sqrt, expected);
        return ctx_.make(Op::Div, {ctx_.float_imm(root->type, 1.0), root});
    }
    if (name == "clz" || name == "popcount") return bind_bit_count(node, name);
    if (name.rfind("q_multiply_shift", 0) == 0) return bind_fixed_point(node, name);
    if (name == "reinterpret") return bind_reinterpret(node);
    if (name == "isinf" || name == "isfinite") {  // of NaN both are false
        Expr size = bind_math(node, MathFn::Abs, std::nullopt);
        if (!size->type.is_float()) {
            wrong(node.items[1], "`T." + name + "` takes floats, not " + size->type.str(),
                  cast_hint(kFloat32));
        }
        Expr infinity = ctx_.float_imm(size->type, HUGE_VAL);
        return ctx_.make(name == "isinf" ? Op::Eq : Op::Lt, {size, infinity});
    }
    if (name == "ceildiv") {  // TVM's: rounds up for divisors above 0, and is this for all others
        check_arguments(node, 2, 2);
        const auto [a, b] = bind_operands(node.items[1], node.items[2], expected,
                                          "the operands of `T.ceildiv`", node.at);
        const std::string reason = "`T.ceildiv`";
        if (!a->type.is_int()) apply(Op::FloorDiv, a, b, node.at, reason);  // says what is wrong
        const Expr above = ctx_.sub(ctx_.add(a, b), ctx_.int_imm(a->type, 1));
        return apply(Op::FloorDiv, above, b, node.at, reason);
    }
    if (name == "Div" || name == "div") {  // TVM's: floats divide, integers truncate
        check_arguments(node, 2, 2);
        const auto [a, b] = bind_operands(node.items[1], node.items[2], expected,
                                          "the operands of `T." + name + "`", node.at);
        return apply(a->type.is_float() ? Op::Div : Op::TruncDiv, a, b, node.at,
                     "`T." + name + "`");
    }
    return bind_limit(node, name);
}

// T.reinterpret("uint32", x), T.reinterpret(x, dtype="uint32"): of integers of one width, which a
// cast keeps bit for bit.
Expr ExprBinder::bind_reinterpret(const Node& node) {
    check_arguments(node, 2, 2, {"dtype"});
    const bool named = !node.keywords.empty();
    const Node& operand = node.items[named ? 1 : 2];
    if (find_vector(operand) != nullptr) {
        no_meaning(node, "`T.reinterpret` of a vector has no meaning here");
    }
    const ScalarType type = bind_type(named ? node.keywords[0].value : node.items[1]);
    Expr value = bind(operand);
    if (value->type == type) return value;
    if (!type.is_int() || !value->type.is_int()) {
        no_meaning(node,
                   "`T.reinterpret` from " + value->type.str() + " to " + type.str() +
                       " has no meaning here",
                   "the bits of a float are not looked at");
    }
    if (type.bits != value->type.bits) {
        wrong(operand,
              "this value has " + std::to_string(value->type.bits) + " bits, and " + type.str() +
                  " has " + std::to_string(type.bits),
              cast_hint(type));
    }
    return ctx_.cast(type, value);
}

// T.infinity("float32"), T.min_value("int32"), T.max_value("float32")
Expr ExprBinder::bind_limit(const Node& node, const std::string& name) {
    check_arguments(node, 1, 1);
    const ScalarType type = bind_type(node.items[1]);
    if (name == "infinity") {
        if (!type.is_float()) wrong(node.items[1], type.str() + " has no infinity");
        return ctx_.float_imm(type, HUGE_VAL);
    }
    const bool largest = name == "max_value";
    if (!type.is_float()) return ctx_.int_imm(type, largest ? type.max_value() : type.min_value());
    double limit = std::numeric_limits<double>::max();
    if (type == kFloat32) limit = static_cast<double>(std::numeric_limits<float>::max());
    if (type == kFloat16) limit = 65504.0;
    if (type == kBFloat16) limit = 0x1.fep127;
    return ctx_.float_imm(type, largest ? limit : -limit);
}

Expr ExprBinder::bind_undef(const Node& node, std::optional<ScalarType> expected) {
    check_arguments(node, 0, 1, {"dtype"});
    const Node* type = argument(node, 0, "dtype");
    if (type != nullptr) return ctx_.undef(bind_type(*type));
    if (!expected) {
        wrong(node, "the type of T.undef() is not known here", "write T.undef(\"float32\")");
    }
    return ctx_.undef(*expected);
}

// T.Let(body, where={v: value}), which binds the first entry outermost, and T.let(v, value, body).
Expr ExprBinder::bind_let(const Node& node, std::optional<ScalarType> expected) {
    if (node.items.size() == 4) {
        check_arguments(node, 3, 3);
        return bind_let_body(node.items[1], node.items[2], node.items[3], expected);
    }
    check_arguments(node, 2, 2, {"where"});
    const Node* where = argument(node, 1, "where");
    if (where == nullptr || !where->is(NodeKind::Dict) || where->items.size() != 2) {
        wrong(where == nullptr ? node : *where, "a let binds one variable",
              "T.Let(body, where={v: value})");
    }
    return bind_let_body(where->items[0], where->items[1], node.items[1], expected);
}

Expr ExprBinder::bind_let_body(const Node& var, const Node& value, const Node& body,
                               std::optional<ScalarType> expected) {
    if (!var.is(NodeKind::Name)) wrong(var, "the variable of a let is a name");
    Expr bound = bind(value);
    const std::size_t mark = names_.mark();
    Expr v = names_.bind_let(ctx_, var.text, bound->type);
    Expr inner = bind(body, expected);
    names_.release(mark);
    return ctx_.let(v, bound, inner);
}

// T.call_extern("float32", "name", args…), T.call_extern("name", args…, dtype="float32")
Expr ExprBinder::bind_extern(const Node& node) {
    const bool trailing = !node.keywords.empty();
    check_arguments(node, 2, node.items.size(), {"dtype"});
    const ScalarType type = bind_type(trailing ? node.keywords[0].value : node.items[1]);
    const std::size_t place = trailing ? 1 : 2;
    if (node.items.size() <= place) wrong(node, "an external function needs a name");
    const Node& name = node.items[place];
    if (!name.is(NodeKind::String)) wrong(name, "the name of an external function is a string");
    std::vector<Expr> args;
    for (std::size_t i = place + 1; i < node.items.size(); ++i) {
        if (node.items[i].is(NodeKind::String)) {
            no_meaning(node.items[i], "a string as an argument has no meaning here");
        }
        args.push_back(bind(node.items[i]));
    }
    return ctx_.call_extern(type, name.text, args);
}

Expr ExprBinder::bind_defined(const Node& node) {
    if (!logic_) unknown_call(node, "defined");
    check_arguments(node, 1, 1);
    Expr load = bind(node.items[1]);
    if (load->op != Op::Load) wrong(node.items[1], "`defined` takes a load, such as A[i]");
    return ctx_.defined(load);
}

}  // namespace proviso::ir
