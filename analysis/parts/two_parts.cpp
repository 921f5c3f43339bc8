#include "analysis/parts/two_parts.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/facts/path.h"
#include "analysis/parts/top_level.h"
#include "ir/children.h"
#include "ir/text/spelling.h"

namespace proviso::analysis {

using namespace ir;

namespace {

// A statement at the top.
struct Piece {
    Stmt stmt = nullptr;
    Touched touched;
    bool scalars = false;
    bool prepared = false;
};

bool has_constant_size(Buffer b) {
    return std::all_of(b->shape.begin(), b->shape.end(), [](Expr e) { return is_int_const(e); });
}

class Divider {
  public:
    Divider(Context& ctx, const Function& f) : ctx_(ctx), f_(f), top_(top_level(f.body)) {}

    Result<TwoParts> run(const std::vector<std::string>& weights) {
        for (const std::string& name : weights) {
            if (const Status ok = add_weight(name); !ok) return ok.error();
        }
        if (has_block(f_.body)) return error(f_.name + " has blocks", "lower it first");
        if (contains_assert(f_.body) || contains_extern_call(f_.body)) {
            return error(
                f_.name + " may stop, or calls what is outside of it, so it has no two parts",
                "only programs without asserts and opaque calls are prepared once");
        }
        for (Buffer b : top_.buffers) {
            if (has_constant_size(b)) continue;
            return error("the size of " + b->name + " is not constant", "give sizes as numbers");
        }
        for (Stmt s : top_.statements) add_piece(s);
        while (demote()) {
        }
        return parts();
    }

  private:
    Status add_weight(const std::string& name) {
        Buffer b = f_.find_buffer_param(name);
        std::vector<std::string> known;
        for (Buffer p : f_.buffer_params()) known.push_back(p->name);
        if (b == nullptr) {
            return error(f_.name + " has no buffer parameter '" + name + "'",
                         suggest(name, known, "weights are parameters of the program"));
        }
        if (stores_to(f_.body, b)) {
            return error(
                name + " is updated by " + f_.name + ", so nothing is prepared from it once",
                "only parameters that the program never stores to are weights");
        }
        weights_.insert(b);
        return Unit{};
    }

    bool inner(Buffer b) const {
        return std::find(top_.buffers.begin(), top_.buffers.end(), b) != top_.buffers.end();
    }

    void add_piece(Stmt s) {
        Piece p{s, touched_by(s), false, false};
        const std::vector<Expr> scalars = f_.scalar_params();
        for_each_expr(s, [&](Expr e) {
            for (Expr v : free_vars(e)) {
                if (std::find(scalars.begin(), scalars.end(), v) != scalars.end()) p.scalars = true;
            }
        });
        const std::set<Buffer> own = allocated_buffers(s);
        const auto fine = [&](Buffer b) { return own.count(b) != 0 || inner(b); };
        p.prepared = !p.scalars &&
                     std::all_of(p.touched.stores.begin(), p.touched.stores.end(), fine) &&
                     std::all_of(p.touched.loads.begin(), p.touched.loads.end(),
                                 [&](Buffer b) { return weights_.count(b) != 0 || fine(b); });
        pieces_.push_back(std::move(p));
    }

    // All that is stored to it is prepared, and something is.
    bool owned(Buffer b) const {
        bool any = false;
        for (const Piece& p : pieces_) {
            if (p.touched.stores.count(b) == 0) continue;
            if (!p.prepared) return false;
            any = true;
        }
        return any;
    }

    // Takes a statement out of `prepare` that has no right to be there; false: there is none.
    bool demote() {
        std::map<Buffer, bool> owner;
        for (Buffer b : top_.buffers) owner[b] = owned(b) && !read_too_early(b);
        bool any = false;
        for (Piece& p : pieces_) {
            if (!p.prepared) continue;
            const bool stays = std::all_of(top_.buffers.begin(), top_.buffers.end(),
                                           [&](Buffer b) { return !p.touched.any(b) || owner[b]; });
            if (stays) continue;
            p.prepared = false;
            any = true;
        }
        return any;
    }

    // A statement of `run` reads the buffer before one of `prepare` stores to it.
    bool read_too_early(Buffer b) const {
        bool read = false;
        for (const Piece& p : pieces_) {
            if (read && p.prepared && p.touched.stores.count(b) != 0) return true;
            read = read || (!p.prepared && p.touched.loads.count(b) != 0);
        }
        return false;
    }

    bool touched(Buffer b, bool prepared) const {
        return std::any_of(pieces_.begin(), pieces_.end(), [&](const Piece& p) {
            return p.prepared == prepared && p.touched.any(b);
        });
    }

    Result<TwoParts> parts() const {
        TwoParts out;
        std::vector<Stmt> prepare;
        std::vector<Stmt> run;
        for (const Piece& p : pieces_) (p.prepared ? prepare : run).push_back(p.stmt);
        for (Buffer b : top_.buffers) {
            const bool first = touched(b, true);
            const bool then = touched(b, false);
            if (first && then) {
                out.packed.push_back(b);
            } else if (first) {
                out.kept.push_back(b);
            } else if (then) {
                out.workspace.push_back(b);
            }
        }
        out.prepare = part("prepare", prepare);
        out.run = part("run", run);
        for (const Param& p : f_.params) {
            const Buffer* b = std::get_if<Buffer>(&p);
            const bool weight = b != nullptr && weights_.count(*b) != 0;
            if (weight && touched(*b, true)) {
                out.weights.push_back(*b);
                out.prepare.params.push_back(p);
            }
            if (!weight || touched(*b, false)) out.run.params.push_back(p);
        }
        for (Buffer b : out.packed) out.prepare.params.emplace_back(b);
        for (Buffer b : out.packed) out.run.params.emplace_back(b);
        for (Buffer b : out.workspace) out.run.params.emplace_back(b);
        for (auto b = out.kept.rbegin(); b != out.kept.rend(); ++b) {
            out.prepare.body = ctx_.stmt(Allocate{*b, out.prepare.body});
        }
        return out;
    }

    Function part(const char* what, const std::vector<Stmt>& statements) const {
        Function out;
        out.name = f_.name + "_" + what;
        out.body = ctx_.seq(statements);
        const auto licences = f_.attrs.find("proviso.licences");
        if (licences != f_.attrs.end()) out.attrs.insert(*licences);
        return out;
    }

    Context& ctx_;
    const Function& f_;
    TopLevel top_;
    std::set<Buffer> weights_;
    std::vector<Piece> pieces_;
};

std::string names_of(const std::vector<Buffer>& buffers, const char* none) {
    std::string out;
    for (Buffer b : buffers) out += (out.empty() ? "" : ", ") + b->name;
    return out.empty() ? none : out;
}

}  // namespace

Result<TwoParts> two_parts(Context& ctx, const Function& f,
                           const std::vector<std::string>& weights) {
    return Divider(ctx, f).run(weights);
}

std::string two_parts_text(const Function& f, const TwoParts& parts) {
    const std::string prepare = f.name + "_prepare";
    const std::string run = f.name + "_run";
    return "In two parts: " + prepare + " stores to " + names_of(parts.packed, "nothing") +
           " what depends on " + names_of(parts.weights, "constants") + " only, and " + run +
           " stores to neither.\nSo after " + prepare + ", once, each of any number of runs of " +
           run + " with the same weights refines " + f.name + ".";
}

}  // namespace proviso::analysis
