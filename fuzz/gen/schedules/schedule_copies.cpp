#include "fuzz/gen/schedules/schedule_copies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/text.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

std::string scope_of(Choice& choice) {
    return choice.pick({"global", "local", "shared"});
}

// The buffer by its name or its number.
std::string buffer_of(Choice& choice, const std::vector<Buffer>& all, Buffer one) {
    if (choice.chance(60)) return "\"" + one->name + "\"";
    return std::to_string(std::find(all.begin(), all.end(), one) - all.begin());
}

std::string table(Choice& choice, const BlockHandles& b) {
    std::string threshold;
    if (choice.chance(60)) threshold = fmt::format(", cse_thresh={}", choice.between(0, 3));
    return fmt::format("sch.cache_index({}, \"{}\"{})\n", b.name, scope_of(choice), threshold);
}

// Mostly of a buffer that the block updates.
std::string in_place(Choice& choice, const BlockHandles& b) {
    std::vector<Buffer> both;
    for (Buffer x : b.loaded) {
        if (std::find(b.stored.begin(), b.stored.end(), x) != b.stored.end()) both.push_back(x);
    }
    if (b.loaded.empty() || (both.empty() && !choice.chance(5))) return "";
    Buffer x = choice.pick(both.empty() ? b.loaded : both);
    return fmt::format("sch.cache_inplace({}, {}, \"{}\")\n", b.name,
                       buffer_of(choice, b.loaded, x), scope_of(choice));
}

// Mostly all of a dimension, or an iterator with something around it.
std::string region(Choice& choice, const BlockHandles& b) {
    const bool write = choice.chance(50);
    const std::vector<Buffer>& all = write ? b.stored : b.loaded;
    if (all.empty()) return "";
    Buffer x = choice.pick(all);
    std::vector<std::string> names, ranges;
    for (std::size_t k = 0; k < b.iterators; ++k) names.push_back(fmt::format("x{}", k));
    for (std::size_t d = 0; d < x->rank(); ++d) {
        const std::string v = names.empty() ? "0" : names[std::min(d, names.size() - 1)];
        switch (choice.weighted({60, 25, 15})) {
            case 0: ranges.push_back(fmt::format("(0, {})", print(x->shape[d]))); break;
            case 1: ranges.push_back(v); break;
            default:
                ranges.push_back(fmt::format("({} - {}, {} + {})", v, choice.between(0, 2), v,
                                             choice.between(1, 3)));
        }
    }
    return fmt::format("sch.annotate_buffer_access({}, {}, \"{}\", lambda {}: ({},))\n", b.name,
                       buffer_of(choice, all, x), write ? "write" : "read", fmt::join(names, ", "),
                       fmt::join(ranges, ", "));
}

// Mostly of a buffer of the function.
std::string type(Choice& choice, const BlockHandles& b) {
    if (b.stored.empty() || (b.own.empty() && !choice.chance(5))) return "";
    const std::string buffer = b.own.empty() ? choice.pick(b.stored)->name : choice.pick(b.own);
    return fmt::format("sch.{}({}, \"{}\", \"{}\")\n",
                       choice.pick({"set_dtype", "unsafe_set_dtype"}), b.name, buffer,
                       choice.pick({"int64", "int32", "int16", "int8", "uint8", "uint32", "bool",
                                    "float64", "float32", "float16"}));
}

}  // namespace

std::string copy_call(Choice& choice, const BlockHandles& b) {
    switch (choice.weighted({4, 3, 3, 3})) {
        case 0: return table(choice, b);
        case 1: return in_place(choice, b);
        case 2: return region(choice, b);
        default: return type(choice, b);
    }
}

}  // namespace proviso::fuzz
