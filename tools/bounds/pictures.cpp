// Bounds as graphs and pictures: DOT and SVG.
#include <algorithm>
#include <array>

#include "ir/text.h"
#include "tools/bounds/report.h"

namespace proviso::tools {

using namespace analysis;
using ir::Integer;

namespace {

std::string dot_quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text)
        out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return out + "\"";
}

std::string xml_escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '<') {
            out += "&lt;";
        } else if (c == '>') {
            out += "&gt;";
        } else if (c == '&') {
            out += "&amp;";
        } else {
            out += c;
        }
    }
    return out;
}

std::string number(double x) {  // pixels, to one decimal, without trailing zeros
    const long tenths = static_cast<long>(x * 10 + 0.5);
    std::string out = std::to_string(tenths / 10);
    if (tenths % 10 != 0) out += "." + std::to_string(tenths % 10);
    return out;
}

// One region of a picture.
struct Layer {
    std::string what;
    std::string style;
    std::vector<CellBox> boxes;
};

constexpr double kPanel = 320;  // pixels of the longer side of a buffer
constexpr double kMargin = 24;
constexpr double kLine = 18;
constexpr std::size_t kMostBoxes = 2048;

// A picture of one buffer, `top` pixels from the top; gives its height.
class Panel {
  public:
    Panel(const BufferBounds& b, const Bounds& bounds) : b_(b), bounds_(bounds) {}

    // False: a size or region is not a number, or has too many boxes.
    bool read() {
        const auto shape = extents();
        if (!shape) return false;
        rows_ = (*shape)[0];
        columns_ = (*shape)[1];
        const std::array<const char*, 4> colours = {"#d95f02", "#7570b3", "#1b9e77", "#e7298a"};
        Region all;
        const KnownRegion* like = nullptr;
        for (const BufferUse& use : b_.producers) {
            like = &use.levels[0].region;
            all = like->scope->unite(all, like->region);
        }
        if (like != nullptr) {
            const auto boxes = cell_boxes(*like->scope, all, kMostBoxes);
            if (!boxes) return false;
            layers_.push_back({"computed", "fill=\"#cccccc\"", *boxes});
        }
        std::size_t k = 0;
        for (const BufferUse& use : b_.consumers) {
            const KnownRegion& r = use.levels[0].region;
            const auto boxes = cell_boxes(*r.scope, r.region, kMostBoxes);
            if (!boxes) return false;
            const std::string colour = colours[k++ % colours.size()];
            layers_.push_back({bounds_.map.stages[use.stage].name + " requests: " + r.cells.str() +
                                   (r.cells.str() == "1" ? " cell" : " cells"),
                               "fill=\"" + colour + "\" fill-opacity=\"0.45\" stroke=\"" + colour +
                                   "\" stroke-width=\"1\"",
                               *boxes});
        }
        return true;
    }

    double draw(std::string& out, double top) const {
        const double cell = kPanel / static_cast<double>(std::max(rows_, columns_));
        const double height = cell * static_cast<double>(rows_);
        const double width = cell * static_cast<double>(columns_);
        out += "<text x=\"" + number(kMargin) + "\" y=\"" + number(top + kLine) +
               "\" font-weight=\"bold\">" + xml_escaped(title()) + "</text>\n";
        const double y0 = top + 2 * kLine;
        out += rectangle(kMargin, y0, width, height,
                         "fill=\"none\" stroke=\"#000000\" stroke-width=\"1\"");
        double line = y0 + height;
        for (const Layer& layer : layers_) {
            for (const CellBox& box : layer.boxes) {
                const auto at = [&](const Integer& x) {
                    return cell * static_cast<double>(*x.to_int128());
                };
                out += rectangle(kMargin + at(box.lo[1]), y0 + at(box.lo[0]),
                                 at(box.hi[1] - box.lo[1]), at(box.hi[0] - box.lo[0]), layer.style);
            }
            line += kLine;
            out += rectangle(kMargin, line - 11, 12, 12, layer.style);
            out += "<text x=\"" + number(kMargin + kLine) + "\" y=\"" + number(line) + "\">" +
                   xml_escaped(layer.what) + "</text>\n";
        }
        return line + kLine - top;
    }

  private:
    std::string title() const {
        std::string out =
            b_.buffer->name + "[" + std::to_string(rows_) + ", " + std::to_string(columns_) + "]";
        const std::string loss = loss_text(b_);
        return loss.empty() ? out : out + "; loss: " + loss;
    }

    std::optional<std::array<std::int64_t, 2>> extents() const {
        std::array<std::int64_t, 2> out{};
        for (std::size_t k = 0; k < 2; ++k) {
            // The allocation's extents, or the box of what is computed and requested.
            ir::Expr e = b_.buffer->shape[k];
            if (!ir::is_int_const(e)) {
                std::optional<Integer> most;
                for (const auto* uses : {&b_.producers, &b_.consumers}) {
                    for (const BufferUse& use : *uses) {
                        const KnownRegion& r = use.levels[0].region;
                        const auto boxes = cell_boxes(*r.scope, r.region, kMostBoxes);
                        if (!boxes) return std::nullopt;
                        for (const CellBox& box : *boxes) {
                            most = most ? max(*most, box.hi[k]) : box.hi[k];
                        }
                    }
                }
                if (!most || !most->in_range(ir::kInt32)) return std::nullopt;
                out[k] = static_cast<std::int64_t>(*most->to_int128());
            } else {
                out[k] = static_cast<std::int64_t>(e->int_value());
            }
            if (out[k] <= 0) return std::nullopt;
        }
        return out;
    }

    static std::string rectangle(double x, double y, double width, double height,
                                 const std::string& style) {
        return "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(width) +
               "\" height=\"" + number(height) + "\" " + style + "/>\n";
    }

    const BufferBounds& b_;
    const Bounds& bounds_;
    std::int64_t rows_ = 0;
    std::int64_t columns_ = 0;
    std::vector<Layer> layers_;
};

}  // namespace

std::string bounds_dot(const ir::Function& f, const Bounds& bounds) {
    std::string out = "digraph " + dot_quoted(f.name) + " {\n";
    for (const Stage& s : bounds.map.stages) {
        out += "  " + dot_quoted("stage " + s.name) + " [shape=box, label=" + dot_quoted(s.name) +
               "];\n";
    }
    for (const BufferBounds& b : bounds.buffers) {
        const std::string node = dot_quoted("buffer " + b.buffer->name);
        const std::string loss = loss_text(b);
        const std::string more = loss.empty() || loss == "none" ? "" : "\\nloss " + loss;
        out += "  " + node + " [shape=ellipse, label=\"" + b.buffer->name + more + "\"];\n";
        for (const BufferUse& use : b.producers) {
            out += "  " + dot_quoted("stage " + bounds.map.stages[use.stage].name) + " -> " + node +
                   " [label=" + dot_quoted(use.levels[0].region.cells.str()) + "];\n";
        }
        for (const BufferUse& use : b.consumers) {
            out += "  " + node + " -> " + dot_quoted("stage " + bounds.map.stages[use.stage].name) +
                   " [label=" + dot_quoted(use.levels[0].region.cells.str()) + "];\n";
        }
    }
    return out + "}\n";
}

Result<std::string> bounds_svg(const ir::Function& f, const Bounds& bounds) {
    std::string body;
    double top = 0;
    bool two = false;
    for (const BufferBounds& b : bounds.buffers) {
        if (b.buffer->rank() != 2) continue;
        two = true;
        Panel panel(b, bounds);
        if (!panel.read()) {
            return error("no picture of `" + b.buffer->name +
                             "`: its regions are no numbers, or too many boxes",
                         "--sizes NAME=VALUE gives the sizes; --json has all regions as text");
        }
        top += panel.draw(body, top);
    }
    if (!two) {
        return error("`" + f.name + "` has no buffer of two dimensions",
                     "--dot draws stages and buffers; without --svg the regions are text");
    }
    const std::string size = "width=\"" + number(2 * kMargin + kPanel * 1.5) + "\" height=\"" +
                             number(top + kMargin) + "\"";
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size +
           " font-family=\"sans-serif\" font-size=\"13\">\n<title>" + xml_escaped(f.name) +
           "</title>\n" + body + "</svg>\n";
}

}  // namespace proviso::tools
