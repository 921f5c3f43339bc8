#include "ir/text/reader/graph/call_list.h"

#include "ir/check.h"
#include "ir/text/reader/graph/graph_function.h"
#include "ir/text/reader/python/failure.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

namespace {

void find_graph(const std::vector<Statement>& body, const std::string& name,
                const Statement*& out) {
    for (const Statement& s : body) {
        if (s.is(StatementKind::Class)) find_graph(s.body, name, out);
        if (s.is(StatementKind::Function) && s.text == name) out = &s;
    }
}

GraphCalls calls_in(const Statement& function) {
    GraphCalls out;
    for (const Statement& s : function.body) {
        if (s.is(StatementKind::For)) ++out.nests;
        const bool call = s.is(StatementKind::Expression) && s.value.is(NodeKind::Call);
        const std::string callee = call ? s.value.items[0].dotted() : "";
        if (callee.empty() || callee.rfind("T.", 0) == 0) continue;
        GraphCall one{callee.substr(callee.rfind('.') + 1), {}, s.at.line};
        for (std::size_t k = 1; k < s.value.items.size(); ++k) {
            const Node& argument = s.value.items[k];
            one.arguments.push_back(argument.is(NodeKind::Name) ? argument.text : "");
        }
        out.calls.push_back(std::move(one));
    }
    return out;
}

}  // namespace

Result<GraphCalls> calls_of_graph(std::string_view text, const std::string& file,
                                  const std::string& name) {
    const auto parsed = python::parse_python(text, file);
    if (!parsed) return parsed.error();
    const Statement* definition = nullptr;
    find_graph(parsed->body, name, definition);
    PROVISO_CHECK(definition != nullptr, "no graph of this name");
    return guarded([&] { return calls_in(function_of_graph(*parsed->source, *definition)); });
}

}  // namespace proviso::ir
