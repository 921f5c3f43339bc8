// The way from a function's root to a site: every statement and expression passed, with the step
// taken. Facts, scopes, and iteration domains are all read off this path.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ir/site.h"
#include "ir/text.h"

namespace proviso::analysis {

struct PassedNode {
    ir::Stmt stmt = nullptr;  // set while the path is in statements
    ir::Expr expr = nullptr;  // set once it has entered an expression
    ir::Label label;          // the step taken from here
};

struct PathStep : PassedNode {
    ir::Site site;  // of this node
};

struct Path {
    std::vector<PathStep> steps;  // from the root; empty when the site is the root
    ir::Located target;

    // The statement that the target is in (or is).
    ir::Stmt statement() const;
    ir::Site statement_site;  // its site
};

// The site must exist (PROVISO_CHECK): callers locate() user input first.
Path path_to(const ir::Function& f, const ir::Site& site);
// Its steps without their sites, which take time with the square of the depth.
std::vector<PassedNode> passed_on_the_way(const ir::Function& f, const ir::Site& site);

// Everything visible at a site: parameters, enclosing loop variables, lets, block iterators,
// allocations.
ir::Scope scope_at(ir::Context& ctx, const ir::Function& f, const ir::Site& site);

// Buffers that a statement stores to, in order of first occurrence.
std::vector<ir::Buffer> stored_buffers(ir::Stmt s);
bool stores_to(ir::Stmt s, ir::Buffer buffer);
std::set<ir::Buffer> allocated_buffers(ir::Stmt s);
bool contains_assert(ir::Stmt s);
bool contains_extern_call(ir::Stmt s);

}  // namespace proviso::analysis
