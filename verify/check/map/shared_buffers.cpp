#include "verify/check/map/shared_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/facts/affine.h"
#include "ir/text.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/schedule/restated.h"
#include "verify/check/map/extents.h"
#include "verify/check/map/map.h"
#include "verify/check/map/mirror.h"
#include "verify/check/map/spelling.h"
#include "verify/check/map/webs.h"

namespace proviso::verify {

using namespace ir;
using namespace rewrite;
using nlohmann::json;

namespace {

constexpr std::size_t kMostWebs = 16;  // of one buffer

// One of those that the buffer is.
struct Piece {
    Web web;
    Buffer buffer = nullptr;
    Expr offset = nullptr;  // of its cell 0 in the buffer; null: it has all its cells
};

// What stands below this allocation and those directly in it.
Stmt text_in(const Allocate& n) {
    Stmt out = n.body;
    while (const Allocate* in = out->as<Allocate>()) out = in->body;
    return out;
}

// Two or more webs; else none.
std::vector<Web> things_in(analysis::Prover& prover, const Function& f, const Allocate& n,
                           const std::vector<Leaf>& leaves) {
    if (n.buffer->rank() == 0 || leaves.size() > kMostLeaves) return {};
    std::vector<Web> out = webs_of(prover, f, text_in(n), leaves, n.buffer);
    return out.size() < 2 || out.size() > kMostWebs ? std::vector<Web>() : out;
}

class Sharer {
  public:
    Sharer(Proposer& p, const Function& after, std::vector<std::string>& tried)
        : p_(p), ctx_(p.ctx()), after_(after), tried_(tried) {}

    bool run(const std::function<bool(const Function&)>& reach, bool& any) {
        any = false;
        for (const auto& [site, s] : all_statements(after_)) {
            const Allocate* n = s->as<Allocate>();
            if (n == nullptr || !split(*n, site)) continue;
            any = true;
            return reach(apart_) && merge() && finish();
        }
        return false;
    }

  private:
    bool fails(std::string why) {
        tried_.push_back(buffer_->name + ", which holds several things: " + std::move(why));
        return false;
    }

    // The second program with a buffer for each web; false where there is one web.
    bool split(const Allocate& n, const Site& site) {
        buffer_ = n.buffer;
        text_ = text_in(n);
        const std::vector<Leaf> leaves = leaves_of(ctx_, text_);
        std::vector<Web> webs = things_in(p_.prover(), after_, n, leaves);
        if (webs.empty()) return false;
        std::set<std::string> used = used_names(p_.current());
        for (const std::string& name : used_names(after_)) used.insert(name);
        pieces_.clear();
        for (Web& web : webs) {
            const std::string name =
                pieces_.empty() ? buffer_->name : fresh_name(buffer_->name + "_part", used);
            pieces_.push_back(piece(std::move(web), leaves, name));
        }
        Stmt text = text_;
        for (const Leaf& leaf : leaves) text = with_statement(ctx_, text, leaf.at, apart(leaf));
        apart_ = after_;
        apart_.body = with_statement(ctx_, after_.body, site, allocated(n, text));
        return true;
    }

    // With the offset and the extent of what the web stores to, of a buffer of one dimension.
    Piece piece(Web web, const std::vector<Leaf>& leaves, const std::string& name) {
        Piece out{std::move(web), nullptr, nullptr};
        std::vector<Expr> shape(buffer_->shape.begin(), buffer_->shape.end());
        std::vector<std::pair<Expr, Expr>> ranges;
        Extents ends(p_, after_);
        for (std::size_t s : out.web.stores) {
            const Leaf& leaf = leaves[s];
            Expr index = leaf.stmt->as<Store>()->indices[0];
            ranges.emplace_back(ends.at_end(leaf, index, false), ends.at_end(leaf, index, true));
        }
        for (const auto& [low, high] : ranges) {
            if (shape.size() != 1 || low == nullptr || high == nullptr || out.offset) break;
            const bool least = std::all_of(ranges.begin(), ranges.end(), [&](const auto& r) {
                return r.first != nullptr && r.second != nullptr && ends.at_most(low, r.first);
            });
            if (!least) continue;
            for (const auto& r : ranges) {
                const bool most = std::all_of(ranges.begin(), ranges.end(), [&](const auto& other) {
                    return ends.at_most(other.second, r.second);
                });
                if (!most ||
                    !ends.at_most(r.second, ctx_.sub(shape[0], ctx_.int_imm(low->type, 1)))) {
                    continue;
                }
                Expr extent =
                    ends.sum(ctx_.add(ctx_.sub(r.second, low), ctx_.int_imm(low->type, 1)));
                if (extent == shape[0] || extent == nullptr) continue;
                out.offset = low;
                shape[0] = extent;
                break;
            }
        }
        out.buffer = ctx_.buffer(name, buffer_->type, shape, buffer_->scope);
        return out;
    }

    // The leaf with the pieces in the place of the buffer.
    Stmt apart(const Leaf& leaf) {
        std::map<Expr, const Piece*> loads;
        const Piece* stored = nullptr;
        for (const Piece& piece : pieces_) {
            for (const auto& [number, load] : piece.web.loads) {
                if (number == leaf.number) loads[load] = &piece;
            }
            const auto& all = piece.web.stores;
            if (std::find(all.begin(), all.end(), leaf.number) != all.end()) stored = &piece;
        }
        if (loads.empty() && stored == nullptr) return leaf.stmt;
        const auto in_expr = [&](Expr e) {
            return rewrite_expr(ctx_, e, [&](Expr n) {
                const auto found = loads.find(n);
                if (found == loads.end()) return n;
                return ctx_.load(found->second->buffer,
                                 moved(*found->second, {n->args.begin(), n->args.end()}));
            });
        };
        return rewrite_stmt(ctx_, leaf.stmt, in_expr, [&](Stmt s) {
            const Store* n = s->as<Store>();
            if (n == nullptr || n->buffer != buffer_) return s;
            return ctx_.store(stored->buffer, moved(*stored, n->indices), n->value);
        });
    }

    std::vector<Expr> moved(const Piece& piece, std::vector<Expr> index) {
        if (piece.offset != nullptr) {
            Expr plain =
                analysis::Affine::of(ctx_.sub(index[0], piece.offset)).expr(ctx_, index[0]->type);
            index[0] = plain != nullptr ? plain : ctx_.sub(index[0], piece.offset);
        }
        return index;
    }

    Stmt allocated(const Allocate& n, Stmt text) {
        std::vector<Allocate> inner;
        for (Stmt in = n.body; in->is<Allocate>(); in = in->as<Allocate>()->body) {
            inner.push_back(*in->as<Allocate>());
        }
        for (auto in = inner.rbegin(); in != inner.rend(); ++in) {
            text = ctx_.stmt(Allocate{in->buffer, text, in->annotations});
        }
        for (auto piece = pieces_.rbegin(); piece != pieces_.rend(); ++piece) {
            text = ctx_.stmt(Allocate{piece->buffer, text, n.annotations});
        }
        return text;
    }

    bool merge() {
        for (const Piece& piece : pieces_) {
            if (piece.offset != nullptr && !widen(piece)) return false;
        }
        for (std::size_t k = 1; k < pieces_.size(); ++k) {
            if (!into_first(pieces_[k].buffer->name)) return false;
        }
        return true;
    }

    // The piece with the extents and the cells of the buffer.
    bool widen(const Piece& piece) {
        std::set<std::string> used = used_names(p_.current());
        for (const std::string& name : used_names(after_)) used.insert(name);
        const ScalarType type = piece.offset->type;
        Expr x = ctx_.var(fresh_name("x", used), type);
        Expr cell = ctx_.var(fresh_name("p", used), type);
        std::optional<Rejection> no;
        const json args = {{"buffer", piece.buffer->name},
                           {"shape", texts(buffer_->shape)},
                           {"vars", {print(x)}},
                           {"map", {print(ctx_.add(x, piece.offset))}},
                           {"physical_vars", {print(cell)}},
                           {"inverse", {print(ctx_.sub(cell, piece.offset))}},
                           {"pad", "none"}};
        if (p_.try_apply("relayout", Site{}, args, &no)) return true;
        return fails("a part from " + print(piece.offset) + " on: " + refusal_text(*no));
    }

    // The buffer of that name in the first one.
    bool into_first(const std::string& name) {
        Buffer part = nullptr;
        for (const auto& [site, s] : all_statements(p_.current())) {
            const Allocate* n = s->as<Allocate>();
            if (n != nullptr && n->buffer->name == name) part = n->buffer;
        }
        if (part == nullptr) return fails("a part of it is not there any more");
        Mirror mirror(p_, part);
        std::optional<Leaf> dead;
        for (const Leaf& leaf : mirror.leaves()) {
            const Store* n = leaf.stmt->as<Store>();
            if (n != nullptr && n->buffer == buffer_ && !dead) dead = leaf;
        }
        if (!dead) return fails("nothing is stored to its first part");
        const bool moved = mirror.move(buffer_, *dead, [](std::vector<Expr> x) { return x; });
        return moved || fails(mirror.why());
    }

    // Spelled as in the second program.
    bool finish() {
        if (p_.current().body == after_.body) return true;
        Site at;
        for (const auto& [site, s] : all_statements(p_.current())) {
            const Allocate* n = s->as<Allocate>();
            if (n != nullptr && n->buffer == buffer_) at = site.child("body");
        }
        while (locate(p_.current(), at)->stmt->is<Allocate>()) at = at.child("body");
        return map_onto(p_, at, text_, tried_);
    }

    Proposer& p_;
    Context& ctx_;
    const Function& after_;
    std::vector<std::string>& tried_;
    Buffer buffer_ = nullptr;  // of the second program
    Stmt text_ = nullptr;      // in which it is allocated there
    std::vector<Piece> pieces_;
    Function apart_;  // the second program with a buffer for each of them
};

}  // namespace

bool has_shared_buffers(analysis::Prover& prover, const Function& f) {
    bool found = false;
    for_each_stmt(f.body, [&](Stmt s) {
        const Allocate* n = s->as<Allocate>();
        if (n == nullptr || found) return;
        found = !things_in(prover, f, *n, leaves_of(prover.context(), text_in(*n))).empty();
    });
    return found;
}

bool reach_with_shared_buffers(Proposer& p, const Function& after,
                               const std::function<bool(const Function&)>& reach, bool& any,
                               std::vector<std::string>& tried) {
    return Sharer(p, after, tried).run(reach, any);
}

}  // namespace proviso::verify
