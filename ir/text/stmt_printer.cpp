// Canonical text of statements, functions and modules. Bindings that last to the end of their list
// (`x: T.int32 = …`, `X = T.alloc_buffer(…)`) are printed as assignments there, and as `with` where
// statements of the same list follow the body.
#include <optional>

#include "ir/children.h"
#include "ir/text.h"
#include "ir/text/printer.h"
#include "ir/text/program_printer.h"

namespace proviso::ir {

namespace {

std::string attr_text(const AttrValue& v) {
    return std::visit(Overloaded{
                          [](std::int64_t n) { return std::to_string(n); },
                          [](double d) {
                              const std::string text = float_text(kFloat64, d);
                              const bool special = text.back() == 'f' || text.back() == 'n';
                              return special ? "float(" + quoted(text) + ")" : text;
                          },
                          [](bool b) { return std::string(b ? "True" : "False"); },
                          [](const std::string& s) { return quoted(s); },
                          [](const AttrText& t) { return t.text; },
                          [](const AttrValue::List& list) {
                              std::string out;
                              for (const AttrValue& item : list)
                                  out += (out.empty() ? "" : ", ") + attr_text(item);
                              return "[" + out + "]";
                          },
                          [](const AttrValue::Dict& dict) {
                              std::string out;
                              for (const auto& [key, value] : dict) {
                                  out += (out.empty() ? "" : ", ") + quoted(key) + ": " +
                                         attr_text(value);
                              }
                              return "{" + out + "}";
                          },
                      },
                      v.value);
}

// ", annotations={…}" of a call; nothing when there are none.
std::string annotations_text(const Annotations& annotations) {
    if (annotations.empty()) return {};
    return ", annotations=" + attr_text(AttrValue{annotations});
}

class StmtPrinter {
  public:
    // `known`: where texts are looked up and kept; may be null.
    StmtPrinter(std::string& out, int indent, StatementTexts* known = nullptr)
        : out_(out), indent_(indent), known_(known) {}

    // The lines of one indented body; `pass` when there is none.
    void body(Stmt s) {
        ++indent_;
        lines(s);
        --indent_;
    }

    void lines(Stmt s) {
        const std::size_t before = out_.size();
        list(s);
        if (out_.size() == before) line("pass");
    }

    void line(const std::string& text) { out_ += indentation(indent_) + text + "\n"; }

  private:
    // A statement at the end of its list.
    void list(Stmt s) {
        if (const Seq* seq = s->as<Seq>()) {
            for (std::size_t i = 0; i < seq->body.size(); ++i) {
                if (i + 1 < seq->body.size()) {
                    inner(seq->body[i]);
                } else {
                    list(seq->body[i]);
                }
            }
        } else if (const LetStmt* let = s->as<LetStmt>()) {
            line(*let->var->name + ": T." + let->var->type.str() + " = " +
                 program_text(let->value));
            list(let->body);
        } else if (const Allocate* a = s->as<Allocate>()) {
            line(a->buffer->name + " = T.alloc_buffer(" + allocation_text(*a) + ")");
            list(a->body);
        } else {
            inner(s);
        }
    }

    static std::string buffer_text(Buffer b) {
        std::string out = shape_text(b->shape) + ", \"" + b->type.str() + "\"";
        if (b->scope != "global") out += ", scope=" + quoted(b->scope);
        return out;
    }

    static std::string allocation_text(const Allocate& a) {
        return buffer_text(a.buffer) + annotations_text(a.annotations);
    }

    // A statement that others of its list follow, or that needs no end.
    void inner(Stmt s) {
        if (known_ == nullptr) return print_inner(s);
        if (const std::string* text = known_->find(s, indent_)) {
            out_ += *text;
            return;
        }
        const std::size_t start = out_.size();
        print_inner(s);
        known_->keep(s, indent_, out_.substr(start));
    }

    void print_inner(Stmt s) {
        std::visit(
            Overloaded{
                [&](const Store& n) { store(n); },
                [&](const For& n) { loop(n); },
                [&](const IfElse& n) { branch(n, "if "); },
                [&](const Seq& n) {
                    for (Stmt c : n.body) inner(c);
                },
                [&](const LetStmt& n) {
                    line("with T.LetStmt(" + program_text(n.value) + ") as " + *n.var->name + ":");
                    body(n.body);
                },
                [&](const Allocate& n) {
                    line("with T.decl_buffer(" + allocation_text(n) + ") as " + n.buffer->name +
                         ":");
                    body(n.body);
                },
                [&](const Assert& n) {
                    line("assert " + program_text(n.cond) +
                         (n.message.empty() ? "" : ", " + quoted(n.message)));
                },
                [&](const Assume& n) { line("T.assume(" + program_text(n.cond) + ")"); },
                [&](const Evaluate& n) { line("T.evaluate(" + program_text(n.value) + ")"); },
                [&](const Block& n) { block(n); },
            },
            s->data);
    }

    void store(const Store& n) {
        std::string text = n.buffer->name + "[";
        if (n.indices.empty()) text += "()";
        print_expr_list(text, n.indices);
        text += "] = ";
        print_expr(text, n.value);
        line(text);
    }

    void loop(const For& n) {
        std::string text = "for " + *n.var->name + " in ";
        switch (n.kind) {
            case ForKind::Serial: text += n.annotations.empty() ? "range(" : "T.serial("; break;
            case ForKind::Parallel: text += "T.parallel("; break;
            case ForKind::Vectorized: text += "T.vectorized("; break;
            case ForKind::Unrolled: text += "T.unroll("; break;
            case ForKind::ThreadBinding: text += "T.thread_binding("; break;
        }
        if (!is_int_const(n.lo, 0)) text += program_text(n.lo) + ", ";
        text += program_text(n.hi);
        if (n.kind == ForKind::ThreadBinding) text += ", thread=" + quoted(n.thread_tag);
        line(text + annotations_text(n.annotations) + "):");
        body(n.body);
    }

    void branch(const IfElse& n, const std::string& word) {
        line(word + program_text(n.cond) + ":");
        body(n.then_body);
        if (n.else_body == nullptr) return;
        if (const IfElse* next = n.else_body->as<IfElse>()) return branch(*next, "elif ");
        line("else:");
        body(n.else_body);
    }

    static const char* axis(IterKind kind) {
        switch (kind) {
            case IterKind::Spatial: return "T.axis.spatial(";
            case IterKind::Reduce: return "T.axis.reduce(";
            case IterKind::Opaque: return "T.axis.opaque(";
        }
        return "";
    }

    // `A[i, 0:4]`: a range of one cell, [e, e + 1) with constants folded, prints as an index.
    static std::string region_text(const BufferRegion& region) {
        std::string out = region.buffer->name + "[";
        if (region.ranges.empty()) out += "()";
        for (std::size_t i = 0; i < region.ranges.size(); ++i) {
            const auto& [lo, hi] = region.ranges[i];
            if (i > 0) out += ", ";
            print_expr(out, lo);
            if (is_next(lo, hi)) continue;
            out += ":";
            print_expr(out, hi);
        }
        return out + "]";
    }

    static std::string regions_text(const std::vector<BufferRegion>& regions) {
        std::string out;
        for (const BufferRegion& r : regions) out += (out.empty() ? "" : ", ") + region_text(r);
        return out;
    }

    void block(const Block& n) {
        line(n.name.empty() ? "with T.block():" : "with T.block(" + quoted(n.name) + "):");
        ++indent_;
        const std::size_t before = out_.size();
        for (const BlockIter& it : n.iters) {
            std::string domain = program_text(it.hi);
            if (!is_int_const(it.lo, 0))
                domain.insert(0, "(" + program_text(it.lo) + ", ").append(")");
            line(*it.var->name + " = " + axis(it.kind) + domain + ", " + program_text(it.binding) +
                 ")");
        }
        if (!is_true(n.predicate)) line("T.where(" + program_text(n.predicate) + ")");
        if (n.reads) line("T.reads(" + regions_text(*n.reads) + ")");
        if (n.writes) line("T.writes(" + regions_text(*n.writes) + ")");
        if (!n.annotations.empty()) {
            line("T.block_attr(" + attr_text(AttrValue{n.annotations}) + ")");
        }
        if (n.init != nullptr) {
            line("with T.init():");
            body(n.init);
        }
        list(n.body);
        if (out_.size() == before) line("pass");
        --indent_;
    }

    std::string& out_;
    int indent_;
    StatementTexts* known_;
};

// A shape with variables cannot stand in a parameter's annotation, which Python evaluates before
// the variables exist: such a buffer is a handle that the body matches to a buffer.
bool has_constant_shape(Buffer b) {
    for (Expr e : b->shape) {
        if (e->op != Op::IntImm) return false;
    }
    return true;
}

void print_function(std::string& out, const Function& f, int indent,
                    StatementTexts* known = nullptr) {
    std::optional<std::set<std::string>> names;
    std::string params;
    std::vector<std::string> matches;
    for (const Param& p : f.params) {
        if (!params.empty()) params += ", ";
        if (const Expr* var = std::get_if<Expr>(&p)) {
            params += *(*var)->name + ": T." + (*var)->type.str();
            continue;
        }
        Buffer b = std::get<Buffer>(p);
        std::string text = shape_text(b->shape) + ", \"" + b->type.str() + "\"";
        if (b->scope != "global") text += ", scope=" + quoted(b->scope);
        if (has_constant_shape(b)) {
            params += b->name + ": T.Buffer(" + text + ")";
        } else {
            if (!names) names = bound_names(f);
            const std::string handle = fresh_name("var_" + b->name, *names);
            params += handle + ": T.handle";
            text.insert(0, b->name + " = T.match_buffer(" + handle + ", ").append(")");
            matches.push_back(text);
        }
    }
    out += indentation(indent) + "@T.prim_func\n";
    out += indentation(indent) + "def " + f.name + "(" + params + "):\n";
    StmtPrinter printer(out, indent + 1, known);
    if (!f.attrs.empty()) {
        AttrValue::Dict attrs(f.attrs.begin(), f.attrs.end());
        printer.line("T.func_attr(" + attr_text(AttrValue{std::move(attrs)}) + ")");
    }
    for (const std::string& match : matches) printer.line(match);
    printer.lines(f.body);
}

}  // namespace

std::string indentation(int indent) {
    return std::string(static_cast<std::size_t>(indent) * 4, ' ');
}

bool is_next(Expr lo, Expr hi) {
    if (is_int_const(lo) && is_int_const(hi)) return hi->int_value() == lo->int_value() + 1;
    return hi->op == Op::Add && hi->arg(0) == lo && is_int_const(hi->arg(1), 1) &&
           !is_int_const(lo);
}

void print_stmt(std::string& out, Stmt s, int indent) {
    StmtPrinter(out, indent).lines(s);
}

std::string print(Stmt s, int indent) {
    std::string out;
    print_stmt(out, s, indent);
    return out;
}

std::string print(const Function& f) {
    std::string out;
    print_function(out, f, 0);
    return out;
}

const std::string* StatementTexts::find(Stmt s, int indent) {
    Texts& now = now_[indent];
    if (const auto found = now.find(s); found != now.end()) return &found->second;
    auto old = before_[indent].extract(s);
    return old.empty() ? nullptr : &now.insert(std::move(old)).position->second;
}

void StatementTexts::keep(Stmt s, int indent, std::string text) {
    now_[indent].emplace(s, std::move(text));
}

void StatementTexts::next_program() {
    std::swap(now_, before_);
    now_.clear();
}

std::string ProgramPrinter::print(const Function& f) {
    texts_.next_program();
    std::string out;
    print_function(out, f, 0, &texts_);
    return out;
}

std::string print(const Module& m) {
    std::string out =
        "from tvm.script import ir as I\n"
        "from tvm.script import tir as T\n"
        "\n"
        "@I.ir_module\n"
        "class Module:\n";
    for (std::size_t i = 0; i < m.functions.size(); ++i) {
        if (i > 0) out += "\n";
        print_function(out, m.functions[i], 1);
    }
    if (m.functions.empty()) out += "    pass\n";
    return out;
}

}  // namespace proviso::ir
