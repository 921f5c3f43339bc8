#include "fuzz/gen/steps/layout_steps.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/text.h"

namespace proviso::fuzz {

using namespace ir;
using nlohmann::json;

namespace {

struct Dimension {
    std::vector<std::string> extents;   // physical, one or two
    std::vector<std::string> map;       // over the logical index
    std::vector<std::string> physical;  // names of the physical indices
    std::string inverse;
};

class RelayoutGen {
  public:
    RelayoutGen(Context& ctx, const Function& f, std::set<std::string>& names, Choice& choice)
        : ctx_(ctx), f_(f), names_(names), choice_(choice) {}

    std::optional<StepGuess> run() {
        std::vector<std::pair<Buffer, Site>> buffers;  // with the site of an allocation
        for (Buffer b : f_.buffer_params()) buffers.emplace_back(b, Site{});
        for (const auto& [site, s] : all_statements(f_)) {
            if (const Allocate* a = s->as<Allocate>()) buffers.emplace_back(a->buffer, site);
        }
        if (buffers.empty()) return std::nullopt;
        const auto& [b, allocation] = choice_.pick(buffers);
        if (b->rank() == 0) return std::nullopt;
        std::vector<Dimension> dims;
        json vars = json::array();
        for (std::size_t d = 0; d < b->rank(); ++d) {
            const std::string x = fresh_name("x", names_);
            vars.push_back(x);
            dims.push_back(dimension(b->shape[d], x));
        }
        std::vector<std::size_t> order(dims.size());
        for (std::size_t d = 0; d < order.size(); ++d) order[d] = d;
        if (order.size() > 1 && choice_.chance(25)) std::swap(order[0], order[1]);
        json args = {{"buffer", b->name}, {"vars", vars}};
        for (const std::size_t d : order) {
            for (const std::string& e : dims[d].extents) args["shape"].push_back(e);
            for (const std::string& e : dims[d].map) args["map"].push_back(e);
            for (const std::string& e : dims[d].physical) args["physical_vars"].push_back(e);
        }
        for (const Dimension& d : dims) args["inverse"].push_back(d.inverse);
        padding(b, allocation, args);
        return StepGuess{"relayout", Site{}, args.dump()};
    }

  private:
    std::string literal(Int128 v, ScalarType type) { return print(ctx_.int_imm(type, v)); }

    Dimension dimension(Expr extent, const std::string& x) {
        const std::string p = fresh_name("p", names_);
        const std::string e = print(extent);
        const ScalarType type = extent->type;
        switch (choice_.weighted({35, 40, 25})) {
            case 0: return Dimension{{e}, {x}, {p}, p};
            case 1: {  // tiles of c
                const std::int64_t c = choice_.between(2, 4);
                const std::string q = fresh_name("q", names_);
                const std::string factor = literal(c, type);
                std::string blocks =
                    fmt::format("({} + {}) // {}", e, literal(c - 1, type), factor);
                if (is_int_const(extent)) {
                    Int128 n = (extent->int_value() + c - 1) / c;
                    if (choice_.chance(8)) n -= 1;  // too few
                    blocks = literal(n, type);
                }
                return Dimension{{blocks, factor},
                                 {x + " // " + factor, x + " % " + factor},
                                 {p, q},
                                 fmt::format("{} * {} + {}", p, factor, q)};
            }
            default: {  // room before or after
                const std::int64_t before = choice_.between(0, 2);
                std::int64_t more = before + choice_.between(0, 2);
                if (choice_.chance(8)) more -= 1;
                const std::string shift = literal(before, type);
                const std::string wider = is_int_const(extent)
                                              ? literal(extent->int_value() + more, type)
                                              : fmt::format("{} + {}", e, literal(more, type));
                return Dimension{{wider}, {x + " + " + shift}, {p}, p + " - " + shift};
            }
        }
    }

    void padding(Buffer b, const Site& allocation, json& args) {
        args["pad"] = choice_.pick({"none", "undef", "zero", "one"});
        if (args["pad"] == "zero" || args["pad"] == "one") {
            const int v = args["pad"] == "zero" ? 0 : 1;
            Expr value = b->type.is_float()  ? ctx_.float_imm(b->type, v)
                         : b->type.is_bool() ? ctx_.bool_imm(v != 0)
                                             : ctx_.int_imm(b->type, v);
            args["pad"] = print(value);
        }
        if (args["pad"] == "none") return;
        for (std::size_t k = 0; k < args["shape"].size(); ++k) {
            args["names"].push_back(fresh_name("w", names_));
        }
        if (!analysis::stores_to(f_.body, b)) return;
        // Written by the program: before or after everything, over all cells under the guard, or
        // over a corner without one.
        Site after = allocation;
        if (f_.find_buffer_param(b->name) != b) after = after.child("body");
        if (const Located at = *locate(f_, after); at.stmt != nullptr && at.stmt->is<Seq>()) {
            const auto parts = static_cast<std::int64_t>(at.stmt->as<Seq>()->body.size());
            if (parts > 0) after = after.child(std::to_string(choice_.between(0, parts - 1)));
        }
        args["after"] = after.str();
        json ranges = json::array();
        const ScalarType type = b->shape[0]->type;
        for (const json& e : args["shape"]) {
            std::string lo = literal(0, type);
            if (choice_.chance(8)) lo = literal(1, type);
            ranges.push_back({lo, e});
        }
        args["boxes"] = json::array({{{"guarded", !choice_.chance(10)}, {"ranges", ranges}}});
    }

    Context& ctx_;
    const Function& f_;
    std::set<std::string>& names_;
    Choice& choice_;
};

}  // namespace

std::optional<StepGuess> guess_relayout(Context& ctx, const Function& f,
                                        std::set<std::string>& names, Choice& choice) {
    return RelayoutGen(ctx, f, names, choice).run();
}

}  // namespace proviso::fuzz
