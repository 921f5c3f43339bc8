#include "fuzz/gen/program.h"

#include "fuzz/gen/stages.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

ScalarType element_type(Choice& choice) {
    static const std::vector<ScalarType> types = {kFloat32, kInt32,    kInt8,    kUInt8,
                                                  kInt16,   kFloat16,  kFloat64, kInt64,
                                                  kUInt16,  kBFloat16, kBool,    kUInt32};
    return types[choice.weighted({30, 20, 8, 8, 6, 6, 6, 6, 4, 2, 2, 2})];
}

class ProgramGen {
  public:
    ProgramGen(Context& ctx, Choice& choice, ProgramStyle style) : ctx_(ctx), choice_(choice) {
        stages_.blocks_only = style == ProgramStyle::Blocks;
    }

    GeneratedProgram run() {
        index_type_ = choice_.chance(85) ? kInt32 : kInt64;
        stages_.names = {"kernel"};
        make_size();
        const auto inputs = choice_.weighted({50, 35, 15}) + 1;
        static const std::vector<std::string> in_names = {"A", "B", "C"};
        for (std::size_t k = 0; k < inputs; ++k) make_input(in_names[k]);
        std::vector<Target> targets;
        const auto internals = choice_.weighted({50, 38, 12});
        for (std::size_t k = 0; k < internals; ++k) {
            targets.push_back(target("tmp", choice_.pick({"global", "local"}), true));
        }
        const auto outputs = choice_.weighted({75, 25}) + 1;
        for (std::size_t k = 0; k < outputs; ++k) {
            targets.push_back(target(k == 0 ? "Y" : "Z", "global", false));
            out_.function.params.emplace_back(targets.back().buffer);
        }
        Stmt body = ctx_.seq({preamble(), rest(targets, 0)});
        out_.function.name = "kernel";
        out_.function.body = body;
        out_.features.assign(stages_.features.begin(), stages_.features.end());
        return std::move(out_);
    }

  private:
    void make_size() {
        if (!choice_.chance(25)) return;
        const std::int64_t lo = choice_.between(1, 4);
        const std::int64_t hi = choice_.between(lo, 9);
        stages_.names.insert("n");
        size_ = Extent{ctx_.var("n", index_type_), lo, hi};
        out_.function.params.emplace_back(size_.value);
        out_.function.attrs[kLowerBoundAttr].value = AttrValue::Dict{{"n", AttrValue{lo}}};
        out_.function.attrs[kUpperBoundAttr].value = AttrValue::Dict{{"n", AttrValue{hi}}};
        stages_.features.insert("size parameter");
        stages_.sizes.push_back(Variable{Ranged{size_.value, size_.lo, size_.hi}, nullptr});
    }

    Extent extent() {
        if (size_.value != nullptr && choice_.chance(45)) return size_;
        static const std::vector<int> sizes = {1, 2, 3, 4, 5, 6, 7, 8};
        const std::int64_t e = sizes[choice_.weighted({4, 8, 20, 10, 20, 14, 16, 8})];
        return Extent{ctx_.int_imm(index_type_, e), e, e};
    }

    std::vector<Extent> shape() {
        const std::size_t rank = choice_.weighted({55, 38, 7}) + 1;
        std::vector<Extent> out;
        for (std::size_t d = 0; d < rank; ++d) out.push_back(extent());
        return out;
    }

    Buffer buffer(const std::string& name, ScalarType type, const std::vector<Extent>& shape,
                  const std::string& scope) {
        std::vector<Expr> extents;
        for (const Extent& e : shape) extents.push_back(e.value);
        return ctx_.buffer(name, type, extents, scope);
    }

    void make_input(const std::string& name) {
        stages_.names.insert(name);
        const std::vector<Extent> dims = shape();
        const ScalarType type = element_type(choice_);
        last_type_ = type;
        Readable in{buffer(name, type, dims, "global"), dims, 0, 0};
        if (type.is_exact_int()) {
            in.lo = -100;
            in.hi = 100;
        } else if (type.is_int()) {
            in.lo = type.min_value();
            in.hi = type.max_value();
        } else if (type.is_bool()) {
            in.hi = 1;
        }
        out_.function.params.emplace_back(in.buffer);
        if (type.is_int()) out_.ranges[name] = CellRange{in.lo, in.hi};
        stages_.readable.push_back(in);
        stages_.features.insert(type.str());
    }

    Target target(const std::string& base, const std::string& scope, bool internal) {
        Target t;
        t.shape = shape();
        t.internal = internal;
        // Often of a type that is there already, so that values flow from stage to stage.
        if (!choice_.chance(45)) last_type_ = element_type(choice_);
        t.buffer = buffer(fresh_name(base, stages_.names), last_type_, t.shape, scope);
        return t;
    }

    // Assumes that the stated ranges make true.
    Stmt preamble() {
        std::vector<Stmt> out;
        for (const Readable& in : stages_.readable) {
            if (!in.buffer->type.is_exact_int() || !choice_.chance(25)) continue;
            stages_.features.insert("assume");
            out.push_back(stages_.assume_range(ctx_, choice_, in));
        }
        return ctx_.seq(out);
    }

    // The statements that write targets k, k + 1, .. . An internal buffer lives from its own on.
    Stmt rest(const std::vector<Target>& targets, std::size_t k) {
        if (k == targets.size()) return ctx_.pass();
        Stmt mine = stages_.write(ctx_, choice_, targets[k]);
        Stmt later = rest(targets, k + 1);
        if (!targets[k].internal) return ctx_.seq({mine, later});
        return ctx_.stmt(Allocate{targets[k].buffer, ctx_.seq({mine, later})});
    }

    Context& ctx_;
    Choice& choice_;
    ScalarType index_type_;
    ScalarType last_type_;
    Extent size_;
    Stages stages_;
    GeneratedProgram out_;
};

}  // namespace

GeneratedProgram generate_program(Context& ctx, Choice& choice, ProgramStyle style) {
    return ProgramGen(ctx, choice, style).run();
}

}  // namespace proviso::fuzz
