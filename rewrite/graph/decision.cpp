#include "rewrite/graph/decision.h"

#include <algorithm>

#include "rewrite/graph/select/conversions.h"
#include "rewrite/graph/select/select.h"

namespace proviso::rewrite {

namespace {

// A layout that an operator asks of a tensor.
struct Demand {
    std::size_t op = 0;
    GraphLayout layout;
};

class Decider {
  public:
    Decider(const Network& network, const GraphChoices& choices, const Costs& costs)
        : n_(network), c_(choices), costs_(costs) {}

    Result<Decision> run() {
        for (std::size_t o = 0; o < n_.operators.size(); ++o) {
            if (const Status ok = add_operator(o); !ok) return ok.error();
        }
        given_.assign(n_.tensors.size(), kNone);
        for (const std::size_t t : c_.repacked) add_parameter(t);
        for (std::size_t t = 0; t < n_.tensors.size(); ++t) add_tensor(t);
        const SelectionLimits limits;
        const Result<Selection> best = cheapest(problem_, limits);
        if (!best) return best.error();
        const Status shown = check_certificate(problem_, best->certificate, limits.most_cells);
        if (!shown) return shown.error();
        return told(*best);
    }

  private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    const Network::Kind& kind(std::size_t op) const { return n_.kinds[n_.operators[op].kind]; }
    const Variant& variant(std::size_t op, std::size_t value) const {
        return c_.variants[n_.operators[op].kind][domains_[op][value]];
    }

    // A variable for the operator: which of its variants.
    Status add_operator(std::size_t o) {
        const std::vector<Variant>& all = c_.variants[n_.operators[o].kind];
        CostTable table{{o}, {}};
        domains_.emplace_back();
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (!all[k].refused.empty() || c_.not_here.count({o, k}) != 0) continue;
            const std::optional<std::int64_t> cost = costs_.of(kind(o), all[k]);
            if (!cost || !fits(o, all[k])) continue;
            domains_[o].push_back(k);
            table.cells.push_back(*cost);
        }
        if (domains_[o].empty()) {
            return error("the costs have no entry for " + kind(o).function.name,
                         "\"operators\": {\"" + kind(o).function.name + "\": {\"as-is\": 1000}}");
        }
        problem_.sizes.push_back(domains_[o].size());
        problem_.tables.push_back(std::move(table));
        return Unit{};
    }

    // A tensor that is updated in place stays as it is.
    bool fits(std::size_t o, const Variant& v) const {
        const Network::Operator& op = n_.operators[o];
        for (std::size_t p = 0; p < op.tensors.size(); ++p) {
            const Network::Tensor& t = n_.tensors[op.tensors[p]];
            if (t.updated && !v.layouts[p].map.empty()) return false;
        }
        return true;
    }

    // A variable for a parameter that the caller gives in any layout: that of a reader.
    void add_parameter(std::size_t t) {
        if (n_.tensors[t].output || n_.tensors[t].updated) return;
        std::vector<GraphLayout> layouts = {as_is(n_.tensors[t].buffer)};
        for (const std::size_t o : n_.tensors[t].readers) {
            for (std::size_t k = 0; k < domains_[o].size(); ++k) {
                for (const Demand& d : demands(t, o, k)) {
                    if (std::find(layouts.begin(), layouts.end(), d.layout) == layouts.end()) {
                        layouts.push_back(d.layout);
                    }
                }
            }
        }
        given_[t] = problem_.sizes.size();
        problem_.sizes.push_back(layouts.size());
        layouts_[t] = std::move(layouts);
    }

    std::vector<Demand> demands(std::size_t t, std::size_t o, std::size_t value) const {
        std::vector<Demand> out;
        const Network::Operator& op = n_.operators[o];
        for (std::size_t p = 0; p < op.tensors.size(); ++p) {
            if (op.tensors[p] != t || kind(o).stored[p]) continue;
            out.push_back({o, variant(o, value).layouts[p]});
        }
        return out;
    }

    GraphLayout written(std::size_t t, const std::vector<std::size_t>& values) const {
        if (given_[t] != kNone) return layouts_.at(t)[values[given_[t]]];
        const Network::Tensor& tensor = n_.tensors[t];
        if (tensor.writers.size() != 1 || tensor.updated) return as_is(tensor.buffer);
        const std::size_t o = tensor.writers[0];
        const Network::Operator& op = n_.operators[o];
        for (std::size_t p = 0; p < op.tensors.size(); ++p) {
            if (op.tensors[p] == t && kind(o).stored[p]) return variant(o, values[o]).layouts[p];
        }
        return as_is(tensor.buffer);
    }

    // What a tensor's conversions cost: each layout that is asked for is made once, whoever reads
    // it. kNever: one has no cost.
    std::int64_t conversions(std::size_t t, const GraphLayout& written,
                             const std::vector<Demand>& all, std::vector<Conversion>* out) const {
        const Network::Tensor& tensor = n_.tensors[t];
        std::vector<GraphLayout> there = {written};
        std::int64_t sum = 0;
        const auto make = [&](const GraphLayout& from, const GraphLayout& to, bool result) {
            const bool once = c_.prepared.count(t) != 0;
            const std::optional<std::int64_t> cost =
                once ? std::optional<std::int64_t>(0) : costs_.of(tensor.buffer, from, to);
            if (!cost || c_.no_conversion.count({t, to.map}) != 0) {
                sum = kNever;
                return;
            }
            sum = std::min(kNever, sum + *cost);
            if (out != nullptr) out->push_back({t, from, to, {}, result, *cost});
        };
        if (tensor.output && c_.repacked.count(t) == 0 && !written.map.empty()) {
            make(written, as_is(tensor.buffer), true);
            there.push_back(as_is(tensor.buffer));
        }
        const GraphLayout from = there.back();  // what copies are made of
        const bool shared = c_.unshared.count(t) == 0;
        const auto together = [&](const Demand& a, const Demand& b) {
            return shared || a.op == b.op;
        };
        std::vector<bool> served(all.size(), false);
        for (std::size_t k = 0; k < all.size(); ++k) {
            const auto serves = [&](const GraphLayout& l) { return l.serves(all[k].layout); };
            served[k] = std::any_of(there.begin(), there.end(), serves);
        }
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (served[k]) continue;
            GraphLayout to = all[k].layout;
            for (const Demand& other : all) {  // zeros serve those who ask for nothing
                const bool stronger = other.layout.same_map(to) && other.layout.zero;
                if (stronger && together(all[k], other)) to = other.layout;
            }
            make(from, to, false);
            if (sum >= kNever) return sum;
            for (std::size_t j = k; j < all.size(); ++j) {
                if (served[j] || !together(all[k], all[j]) || !to.serves(all[j].layout)) continue;
                served[j] = true;
                if (out == nullptr) continue;
                std::vector<std::size_t>& readers = out->back().readers;
                const bool known =
                    std::find(readers.begin(), readers.end(), all[j].op) != readers.end();
                if (!known) readers.push_back(all[j].op);
            }
        }
        return sum;
    }

    void add_tensor(std::size_t t) {
        std::vector<std::size_t> writer;
        if (given_[t] != kNone) {
            writer = {given_[t]};
        } else if (n_.tensors[t].writers.size() == 1) {
            writer = n_.tensors[t].writers;
        }
        std::vector<std::size_t> readers = n_.tensors[t].readers;
        std::sort(readers.begin(), readers.end());
        readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
        std::vector<std::size_t> all = readers;
        all.insert(all.end(), writer.begin(), writer.end());
        if (cells_over(all, problem_.sizes, kMostTogether) <= kMostTogether) {
            add_table(t, writer, readers);
        } else if (c_.unshared.count(t) != 0 && !n_.tensors[t].output) {
            for (const std::size_t r : readers) add_table(t, writer, {r});
        } else {
            share(t, writer, readers);
        }
    }

    // Too many readers for one table: a variable for each copy that may be made. Layouts that
    // differ in what their padding holds only are copies of their own then.
    void share(std::size_t t, const std::vector<std::size_t>& writer,
               const std::vector<std::size_t>& readers) {
        const Network::Tensor& tensor = n_.tensors[t];
        notes_.push_back("copies of " + tensor.buffer->name +
                         " are counted apart where their padding differs: it has " +
                         std::to_string(readers.size()) + " readers");
        std::vector<GraphLayout> layouts;
        const auto number = [&](const GraphLayout& l) {
            const auto found = std::find(layouts.begin(), layouts.end(), l);
            const auto at = static_cast<std::size_t>(found - layouts.begin());
            if (found == layouts.end()) layouts.push_back(l);
            return at;
        };
        const bool kept = tensor.output && c_.repacked.count(t) == 0;
        LayoutChoice writes;
        if (writer.empty()) {
            writes = {problem_.sizes.size(), {number(as_is(tensor.buffer))}};
            problem_.sizes.push_back(1);
        } else {
            writes.variable = writer[0];
            CostTable result{writer, {}};
            std::vector<std::size_t> values(problem_.sizes.size(), 0);
            for (; values[writer[0]] < problem_.sizes[writer[0]]; ++values[writer[0]]) {
                const GraphLayout l = written(t, values);
                writes.layout.push_back(number(kept ? as_is(tensor.buffer) : l));
                result.cells.push_back(conversions(t, l, {}, nullptr));
            }
            problem_.tables.push_back(std::move(result));
        }
        std::vector<LayoutChoice> reads;
        for (const std::size_t r : readers) {
            const std::size_t places = demands(t, r, 0).size();
            for (std::size_t place = 0; place < places; ++place) {
                LayoutChoice one{r, {}};
                for (std::size_t k = 0; k < problem_.sizes[r]; ++k) {
                    one.layout.push_back(number(demands(t, r, k)[place].layout));
                }
                reads.push_back(std::move(one));
            }
        }
        add_conversions(problem_, writes, reads, layouts.size(),
                        [&](std::size_t from, std::size_t to) {
                            return conversions(t, layouts[from], {{0, layouts[to]}}, nullptr);
                        });
    }

    void add_table(std::size_t t, const std::vector<std::size_t>& writer,
                   const std::vector<std::size_t>& readers) {
        std::set<std::size_t> in(writer.begin(), writer.end());
        in.insert(readers.begin(), readers.end());
        CostTable table{{in.begin(), in.end()}, {}};
        std::vector<std::size_t> values(problem_.sizes.size(), 0);
        for_all_values(table.variables, problem_.sizes, values, [&] {
            std::vector<Demand> all;
            for (const std::size_t r : readers) {
                for (Demand& d : demands(t, r, values[r])) all.push_back(std::move(d));
            }
            table.cells.push_back(conversions(t, written(t, values), all, nullptr));
        });
        problem_.tables.push_back(std::move(table));
    }

    Decision told(const Selection& best) {
        Decision out;
        out.cost = best.cost;
        out.bound = best.certificate.bound;
        out.exact = best.exact;
        out.clusters = best.certificate.clusters.size();
        out.notes = notes_;
        std::vector<std::size_t> first(problem_.sizes.size(), 0);
        bool whole = true;
        for (std::size_t o = 0; o < n_.operators.size(); ++o) {
            out.variant.push_back(domains_[o][best.values[o]]);
            whole = whole && domains_[o][0] == 0;
        }
        const std::int64_t as_it_is = cost_at(problem_, first);
        if (whole && as_it_is < kNever) out.as_is = as_it_is;
        for (std::size_t t = 0; t < n_.tensors.size(); ++t) {
            out.layout.push_back(written(t, best.values));
            std::vector<Demand> all;
            for (const std::size_t r : n_.tensors[t].readers) {
                for (Demand& d : demands(t, r, best.values[r])) all.push_back(std::move(d));
            }
            std::vector<Conversion> made;
            conversions(t, out.layout.back(), all, &made);
            // A copy is made of what all of its readers read, with nobody between them who reads
            // the same: those whose readers are near each other come first.
            std::stable_sort(
                made.begin(), made.end(),
                [](const Conversion& a, const Conversion& b) { return a.span() < b.span(); });
            out.conversions.insert(out.conversions.end(), made.begin(), made.end());
        }
        return out;
    }

    static constexpr std::size_t kMostTogether = std::size_t{1} << 16;

    const Network& n_;
    const GraphChoices& c_;
    const Costs& costs_;
    CostProblem problem_;  // a variable for each operator, in their order, comes first
    std::vector<std::vector<std::size_t>> domains_;  // of operators: variants, by number
    std::vector<std::size_t> given_;                 // of tensors: a variable, or kNone
    std::map<std::size_t, std::vector<GraphLayout>> layouts_;
    std::vector<std::string> notes_;
};

}  // namespace

Result<Decision> decide(const Network& network, const GraphChoices& choices, const Costs& costs) {
    return Decider(network, choices, costs).run();
}

}  // namespace proviso::rewrite
