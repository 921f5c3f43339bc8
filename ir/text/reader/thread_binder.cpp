// Launches of threads, as loops that are bound to them:
//     with T.launch_thread("threadIdx.x", 32) as tx:       for tx in T.thread_binding(32, …):
//     with T.launch_thread(tx, 32):                        with tx = T.env_thread("threadIdx.x")
//     with T.attr(tx, "thread_extent", 32):                the same in older programs
// Without `with` they last to the end of their list.
#include <algorithm>

#include "ir/text/reader/stmt_binder.h"
#include "ir/text/spelling.h"
#include "ir/well_formed.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

bool is_launch(const Node& node) {
    return node.is_call_of("T.launch_thread") || node.is_call_of("T.attr");
}

namespace {

bool is_virtual_thread(const std::string& tag) {
    return tag == "cthread" || tag == "vthread" || tag == "vthread.x" || tag == "vthread.y" ||
           tag == "vthread.z";
}

}  // namespace

For StmtBinder::over_threads(const std::string& tag) const {
    For out;
    if (is_virtual_thread(tag)) {
        out.kind = ForKind::Parallel;
        out.annotations["virtual_thread"] = AttrValue{tag};
    } else {
        out.kind = ForKind::ThreadBinding;
        out.thread_tag = tag;
    }
    return out;
}

std::string StmtBinder::thread_tag(const Node& node) const {
    if (!node.is(NodeKind::String)) wrong(node, "the name of a thread index is a string");
    const std::string& tag = node.text;
    if (is_thread_tag(tag) || is_virtual_thread(tag)) return tag;
    if (tag.rfind("cluster", 0) == 0 || tag == "pipeline" || tag == "warpIdx") {
        no_meaning(node, "threads of \"" + tag + "\" have no meaning here");
    }
    wrong(node, "\"" + tag + "\" is not the name of a thread index",
          suggest(tag, thread_tags(), "names are threadIdx.x, blockIdx.y, …"));
}

namespace {

struct Launch {
    const Node* thread = nullptr;  // a name's string, or the variable
    const Node* extent = nullptr;
    const Node* tag = nullptr;  // where T.iter_var names the thread
    bool only_virtual = false;
};

Launch launch_parts(const ExprBinder& exprs, const Statement& s) {
    const Node& call = s.value;
    Launch out;
    if (call.is_call_of("T.launch_thread")) {
        check_arguments(exprs.source(), call, 2, 2, {"thread", "extent"});
        out.thread = argument(call, 0, "thread");
        out.extent = argument(call, 1, "extent");
        if (out.thread == nullptr) exprs.wrong(call, "`T.launch_thread` needs a thread");
        return out;
    }
    if (call.items.size() == 2 && call.items[1].is(NodeKind::Dict)) {
        exprs.no_meaning(call, "only attributes of loops are read from a dictionary");
    }
    check_arguments(exprs.source(), call, 3, 3, {});
    const Node& key = call.items[2];
    out.only_virtual = key.is(NodeKind::String) && key.text == "virtual_thread";
    if (!out.only_virtual && (!key.is(NodeKind::String) || key.text != "thread_extent")) {
        const std::string hint =
            key.is(NodeKind::String)
                ? suggest(key.text, {"thread_extent", "virtual_thread", "storage_alignment",
                                     "double_buffer_scope"})
                : "";
        if (!hint.empty()) exprs.wrong(key, "\"" + key.text + "\" is no attribute", hint);
        exprs.no_meaning(key,
                         "only the attributes \"thread_extent\", \"virtual_thread\" and those "
                         "of memory are read");
    }
    if (s.target) exprs.wrong(s.target, "`T.attr` has no name");
    out.thread = &call.items[1];
    out.extent = &call.items[3];
    if (out.thread->is_call_of("T.iter_var")) {
        check_arguments(exprs.source(), *out.thread, 4, 4, {});
        out.tag = &out.thread->items[4];
        out.thread = &out.thread->items[1];
    }
    return out;
}

}  // namespace

Stmt StmtBinder::within_threads(const Node& place, const std::string& tag, const std::string& name,
                                const std::function<Stmt()>& bind) {
    const auto [around, fresh] = launched_.emplace(tag, name);
    if (!fresh) {
        wrong(place, "threads of " + tag + " are launched already around this place",
              "TVM means the same threads by both: use `" + around->second +
                  "` here, or a loop that is not bound to them");
    }
    Stmt out = bind();
    launched_.erase(tag);
    return out;
}

void StmtBinder::check_threads_of(Stmt callee, const Node& call) const {
    if (launched_.empty()) return;
    for_each_stmt(callee, [&](Stmt s) {
        const For* loop = s->as<For>();
        if (loop == nullptr || launched_.count(loop->thread_tag) == 0) return;
        wrong(call, "threads of " + loop->thread_tag + " are launched already around this place",
              "the function that is called here launches them, too");
    });
}

Stmt StmtBinder::bind_launch(const Statement& s, Lines rest) {
    const Launch launch = launch_parts(exprs_, s);
    const bool by_name = launch.thread->is(NodeKind::String);
    Declared* declared = by_name ? nullptr : find_declared(*launch.thread);
    const bool has_tag =
        declared != nullptr && (declared->thread.empty() == (launch.tag != nullptr));
    if (!by_name && !has_tag) {
        wrong(*launch.thread, "a thread is expected here",
              "tx = T.env_thread(\"threadIdx.x\") declares one");
    }
    if (by_name && !s.target) {
        wrong(s, "the thread index needs a name",
              "with T.launch_thread(\"threadIdx.x\", n) as tx:");
    }
    if (!by_name && s.target) wrong(s.target, "the thread index has a name already");
    const std::string tag = by_name                 ? thread_tag(*launch.thread)
                            : launch.tag != nullptr ? thread_tag(*launch.tag)
                                                    : declared->thread;
    if (launch.only_virtual && !is_virtual_thread(tag)) {
        no_meaning(*launch.thread, "virtual threads of " + tag + " have no meaning here");
    }
    Expr hi = by_name
                  ? exprs_.bind_int(*launch.extent, "the number of threads")
                  : exprs_.bind_typed(*launch.extent, declared->var->type, "the number of threads");
    if (!hi->type.is_exact_int()) {
        wrong(*launch.extent, "the number of threads must be int32 or int64");
    }
    require_definite(hi, *launch.extent, "the number of threads");
    if (by_name && !s.is(StatementKind::With)) check_new_name(s, s.target);
    const std::size_t mark = names_.mark();
    Expr var = by_name ? declare_var(s.target, hi->type) : use_declared(*launch.thread, *declared);
    Expr lo = ctx_.int_imm(hi->type, 0);
    loops_[var] = Bounds{lo, hi};
    note_zero(var, lo, hi);
    ++concurrent_;
    Stmt body =
        within_threads(*launch.thread, tag, by_name ? s.target.text : launch.thread->text,
                       [&] { return bind_scope_of(var, lo, [&] { return bind_rest(rest); }); });
    --concurrent_;
    loops_.erase(var);
    names_.release(mark);
    For out = over_threads(tag);
    out.var = var;
    out.lo = lo;
    out.hi = hi;
    out.body = body;
    take_loop_hints(var, *launch.thread, out.annotations);
    return ctx_.stmt(std::move(out));
}

}  // namespace proviso::ir
