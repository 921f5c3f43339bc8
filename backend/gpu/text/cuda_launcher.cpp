#include "backend/gpu/text/cuda_launcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/facts/path.h"
#include "backend/gpu/text/c_expressions.h"
#include "ir/check.h"

namespace proviso::backend::gpu {

using namespace ir;

namespace {

// Memory of the device for as long as a scope lasts, however it is left.
constexpr const char* kMemory = R"(struct pv_memory {
    void* at = nullptr;
    explicit pv_memory(u64 bytes) {
        if (cudaMalloc(&at, bytes > 0 ? bytes : 1) != cudaSuccess) at = nullptr;
    }
    ~pv_memory() { cudaFree(at); }
    pv_memory(const pv_memory&) = delete;
    pv_memory& operator=(const pv_memory&) = delete;
};
)";

class Launcher {
  public:
    Launcher(const Plan& plan, const TextOptions& options)
        : plan_(plan), c_(options.no_wrap, options.narrow), wide_(!options.wide.empty()) {}

    std::string run() {
        line("#ifndef __CUDACC_RTC__");
        line("#include <cuda_runtime.h>");
        const std::vector<std::pair<Site, Stmt>> all = all_statements(plan_.function);
        if (std::any_of(all.begin(), all.end(), [&](const auto& s) { return on_host(s); })) {
            out_ += kMemory;
        }
        signature();
        depth_ = 1;
        stmt(plan_.function.body, Site{});
        line("return cudaDeviceSynchronize() == cudaSuccess ? 0 : -1;");
        depth_ = 0;
        line("}");
        line("#endif");
        return std::move(out_);
    }

  private:
    // An allocation outside of kernels.
    bool on_host(const std::pair<Site, Stmt>& s) const {
        if (!s.second->is<Allocate>()) return false;
        return std::none_of(plan_.kernels.begin(), plan_.kernels.end(),
                            [&](const Kernel& k) { return k.site.contains(s.first); });
    }

    void line(const std::string& text) { out_ += std::string(depth_ * 4, ' ') + text + "\n"; }
    std::string value(Expr e) {
        std::string out = c_.value(e);
        for (const std::string& before : c_.take_lines()) line(before);
        return out;
    }

    void signature() {
        std::string params;
        for (const Param& p : plan_.function.params) {
            params += params.empty() ? "" : ", ";
            if (const Buffer* b = std::get_if<Buffer>(&p)) {
                const std::string name = c_.declare((*b)->name);
                names_[*b] = name;
                const bool written = analysis::stores_to(plan_.function.body, *b);
                params += fmt::format("{}{}* {}", written ? "" : "const ", storage_type((*b)->type),
                                      name);
            } else {
                Expr v = std::get<Expr>(p);
                const std::string name = c_.declare(*v->name);
                c_.enter(v, name);
                params += fmt::format("const {} {}", storage_type(v->type), name);
            }
        }
        line(fmt::format("extern \"C\" int {}({}) {{", plan_.function.name, params));
        if (!wide_) return;
        for (Buffer b : plan_.function.buffer_params()) {  // wide accesses are aligned
            line(fmt::format("    if ((u64){} % 16 != 0) return -1;", names_.at(b)));
        }
    }

    void stmt(Stmt s, const Site& site) {
        if (const Kernel* k = plan_.kernel_at(site)) return launch(*k);
        std::visit([&](const auto& n) { visit(n, site); }, s->data);
    }

    void body(Stmt s, const Site& site) {
        ++depth_;
        stmt(s, site);
        --depth_;
    }

    void visit(const For& n, const Site& site) {
        const std::string type = register_type(n.var->type);
        const std::string lo = value(n.lo);
        const std::string hi = value(n.hi);
        const std::string name = c_.declare(*n.var->name);
        const std::string end = c_.declare(*n.var->name + "_end");
        line(fmt::format("for ({} {} = {}, {} = {}; {} < {}; ++{}) {{", type, name, lo, end, hi,
                         name, end, name));
        c_.enter(n.var, name);
        body(n.body, site.child("body"));
        c_.leave();
        line("}");
    }

    void visit(const IfElse& n, const Site& site) {
        line("if (" + value(n.cond) + ") {");
        body(n.then_body, site.child("then"));
        if (n.else_body != nullptr) {
            line("} else {");
            body(n.else_body, site.child("else"));
        }
        line("}");
    }

    void visit(const Seq& n, const Site& site) {
        for (std::size_t i = 0; i < n.body.size(); ++i) {
            stmt(n.body[i], site.child(std::to_string(i)));
        }
    }

    void visit(const LetStmt& n, const Site& site) {
        const std::string text = value(n.value);
        const std::string name = c_.declare(*n.var->name);
        line(fmt::format("const {} {} = {};", register_type(n.var->type), name, text));
        c_.enter(n.var, name);
        stmt(n.body, site.child("body"));
        c_.leave();
    }

    void visit(const Allocate& n, const Site& site) {
        std::string bytes = fmt::format("(u64){}", n.buffer->type.bytes());
        for (Expr extent : n.buffer->shape) {
            std::string text = c_.operand(extent);
            for (const std::string& before : c_.take_lines()) line(before);
            bytes += " * (u64)" + text;
        }
        const std::string name = c_.declare(n.buffer->name);
        const std::string memory = c_.declare(n.buffer->name + "_memory");
        const std::string type = storage_type(n.buffer->type);
        names_[n.buffer] = name;
        line("{");
        ++depth_;
        line(fmt::format("const pv_memory {}({});", memory, bytes));
        line(fmt::format("if ({}.at == nullptr) return -1;", memory));
        line(fmt::format("{}* const {} = ({}*){}.at;", type, name, type, memory));
        stmt(n.body, site.child("body"));
        --depth_;
        line("}");
    }

    void visit(const Assert& n, const Site&) {
        ++asserts_;
        line(fmt::format("if (!({})) return {};", value(n.cond), asserts_));
    }

    void visit(const Evaluate& n, const Site&) { line("(void)(" + value(n.value) + ");"); }
    void visit(const Store&, const Site&) { PROVISO_CHECK(false, "a store on the host"); }
    void visit(const Assume&, const Site&) { PROVISO_CHECK(false, "assume in lowered code"); }
    void visit(const Block&, const Site&) { PROVISO_CHECK(false, "block in lowered code"); }

    std::string extents(const std::array<Expr, kAxes>& exprs, std::string& runs) {
        std::string out;
        for (Expr e : exprs) {
            out += out.empty() ? "dim3(" : ", ";
            const std::string text = e == nullptr ? "1" : value(e);
            out += "(u32)(" + text + ")";
            if (e == nullptr || (is_int_const(e) && e->int_value() > 0)) continue;
            runs += (runs.empty() ? "" : " && ") + fmt::format("({}) > 0", text);
        }
        return out + ")";
    }

    void launch(const Kernel& k) {
        std::string runs;
        const std::string grid = extents(k.grid, runs);
        const std::string block = extents(k.block, runs);
        std::string arguments;
        for (Buffer b : k.buffers) arguments += (arguments.empty() ? "" : ", ") + names_.at(b);
        for (Expr v : k.scalars) arguments += (arguments.empty() ? "" : ", ") + value(v);
        const std::string call = fmt::format("{}<<<{}, {}>>>({});", k.name, grid, block, arguments);
        line(runs.empty() ? call : "if (" + runs + ") " + call);
        line("if (cudaGetLastError() != cudaSuccess) return -1;");
    }

    const Plan& plan_;
    CExpressions c_;
    bool wide_;  // accesses of several cells
    std::map<Buffer, std::string> names_;
    std::string out_;
    std::size_t depth_ = 0;
    int asserts_ = 0;
};

}  // namespace

std::string cuda_launcher(const Plan& plan, const TextOptions& options) {
    return Launcher(plan, options).run();
}

}  // namespace proviso::backend::gpu
