// A decision as the text of a schedule.
#include <algorithm>
#include <map>

#include "rewrite/graph/decision.h"

namespace proviso::rewrite {

namespace {

class ScheduleWriter {
  public:
    ScheduleWriter(const Network& network, const GraphChoices& choices, const Decision& decision)
        : n_(network), c_(choices), d_(decision) {}

    GraphSchedule run() {
        for (std::size_t o = 0; o < n_.operators.size(); ++o) {
            names_.push_back({n_.operators[o].blocks, {}});
            for (const std::size_t t : n_.operators[o].tensors) {
                names_[o].buffers.push_back(in_quotes(n_.tensors[t].buffer->name));
            }
        }
        for (std::size_t o = 0; o < n_.operators.size(); ++o) {
            add(calls_before(shape(o), variant(o), names_[o]), o);
        }
        for (const Conversion& c : d_.conversions) convert(c);
        for (std::size_t t = 0; t < n_.tensors.size(); ++t) lay_out(t);
        for (const auto& [line, l] : made_) add(line, l);
        for (std::size_t o = 0; o < n_.operators.size(); ++o) {
            add(calls_after(shape(o), variant(o), names_[o]), o);
        }
        return std::move(out_);
    }

  private:
    const OperatorShape& shape(std::size_t o) const { return c_.shapes[n_.operators[o].kind]; }
    const Variant& variant(std::size_t o) const {
        return c_.variants[n_.operators[o].kind][d_.variant[o]];
    }

    void add(const std::string& lines, const GraphSchedule::Line& about) {
        out_.text += lines;
        const auto count = std::count(lines.begin(), lines.end(), '\n');
        out_.lines.insert(out_.lines.end(), static_cast<std::size_t>(count), about);
    }
    void add(const std::string& lines, std::size_t o) {
        GraphSchedule::Line about;
        about.op = o;
        about.known = true;
        add(lines, about);
    }

    // The places where an operator has the tensor as a parameter.
    std::vector<std::size_t> places(std::size_t o, std::size_t t) const {
        std::vector<std::size_t> out;
        const std::vector<std::size_t>& tensors = n_.operators[o].tensors;
        for (std::size_t p = 0; p < tensors.size(); ++p) {
            if (tensors[p] == t) out.push_back(p);
        }
        return out;
    }
    std::string block(std::size_t o, std::size_t p) const {
        return in_quotes(n_.operators[o].blocks[shape(o).at[p]]);
    }

    std::string blocks_of(const std::vector<std::size_t>& readers, std::size_t t) const {
        std::string out;
        for (const std::size_t o : readers) {
            const std::size_t p = places(o, t)[0];
            out += (out.empty() ? "" : ", ") + block(o, p);
        }
        return out;
    }

    void convert(const Conversion& c) {
        const std::string name = n_.tensors[c.tensor].buffer->name;
        GraphSchedule::Line about;
        about.tensor = c.tensor;
        about.map = c.to.map;
        about.conversion = true;
        about.known = true;
        const std::string copy = "copy_" + std::to_string(++copies_);
        if (c.result) {
            const std::size_t o = n_.tensors[c.tensor].writers[0];
            const std::size_t p = places(o, c.tensor)[0];
            std::string same;  // those who read it as it is written
            for (const std::size_t r : n_.tensors[c.tensor].readers) {
                for (const std::size_t q : places(r, c.tensor)) {
                    if (!c.from.serves(variant(r).layouts[q])) continue;
                    same += (same.empty() ? "" : ", ") + block(r, q);
                    names_[r].buffers[q] = "(\"read\", 0)";
                }
            }
            const std::string who = same.empty() ? "" : ", consumer_blocks=[" + same + "]";
            add("sch.cache_write(" + block(o, p) + ", " + in_quotes(name) + ", \"global\"" + who +
                    ")\n",
                about);
            names_[o].buffers[p] = "(\"write\", 0)";
            return;
        }
        const std::string first = blocks_of({c.readers[0]}, c.tensor);
        add(copy + " = sch.cache_read(" + first + ", " + in_quotes(name) +
                ", \"global\", consumer_blocks=[" + blocks_of(c.readers, c.tensor) + "])\n",
            about);
        for (const std::size_t r : c.readers) {
            for (const std::size_t p : places(r, c.tensor)) {
                names_[r].buffers[p] = "(\"read\", 0)";
            }
        }
        made_.emplace_back(layout_call(copy, "(\"write\", 0)", c.to), about);
    }

    // The layout that a tensor is written in, or given.
    void lay_out(std::size_t t) {
        const GraphLayout& l = d_.layout[t];
        if (l.map.empty()) return;
        const Network::Tensor& tensor = n_.tensors[t];
        if (!tensor.writers.empty()) {
            const std::size_t o = tensor.writers[0];
            const std::size_t p = places(o, t)[0];
            add(layout_call(block(o, p), names_[o].buffers[p], l), o);
            return;
        }
        for (const std::size_t o : tensor.readers) {
            for (const std::size_t p : places(o, t)) {
                if (!l.serves(variant(o).layouts[p])) continue;
                add(layout_call(block(o, p), names_[o].buffers[p], l), o);
                return;
            }
        }
    }

    const Network& n_;
    const GraphChoices& c_;
    const Decision& d_;
    GraphSchedule out_;
    std::vector<OperatorNames> names_;
    std::vector<std::pair<std::string, GraphSchedule::Line>> made_;
    int copies_ = 0;
};

}  // namespace

GraphSchedule schedule_of(const Network& network, const GraphChoices& choices,
                          const Decision& decision) {
    return ScheduleWriter(network, choices, decision).run();
}

}  // namespace proviso::rewrite
