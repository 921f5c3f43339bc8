#include "fuzz/gen/pairs/pairs.h"

#include <fmt/format.h>

#include "ir/text.h"

namespace proviso::fuzz {

std::string PairType::zero() const {
    return is_float ? "T.float32(0.0)" : "0";
}

std::string PairType::buffer(const std::string& buffer_name, const std::string& shape) const {
    return fmt::format("{}: T.Buffer(({},), \"{}\")", buffer_name, shape, name);
}

std::string PairType::both(Choice& choice, const std::string& a, const std::string& b) const {
    if (is_float) {
        return choice.chance(70) ? fmt::format("{} * T.float32(0.5) + {}", a, b)
                                 : fmt::format("T.max({}, {})", a, b);
    }
    return fmt::format("({} * 2 + {}) % 97", a, b);
}

PairType pair_type(Choice& choice) {
    return choice.chance(50) ? PairType{"int32", false} : PairType{"float32", true};
}

GeneratedPair generate_pair(ir::Context& ctx, Choice& choice, const std::string& family) {
    const auto lists = {&loop_pairs(), &store_pairs(),     &layout_pairs(), &padding_pairs(),
                        &copy_pairs(), &placement_pairs(), &corner_pairs()};
    const auto* list = choice.pick(lists);
    std::vector<PairFamily> wanted;
    for (const auto* all : lists) {
        for (const PairFamily& f : *all) {
            if (f.name == family) wanted.push_back(f);
        }
    }
    const PairText text = choice.pick(family.empty() ? *list : wanted).make(choice);
    Result<ir::Function> f = ir::parse_function(ctx, "@T.prim_func\n" + text.program, "<pair>");
    PROVISO_CHECK(f.ok(), "a pair's program does not read: " + f.error().str() + text.program);
    GeneratedPair out;
    out.program.function = *std::move(f);
    for (ir::Buffer b : out.program.function.buffer_params()) {
        if (b->type.is_exact_int()) out.program.ranges[b->name] = CellRange{-100, 100};
    }
    for (const auto& [name, range] : text.ranges) out.program.ranges[name] = range;
    out.program.features = text.features;
    out.program.features.emplace_back("pair");
    out.schedule = text.schedule;
    return out;
}

}  // namespace proviso::fuzz
