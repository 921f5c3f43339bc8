#include "rewrite/rules/block_level.h"

#include <algorithm>

#include "analysis/facts/path.h"
#include "ir/check.h"
#include "ir/planted.h"

namespace proviso::rewrite {

using namespace ir;

bool is_bound(const For& loop) {
    return loop.kind == ForKind::ThreadBinding;
}

bool is_block_loop(const For& loop) {
    return loop.thread_tag.rfind("blockIdx", 0) == 0;
}

std::size_t axis_of(const For& loop) {
    const char letter = loop.thread_tag.back();
    PROVISO_CHECK(letter >= 'x' && letter <= 'z', "thread tag " + loop.thread_tag);
    return static_cast<std::size_t>(letter - 'x');
}

bool contains_bound_loop(Stmt s) {
    bool found = false;
    for_each_stmt(s, [&](Stmt inner) {
        const For* n = inner->as<For>();
        found = found || (n != nullptr && is_bound(*n));
    });
    return found;
}

std::vector<Site> kernel_sites(const Function& f) {
    std::vector<Site> out;
    for (const auto& [site, s] : all_statements(f)) {
        const For* n = s->as<For>();
        if (n == nullptr || !is_bound(*n)) continue;
        if (out.empty() || !out.back().contains(site)) out.push_back(site);
    }
    return out;
}

Result<BlockLevel> BlockLevel::of(const Function& f, const Site& site) {
    BlockLevel out;
    Stmt s = locate(f, site)->stmt;
    out.written_ = analysis::stored_buffers(s);
    Site inner = site;
    while (const For* n = s->as<For>()) {
        if (!is_bound(*n) || !is_block_loop(*n)) break;
        s = n->body;
        inner = inner.child("body");
    }
    out.add(s, inner, std::nullopt);
    if (out.failure_) return *out.failure_;
    out.find_ways();
    return out;
}

void BlockLevel::uniform(Expr e) {
    for (Buffer b : loaded_buffers(e)) {
        if (failure_ || std::find(written_.begin(), written_.end(), b) == written_.end()) continue;
        failure_ = error("control around threads reads " + b->name + ", which the kernel writes",
                         "read it inside the loop bound to threads");
    }
}

std::size_t BlockLevel::add(Stmt s, const Site& site, std::optional<std::size_t> parent) {
    const std::size_t id = nodes_.size();
    nodes_.push_back(Node{Kind::Around, s, site, parent, {}, std::nullopt});
    const auto kind = [&](Kind k) {
        nodes_[id].kind = k;
        if (k != Kind::List && k != Kind::Around) {
            nodes_[id].place = places_.size();
            places_.push_back(site);
        }
    };
    const For* loop = s->as<For>();
    if (!contains_bound_loop(s) || (loop != nullptr && is_bound(*loop))) {
        kind(Kind::Phase);
        phase_nodes_.push_back(id);
        phases_.push_back(site);
        return id;
    }
    if (loop != nullptr) kind(Kind::Loop);
    if (s->is<IfElse>()) kind(Kind::Branch);
    if (s->is<Seq>()) kind(Kind::List);
    const Block* block = s->as<Block>();
    if (block != nullptr && block->init != nullptr && !failure_) {  // on some ways only
        failure_ = error("block " + block->name + " has an initialisation, and is around threads",
                         "decompose the reduction first");
    }
    for (const Child& c : children(s)) {
        if (c.expr != nullptr) uniform(c.expr);
        if (c.stmt != nullptr) {
            const std::size_t child = add(c.stmt, site.child(c.label), id);
            nodes_[id].children.push_back(child);
        }
    }
    return id;
}

// The node and all around it, innermost first.
std::vector<std::size_t> BlockLevel::up(std::size_t node) const {
    std::vector<std::size_t> out = {node};
    while (nodes_[out.back()].parent) out.push_back(*nodes_[out.back()].parent);
    return out;
}

// Places that are passed whenever the statement has run.
std::set<std::size_t> BlockLevel::must(std::size_t node) const {
    const Node& n = nodes_[node];
    std::set<std::size_t> out;
    if (n.place) out.insert(*n.place);
    bool inside = n.kind == Kind::List || n.kind == Kind::Around;
    if (n.kind == Kind::Loop) {
        const For& loop = *n.stmt->as<For>();
        inside = is_int_const(loop.lo) && is_int_const(loop.hi) &&
                 loop.lo->int_value() < loop.hi->int_value();
    }
    if (!inside) return out;
    for (std::size_t c : n.children) out.merge(must(c));
    return out;
}

// From the end of `node` to the end of the child of `top` that it is in.
std::set<std::size_t> BlockLevel::leaving(std::size_t node, std::size_t top) const {
    std::set<std::size_t> out;
    while (true) {
        if (nodes_[node].place) out.insert(*nodes_[node].place);
        const std::size_t parent = *nodes_[node].parent;
        if (parent == top) return out;
        if (nodes_[parent].kind == Kind::List) {
            for (std::size_t c : nodes_[parent].children) {
                if (c > node) out.merge(must(c));
            }
        }
        node = parent;
    }
}

// From the start of the child of `top` that `node` is in to the start of `node`.
std::set<std::size_t> BlockLevel::entering(std::size_t node, std::size_t top) const {
    std::set<std::size_t> out;
    while (*nodes_[node].parent != top) {
        const std::size_t parent = *nodes_[node].parent;
        if (nodes_[parent].kind == Kind::List) {
            for (std::size_t c : nodes_[parent].children) {
                if (c < node) out.merge(must(c));
            }
        }
        node = parent;
    }
    return out;
}

void BlockLevel::ways_between(std::size_t i, std::size_t j) {
    const std::size_t from = phase_nodes_[i];
    const std::size_t to = phase_nodes_[j];
    const std::vector<std::size_t> left = up(from);
    const std::vector<std::size_t> right = up(to);
    const auto child_of = [](const std::vector<std::size_t>& path, std::size_t top) {
        return *std::prev(std::find(path.begin(), path.end(), top));
    };
    bool parted = false;
    for (std::size_t top : left) {
        if (top == from || std::find(right.begin(), right.end(), top) == right.end()) continue;
        const Node& n = nodes_[top];
        if (!parted && i < j && n.kind == Kind::List) {
            Way way{i, j, When::Same, n.site, leaving(from, top)};
            for (std::size_t c : n.children) {
                if (c > child_of(left, top) && c < child_of(right, top)) way.passes.merge(must(c));
            }
            way.passes.merge(entering(to, top));
            ways_.push_back(std::move(way));
        }
        parted = true;  // further out they are in one statement
        if (n.kind != Kind::Loop || planted("sync:one-iteration")) continue;
        Way next{i, j, When::Next, n.site, leaving(from, top)};
        next.passes.merge(entering(to, top));
        Way later = next;
        later.when = When::Later;
        for (std::size_t c : n.children) later.passes.merge(must(c));
        ways_.push_back(std::move(next));
        ways_.push_back(std::move(later));
    }
}

void BlockLevel::find_ways() {
    for (std::size_t i = 0; i < phases_.size(); ++i) {
        for (std::size_t j = 0; j < phases_.size(); ++j) ways_between(i, j);
    }
}

bool BlockLevel::waits(const Way& way, const std::set<Site>& barriers) const {
    return std::any_of(way.passes.begin(), way.passes.end(),
                       [&](std::size_t p) { return barriers.count(places_[p]) != 0; });
}

}  // namespace proviso::rewrite
