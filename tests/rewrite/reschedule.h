// Proposals of the theorem of rescheduling, as texts, and what becomes of them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/path.h"
#include "analysis/prover.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "ir/well_formed.h"
#include "rewrite/rules/reschedule/reschedule.h"

namespace proviso::rewrite {

using namespace ir;

// A part as text: sites below that of the step, values by the names of loop variables.
struct PartText {
    std::string now, origin;
    std::map<std::string, std::string> from, to;
    std::string when = {}, where = {};
};

class Reschedule : public testing::Test {
  protected:
    // "accepted"; "refused: MESSAGE"; "unproved: PURPOSE" of the first obligation that is open.
    std::string outcome(const std::string& before, const std::string& after,
                        const std::vector<PartText>& parts,
                        const std::set<std::pair<std::size_t, std::size_t>>& apart = {},
                        const std::string& at = "body",
                        const std::vector<std::string>& dropped = {}) {
        Context ctx;
        const Function old = parsed(ctx, before);
        const Function now = parsed(ctx, after);
        const Site site = *Site::parse(at);
        const Site text = text_at_.empty() ? site : *Site::parse(text_at_);
        Rescheduling r;
        r.count = count_;
        r.after = locate(now, text)->stmt;
        r.apart = apart;
        for (const std::string& origin : dropped) r.dropped.push_back(*Site::parse(origin));
        if (!unseen_.empty()) r.unseen = unseen_.dump();
        for (const PartText& p : parts) r.parts.push_back(part(ctx, old, now, site, text, p));
        const Result<Proposal> proposal = reschedule(ctx, old, site, r);
        if (!proposal) return "refused: " + proposal.error().message;
        if (!well_formed(proposal->after).empty()) return "refused: not well-formed";
        after_ = print(proposal->after);
        analysis::Prover prover(ctx, {});
        for (const analysis::Obligation& o : proposal->obligations) {
            if (prover.prove(o).verdict != analysis::Verdict::Proved)
                return "unproved: " + o.purpose;
        }
        return "accepted";
    }

    // The same in a build that lacks the check.
    std::string outcome_without(const char* check, const std::string& before,
                                const std::string& after, const std::vector<PartText>& parts,
                                const std::set<std::pair<std::size_t, std::size_t>>& apart = {},
                                const std::string& at = "body") {
        planted_fault() = check;
        const std::string out = outcome(before, after, parts, apart, at);
        planted_fault().clear();
        return out;
    }

    // What the next proposals have: the place of the new text in `after`, statements of a list, and
    // names that are in no scope.
    std::string text_at_;
    std::size_t count_ = 1;
    nlohmann::json unseen_ = nlohmann::json::object();
    std::vector<std::string> ghosts_;
    std::string after_;  // the function that was proposed last

    // The obligation about a store, and what reads the buffer.
    static std::string changes(const std::string& store) {
        return "nothing stores to what a bound or guard reads (" + store + ")";
    }

    static std::string program(const std::string& body) {
        return "@T.prim_func\n"
               "def f(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\"), n: T.int32, "
               "m: T.int32):\n" +
               body;
    }

  private:
    static Function parsed(Context& ctx, const std::string& text) {
        const Result<Function> f = parse_function(ctx, program(text), "test");
        PROVISO_CHECK(f.ok(), f.error().str());
        return *f;
    }

    static Site below(const Site& site, const std::string& path) {
        Site out = site;
        const Site more = *Site::parse(path);
        out.steps.insert(out.steps.end(), more.steps.begin(), more.steps.end());
        return out;
    }

    // `of`: where the names are bound.
    static Substitution values(Context& ctx, const Scope& of, const Scope& over,
                               const std::map<std::string, std::string>& text) {
        Substitution out;
        for (const auto& [name, value] : text) {
            const Result<Expr> e = parse_expr(ctx, value, over);
            PROVISO_CHECK(e.ok(), e.error().str());
            const auto bound = of.vars.find(name);
            out[bound == of.vars.end() ? ctx.var(name, kInt32) : bound->second] = *e;
        }
        return out;
    }

    Scope scope(Context& ctx, const Function& f, const Site& site, const std::string& path) const {
        const Site at = below(site, path);
        Scope out = analysis::scope_at(ctx, f, locate(f, at) ? at : site);
        for (const std::string& name : ghosts_) out.vars[name] = ctx.var(name, kInt32);
        return out;
    }

    Part part(Context& ctx, const Function& old, const Function& now, const Site& site,
              const Site& text, const PartText& p) const {
        const Scope here = scope(ctx, now, text, p.now);
        const Scope there = scope(ctx, old, site, p.origin);
        Part out{*Site::parse(p.now), *Site::parse(p.origin), values(ctx, there, here, p.from),
                 values(ctx, here, there, p.to), nullptr};
        if (!p.when.empty()) {
            const Result<Expr> when = parse_expr(ctx, p.when, there);
            PROVISO_CHECK(when.ok(), when.error().str());
            out.when = *when;
        }
        if (!p.where.empty()) {
            const Result<Expr> where = parse_expr(ctx, p.where, here);
            PROVISO_CHECK(where.ok(), where.error().str());
            out.where = *where;
        }
        return out;
    }
};

}  // namespace proviso::rewrite
