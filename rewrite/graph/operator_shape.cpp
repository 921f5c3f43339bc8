// What the loops of an operator tell about its tensors.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "ir/children.h"
#include "rewrite/graph/variants.h"

namespace proviso::rewrite {

namespace {

struct BlockUse {
    std::set<ir::Buffer> loads;
    std::set<ir::Buffer> stores;
    std::size_t lines = 0;  // stores, as they are written
    bool sums = false;      // it has an initialisation
};

// Dimensions of buffers that the same iterators index.
class Links {
  public:
    int at(ir::Buffer b, std::size_t d) { return root(number(dimensions_, std::pair{b, d})); }
    void access(ir::Buffer b, const std::vector<ir::Expr>& indices) {
        for (std::size_t d = 0; d < indices.size(); ++d) {
            if (indices[d]->op != ir::Op::Var) continue;
            const int a = at(b, d);
            const int v = root(number(iterators_, indices[d]));
            parent_[static_cast<std::size_t>(a)] = v;
        }
    }

    // Another block's iterators are others, whatever they are called.
    void leave_block() { iterators_.clear(); }

  private:
    template <typename Map, typename Key>
    int number(Map& map, const Key& key) {
        const auto [found, fresh] = map.emplace(key, static_cast<int>(parent_.size()));
        if (fresh) parent_.push_back(found->second);
        return found->second;
    }
    int root(int k) const {
        while (parent_[static_cast<std::size_t>(k)] != k) k = parent_[static_cast<std::size_t>(k)];
        return k;
    }

    std::map<std::pair<ir::Buffer, std::size_t>, int> dimensions_;
    std::map<ir::Expr, int> iterators_;
    std::vector<int> parent_;
};

class ShapeReader {
  public:
    explicit ShapeReader(const Network::Kind& kind)
        : kind_(kind), params_(kind.function.buffer_params()) {}

    OperatorShape run() {
        ir::for_each_stmt(kind_.function.body, [&](ir::Stmt s) {
            if (const auto* block = s->as<ir::Block>()) blocks_.push_back(use_of(*block));
            if (const auto* a = s->as<ir::Allocate>()) inner_.push_back(a->buffer);
        });
        inline_blocks();
        places();
        channels();
        return std::move(out_);
    }

  private:
    BlockUse use_of(const ir::Block& block) {
        BlockUse use;
        use.sums = block.init != nullptr;
        const auto look = [&](ir::Stmt part) {
            if (part == nullptr) return;
            ir::for_each_stmt(part, [&](ir::Stmt s) {
                if (const auto* store = s->as<ir::Store>()) {
                    use.stores.insert(store->buffer);
                    ++use.lines;
                    links_.access(store->buffer, store->indices);
                }
            });
            ir::for_each_expr(part, [&](ir::Expr root) {
                ir::for_each_node(root, [&](ir::Expr e) {
                    if (e->op != ir::Op::Load) return;
                    use.loads.insert(e->buffer);
                    links_.access(e->buffer, std::vector<ir::Expr>(e->args.begin(), e->args.end()));
                });
            });
        };
        look(block.init);
        look(block.body);
        links_.leave_block();
        return use;
    }

    // Inner buffers that one block computes cell by cell for one other block.
    void inline_blocks() {
        for (ir::Buffer b : inner_) {
            std::vector<std::size_t> writers;
            std::vector<std::size_t> readers;
            for (std::size_t k = 0; k < blocks_.size(); ++k) {
                if (blocks_[k].stores.count(b) != 0) writers.push_back(k);
                if (blocks_[k].loads.count(b) != 0) readers.push_back(k);
            }
            const bool one = writers.size() == 1 && readers.size() == 1 && writers != readers;
            if (!one) continue;
            const BlockUse& writer = blocks_[writers[0]];
            if (writer.sums || writer.lines != 1) continue;
            out_.inlined.push_back(writers[0]);
            goes_to_[writers[0]] = readers[0];
        }
    }

    std::size_t stays(std::size_t block) const {
        for (std::size_t k = 0; k < blocks_.size(); ++k) {  // no longer chain than blocks
            const auto next = goes_to_.find(block);
            if (next == goes_to_.end()) break;
            block = next->second;
        }
        return block;
    }

    void places() {
        std::size_t read = 0;
        for (std::size_t p = 0; p < params_.size(); ++p) {
            out_.at.push_back(0);
            for (std::size_t k = 0; k < blocks_.size(); ++k) {
                const bool writes = blocks_[k].stores.count(params_[p]) != 0;
                if (writes || (!kind_.stored[p] && blocks_[k].loads.count(params_[p]) != 0)) {
                    out_.at[p] = stays(k);
                }
            }
            if (kind_.stored[p]) {
                out_.outputs.push_back({p, out_.at[p]});
            } else {
                ++read;
            }
        }
        if (read != 1 || out_.outputs.size() != 1) return;
        const std::size_t out = out_.outputs[0].parameter;
        const auto in = static_cast<std::size_t>(
            std::find(kind_.stored.begin(), kind_.stored.end(), false) - kind_.stored.begin());
        const std::size_t rank = params_[in]->shape.size();
        const bool sum = blocks_[out_.at[in]].sums && out_.at[in] == out_.at[out] && rank > 0;
        if (!sum) return;
        const int channel = links_.at(params_[in], channel_dimension(rank));
        for (std::size_t d = 0; d < params_[out]->shape.size(); ++d) {
            if (links_.at(params_[out], d) == channel) return;
        }
        out_.walked = in;
    }

    void channels() {
        out_.alike.assign(params_.size(), false);
        for (ir::Buffer b : params_) out_.channels.emplace_back(b->shape.size(), 0);
        if (out_.outputs.empty()) return;
        ir::Buffer first = params_[out_.outputs[0].parameter];
        const std::size_t rank = first->shape.size();
        if (rank == 0) return;
        const auto inputs = std::count(kind_.stored.begin(), kind_.stored.end(), false);
        std::set<int> read;
        for (std::size_t p = 0; p < params_.size(); ++p) {
            if (kind_.stored[p]) continue;
            const std::size_t r = params_[p]->shape.size();
            const bool beside =
                r == rank && (r == 1 || links_.at(params_[p], 0) == links_.at(first, 0));
            out_.alike[p] = r > 0 && (beside || inputs == 1);
            if (out_.alike[p]) read.insert(links_.at(params_[p], channel_dimension(r)));
        }
        const int computed = links_.at(first, channel_dimension(rank));
        for (std::size_t p = 0; p < params_.size(); ++p) {
            for (std::size_t d = 0; d < params_[p]->shape.size(); ++d) {
                const int c = links_.at(params_[p], d);
                out_.channels[p][d] = c == computed ? 1 : read.count(c) != 0 ? 2 : 0;
            }
        }
    }

    const Network::Kind& kind_;
    std::vector<ir::Buffer> params_;
    std::vector<BlockUse> blocks_;
    std::vector<ir::Buffer> inner_;
    std::map<std::size_t, std::size_t> goes_to_;  // an inlined block, and where it goes
    Links links_;
    OperatorShape out_;
};

}  // namespace

OperatorShape shape_of(const Network::Kind& kind) {
    return ShapeReader(kind).run();
}

}  // namespace proviso::rewrite
