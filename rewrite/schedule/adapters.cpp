#include "rewrite/schedule/adapters.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/layout/layout.h"
#include "ir/children.h"
#include "ir/text.h"
#include "rewrite/passes/passes.h"
#include "rewrite/rules/common.h"
#include "rewrite/schedule/adapter_loops.h"

namespace proviso::rewrite {

using namespace ir;
using analysis::Layout;
using analysis::PadKind;
using nlohmann::json;

namespace {

json texts(const std::vector<Expr>& exprs) {
    json out = json::array();
    for (Expr e : exprs) out.push_back(print(e));
    return out;
}

// The adapter of one parameter.
class AdapterMaker {
  public:
    AdapterMaker(Context& ctx, const Function& f, std::string prefix, Buffer parameter,
                 analysis::Prover& prover)
        : ctx_(ctx),
          f_(f),
          prefix_(std::move(prefix)),
          parameter_(parameter),
          layouts_(analysis::layouts_of(ctx, f, parameter->name)),
          prover_(prover) {
        read_sizes();
        const std::string& name = parameter->name;
        for (Expr v : sizes_) used_.insert(*v->name);
        used_.insert(name);
        physical_ = fresh_name(name + "_physical", used_);
        back_ = fresh_name(name + "_back", used_);
    }

    Result<Adapter> run() {
        const std::vector<Expr>& shape = layouts_.front().logical_shape;
        const Buffer in = ctx_.buffer(parameter_->name, parameter_->type, shape);
        const Buffer out = ctx_.buffer(back_, parameter_->type, shape);
        Function copy = function("round_trip", {in, out});
        copy.body = copy_nest(in, out);
        Result<Derivation> derivation = Derivation::start(ctx_, copy);
        if (!derivation) return derivation.error();
        Proposer proposer(*derivation, prover_);
        if (const Status ok = put_between(proposer); !ok) return ok.error();
        simplify(proposer);
        return cut(*derivation, out);
    }

  private:
    // Scalar parameters that the relations speak of.
    void read_sizes() {
        std::vector<Expr> all;
        for (const Layout& l : layouts_) {
            for (const auto* list : {&l.logical_shape, &l.map, &l.inverse}) append(all, *list);
            if (l.pad != nullptr) all.push_back(l.pad);
        }
        for (Expr extent : parameter_->shape) all.push_back(extent);
        for (Expr v : f_.scalar_params()) {
            const bool spoken_of =
                std::any_of(all.begin(), all.end(), [&](Expr e) { return occurs_free(v, e); });
            if (spoken_of) sizes_.push_back(v);
        }
    }

    // The bounds of sizes are what the function declares.
    Function function(const std::string& what, const std::vector<Buffer>& buffers) const {
        Function out;
        out.name = prefix_ + "_" + what + "_" + parameter_->name;
        for (Buffer b : buffers) out.params.emplace_back(b);
        for (Expr v : sizes_) out.params.emplace_back(v);
        for (const char* key : {kLowerBoundAttr, kUpperBoundAttr}) {
            const auto attr = f_.attrs.find(key);
            if (attr == f_.attrs.end()) continue;
            const auto* all = std::get_if<AttrValue::Dict>(&attr->second.value);
            if (all == nullptr) continue;
            AttrValue::Dict mine;
            for (Expr v : sizes_) {
                const auto bound = all->find(*v->name);
                if (bound != all->end()) mine[*v->name] = bound->second;
            }
            if (!mine.empty()) out.attrs[key].value = mine;
        }
        return out;
    }

    std::vector<std::string> loop_names(std::size_t count) {
        std::vector<std::string> out;
        for (std::size_t d = 0; d < count; ++d) {
            out.push_back(fresh_name("i" + std::to_string(d), used_));
        }
        return out;
    }

    Stmt copy_nest(Buffer from, Buffer to) {
        std::vector<LoopRange> loops;
        std::vector<Expr> indices;
        const std::vector<std::string> names = loop_names(from->rank());
        for (std::size_t d = 0; d < from->rank(); ++d) {
            Expr extent = from->shape[d];
            indices.push_back(ctx_.var(names[d], extent->type));
            loops.push_back(LoopRange{indices[d], ctx_.int_imm(extent->type, 0), extent});
        }
        return nest(ctx_, loops, ctx_.store(to, indices, ctx_.load(from, indices)));
    }

    static Status taken(const std::optional<Rejection>& no) {
        return no ? Status(no->diagnostic) : Status(Unit{});
    }

    // copy(A, A_back) → A_physical = A; A_back = A_physical, and then its layouts.
    Status put_between(Proposer& p) {
        const json staging = {{"buffer", parameter_->name},
                              {"name", physical_},
                              {"scope", "global"},
                              {"names", loop_names(layouts_.front().vars.size())}};
        if (const Status ok = taken(p.apply("stage-read", Site{}, staging)); !ok) return ok;
        for (std::size_t level = 0; level < layouts_.size(); ++level) {
            const bool newest = level + 1 == layouts_.size();
            const std::vector<Expr> shape =
                newest ? std::vector<Expr>(parameter_->shape.begin(), parameter_->shape.end())
                       : layouts_[level + 1].logical_shape;
            const json args = relayout_args(p, layouts_[level], shape);
            if (const Status ok = taken(p.apply("relayout", Site{}, args)); !ok) return ok;
        }
        return Unit{};
    }

    json relayout_args(Proposer& p, const Layout& l, const std::vector<Expr>& shape) {
        json names = json::array();
        json vars = json::array();
        json ranges = json::array();
        for (Expr v : l.vars) vars.push_back(*v->name);
        for (Expr v : l.physical_vars) names.push_back(*v->name);
        for (Expr extent : shape) ranges.push_back({"0", print(extent)});
        json args = {{"buffer", physical_},
                     {"shape", texts(shape)},
                     {"vars", vars},
                     {"map", texts(l.map)},
                     {"physical_vars", names},
                     {"inverse", texts(l.inverse)},
                     {"pad", pad_text(l)},
                     {"names", loop_names(shape.size())},
                     {"boxes", json::array({json{{"guarded", true}, {"ranges", ranges}}})}};
        // After the copy and whatever padding there is: before the last nest.
        const Function now = p.current();
        const Site list = Site{}.child("body");
        const auto parts = locate(now, list)->stmt->as<Seq>()->body.size();
        args["after"] = list.child(std::to_string(parts - 2)).str();
        return args;
    }

    std::string pad_text(const Layout& l) const {
        switch (l.pad_kind) {
            case PadKind::None: return "none";
            case PadKind::Undef: return "undef";
            case PadKind::Value: return print(l.pad);
            case PadKind::Cell: break;
        }
        const Buffer own = ctx_.buffer(physical_, parameter_->type,
                                       {l.pad->buffer->shape.begin(), l.pad->buffer->shape.end()});
        return print(ctx_.load(own, {l.pad->args.begin(), l.pad->args.end()}));
    }

    // The program is `A_physical = alloc; ...; last nest`: all but the last nest packs.
    Result<Adapter> cut(const Derivation& round_trip, Buffer back) const {
        const Function both = round_trip.current();
        const Allocate* allocation = both.body->as<Allocate>();
        const Seq* list = allocation == nullptr ? nullptr : allocation->body->as<Seq>();
        if (list == nullptr) return error("the round trip is not two halves any more");
        const Buffer physical = allocation->buffer;
        std::vector<Stmt> first(list->body.begin(), list->body.end() - 1);
        const Buffer logical =
            ctx_.buffer(parameter_->name, back->type, {back->shape.begin(), back->shape.end()});
        Function pack = function("pack", {logical, physical});
        pack.body = ctx_.seq(first);
        Function unpack = function("unpack", {physical, logical});
        unpack.body = replace_buffer_in(
            ctx_, list->body.back(), back, logical, [](std::vector<Expr> at) { return at; }, true,
            true);
        if (reads(pack.body, back) || reads(unpack.body, logical)) {
            return error("the round trip is not two halves any more");
        }
        Result<Derivation> one = lowered(pack);
        if (!one) return one.error();
        Result<Derivation> other = lowered(unpack);
        if (!other) return other.error();
        return Adapter{parameter_->name, round_trip, std::move(*one), std::move(*other)};
    }

    Result<Derivation> lowered(const Function& half) const {
        Result<Derivation> out = Derivation::start(ctx_, half);
        if (!out) return out;
        Proposer proposer(*out, prover_);
        copy_in_runs(proposer);
        const PassResult done = lower(proposer);
        if (done.wrong) return *done.wrong;
        return out;
    }

    static bool reads(Stmt s, Buffer b) {
        bool found = false;
        for_each_expr(s, [&](Expr e) {
            for (Buffer read : loaded_buffers(e)) found = found || read == b;
        });
        return found;
    }

    Context& ctx_;
    const Function& f_;
    std::string prefix_;  // of the names of functions
    Buffer parameter_;
    std::vector<Layout> layouts_;
    analysis::Prover& prover_;
    std::vector<Expr> sizes_;
    std::set<std::string> used_;
    std::string physical_;
    std::string back_;
};

}  // namespace

Result<std::vector<Adapter>> adapters(Context& ctx, const Function& f, analysis::Prover& prover,
                                      const std::string& name) {
    const std::string& prefix = name.empty() ? f.name : name;
    std::vector<Adapter> out;
    for (Buffer b : f.buffer_params()) {
        if (analysis::layouts_of(ctx, f, b->name).empty()) continue;
        Result<Adapter> one = AdapterMaker(ctx, f, prefix, b, prover).run();
        if (!one) return one.error();
        out.push_back(std::move(*one));
    }
    return out;
}

}  // namespace proviso::rewrite
