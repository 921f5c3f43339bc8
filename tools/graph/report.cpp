#include "tools/graph/report.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace proviso::tools {

using namespace rewrite;
using nlohmann::json;

namespace {

using Row = std::vector<std::string>;

// Columns as wide as their longest cell; the first row is the head.
std::string table(const std::vector<Row>& rows) {
    std::vector<std::size_t> widths;
    for (const Row& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t k = 0; k < row.size(); ++k) {
            widths[k] = std::max(widths[k], row[k].size());
        }
    }
    std::string out;
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t k = 0; k < row.size(); ++k) {
            line += row[k] + std::string(widths[k] - row[k].size() + 2, ' ');
        }
        out += "  " + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return out;
}

std::string counted(std::size_t n, const std::string& what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string role(const Network::Tensor& t) {
    if (t.output) return "output";
    if (t.weight) return "weight";
    return t.parameter ? "input" : "inner";
}

std::string names(const Network& n, const std::vector<std::size_t>& tensors,
                  const std::vector<bool>& stored, bool wanted) {
    std::string out;
    for (std::size_t p = 0; p < tensors.size(); ++p) {
        if (stored[p] != wanted) continue;
        out += (out.empty() ? "" : ", ") + n.tensors[tensors[p]].buffer->name;
    }
    return out;
}

std::string label(const Network& n, std::size_t o) {
    const Network::Operator& op = n.operators[o];
    return names(n, op.tensors, n.kinds[op.kind].stored, true) + " = " + op.name;
}

// Refused variants of one kind with one reason, the first of them by name.
std::string refusals(const std::vector<Variant>& variants, bool all) {
    std::map<std::string, std::vector<const Variant*>> by_reason;
    std::vector<std::string> order;
    for (const Variant& v : variants) {
        if (v.refused.empty()) continue;
        std::string why = all ? v.name + ": " + v.refused : v.refused;
        for (const std::string& value : v.values) why += "\n        " + value;
        if (by_reason[why].empty()) order.push_back(why);
        by_reason[why].push_back(&v);
    }
    std::string out;
    for (const std::string& why : order) {
        const std::vector<const Variant*>& those = by_reason[why];
        if (all) {
            out += "      " + why + "\n";
            continue;
        }
        const std::string more =
            those.size() == 1 ? "" : " and " + std::to_string(those.size() - 1) + " more";
        out += "      " + those[0]->name + more + ": " + why + "\n";
    }
    return out;
}

json conversion_json(const Network& n, const Conversion& c) {
    json readers = json::array();
    for (const std::size_t o : c.readers) readers.push_back(label(n, o));
    return {{"tensor", n.tensors[c.tensor].buffer->name},
            {"from", c.from.name},
            {"to", c.to.name},
            {"readers", readers},
            {"result", c.result},
            {"cost", c.cost}};
}

}  // namespace

std::string network_text(const Network& n) {
    std::string out = n.whole.name + ": " + counted(n.operators.size(), "operator") + ", " +
                      std::to_string(n.kinds.size()) + " different, " +
                      counted(n.tensors.size(), "tensor") + "\n";
    std::vector<Row> rows = {{"line", "operator", "reads", "writes"}};
    for (const Network::Operator& op : n.operators) {
        const std::vector<bool>& stored = n.kinds[op.kind].stored;
        rows.push_back({std::to_string(op.line), op.name, names(n, op.tensors, stored, false),
                        names(n, op.tensors, stored, true)});
    }
    out += table(rows);
    rows = {{"tensor", "type", "role", "readers"}};
    for (const Network::Tensor& t : n.tensors) {
        rows.push_back(
            {t.buffer->name, tensor_type(t.buffer), role(t), std::to_string(t.readers.size())});
    }
    return out + table(rows);
}

json network_json(const Network& n) {
    json operators = json::array();
    for (const Network::Operator& op : n.operators) {
        json reads = json::array();
        json writes = json::array();
        for (std::size_t p = 0; p < op.tensors.size(); ++p) {
            (n.kinds[op.kind].stored[p] ? writes : reads)
                .push_back(n.tensors[op.tensors[p]].buffer->name);
        }
        operators.push_back({{"name", op.name},
                             {"line", op.line},
                             {"kind", n.kinds[op.kind].function.name},
                             {"reads", reads},
                             {"writes", writes}});
    }
    json tensors = json::array();
    for (const Network::Tensor& t : n.tensors) {
        tensors.push_back({{"name", t.buffer->name},
                           {"type", tensor_type(t.buffer)},
                           {"role", role(t)},
                           {"readers", t.readers.size()}});
    }
    json kinds = json::array();
    for (const Network::Kind& k : n.kinds) {
        kinds.push_back({{"name", k.function.name}, {"hash", k.hash}, {"calls", k.calls}});
    }
    return {
        {"graph", n.whole.name}, {"operators", operators}, {"tensors", tensors}, {"kinds", kinds}};
}

std::string decision_text(const Network& n, const GraphResult& r, bool all) {
    std::string out = "variants, each proved once for an operator and all its calls:\n";
    for (std::size_t k = 0; k < n.kinds.size(); ++k) {
        const std::vector<Variant>& variants = r.choices.variants[k];
        const auto refused = std::count_if(variants.begin(), variants.end(),
                                           [](const Variant& v) { return !v.refused.empty(); });
        const auto proved = variants.size() - static_cast<std::size_t>(refused);
        out += "  " + n.kinds[k].function.name + ": " + counted(proved, "candidate") +
               (refused == 0 ? "" : ", " + std::to_string(refused) + " refused") + "\n";
        out += refusals(variants, all);
    }
    for (const std::string& why : r.refused_in_graph) out += "refused in the graph: " + why + "\n";
    for (const std::string& why : r.untimed) out += "not measured: " + why + "\n";
    out += "decision:\n";
    std::vector<Row> rows;
    for (std::size_t o = 0; o < n.operators.size(); ++o) {
        rows.push_back(
            {label(n, o), r.choices.variants[n.operators[o].kind][r.decision.variant[o]].name});
    }
    out += table(rows);
    if (!r.decision.conversions.empty()) {
        out += "conversions:\n";
        rows.clear();
        for (const Conversion& c : r.decision.conversions) {
            const bool once = r.choices.prepared.count(c.tensor) != 0;
            rows.push_back({n.tensors[c.tensor].buffer->name, conversion_name(c.from, c.to),
                            once ? "prepared" : std::to_string(c.cost) + " " + r.unit});
        }
        out += table(rows);
    }
    for (const std::string& note : r.decision.notes) out += "note: " + note + "\n";
    out += "cost " + std::to_string(r.decision.cost) + " " + r.unit + ", lower bound " +
           std::to_string(r.decision.bound) + " " + r.unit + " (certificate of " +
           counted(r.decision.clusters, "cluster") + " checked)";
    if (r.decision.as_is >= 0) {
        out += ", as it is " + std::to_string(r.decision.as_is) + " " + r.unit;
    }
    return out + "\n";
}

json decision_json(const Network& n, const GraphResult& r) {
    json out = network_json(n);
    for (std::size_t k = 0; k < n.kinds.size(); ++k) {
        json variants = json::array();
        for (const Variant& v : r.choices.variants[k]) {
            json one = {{"name", v.name}, {"steps", v.steps}, {"obligations", v.obligations}};
            if (!v.refused.empty()) one["refused"] = v.refused;
            if (!v.values.empty()) one["values"] = v.values;
            variants.push_back(std::move(one));
        }
        out["kinds"][k]["variants"] = std::move(variants);
    }
    for (std::size_t o = 0; o < n.operators.size(); ++o) {
        out["operators"][o]["variant"] =
            r.choices.variants[n.operators[o].kind][r.decision.variant[o]].name;
    }
    for (std::size_t t = 0; t < n.tensors.size(); ++t) {
        out["tensors"][t]["layout"] = r.decision.layout[t].name;
        if (!r.decision.layout[t].map.empty()) {
            out["tensors"][t]["map"] = r.decision.layout[t].map;
        }
    }
    out["conversions"] = json::array();
    for (const Conversion& c : r.decision.conversions) {
        out["conversions"].push_back(conversion_json(n, c));
    }
    out["cost"] = r.decision.cost;
    out["lower_bound"] = r.decision.bound;
    out["exact"] = r.decision.exact;
    out["certificate"] = {{"clusters", r.decision.clusters}, {"checked", true}};
    out["unit"] = r.unit;
    if (r.decision.as_is >= 0) out["cost_as_is"] = r.decision.as_is;
    out["notes"] = r.decision.notes;
    out["refused_in_graph"] = r.refused_in_graph;
    out["untimed"] = r.untimed;
    out["schedule"] = r.schedule;
    out["verdict"] = "PROVED";
    out["steps"] = r.steps;
    out["obligations"] = r.obligations;
    out["seconds"] = r.seconds;
    return out;
}

}  // namespace proviso::tools
