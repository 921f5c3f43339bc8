// outline: a stage rewritten as a function of its own.
//
//   before   … S …          after   … with T.block(NAME): S' …
//
// Arguments: "name", of the function; "count": how many statements of the list S has (absent: 1);
// "steps": [{"rule", "site", "args"}, …], steps of the function that `outlined` makes of S. Where S
// is a block without iterators of that name, as this rule leaves one, its body is the function's.
//
// Obligations: those of the steps, each for the function alone, under what its parameters promise
// and nothing else that is known where S stands.
//
// Why they are enough. The function's contract holds whenever S begins (rewrite/rules/outline.h):
// its buffers are different buffers here, passed once each, under their own names; what
// "proviso.indet" does not name is definite; bounds, licences and relations are those of this
// function. So S', the function's last body, does what S does from every state that S can begin
// in, stops where S stops, and leaves in every buffer that S sees what refines what S leaves
// (docs/semantics.md, "When a rewrite is right"). S stands in no concurrent loop, so nothing else
// runs beside it. A step must leave parameters and relations as they are: the caller knows the
// function by them.
#include <nlohmann/json.hpp>

#include "analysis/layout/layout.h"
#include "ir/planted.h"
#include "ir/well_formed.h"
#include "rewrite/kernel/apply.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/rules/outline.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// The block that this rule leaves, around what it was before.
const Block* marked(Stmt s, const std::string& name) {
    const Block* n = s->as<Block>();
    const bool plain = n != nullptr && n->name == name && n->iters.empty() &&
                       is_true(n->predicate) && n->init == nullptr && !n->reads && !n->writes;
    return plain ? n : nullptr;
}

bool same_interface(const Function& a, const Function& b) {
    const auto relations = [](const Function& f) {
        const auto found = f.attrs.find(kLayoutAttr);
        return found == f.attrs.end() ? AttrValue{} : found->second;
    };
    return a.params == b.params && relations(a) == relations(b);
}

// Follows the steps; what each owes is added to `out`, named after the function.
Result<Function> follow(Context& ctx, const Function& start, const nlohmann::json& args,
                        Proposal& out) {
    Function current = start;
    const auto list = args.find("steps");
    if (list == args.end()) return current;
    if (!list->is_array()) return error("argument 'steps' must be a list");
    std::size_t number = 0;
    for (const nlohmann::json& step : *list) {
        const std::string where = start.name + ", step " + std::to_string(++number) + ": ";
        if (const Status ok = only_members(step, "args rule site"); !ok) return ok.error();
        const Result<std::string> name = arg_string(step, "rule");
        if (!name) return name.error();
        const Rule* rule = find_rule(*name);
        if (rule == nullptr) return error(where + "there is no rule '" + *name + "'");
        const Result<Site> site = arg_site(step, "site");
        if (!site) return site.error();
        if (const auto found = locate(current, *site); !found) return found.error();
        Result<Proposal> proposal =
            propose_step(*rule, ctx, current, *site, step.value("args", nlohmann::json::object()));
        if (!proposal) return error(where + proposal.error().message, proposal.error().hint);
        const std::vector<Diagnostic> problems = well_formed(proposal->after);
        if (!problems.empty()) return error(where + problems[0].message);
        if (!same_interface(start, proposal->after)) {
            return error(where + *name + " changes what the caller knows of the function",
                         "change layouts before the stage is outlined");
        }
        if (number > 1 && planted("outline:first-obligations")) proposal->obligations.clear();
        for (Obligation& o : proposal->obligations) {
            o.purpose.words = where + o.purpose.words;
            out.obligations.push_back(std::move(o));
        }
        for (const std::string& licence : proposal->licences) out.licences.push_back(licence);
        current = std::move(proposal->after);
    }
    return current;
}

class Outline final : public Rule {
  public:
    std::string name() const override { return "outline"; }
    std::string summary() const override { return "a stage rewritten as a function of its own"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<std::string> name = arg_string(args, "name");
        if (!name) return name.error();
        if (!is_printable_name(*name)) return error("'" + *name + "' is not a name");
        Stage stage{site, 1};
        if (args.contains("count")) {
            const Result<std::int64_t> count = arg_int(args, "count");
            if (!count) return count.error();
            if (*count < 1) return error("a stage has a statement or more");
            stage.count = static_cast<std::size_t>(*count);
        }
        const Result<Stmt> body = stage_body(ctx, before, stage);
        if (!body) return body.error();
        Result<Function> source = outlined(ctx, before, stage, *name);
        if (!source) return source.error();
        if (const Block* block = marked(*body, *name)) source->body = block->body;
        Proposal out;
        const Result<Function> last = follow(ctx, *source, args, out);
        if (!last) return last.error();
        // Binders have names of their own in the whole function again.
        std::set<std::string> used = used_names(with_stage(ctx, before, stage, ctx.pass()));
        used.insert(before.name);
        if (!used.insert(*name).second) return error("the name '" + *name + "' is taken");
        Block region;
        region.name = *name;
        region.predicate = ctx.true_();
        const bool keep = planted("outline:keeps-names");
        region.body = keep ? last->body : fresh_copy(ctx, last->body, used);
        out.after = with_stage(ctx, before, stage, ctx.stmt(std::move(region)));
        return out;
    }
};

}  // namespace

const Rule& outline_rule() {
    static const Outline rule;
    return rule;
}

}  // namespace proviso::rewrite
