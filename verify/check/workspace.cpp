#include "verify/check/workspace.h"

#include "analysis/layout/layout.h"
#include "ir/text/spelling.h"

namespace proviso::verify {

using namespace ir;

namespace {

// The parameter as a buffer that the program allocates. False: there is no such parameter.
Result<bool> lend(Context& ctx, Function& f, const std::string& name) {
    const Buffer b = f.find_buffer_param(name);
    if (b == nullptr) return false;
    if (!analysis::layouts_of(ctx, f, name).empty()) {
        return error("--workspace " + name + ": the buffer has a layout");
    }
    std::erase_if(f.params, [&](const Param& p) {
        return std::holds_alternative<Buffer>(p) && std::get<Buffer>(p) == b;
    });
    for (const std::string& licence : f.licences()) {
        if (licence != "finite(" + name + ")") continue;
        return error("--workspace " + name + ": the caller promises what it holds, " + licence);
    }
    f.body = ctx.stmt(Allocate{b, f.body});
    return true;
}

std::vector<std::string> buffers_of(const Function& f) {
    std::vector<std::string> out;
    for (const Buffer b : f.buffer_params()) out.push_back(b->name);
    return out;
}

}  // namespace

Result<std::vector<std::string>> lend_workspaces(Context& ctx, Function& before, Function& after,
                                                 const std::vector<std::string>& names) {
    std::vector<std::string> told;
    for (const std::string& name : names) {
        const Result<bool> of_before = lend(ctx, before, name);
        if (!of_before) return of_before.error();
        const Result<bool> of_after = lend(ctx, after, name);
        if (!of_after) return of_after.error();
        if (!*of_before && !*of_after) {
            return error("--workspace " + name + ": no program has a buffer parameter of that name",
                         suggest(name, buffers_of(after), "a workspace is a parameter of AFTER"));
        }
        const char* whose = !*of_after ? " of before" : !*of_before ? " of after" : "";
        told.push_back(name + whose +
                       " is a workspace: nobody knows what it holds at the start, nor looks at it "
                       "in the end");
    }
    return told;
}

}  // namespace proviso::verify
