// Descriptions of intrinsics: a nest of loops around one store, with parameters for the parts of
// buffers that a nest of a program works on. For finding things out; what is found is proved
// elsewhere.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/facts/affine.h"
#include "ir/children.h"
#include "ir/site.h"

namespace proviso::analysis {

// A store in a nest: the loops around it, over which it is written.
struct Leaf {
    std::vector<ir::For> loops;
    ir::Store store;
    ir::Site site;
};

// The stores of a statement of loops from 0 to a constant, blocks without an initialisation, and
// lists; nullopt: there is something else in it.
std::optional<std::vector<Leaf>> read_leaves(ir::Context& ctx, ir::Stmt s);

// Whether a nest of a program is what a description says, with parts of its buffers for the
// parameters. The two may be of different contexts. Loops of one iteration are passed over.
class DescriptionMatch {
  public:
    DescriptionMatch(const Leaf& description, const Leaf& found);

    bool same_loops() const { return same_loops_; }
    // The cell that is stored to, and the value.
    bool same_store();

    // A parameter as a part of a buffer. Of more dimensions the last ones count.
    struct View {
        ir::Buffer parameter = nullptr;
        ir::Buffer buffer = nullptr;
        std::vector<Affine> begin;  // of the part, one for each dimension of the buffer
        std::vector<ir::Expr> at;   // an access to the buffer, and to the parameter
        std::vector<ir::Expr> like;
    };
    // By the parameter's name: of those that the store and its value mention.
    const std::map<std::string, View>& views() const { return views_; }

  private:
    bool same(ir::Expr described, ir::Expr found);
    bool same_cell(ir::Buffer parameter, std::span<const ir::Expr> described, ir::Buffer buffer,
                   std::span<const ir::Expr> found);
    // An index of the description, over the program's loops.
    std::optional<Affine> over_found(ir::Expr described) const;
    // Of the description, 0, or of the nest that is found, 1: wherever it stands there.
    bool is_zero(ir::Expr e, int nest) const;
    bool is_fixed(ir::Expr term) const;  // in all iterations of the nest that is found
    Affine without_unit_loops(Affine index, int nest) const;

    const Leaf& description_;
    const Leaf& found_;
    bool same_loops_ = true;
    std::map<ir::Expr, ir::Expr>
        by_loop_;                          // the description's, in both texts of several iterations
    std::vector<ir::Expr> unit_loops_[2];  // of the description, of the nest that is found
    std::set<std::string> lets_;           // names in values of the nest that is found
    std::map<std::string, View> views_;
    static constexpr std::size_t kMostCompared = 100'000;  // expressions
    std::size_t compared_ = 0;
};

}  // namespace proviso::analysis
