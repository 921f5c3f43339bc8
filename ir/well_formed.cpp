#include "ir/well_formed.h"

#include <algorithm>

#include "ir/children.h"
#include "ir/depth.h"
#include "ir/text/keywords.h"
#include "ir/well_formed_checker.h"

namespace proviso::ir {

bool is_printable_name(const std::string& name) {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
    return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), is_part) &&
           !python::is_keyword(name) && name != "T";
}

bool is_buffer_scope(const std::string& scope) {
    const auto is_part = [](char c) { return c > ' ' && c <= '~' && c != '"' && c != '\\'; };
    return !scope.empty() && std::all_of(scope.begin(), scope.end(), is_part);
}

const std::vector<std::string>& thread_tags() {
    static const std::vector<std::string> tags = {"blockIdx.x",  "blockIdx.y",  "blockIdx.z",
                                                  "threadIdx.x", "threadIdx.y", "threadIdx.z"};
    return tags;
}

bool is_thread_tag(const std::string& tag) {
    return std::find(thread_tags().begin(), thread_tags().end(), tag) != thread_tags().end();
}

namespace {

bool always_indeterminate(Expr e) {
    if (e->op == Op::Undef) return true;
    if (is_logic_only(e->op)) return false;
    if (e->op == Op::Let) return always_indeterminate(e->arg(1));
    if (op_info(e->op).op_class == OpClass::Choice) {
        return always_indeterminate(e->arg(0)) ||
               (always_indeterminate(e->arg(1)) && always_indeterminate(e->arg(2)));
    }
    if (is_lazy(e->op)) return always_indeterminate(e->arg(0));
    return std::any_of(e->args.begin(), e->args.end(), always_indeterminate);
}

}  // namespace

bool is_always_indeterminate(Expr e) {
    return has_op(e, Op::Undef) && always_indeterminate(e);
}

bool is_read_permission(Expr e) {
    if (e->op != Op::Eq) return false;
    const auto is = [&](Op a, Op b) { return e->arg(0)->op == a && e->arg(1)->op == b; };
    return is(Op::Load, Op::Undef) || is(Op::Undef, Op::Load);
}

bool is_usable_assumption(Expr e) {
    if (is_read_permission(e)) return true;
    if (e->op == Op::And || e->op == Op::Or) {
        return is_usable_assumption(e->arg(0)) && is_usable_assumption(e->arg(1));
    }
    return !is_always_indeterminate(e);
}

std::vector<Diagnostic> well_formed(const Function& f) {
    if (nests_too_deep(f.body)) return {error(too_deep("the body of " + f.name))};
    return Checker(f).run();
}

}  // namespace proviso::ir
