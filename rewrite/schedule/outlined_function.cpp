#include "rewrite/schedule/outlined_function.h"

#include <nlohmann/json.hpp>

#include "ir/text.h"
#include "rewrite/derived/functions/outlined.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// The function of a block that `outline` left.
Result<Function> function_of_block(Context& ctx, const Function& f, const std::string& name) {
    const std::optional<Site> site = find_block(f, name);
    if (!site) return error("there is no stage '" + name + "' any more");
    Result<Function> out = outlined(ctx, f, Stage{*site, 1}, name);
    if (!out) return out;
    out->body = out->body->as<Block>()->body;
    return out;
}

// Statements that do nothing but assume.
bool only_assumes(Stmt s) {
    if (const For* loop = s->as<For>()) return only_assumes(loop->body);
    return s->is<Assume>();
}

}  // namespace

Outcome Primitives::outline(const std::string& block, const std::string& name,
                            const std::vector<Exported>& exported) {
    const std::size_t start = p_.derivation().steps().size();
    const std::optional<Site> found = find_block(p_.current(), block);
    if (!found) return refuse("there is no block '" + block + "' any more");
    if (find_block(p_.current(), name)) {
        return refuse("there is a block '" + name + "' already");
    }
    for (const Exported& e : exported) {
        Outcome done = assume(stage_of(p_.current(), *find_block(p_.current(), block)), e.for_all,
                              e.condition);
        if (std::holds_alternative<Names>(done)) continue;
        p_.derivation().roll_back(start);
        return done;
    }
    // The assumptions stand just before the stage, the last one first.
    Site site = stage_of(p_.current(), *find_block(p_.current(), block));
    std::size_t count = 1;
    if (!exported.empty()) {
        const Site list_site = site.parent();
        const Seq& list = *locate(p_.current(), list_site)->stmt->as<Seq>();
        std::size_t first = std::stoul(site.steps.back());
        for (std::size_t k = 0; k < exported.size() && first > 0; ++k) {
            if (!only_assumes(list.body[first - 1])) break;
            --first;
            ++count;
        }
        site = list_site.child(std::to_string(first));
    }
    if (auto no = step("outline", site, json{{"name", name}, {"count", count}})) {
        p_.derivation().roll_back(start);
        return *no;
    }
    p_.leave_to_its_function(name);
    return Names{name};
}

Outcome Primitives::rewrite_outlined(const std::string& name, const json& steps) {
    const std::optional<Site> site = find_block(p_.current(), name);
    if (!site) return refuse("there is no stage '" + name + "' any more");
    if (auto no = step("outline", *site, json{{"name", name}, {"steps", steps}})) return *no;
    return Names{};
}

Result<OutlinedFunction> OutlinedFunction::open(Proposer& outer, const std::string& name) {
    Result<Function> f = function_of_block(outer.ctx(), outer.current(), name);
    if (!f) return f.error();
    Result<Derivation> derivation = Derivation::start(outer.ctx(), *f);
    if (!derivation) return derivation.error();
    OutlinedFunction out;
    out.name_ = name;
    out.derivation_ = std::make_unique<Derivation>(*std::move(derivation));
    out.proposer_ = std::make_unique<Proposer>(*out.derivation_, outer.prover());
    out.primitives_ = std::make_unique<Primitives>(*out.proposer_);
    return out;
}

std::optional<Refusal> OutlinedFunction::close(Primitives& outer) {
    for (Rejection no : derivation_->rejections()) {
        no.diagnostic.message = "in " + name_ + ": " + no.diagnostic.message;
        outer.proposer().derivation().record(std::move(no));
    }
    if (derivation_->steps().empty()) return std::nullopt;
    json steps = json::array();
    for (const Step& s : derivation_->steps()) {
        steps.push_back(
            json{{"rule", s.rule}, {"site", s.site.str()}, {"args", json::parse(s.args)}});
    }
    Outcome done = outer.rewrite_outlined(name_, steps);
    if (Refusal* no = std::get_if<Refusal>(&done)) return std::move(*no);
    return std::nullopt;
}

std::string module_text(Context& ctx, const Function& f, const std::vector<std::string>& outlined) {
    std::string out;
    Function caller = f;
    std::vector<std::pair<std::string, std::string>> calls;  // what stands for it, and the call
    for (const std::string& name : outlined) {
        const Result<Function> callee = function_of_block(ctx, caller, name);
        if (!callee) continue;
        out += print(*callee) + "\n";
        std::string arguments;
        for (const Param& p : callee->params) {
            const Buffer* b = std::get_if<Buffer>(&p);
            arguments += (arguments.empty() ? "" : ", ") +
                         (b != nullptr ? (*b)->name : *std::get<Expr>(p)->name);
        }
        Stmt stands_for = ctx.stmt(Evaluate{ctx.call_extern(kInt32, name, {})});
        std::string line = print(stands_for);
        line.pop_back();
        calls.emplace_back(line, name + "(" + arguments + ")");
        caller = replace_at(ctx, caller, *find_block(caller, name), stands_for);
    }
    std::string text = print(caller);
    for (const auto& [line, call] : calls) {
        const std::size_t at = text.find(line);
        if (at != std::string::npos) text.replace(at, line.size(), call);
    }
    return out + text;
}

}  // namespace proviso::rewrite
