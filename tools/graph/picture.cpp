#include "tools/graph/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tools/page/html.h"

namespace proviso::tools {

using namespace rewrite;

namespace {

constexpr int kColumn = 230;  // pixels
constexpr int kRow = 120;
constexpr int kWide = 200;
constexpr int kHigh = 46;
constexpr int kSide = 20;
constexpr int kHead = 70;
constexpr int kBars = 160;

// An operator, an input or an output.
struct Node {
    std::string name;
    std::string what;  // its variant, or role
    bool of_caller = false;
    std::size_t layer = 0;
    std::size_t column = 0;
    int x() const { return kSide + static_cast<int>(column) * kColumn; }
    int y() const { return kHead + static_cast<int>(layer) * kRow; }
};

struct Edge {
    std::size_t from = 0;
    std::size_t to = 0;
    std::string tensor;
    std::string layout;
    bool converted = false;
};

std::string text_at(int x, int y, const std::string& text, const char* style) {
    return fmt::format("<text x=\"{}\" y=\"{}\" {}>{}</text>\n", x, y, style, html_text(text));
}

class Drawing {
  public:
    Drawing(const Network& n, const GraphResult& r) : n_(n), r_(r) {
        add_nodes();
        add_edges();
        place();
    }

    std::string run() const {
        std::string body;
        body += text_at(kSide, 24, n_.whole.name, "font-size=\"16\" font-weight=\"bold\"");
        body += text_at(kSide, 44, cost_line(), "");
        for (const Edge& e : edges_) body += edge(e);
        for (const Node& node : nodes_) body += box(node);
        const int below = kHead + static_cast<int>(layers_) * kRow;
        body += bars(below);
        const int width = std::max(2 * kSide + static_cast<int>(columns_) * kColumn, bars_width());
        return fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 "
            "{0} {1}\" font-family=\"sans-serif\" font-size=\"12\">\n<title>{2}</title>\n"
            "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{3}</svg>\n",
            width, below + kBars + 3 * kSide, html_text(n_.whole.name), body);
    }

    std::string cost_line() const {
        const Decision& d = r_.decision;
        std::string out =
            fmt::format("cost {0} {2}, lower bound {1} {2}", d.cost, d.bound, r_.unit);
        if (d.as_is >= 0) out += fmt::format(", as it is {} {}", d.as_is, r_.unit);
        return out;
    }

  private:
    void add_nodes() {
        for (std::size_t o = 0; o < n_.operators.size(); ++o) {
            const Network::Operator& op = n_.operators[o];
            nodes_.push_back({op.name, r_.choices.variants[op.kind][r_.decision.variant[o]].name});
        }
        for (std::size_t t = 0; t < n_.tensors.size(); ++t) {
            const Network::Tensor& tensor = n_.tensors[t];
            if (!tensor.parameter) continue;
            of_caller_[t] = nodes_.size();
            const bool prepared = r_.choices.prepared.count(t) != 0;
            const char* role = tensor.output   ? "output"
                               : prepared      ? "weight, prepared once"
                               : tensor.weight ? "weight"
                                               : "input";
            nodes_.push_back({tensor.buffer->name, role, true});
        }
    }

    const Conversion* conversion(std::size_t t, std::size_t reader) const {
        for (const Conversion& c : r_.decision.conversions) {
            const bool for_it =
                std::find(c.readers.begin(), c.readers.end(), reader) != c.readers.end();
            if (c.tensor == t && for_it) return &c;
        }
        return nullptr;
    }
    const Conversion* result_of(std::size_t t) const {
        for (const Conversion& c : r_.decision.conversions) {
            if (c.tensor == t && c.result) return &c;
        }
        return nullptr;
    }

    void add_edges() {
        for (std::size_t t = 0; t < n_.tensors.size(); ++t) {
            const Network::Tensor& tensor = n_.tensors[t];
            const std::string& name = tensor.buffer->name;
            std::vector<std::size_t> from = tensor.writers;
            if (tensor.parameter && !tensor.output) from = {of_caller_.at(t)};
            for (const std::size_t w : from) {
                for (const std::size_t reader : tensor.readers) {
                    if (w < n_.operators.size() && w >= reader) continue;
                    const Conversion* c = conversion(t, reader);
                    add({w, reader, name,
                         c == nullptr ? r_.decision.layout[t].name
                                      : conversion_name(c->from, c->to),
                         c != nullptr});
                }
                if (!tensor.output) continue;
                const Conversion* c = result_of(t);
                add({w, of_caller_.at(t), name,
                     c == nullptr ? r_.decision.layout[t].name : conversion_name(c->from, c->to),
                     c != nullptr});
            }
        }
    }
    void add(Edge e) {
        const bool known = std::any_of(edges_.begin(), edges_.end(), [&](const Edge& other) {
            return other.from == e.from && other.to == e.to && other.tensor == e.tensor;
        });
        if (!known) edges_.push_back(std::move(e));
    }

    // Operators are in an order in which they can run: each goes below what it reads.
    void place() {
        for (std::size_t o = 0; o < n_.operators.size(); ++o) {
            nodes_[o].layer = 1;
            for (const Edge& e : edges_) {
                if (e.to == o) nodes_[o].layer = std::max(nodes_[o].layer, below(e.from));
            }
        }
        for (const auto& [t, k] : of_caller_) {
            if (!n_.tensors[t].output) {  // beside its first reader
                std::size_t first = nodes_.size();
                for (const Edge& e : edges_) {
                    if (e.from == k) first = std::min(first, e.to);
                }
                nodes_[k].layer = first < nodes_.size() ? nodes_[first].layer - 1 : 0;
                continue;
            }
            for (const Edge& e : edges_) {
                if (e.to == k) nodes_[k].layer = std::max(nodes_[k].layer, below(e.from));
            }
        }
        std::map<std::size_t, std::size_t> used;  // columns of a layer
        for (Node& node : nodes_) {
            node.column = used[node.layer]++;
            columns_ = std::max(columns_, node.column + 1);
            layers_ = std::max(layers_, node.layer + 1);
        }
    }
    std::size_t below(std::size_t from) const { return nodes_[from].layer + 1; }

    static std::string shortened(const std::string& text) {
        constexpr std::size_t most = 32;
        return text.size() <= most ? text : text.substr(0, most - 1) + "…";
    }

    static std::string box(const Node& node) {
        const char* fill = node.of_caller ? "#eeeeee" : "#dbe9f6";
        return fmt::format(
                   "<g><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
                   "rx=\"{}\" fill=\"{}\" stroke=\"#555555\"/>\n",
                   html_text(node.name + ": " + node.what), node.x(), node.y(), kWide, kHigh,
                   node.of_caller ? 20 : 4, fill) +
               text_at(node.x() + 10, node.y() + 19, shortened(node.name), "font-weight=\"bold\"") +
               text_at(node.x() + 10, node.y() + 36, shortened(node.what), "font-size=\"11\"") +
               "</g>\n";
    }

    std::string edge(const Edge& e) const {
        const Node& a = nodes_[e.from];
        const Node& b = nodes_[e.to];
        const int x1 = a.x() + kWide / 2;
        const int y1 = a.y() + kHigh;
        const int x2 = b.x() + kWide / 2;
        const int y2 = b.y();
        const int middle = (y1 + y2) / 2;
        const char* colour = e.converted ? "#d95f02" : "#1b7837";
        return fmt::format(
                   "<g><title>{}</title><path d=\"M{} {} C{} {} {} {} {} {}\" fill=\"none\" "
                   "stroke=\"{}\" stroke-width=\"1.5\"/>\n",
                   html_text(e.tensor + ": " + e.layout), x1, y1, x1, middle, x2, middle, x2, y2,
                   colour) +
               text_at(x2 + 6, y2 - 18, shortened(e.tensor), "font-size=\"11\"") +
               fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"10\" fill=\"{}\">{}</text></g>\n",
                           x2 + 6, y2 - 6, colour, html_text(shortened(e.layout)));
    }

    int bars_width() const {
        return 2 * kSide + static_cast<int>(n_.operators.size()) * bar_width() + 200;
    }
    int bar_width() const { return n_.operators.size() > 40 ? 8 : 24; }

    std::string bars(int top) const {
        const std::vector<std::int64_t> bytes = memory_over_time(n_, r_);
        const std::int64_t most = bytes.empty() ? 0 : *std::max_element(bytes.begin(), bytes.end());
        std::string out = text_at(
            kSide, top + 14,
            fmt::format("memory of inner tensors while each operator runs: at most {} bytes", most),
            "font-weight=\"bold\"");
        const int base = top + kSide + kBars;
        for (std::size_t o = 0; o < bytes.size(); ++o) {
            const auto high = most == 0
                                  ? 0
                                  : static_cast<int>(static_cast<double>(bytes[o]) /
                                                     static_cast<double>(most) * (kBars - kSide));
            out += fmt::format(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#7570b3\">"
                "<title>{}</title></rect>\n",
                kSide + static_cast<int>(o) * bar_width(), base - high, bar_width() - 2, high,
                html_text(nodes_[o].name + ": " + std::to_string(bytes[o]) + " bytes"));
        }
        return out;
    }

    const Network& n_;
    const GraphResult& r_;
    std::vector<Node> nodes_;                       // operators come first
    std::map<std::size_t, std::size_t> of_caller_;  // parameters: their nodes
    std::vector<Edge> edges_;
    std::size_t layers_ = 1;
    std::size_t columns_ = 1;
};

std::string table_row(const std::vector<std::string>& cells, const char* tag) {
    std::string out = "<tr>";
    for (const std::string& c : cells) out += fmt::format("<{0}>{1}</{0}>", tag, html_text(c));
    return out + "</tr>\n";
}

}  // namespace

std::vector<std::int64_t> memory_over_time(const Network& n, const GraphResult& r) {
    std::vector<std::int64_t> out(n.operators.size(), 0);
    const auto alive = [&](std::size_t first, std::size_t last, std::int64_t bytes) {
        for (std::size_t o = first; o <= last && o < out.size(); ++o) out[o] += bytes;
    };
    for (std::size_t t = 0; t < n.tensors.size(); ++t) {
        const Network::Tensor& tensor = n.tensors[t];
        if (tensor.parameter || tensor.writers.empty()) continue;
        std::size_t last = tensor.writers.back();
        for (const std::size_t reader : tensor.readers) last = std::max(last, reader);
        alive(tensor.writers[0], last, r.decision.layout[t].cells * tensor.buffer->type.bytes());
    }
    for (const Conversion& c : r.decision.conversions) {
        const std::int64_t width = n.tensors[c.tensor].buffer->type.bytes();
        if (c.result) {
            const std::size_t writer = n.tensors[c.tensor].writers.back();
            alive(writer, writer, c.from.cells * width);
        } else if (r.choices.prepared.count(c.tensor) == 0) {
            alive(c.readers.front(), c.readers.back(), c.to.cells * width);
        }
    }
    return out;
}

std::string graph_svg(const Network& network, const GraphResult& result) {
    return Drawing(network, result).run();
}

std::string graph_page(const Network& n, const GraphResult& r) {
    const Drawing drawing(n, r);
    std::string operators = table_row({"operator", "line", "variant"}, "th");
    for (std::size_t o = 0; o < n.operators.size(); ++o) {
        const Network::Operator& op = n.operators[o];
        operators += table_row({op.name, std::to_string(op.line),
                                r.choices.variants[op.kind][r.decision.variant[o]].name},
                               "td");
    }
    std::string conversions = table_row({"tensor", "conversion", "cost"}, "th");
    for (const Conversion& c : r.decision.conversions) {
        const bool once = r.choices.prepared.count(c.tensor) != 0;
        conversions += table_row({n.tensors[c.tensor].buffer->name, conversion_name(c.from, c.to),
                                  once ? "prepared once" : std::to_string(c.cost) + " " + r.unit},
                                 "td");
    }
    std::string tensors = table_row({"tensor", "type", "layout", "map"}, "th");
    for (std::size_t t = 0; t < n.tensors.size(); ++t) {
        const GraphLayout& l = r.decision.layout[t];
        tensors += table_row(
            {n.tensors[t].buffer->name, tensor_type(n.tensors[t].buffer), l.name, l.map}, "td");
    }
    std::string refused;
    for (const std::string& why : r.refused_in_graph) {
        refused += "<li>" + html_text(why) + "</li>\n";
    }
    const std::string name = html_text(n.whole.name);
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>graph "
        "{0}</title>\n"
        "<style>body {{font-family: sans-serif; margin: 2em}} table {{border-collapse: collapse; "
        "margin: 1em 0}} td, th {{border: 1px solid #cccccc; padding: 0.2em 0.6em; text-align: "
        "left; "
        "font-size: 13px}}</style></head>\n<body>\n<h1>{0}</h1>\n<p>{1}. {2} steps and {3} "
        "obligations prove the schedule.</p>\n{4}\n<h2>Operators</h2>\n<table>\n{5}</table>\n"
        "<h2>Conversions</h2>\n<table>\n{6}</table>\n<h2>Tensors</h2>\n<table>\n{7}</table>\n"
        "{8}<h2>Schedule</h2>\n<pre>{9}</pre>\n</body></html>\n",
        name, html_text(drawing.cost_line()), r.steps, r.obligations, drawing.run(), operators,
        conversions, tensors,
        refused.empty() ? "" : "<h2>Refused in the graph</h2>\n<ul>\n" + refused + "</ul>\n",
        html_text(r.schedule));
}

}  // namespace proviso::tools
