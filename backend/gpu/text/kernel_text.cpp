#include "backend/gpu/text/kernel_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/gpu/text/c_expressions.h"
#include "backend/gpu/text/wide_text.h"
#include "backend/unrolling.h"
#include "ir/buffer_scope.h"
#include "ir/check.h"
#include "ir/planted.h"
#include "ir/text.h"

namespace proviso::backend::gpu {

using namespace ir;

namespace {

constexpr const char* kAxisLetters = "XYZ";

std::string extents_text(const std::array<Expr, kAxes>& extents) {
    std::string out;
    for (Expr e : extents) out += (out.empty() ? "" : ", ") + (e == nullptr ? "1" : print(e));
    return "(" + out + ")";
}

class KernelPrinter {
  public:
    KernelPrinter(const Kernel& k, const TextOptions& options)
        : k_(k), c_(options.no_wrap, options.narrow), wide_(options.wide) {}

    std::string run() {
        signature();
        depth_ = 1;
        shared_buffers();
        thread_buffers();
        Stmt inner = k_.stmt;
        Site site = k_.site;
        std::size_t entered = 0;
        while (const For* n = inner->as<For>()) {
            if (!is_bound(*n) || !is_block_loop(*n)) break;
            index(*n, "PV_BLOCK_");
            ++entered;
            inner = n->body;
            site = site.child("body");
        }
        block_level(inner, site);
        c_.leave(entered);
        line_at(0, "}");
        return std::move(out_);
    }

  private:
    void line_at(std::size_t depth, const std::string& text) {
        out_ += std::string(depth * 4, ' ') + text + "\n";
    }
    void line(const std::string& text) { line_at(depth_, text); }
    // What an expression needs before the statement that it stands in.
    void flush() {
        for (const std::string& text : c_.take_lines()) line(text);
    }

    void signature() {
        line_at(0, fmt::format("// {}: grid {}, block {}", k_.name, extents_text(k_.grid),
                               extents_text(k_.block)));
        std::string params;
        for (Buffer b : k_.buffers) {
            const std::string name = c_.declare(b->name);
            c_.name_buffer(b, name);
            const bool written = k_.written.count(b) != 0;
            // Other threads store to it between barriers, which `restrict` denies: NVRTC would keep
            // a loaded cell across a barrier.
            const bool alone =
                !written || k_.barriers.empty() || planted("gpu:no-other-thread-stores");
            params += fmt::format("{}PV_GLOBAL {}{}*{} {}", params.empty() ? "" : ", ",
                                  written ? "" : "const ", storage_type(b->type),
                                  alone ? " PV_RESTRICT" : "", name);
        }
        for (Expr v : k_.scalars) {
            const std::string name = c_.declare(*v->name);
            c_.enter(v, name);
            params += fmt::format("{}const {} {}", params.empty() ? "" : ", ",
                                  storage_type(v->type), name);
        }
        std::string kind = "PV_KERNEL";
        const bool constant = std::all_of(k_.block.begin(), k_.block.end(),
                                          [](Expr e) { return e == nullptr || is_int_const(e); });
        if (constant) {
            kind += "_OF(";
            for (std::size_t a = 0; a < kAxes; ++a) {
                // A launch without threads does not take place.
                const std::int64_t n = k_.block[a] == nullptr
                                           ? 1
                                           : static_cast<std::int64_t>(k_.block[a]->int_value());
                kind += fmt::format("{}{}", a == 0 ? "" : ", ", std::max<std::int64_t>(n, 1));
            }
            kind += ")";
        }
        line_at(0, fmt::format("{} {}({}) {{", kind, k_.name, params));
    }

    // OpenCL has them at the start of a kernel only.
    void shared_buffers() {
        std::int64_t offset = 0;
        for_each_stmt(k_.stmt, [&](Stmt s) {
            const Allocate* n = s->as<Allocate>();
            if (n == nullptr || !is_shared_scope(n->buffer->scope)) return;
            offset = (offset + 15) / 16 * 16;
            if (planted("gpu:wrong-scope")) {
                line(declaration("PV_LOCAL", n->buffer, ""));
                return;
            }
            line(declaration("PV_SHARED", n->buffer, fmt::format(", {}", offset)));
            offset += constant_elements(n->buffer) * n->buffer->type.bytes();
        });
    }

    // A thread's parts of buffers that live across barriers.
    void thread_buffers() {
        for_each_stmt(k_.stmt, [&](Stmt s) {
            const Allocate* n = s->as<Allocate>();
            const auto found =
                n == nullptr ? k_.thread_buffers.end() : k_.thread_buffers.find(n->buffer);
            if (found == k_.thread_buffers.end()) return;
            line(declaration("PV_LOCAL", n->buffer, "", found->second));
        });
    }

    std::string declaration(const char* macro, Buffer b, const std::string& more,
                            std::size_t skip = 0) {
        const std::string name = c_.declare(b->name);
        c_.name_buffer(b, name, skip);
        return fmt::format("{}({}, {}, {}{});", macro, storage_type(b->type), name,
                           std::max<std::int64_t>(constant_elements(b, skip), 1), more);
    }

    // The variable of a bound loop.
    void index(const For& n, const char* query) {
        const std::string type = register_type(n.var->type);
        std::size_t axis = axis_of(n);
        if (!is_block_loop(n) && planted("gpu:wrong-thread")) axis = (axis + 1) % 2;
        std::string value = fmt::format("({}){}{}", type, query, kAxisLetters[axis]);
        if (!is_int_const(n.lo, 0)) value = c_.operand(n.lo) + " + " + value;
        flush();
        const std::string name = c_.declare(*n.var->name);
        line(fmt::format("const {} {} = {};", type, name, value));
        c_.enter(n.var, name);
    }

    // --- block level ---------------------------------------------------------------------------

    void block_level(Stmt s, const Site& site) {
        if (!contains_bound_loop(s)) {
            phase(s);
            return barrier(site);
        }
        std::visit(
            Overloaded{
                [&](const For& n) {
                    if (is_bound(n)) return phase(s);
                    serial_loop(n, [&] { block_level(n.body, site.child("body")); });
                },
                [&](const IfElse& n) {
                    branch(n, [&](Stmt arm, const char* label) {
                        block_level(arm, site.child(label));
                    });
                },
                [&](const Seq& n) {
                    for (std::size_t i = 0; i < n.body.size(); ++i) {
                        block_level(n.body[i], site.child(std::to_string(i)));
                    }
                },
                [&](const LetStmt& n) { let(n, [&] { block_level(n.body, site.child("body")); }); },
                [&](const Allocate& n) { block_level(n.body, site.child("body")); },
                [&](const auto&) { PROVISO_CHECK(false, "a bound loop in a leaf"); },
            },
            s->data);
        barrier(site);
    }

    // What stands at `site` is done.
    void barrier(const Site& site) {
        if (k_.barriers.count(site) != 0 && !planted("gpu:no-barrier")) line("PV_BARRIER();");
    }

    // What threads of a block do, each by itself.
    void phase(Stmt s) {
        line("{");
        ++depth_;
        std::array<const For*, kAxes> loops{};
        std::size_t entered = 0;
        while (const For* n = s->as<For>()) {
            if (!is_bound(*n)) break;
            index(*n, "PV_THREAD_");
            loops[axis_of(*n)] = n;
            ++entered;
            s = n->body;
        }
        const std::string guard = phase_guard(loops);
        if (!guard.empty()) {
            line("if (" + guard + ") {");
            ++depth_;
        }
        stmt(s);
        if (!guard.empty()) {
            --depth_;
            line("}");
        }
        c_.leave(entered);
        --depth_;
        line("}");
    }

    // Which of the launched threads take part in a phase with fewer; empty: all.
    std::string phase_guard(const std::array<const For*, kAxes>& loops) {
        std::string out;
        for (std::size_t a = 0; a < kAxes; ++a) {
            if (k_.block[a] == nullptr) continue;
            std::string condition;
            const std::string thread = fmt::format("PV_THREAD_{}", kAxisLetters[a]);
            if (loops[a] == nullptr) {
                condition = thread + " == 0";
            } else if (is_int_const(k_.block[a])) {
                const Int128 extent = loops[a]->hi->int_value() - loops[a]->lo->int_value();
                if (extent == k_.block[a]->int_value()) continue;
                condition = fmt::format("(i64){} < {}", thread, static_cast<std::int64_t>(extent));
            } else {
                continue;  // all phases have the extent of the launch
            }
            out += (out.empty() ? "" : " && ") + condition;
        }
        return planted("gpu:no-guard") ? "" : out;
    }

    // --- statements ----------------------------------------------------------------------------

    template <typename Body>
    void serial_loop(const For& n, const Body& body) {
        const std::string type = register_type(n.var->type);
        const std::string lo = c_.value(n.lo);
        std::string hi = c_.value(n.hi);
        flush();
        if (!is_int_const(n.hi) && n.hi->op != Op::Var) {  // evaluated once
            const std::string end = c_.declare(*n.var->name + "_end");
            line(fmt::format("const {} {} = {};", type, end, hi));
            hi = end;
        }
        const std::string name = c_.declare(*n.var->name);
        const bool marked = n.kind == ForKind::Unrolled;
        const auto way = marked ? unrolling_.enter(n) : Unrolling::Way::No;
        if (way != Unrolling::Way::No) line("PV_UNROLL");
        line(fmt::format("for ({} {} = {}; {} < {}; ++{}) {{", type, name, lo, name, hi, name));
        c_.enter(n.var, name);
        ++depth_;
        body();
        --depth_;
        c_.leave();
        line("}");
        unrolling_.leave(way);
    }

    template <typename Arm>
    void branch(const IfElse& n, const Arm& arm) {
        const std::string cond = c_.value(n.cond);
        flush();
        line("if (" + cond + ") {");
        ++depth_;
        arm(n.then_body, "then");
        --depth_;
        if (n.else_body != nullptr) {
            line("} else {");
            ++depth_;
            arm(n.else_body, "else");
            --depth_;
        }
        line("}");
    }

    template <typename Body>
    void let(const LetStmt& n, const Body& body) {
        const std::string value = c_.value(n.value);
        flush();
        const std::string name = c_.declare(*n.var->name);
        line(fmt::format("const {} {} = {};", register_type(n.var->type), name, value));
        c_.enter(n.var, name);
        body();
        c_.leave();
    }

    void lanes(const For& n) {
        WidePrinter printer{c_, [&](const std::string& text) { line(text); },
                            [&](int by) { depth_ = by > 0 ? depth_ + 1 : depth_ - 1; }, k_.written};
        print_wide(n, printer);
    }

    void stmt(Stmt s) {
        if (wide_.count(s) != 0) return lanes(*s->as<For>());
        std::visit(
            Overloaded{
                [&](const Store& n) {
                    const std::string cell = c_.cell(n.buffer, n.indices);
                    std::string value = c_.value(n.value);
                    if (n.value->type.is_bool()) value = "(u8)(" + value + ")";
                    flush();
                    line(cell + " = " + value + ";");
                },
                [&](const For& n) { serial_loop(n, [&] { stmt(n.body); }); },
                [&](const IfElse& n) { branch(n, [&](Stmt arm, const char*) { stmt(arm); }); },
                [&](const Seq& n) {
                    for (Stmt part : n.body) stmt(part);
                },
                [&](const LetStmt& n) { let(n, [&] { stmt(n.body); }); },
                [&](const Allocate& n) {
                    line(declaration("PV_LOCAL", n.buffer, ""));
                    stmt(n.body);
                },
                [&](const Evaluate& n) {
                    const std::string value = c_.value(n.value);
                    flush();
                    line("(void)(" + value + ");");
                },
                [&](const Assert&) { PROVISO_CHECK(false, "assert in a kernel"); },
                [&](const Assume&) { PROVISO_CHECK(false, "assume in lowered code"); },
                [&](const Block&) { PROVISO_CHECK(false, "block in lowered code"); },
            },
            s->data);
    }

    const Kernel& k_;
    CExpressions c_;
    const std::set<Stmt>& wide_;
    std::string out_;
    std::size_t depth_ = 0;
    Unrolling unrolling_;
};

}  // namespace

std::string kernel_text(const Kernel& kernel, const TextOptions& options) {
    return KernelPrinter(kernel, options).run();
}

std::string host_entry(const Kernel& kernel) {
    std::string arguments;
    std::size_t n = 0;
    const auto add = [&](const std::string& text) { arguments += (n++ == 0 ? "" : ", ") + text; };
    for (Buffer b : kernel.buffers) {
        add(fmt::format("({}{}*)arguments[{}]", kernel.written.count(b) != 0 ? "" : "const ",
                        storage_type(b->type), n));
    }
    for (Expr v : kernel.scalars) {
        add(fmt::format("*({}*)arguments[{}]", storage_type(v->type), n));
    }
    return fmt::format("extern \"C\" void {}__call(void** arguments) {{ {}({}); }}\n", kernel.name,
                       kernel.name, arguments);
}

}  // namespace proviso::backend::gpu
