// Canonical text of expressions: one spelling for each, with the fewest parentheses that keep
// parse(print(e)) == e.
#include <charconv>
#include <cmath>

#include "ir/hint.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "ir/text/printer.h"

namespace proviso::ir {

namespace {

// Binding strength of what stands at the top of a printed expression, as Python has it.
enum Strength : int {
    kWeakest,
    kOr,
    kAnd,
    kNot,
    kCompare,
    kBitOr,
    kBitXor,
    kBitAnd,
    kShift,
    kSum,
    kProduct,
    kUnary,
    kAtom,
};

struct Infix {
    std::string_view text;
    Strength strength;
};

class ExprPrinter {
  public:
    // `in_program`: the reader of programs computes an operator of bare constants as Python does,
    // so one of its operands is printed with its type.
    ExprPrinter(std::string& out, bool in_program) : out_(out), in_program_(in_program) {}

    void print(Expr e, int least = kWeakest) {
        switch (e->op) {
            case Op::Or: return print_infix(e, {" or ", kOr}, least);
            case Op::And: return print_infix(e, {" and ", kAnd}, least);
            case Op::Eq: return print_infix(e, {" == ", kCompare}, least);
            case Op::Ne: return print_infix(e, {" != ", kCompare}, least);
            case Op::Lt: return print_infix(e, {" < ", kCompare}, least);
            case Op::Le: return print_infix(e, {" <= ", kCompare}, least);
            case Op::BitOr: return print_infix(e, {" | ", kBitOr}, least);
            case Op::BitXor: return print_infix(e, {" ^ ", kBitXor}, least);
            case Op::BitAnd: return print_infix(e, {" & ", kBitAnd}, least);
            case Op::Shl: return print_infix(e, {" << ", kShift}, least);
            case Op::Shr: return print_infix(e, {" >> ", kShift}, least);
            case Op::Add: return print_infix(e, {" + ", kSum}, least);
            case Op::Sub: return print_infix(e, {" - ", kSum}, least);
            case Op::Mul: return print_infix(e, {" * ", kProduct}, least);
            case Op::Div: return print_infix(e, {" / ", kProduct}, least);
            case Op::FloorDiv: return print_infix(e, {" // ", kProduct}, least);
            case Op::FloorMod: return print_infix(e, {" % ", kProduct}, least);
            case Op::IntImm: return print_int(e);
            case Op::FloatImm: {
                const bool special = !std::isfinite(e->float_value());
                const std::string text = float_text(e->type, e->float_value());
                out_ += "T." + e->type.str() + "(" + (special ? quoted(text) : text) + ")";
                return;
            }
            case Op::Var: out_ += *e->name; return;
            case Op::Undef: out_ += "T.undef(\"" + e->type.str() + "\")"; return;
            case Op::Neg:
                open(kUnary, least);
                out_ += "-";
                // -(3) is the negation of 3, while -3 is a constant.
                if (is_const(e->arg(0))) {
                    out_ += "(";
                    operand(e->arg(0), is_bare(e->arg(0)), kWeakest);
                    out_ += ")";
                } else {
                    print(e->arg(0), kAtom);
                }
                return close(kUnary, least);
            case Op::Not:
                open(kNot, least);
                out_ += "not ";
                operand(e->arg(0), is_bare(e->arg(0)), kNot);
                return close(kNot, least);
            case Op::Cast:
                if (is_hint(e)) return call("T.likely", e);
                out_ += "T.Cast(\"" + e->type.str() + "\", ";
                print(e->arg(0));
                out_ += ")";
                return;
            case Op::Let:
                out_ += "T.Let(";
                print(e->arg(1));
                out_ += ", where={" + *e->name + ": ";
                print(e->arg(0));
                out_ += "})";
                return;
            case Op::Load: return print_load(e);
            case Op::CallExtern:
                out_ += "T.call_extern(\"" + e->type.str() + "\", " + quoted(*e->name);
                for (Expr a : e->args) {
                    out_ += ", ";
                    print(a);
                }
                out_ += ")";
                return;
            case Op::Math: return call("T." + std::string(math_fn_info(e->math_fn()).name), e);
            case Op::TruncDiv: return call("T.truncdiv", e);
            case Op::TruncMod: return call("T.truncmod", e);
            case Op::Min: return call("T.min", e);
            case Op::Max: return call("T.max", e);
            case Op::Select: return call("T.Select", e);
            case Op::IfThenElse: return call("T.if_then_else", e);
            case Op::Defined: return call("defined", e);
            case Op::Same: return call("same", e);
        }
        PROVISO_CHECK(false, "an operator without a spelling");
    }

    void list(std::span<const Expr> items) {
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (i > 0) out_ += ", ";
            print(items[i]);
        }
    }

  private:
    void open(int own, int least) {
        if (own < least) out_ += "(";
    }
    void close(int own, int least) {
        if (own < least) out_ += ")";
    }
    // Printed without a type: what Python would compute with.
    static bool is_bare(Expr e) {
        return e->op == Op::IntImm && (e->type.is_bool() || e->type == kInt32);
    }

    // An operand; `typed`: a bare constant that is alone with others.
    void operand(Expr e, bool typed, int least) {
        if (!typed || !in_program_) return print(e, least);
        out_ += "T." + e->type.str() + "(";
        print(e);
        out_ += ")";
    }

    void print_infix(Expr e, Infix in, int least) {
        // Logic nests to the right without parentheses, arithmetic to the left, comparisons not at
        // all: `a < b < c` would be a chain.
        const bool right = in.strength == kOr || in.strength == kAnd;
        const bool chain = in.strength == kCompare;
        open(in.strength, least);
        operand(e->arg(0), is_bare(e->arg(0)) && is_bare(e->arg(1)),
                in.strength + (right || chain ? 1 : 0));
        out_ += in.text;
        const bool bare = right || planted("text:parentheses");
        print(e->arg(1), in.strength + (bare ? 0 : 1));
        close(in.strength, least);
    }

    void print_int(Expr e) {
        if (e->type.is_bool()) {
            out_ += e->bits != 0 ? "True" : "False";
        } else if (e->type == kInt32) {
            out_ += std::to_string(e->bits);
        } else {
            out_ += "T." + e->type.str() + "(" + int128_text(e->int_value()) + ")";
        }
    }

    void print_load(Expr e) {
        out_ += e->buffer->name + "[";
        if (e->args.empty()) out_ += "()";
        list(e->args);
        out_ += "]";
    }

    void call(const std::string& name, Expr e) {
        out_ += name + "(";
        list(e->args);
        out_ += ")";
    }

    std::string& out_;
    const bool in_program_;
};

}  // namespace

std::string int128_text(Int128 value) {
    if (value < 0) return "-" + int128_text(-value);
    std::string digits;
    do {
        digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
        value /= 10;
    } while (value != 0);
    return digits;
}

std::string float_text(ScalarType type, double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    if (std::trunc(value) == value && std::fabs(value) < 1e15) {  // whole numbers in full
        return (std::signbit(value) ? "-" : "") +
               int128_text(static_cast<Int128>(std::fabs(value))) + ".0";
    }
    char buffer[64];
    std::string text;
    // The same way as the reader goes: decimal to double, then to the type.
    for (int digits = 1; digits <= 17; ++digits) {
        const auto end =
            std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits)
                .ptr;
        text.assign(buffer, end);
        double back = 0.0;
        std::from_chars(text.data(), text.data() + text.size(), back);
        if (round_to_type(type, back) == value) break;
    }
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

std::string quoted(std::string_view text) {
    constexpr std::string_view hex = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (byte < 0x20 || byte == 0x7f) {
            out += "\\x";
            out += hex[byte / 16];
            out += hex[byte % 16];
        } else {
            out += c;
        }
    }
    return out + "\"";
}

void print_expr(std::string& out, Expr e) {
    ExprPrinter(out, true).print(e);
}

std::string program_text(Expr e) {
    std::string out;
    print_expr(out, e);
    return out;
}

void print_expr_list(std::string& out, std::span<const Expr> list) {
    ExprPrinter(out, true).list(list);
}

std::string shape_text(std::span<const Expr> shape) {
    std::string out = "(";
    print_expr_list(out, shape);
    return out + (shape.size() == 1 ? ",)" : ")");
}

std::string print(Expr e) {
    std::string out;
    ExprPrinter(out, false).print(e);
    return out;
}

}  // namespace proviso::ir
