#include "tools/page/layouts.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/layout/layout.h"
#include "ir/children.h"
#include "ir/domains/evaluate.h"
#include "ir/text.h"

namespace proviso::tools {

using namespace analysis;
using nlohmann::json;

namespace {

constexpr std::int64_t kMostColumns = 64;
constexpr std::int64_t kMostRows = 24;  // the first half of them, and the last

using Index = std::vector<std::int64_t>;

std::optional<std::int64_t> number(ir::Expr e, const ir::Environment& env) {
    const ir::Evaluation seen = ir::evaluate(e, env);
    if (!seen.ok() || !seen.value.is_int()) return std::nullopt;
    const auto wide = seen.value.integer().to_int128();
    if (!wide || *wide > INT64_MAX || *wide < INT64_MIN) return std::nullopt;
    return static_cast<std::int64_t>(*wide);
}

json extents_text(const std::vector<ir::Expr>& extents) {
    json out = json::array();
    for (ir::Expr e : extents) out.push_back(ir::print(e));
    return out;
}

// What padding holds, for a reader of the picture.
json padding_json(const Layout& l) {
    std::string holds;
    switch (l.pad_kind) {
        case PadKind::None: return {{"holds", "not touched"}, {"by", ""}};
        case PadKind::Undef: holds = "undefined"; break;
        case PadKind::Value: holds = ir::print(l.pad); break;
        case PadKind::Cell: holds = "what " + ir::print(l.pad) + " holds"; break;
    }
    if (l.exact) holds += ", bit for bit";
    if (l.zero_of_either_sign()) holds += ", or the zero of the other sign";
    return {{"holds", holds}, {"by", l.holds_at_entry ? "the caller" : "this function"}};
}

// One parameter at given sizes.
class Picture {
  public:
    // `relations`: oldest first.
    Picture(ir::Context& ctx, ir::Buffer buffer, const std::vector<Layout>& relations,
            ir::Environment sizes)
        : buffer_(buffer), relations_(relations), env_(std::move(sizes)) {
        for (const Layout& l : relations_) in_image_.push_back(l.in_image(ctx, l.physical_vars));
    }

    // False: an extent is not a number at these sizes, or there is no cell.
    bool read() {
        for (ir::Expr e : buffer_->shape) {
            const auto extent = number(e, env_);
            if (!extent || *extent <= 0) return false;
            extents_.push_back(*extent);
        }
        if (extents_.empty()) return false;
        columns_ = extents_.back();
        for (std::size_t d = 0; d + 1 < extents_.size(); ++d) {
            if (__builtin_mul_overflow(rows_, extents_[d], &rows_)) return false;
        }
        const std::int64_t head = rows_ <= kMostRows ? rows_ : kMostRows / 2;
        for (std::int64_t r = 0; r < head; ++r) add_row(r);
        for (std::int64_t r = std::max(head, rows_ - kMostRows / 2); r < rows_; ++r) add_row(r);
        return true;
    }

    bool has_both() const { return data_ && padding_; }
    bool has_data() const { return data_; }

    json told() const { return {{"rows", shown_}, {"all_rows", rows_}, {"all_columns", columns_}}; }

  private:
    void add_row(std::int64_t row) {
        Index at(extents_.size(), 0);
        std::int64_t rest = row;
        for (std::size_t d = extents_.size() - 1; d-- > 0;) {
            at[d] = rest % extents_[d];
            rest /= extents_[d];
        }
        json cells = json::array();
        for (std::int64_t c = 0; c < std::min(columns_, kMostColumns); ++c) {
            at.back() = c;
            cells.push_back(cell(at));
        }
        shown_.push_back({{"at", Index(at.begin(), at.end() - 1)}, {"cells", cells}});
    }

    // From the newest relation back to what the caller knows.
    json cell(Index at) {
        for (std::size_t k = relations_.size(); k-- > 0;) {
            const Layout& l = relations_[k];
            ir::Environment env = env_;
            for (std::size_t d = 0; d < at.size(); ++d) {
                env.vars[l.physical_vars[d]] = ir::Value::of_int(ir::Integer(at[d]));
            }
            const ir::Evaluation inside = ir::evaluate(in_image_[k], env);
            if (!inside.ok() || !inside.value.is_int() || !inside.value.truth()) {
                padding_ = true;
                return k;
            }
            Index logical;
            for (ir::Expr g : l.inverse) logical.push_back(number(g, env).value_or(-1));
            at = std::move(logical);
        }
        data_ = true;
        return at;
    }

    ir::Buffer buffer_;
    const std::vector<Layout>& relations_;
    ir::Environment env_;
    std::vector<ir::Expr> in_image_;
    Index extents_;
    std::int64_t rows_ = 1;
    std::int64_t columns_ = 1;
    json shown_ = json::array();
    bool data_ = false;
    bool padding_ = false;
};

// Scalars that extents and relations mention.
std::vector<ir::Expr> sizes_of(ir::Buffer buffer, const std::vector<Layout>& relations) {
    std::vector<ir::Expr> out;
    const auto add = [&](ir::Expr e, const std::vector<ir::Expr>& bound) {
        for (ir::Expr v : ir::free_vars(e)) {
            const auto in = [&](const std::vector<ir::Expr>& all) {
                return std::find(all.begin(), all.end(), v) != all.end();
            };
            if (!in(bound) && !in(out)) out.push_back(v);
        }
    };
    for (ir::Expr e : buffer->shape) add(e, {});
    for (const Layout& l : relations) {
        for (ir::Expr e : l.logical_shape) add(e, {});
        for (ir::Expr e : l.map) add(e, l.vars);
        for (ir::Expr e : l.inverse) add(e, l.physical_vars);
    }
    return out;
}

// All of them have the same value, or the nearest that is declared.
ir::Environment at_size(const ir::Function& f, const std::vector<ir::Expr>& sizes,
                        std::int64_t value, std::string& told) {
    ir::Environment env;
    told.clear();
    for (ir::Expr v : sizes) {
        std::int64_t mine = std::max(value, f.lower_bound(*v->name).value_or(value));
        mine = std::min(mine, f.upper_bound(*v->name).value_or(mine));
        env.vars[v] = ir::Value::of_int(ir::Integer(mine));
        told += (told.empty() ? "" : ", ") + *v->name + " = " + std::to_string(mine);
    }
    return env;
}

}  // namespace

json layouts_json(ir::Context& ctx, const ir::Function& f) {
    constexpr std::int64_t most = 40;  // value of a size that is tried
    json out = json::array();
    for (ir::Buffer buffer : f.buffer_params()) {
        const std::vector<Layout> relations = layouts_of(ctx, f, buffer->name);
        if (relations.empty()) continue;
        json words = json::array();
        json padding = json::array();
        for (const Layout& l : relations) {
            words.push_back(describe(l));
            padding.push_back(padding_json(l));
        }
        json told{{"buffer", buffer->name},
                  {"words", words},
                  {"padding", padding},
                  {"logical", extents_text(relations.front().logical_shape)},
                  {"physical", extents_text({buffer->shape.begin(), buffer->shape.end()})}};
        const std::vector<ir::Expr> sizes = sizes_of(buffer, relations);
        const bool numbers = std::all_of(sizes.begin(), sizes.end(), [](ir::Expr v) {
            return v->op == ir::Op::Var && v->type.is_int();
        });
        for (std::int64_t value = sizes.empty() ? most : 5; numbers && value <= most; ++value) {
            std::string at;
            Picture picture(ctx, buffer, relations, at_size(f, sizes, value, at));
            if (!picture.read() || !picture.has_data()) continue;
            if (!told.contains("rows") || picture.has_both()) {
                told.update(picture.told());
                told["sizes"] = at;
            }
            if (picture.has_both()) break;
        }
        out.push_back(told);
    }
    return out;
}

}  // namespace proviso::tools
