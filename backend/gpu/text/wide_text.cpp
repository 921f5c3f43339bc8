#include "backend/gpu/text/wide_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ir/buffer_scope.h"
#include "ir/check.h"
#include "ir/children.h"
#include "ir/planted.h"
#include "rewrite/derived/loops/wide_access.h"

namespace proviso::backend::gpu {

using namespace ir;

namespace {

constexpr std::array<const char*, 4> kMembers = {".x", ".y", ".z", ".w"};

class Lanes {
  public:
    Lanes(const For& loop, WidePrinter& p)
        : loop_(loop), count_(static_cast<std::size_t>(loop.hi->int_value())), p_(p) {}

    void statement(Stmt s) {
        if (const Store* n = s->as<Store>()) return store(*n);
        if (const Seq* n = s->as<Seq>()) {
            for (Stmt part : n->body) statement(part);
            return;
        }
        const IfElse* n = s->as<IfElse>();
        PROVISO_CHECK(n != nullptr, "a statement that lanes_of refuses");
        p_.line("if (" + at_lane(0, [&] { return p_.c.value(n->cond); }) + ") {");
        arm(n->then_body);
        if (n->else_body != nullptr) {
            p_.line("} else {");
            arm(n->else_body);
        }
        p_.line("}");
    }

  private:
    void arm(Stmt s) {
        p_.deeper(1);
        statement(s);
        p_.deeper(-1);
    }

    // The text that `make` gives with the loop's variable at `lane`, after the lines it needs.
    template <typename Make>
    std::string at_lane(std::size_t lane, const Make& make) {
        p_.c.enter(loop_.var, std::to_string(lane));
        std::string out = make();
        p_.c.leave();
        for (const std::string& text : p_.c.take_lines()) p_.line(text);
        return out;
    }

    bool is_wide(Buffer b, std::span<const Expr> indices) const {
        return rewrite::in_memory(b) && std::any_of(indices.begin(), indices.end(), [&](Expr i) {
                   return occurs_free(loop_.var, i);
               });
    }

    std::string type_of(Buffer b) const {
        return fmt::format("{}x{}", storage_type(b->type), count_);
    }

    // All lanes' cells as one object in memory.
    std::string cells(Buffer b, const std::vector<Expr>& indices) {
        const bool shared = is_shared_scope(b->scope);
        const bool constant = !shared && p_.written.count(b) == 0;
        const std::size_t lane = planted("gpu:wide-off-by-one") ? 1 : 0;
        return fmt::format("PV_WIDE({}{} {}, &{})", constant ? "const " : "",
                           shared ? "PV_SHARED_MEMORY" : "PV_GLOBAL", type_of(b),
                           at_lane(lane, [&] { return p_.c.cell(b, indices); }));
    }

    // What the value loads together: load -> the object's name.
    std::vector<std::pair<Expr, std::string>> loaded(Expr value) {
        std::vector<std::pair<Expr, std::string>> out;
        for_each_node(value, [&](Expr n) {
            if (n->op != Op::Load || !is_wide(n->buffer, n->args)) return;
            const auto known = [&](const auto& one) { return one.first == n; };
            if (std::any_of(out.begin(), out.end(), known)) return;
            const std::string text = cells(n->buffer, {n->args.begin(), n->args.end()});
            const std::string name = p_.c.declare(n->buffer->name + "_" + *loop_.var->name);
            p_.line(fmt::format("const {} {} = {};", type_of(n->buffer), name, text));
            out.emplace_back(n, name);
        });
        return out;
    }

    void store(const Store& n) {
        const auto loads = loaded(n.value);
        const bool wide = is_wide(n.buffer, n.indices);
        std::string name;
        if (wide) {
            name = p_.c.declare(n.buffer->name + "_" + *loop_.var->name);
            p_.line(fmt::format("{} {};", type_of(n.buffer), name));
        }
        for (std::size_t lane = 0; lane < count_; ++lane) {
            for (const auto& [load, from] : loads) p_.c.hold(load, from + kMembers[lane]);
            std::string value = at_lane(lane, [&] { return p_.c.value(n.value); });
            p_.c.forget_held();
            if (n.value->type.is_bool()) value = "(u8)(" + value + ")";
            const std::string to =
                wide ? name + kMembers[lane]
                     : at_lane(lane, [&] { return p_.c.cell(n.buffer, n.indices); });
            p_.line(to + " = " + value + ";");
        }
        if (wide) p_.line(cells(n.buffer, n.indices) + " = " + name + ";");
    }

    const For& loop_;
    std::size_t count_;
    WidePrinter& p_;
};

}  // namespace

void print_wide(const For& loop, WidePrinter& printer) {
    printer.line("{");
    printer.deeper(1);
    Lanes(loop, printer).statement(loop.body);
    printer.deeper(-1);
    printer.line("}");
}

}  // namespace proviso::backend::gpu
