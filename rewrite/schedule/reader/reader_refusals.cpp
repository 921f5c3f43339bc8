// What a refusal says beside its reason: what the primitive takes, and where in the program it is.
#include <algorithm>
#include <set>

#include "ir/text/reader/python/tree_printer.h"
#include "rewrite/schedule/excerpt.h"
#include "rewrite/schedule/reader/interpreter/values.h"
#include "rewrite/schedule/reader/schedule_reader.h"

namespace proviso::rewrite {

using namespace ir;
using python::Node;
using python::NodeKind;

bool ScheduleReader::is_as_in_usage(const Node& call, const Signature& known) const {
    Node out = call;
    const std::vector<std::string> names = argument_names(known);
    out.items[0] = values::stands_for(std::string(known.name), call.at);
    for (std::size_t k = 1; k < out.items.size(); ++k) {
        if (values::handle_of(out.items[k]) && k <= names.size()) out.items[k].text = names[k - 1];
    }
    for (python::Keyword& k : out.keywords) {
        if (values::handle_of(k.value)) k.value.text = k.name;
    }
    values::name_handles(out, [](const Node&) { return "loop"; });
    return python::print(out) == known.usage;
}

void ScheduleReader::refused(const Node& node, const std::string& primitive, Refusal no) {
    Diagnostic at =
        module_.at(node, primitive + " refused: " + no.diagnostic.message, no.diagnostic.hint);
    at.notes = no.diagnostic.notes;
    no.diagnostic = at;
    report_.refused_primitive = primitive;
    report_.takes = what_it_takes(primitive);
    report_.refused_line = file_and_line(node.at.line).second;
    report_.refused_in = primitives().proposer().current();
    report_.refused_at = refused_at(node, no);
    report_.refusal = std::move(no);
    close_function();  // what was done before stays done
}

std::vector<Site> ScheduleReader::named_in(const Node& call, const Signature& known) {
    static const std::set<std::string> blocks = {"at",     "block",          "block_or_loop",
                                                 "other",  "epilogue_block", "scope_block",
                                                 "target", "reduction_block"};
    const Function& f = primitives().proposer().current();
    const std::vector<std::string> names = argument_names(known);
    std::vector<Site> out;
    const auto add = [&](std::optional<Site> site) {
        if (site && std::find(out.begin(), out.end(), *site) == out.end()) out.push_back(*site);
    };
    const std::function<void(const Node&, bool)> look = [&](const Node& value, bool block) {
        if (block && value.is(NodeKind::String)) add(find_block(f, value.text));
        if (values::is_list(value)) {
            for (const Node& item : value.items) look(item, false);
        }
        if (!values::handle_of(value)) return;
        const Handle h = in_.evaluate(value).front();
        if (h.kind == Handle::Kind::Block) return add(find_block(f, h.name));
        for (const std::string& copy : h.copies) add(find_loop(f, copy));
        if (h.copies.empty()) add(find_loop(f, h.name));
    };
    for (std::size_t k = 1; k < call.items.size(); ++k) {
        look(call.items[k], k <= names.size() && blocks.count(names[k - 1]) != 0);
    }
    for (const python::Keyword& k : call.keywords) look(k.value, blocks.count(k.name) != 0);
    return out;
}

std::string ScheduleReader::refused_at(const Node& call, const Refusal& no) {
    Proposer& p = primitives().proposer();
    const Function* stepped = no.rejection ? p.program_of(*no.rejection) : nullptr;
    if (stepped != nullptr) {
        const std::string lines = excerpt(p.ctx(), *stepped, {no.rejection->site});
        const bool now = stepped->body == p.current().body;
        if (!lines.empty()) {
            return (now ? "the program at this call:\n"
                        : "the program after the first steps of this call:\n") +
                   lines;
        }
    }
    const std::string lines =
        excerpt(p.ctx(), p.current(), named_in(call, *find_signature(call.items[0].text)));
    return lines.empty() ? lines : "the program at this call:\n" + lines;
}

}  // namespace proviso::rewrite
