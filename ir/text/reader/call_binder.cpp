// Calls of functions of the same module, as lines of a body: `f(A, B, n)`, and `Module.f(A, B, n)`
// or `cls.f(A, B, n)` as TVM prints them.
#include <algorithm>

#include "ir/call.h"
#include "ir/text/reader/stmt_binder.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;
using python::Statement;

namespace {

// The sizes that shapes of the callee's parameters define are those of the arguments, as far as
// they are extents.
void add_sizes(Context& ctx, const Function& callee, std::vector<Param>& arguments) {
    std::map<Expr, Expr> sizes;
    for (std::size_t k = 0; k < std::min(arguments.size(), callee.params.size()); ++k) {
        const Buffer* param = std::get_if<Buffer>(&callee.params[k]);
        const Buffer* given = std::get_if<Buffer>(&arguments[k]);
        if (param == nullptr || given == nullptr || (*param)->rank() != (*given)->rank()) continue;
        for (std::size_t d = 0; d < (*param)->rank(); ++d) {
            sizes.emplace((*param)->shape[d], (*given)->shape[d]);
        }
    }
    while (arguments.size() < callee.params.size()) {
        const Expr* size = std::get_if<Expr>(&callee.params[arguments.size()]);
        const auto known = size == nullptr ? sizes.end() : sizes.find(*size);
        if (known == sizes.end()) return;
        Expr value = known->second;
        arguments.emplace_back(value->type == (*size)->type ? value
                                                            : ctx.cast((*size)->type, value));
    }
}

}  // namespace

ModuleFunction StmtBinder::callee_of(const Node& call) const {
    if (head_ == nullptr || !head_->functions || !call.is(NodeKind::Call)) return {};
    const std::string written = call.items[0].dotted();
    const std::size_t dot = written.rfind('.');
    if (written.empty() || written.rfind("T.", 0) == 0) return {};
    const std::string root = dot == std::string::npos ? "" : written.substr(0, dot);
    const bool of_module =
        root.empty() || root == "cls" || root == head_->module || head_->aliases.count(root) != 0;
    if (!of_module) return {};
    return head_->functions(dot == std::string::npos ? written : written.substr(dot + 1));
}

// A callee's body stands in the place of each call: calls inside each other grow like a power.
void StmtBinder::check_size_of(const Function& callee, int calls, const Node& call) const {
    if (calls > kMaxCalls) {
        wrong(call, "more than " + std::to_string(kMaxCalls) + " calls are inside each other");
    }
    std::size_t count = 0;
    const std::function<void(Stmt)> add = [&](Stmt s) {
        ++count;
        for (const Child& c : children(s)) {
            if (c.stmt != nullptr && count <= kMaxInlined) add(c.stmt);
        }
    };
    add(callee.body);
    if (count <= kMaxInlined) return;
    wrong(call, "the body of `" + callee.name + "`, with what it calls, has more than " +
                    std::to_string(kMaxInlined) + " statements");
}

Stmt StmtBinder::bind_function_call(const Statement& s, Buffer result) {
    const Node& call = s.value;
    const ModuleFunction found = callee_of(call);
    const Function* callee = found.function;
    if (callee == nullptr) return nullptr;
    if (!call.keywords.empty()) wrong(call, "arguments are given by place");
    check_size_of(*callee, found.calls, call);
    const std::size_t most = callee->params.size() - (found.has_result ? 1 : 0);
    const auto counted = [&](std::size_t given) {
        wrong(call, callee->name + " takes " + std::to_string(most) +
                        (most == 1 ? " argument" : " arguments") + ", not " +
                        std::to_string(given));
    };
    if (call.items.size() - 1 > most) counted(call.items.size() - 1);
    std::vector<Param> arguments;
    for (std::size_t k = 1; k < call.items.size(); ++k) {
        const Node& node = call.items[k];
        const NameEntry* entry = node.is(NodeKind::Name) ? names_.find(node.text) : nullptr;
        const bool typed = k - 1 < callee->params.size();
        const Expr* param = typed ? std::get_if<Expr>(&callee->params[k - 1]) : nullptr;
        const bool cell = param != nullptr && scalar_named(node) != nullptr;
        if (entry != nullptr && entry->buffer != nullptr && !cell) {
            if (exprs_.is_vector(entry->buffer, ExprBinder::VectorKind::Variable)) {
                no_meaning(node, "a vector as an argument has no meaning here");
            }
            if (const auto view = views_.find(entry->buffer); view != views_.end()) {
                wrong(node, "`" + node.text + "` is a view, and functions take whole buffers",
                      "pass `" + view->second.base->name + "`");
            }
            arguments.emplace_back(entry->buffer);
            continue;
        }
        if (param == nullptr) wrong(node, "a buffer is expected here, by its name");
        arguments.emplace_back(
            exprs_.bind_typed(node, (*param)->type, "the argument for `" + *(*param)->name + "`"));
    }
    if (arguments.size() == found.written) add_sizes(ctx_, *callee, arguments);
    if (arguments.size() != most) counted(arguments.size());
    if (result != nullptr) arguments.emplace_back(result);
    std::map<std::string, std::string> renamed;
    for (std::size_t k = 0; k < std::min(arguments.size(), callee->params.size()); ++k) {
        const Buffer* param = std::get_if<Buffer>(&callee->params[k]);
        const Buffer* argument = std::get_if<Buffer>(&arguments[k]);
        if (param != nullptr && argument != nullptr) renamed[(*param)->name] = (*argument)->name;
    }
    const Result<Stmt> body = inlined_call(ctx_, *callee, arguments, [&](const std::string& name) {
        return renamed[name] = names_.unique(name);
    });
    if (!body) wrong(call, body.error().message, body.error().hint);
    check_threads_of(*body, call);
    return with_renamed_attributes(ctx_, *body, renamed);
}

}  // namespace proviso::ir
