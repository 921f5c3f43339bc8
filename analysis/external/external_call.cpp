#include "analysis/external/external_call.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include "analysis/external/description.h"
#include "ir/site.h"
#include "ir/text.h"

namespace proviso::analysis {

using namespace ir;

namespace {

constexpr std::size_t kMostDescription = 65'536;  // bytes of text
constexpr std::size_t kMostArguments = 128;

std::string text_in(const AttrValue::Dict& dict, const char* key) {
    const auto found = dict.find(key);
    const auto* text =
        found == dict.end() ? nullptr : std::get_if<std::string>(&found->second.value);
    return text == nullptr ? std::string() : *text;
}

Result<ExternalFunction> function_of(const Block& block) {
    const AttrValue& value = block.annotations.at(kExternAttr);
    const auto* dict = std::get_if<AttrValue::Dict>(&value.value);
    if (dict == nullptr) return error("the annotation is no dictionary");
    ExternalFunction out;
    out.symbol = text_in(*dict, "symbol");
    out.result = text_in(*dict, "result");
    out.description = text_in(*dict, "description");
    const auto arguments = dict->find("arguments");
    const auto* list =
        arguments == dict->end() ? nullptr : std::get_if<AttrValue::List>(&arguments->second.value);
    if (list == nullptr || out.symbol.empty() || out.description.empty()) {
        return error("the annotation has no symbol, no arguments or no description");
    }
    if (out.result != "void" && !ScalarType::parse(out.result)) {
        return error("\"" + out.result + "\" is no type of a result");
    }
    if (out.description.size() > kMostDescription || list->size() > kMostArguments) {
        return error("the annotation is too long");
    }
    for (const AttrValue& item : *list) {
        const auto* text = std::get_if<std::string>(&item.value);
        if (text == nullptr) return error("an argument is no text");
        out.arguments.push_back(*text);
    }
    return out;
}

// Loops around one store.
std::optional<Leaf> plain_nest(Stmt s) {
    Leaf out;
    for (const For* n = s->as<For>(); n != nullptr; n = s->as<For>()) {
        if (!is_int_const(n->lo, 0) || !is_int_const(n->hi) || n->kind != ForKind::Serial ||
            n->hi->int_value() < 1) {
            return std::nullopt;
        }
        out.loops.push_back(*n);
        s = n->body;
    }
    const Store* store = s->as<Store>();
    if (store == nullptr) return std::nullopt;
    out.store = *store;
    return out;
}

bool is_exact(Expr index) {
    return index->type.is_int() && index->type.is_signed() && index->type.bits >= 32;
}

// Elements from one row of a dimension to the next; nullopt: not known.
std::optional<Integer> stride(Buffer b, std::size_t dimension) {
    Integer out = 1;
    for (std::size_t d = dimension + 1; d < b->rank(); ++d) {
        if (!is_int_const(b->shape[d])) return std::nullopt;
        out = out * Integer(b->shape[d]->int_value());
    }
    return out;
}

class Caller {
  public:
    Caller(const Block& block, ExternalFunction function)
        : block_(block), function_(std::move(function)) {}

    Result<ExternalCall> run() {
        if (!block_.iters.empty() || block_.init != nullptr || !is_true(block_.predicate)) {
            return error("the block has iterators, a predicate or an initialisation");
        }
        const Result<Function> description =
            parse_function(own_, function_.description, "description");
        if (!description) return error("its description: " + description.error().message);
        const auto leaves = read_leaves(own_, description->body);
        if (!leaves || leaves->size() != 1) {
            return error(
                "its description is no nest of loops of constant extents around one store");
        }
        const std::optional<Leaf> found = plain_nest(block_.body);
        if (!found) return error("the block is no nest of serial loops around one store");
        DescriptionMatch match(leaves->front(), *found);
        if (!match.same_store()) {
            return error("what the block stores, " + print(found->store.value) +
                         ", is not what the description says, " +
                         print(leaves->front().store.value));
        }
        views_ = match.views();
        if (const Status fits = can_be_passed(*description, leaves->front(), found->store); !fits) {
            return fits.error();
        }
        ExternalCall out;
        for (const std::string& text : function_.arguments) {
            Result<ExternalArgument> made = argument(text);
            if (!made) return made.error();
            out.arguments.push_back(std::move(*made));
        }
        if (const Status reached = all_reached(); !reached) return reached.error();
        for (const For& l : found->loops) out.loops.push_back(l.var);
        out.function = std::move(function_);
        return out;
    }

  private:
    // Different parameters are different buffers, and what the description does stays in them.
    Status can_be_passed(const Function& description, const Leaf& leaf, const Store& found) {
        if (!description.scalar_params().empty()) {
            return error("its description has a parameter that is a scalar");
        }
        if (has_op(found.value, Op::CallExtern)) return error("the block makes opaque calls");
        if (const auto licences = description.licences(); !licences.empty()) {
            return error("its description grants a licence, " + licences.front(),
                         "the block means what it says; a function of C does that exactly");
        }
        const std::string& stored = leaf.store.buffer->name;
        for (const auto& [name, view] : views_) {
            const Buffer passed = description.find_buffer_param(name);
            if (passed == nullptr) {
                return error("its description has a buffer of its own, " + name);
            }
            if (passed->scope != "global" && passed->scope != view.buffer->scope) {
                return error("its description has " + name + " in memory of scope \"" +
                             passed->scope + "\", and buffer " + view.buffer->name + " is in \"" +
                             view.buffer->scope + "\"");
            }
            for (Expr index : view.at) {
                if (const Status fine = is_fixed(index, found); !fine) return fine;
            }
            if (name != stored && view.buffer == views_.at(stored).buffer) {
                return error("buffer " + view.buffer->name + " would be passed for " + name +
                                 " and for " + stored + ", which is stored to",
                             "the parameters of a function are different buffers");
            }
        }
        Status inside = in_shape(leaf, leaf.store.buffer, leaf.store.indices);
        for_each_node(leaf.store.value, [&](Expr e) {
            if (e->op == Op::Load && inside) inside = in_shape(leaf, e->buffer, e->args);
        });
        return inside;
    }

    // The code computes an index once, before the call, wherever the block would.
    static Status is_fixed(Expr index, const Store& found) {
        if (!is_exact(index)) return error("an index wraps: " + print(index));
        for (Buffer read : loaded_buffers(index)) {
            if (read == found.buffer) return error("an index reads what the block stores");
        }
        const bool may_fault = has_any(index, {Op::FloorDiv, Op::FloorMod, Op::TruncDiv,
                                               Op::TruncMod, Op::Shl, Op::Shr, Op::Load});
        const bool sometimes = has_any(found.value, {Op::IfThenElse, Op::And, Op::Or});
        if (!may_fault || !sometimes) return Unit{};
        return error("index " + print(index) +
                     " may have no value where the block does not read there");
    }

    static Status in_shape(const Leaf& leaf, Buffer b, std::span<const Expr> indices) {
        for (std::size_t d = 0; d < indices.size(); ++d) {
            const Affine index = Affine::of(indices[d]);
            Integer least = index.constant();
            Integer most = least;
            for (const For& l : leaf.loops) {
                const Integer far = index.factor_of(l.var) * Integer(l.hi->int_value() - 1);
                (far < Integer(0) ? least : most) = (far < Integer(0) ? least : most) + far;
            }
            if (!is_int_const(b->shape[d])) {
                return error("its description has a parameter of symbolic shape, " + b->name);
            }
            if (least >= Integer(0) && most < Integer(b->shape[d]->int_value())) continue;
            return error("its description leaves the shape of its parameter " + b->name);
        }
        return Unit{};
    }

    Result<ExternalArgument> argument(const std::string& text) {
        ExternalArgument out;
        const char* const end = text.data() + text.size();
        const auto number = std::from_chars(text.data(), end, out.number);
        if (number.ec == std::errc() && number.ptr == end) return out;
        const std::size_t dot = text.find('.');
        const std::string name = text.substr(0, dot);
        const std::string what = dot == text.npos ? "" : text.substr(dot + 1);
        const auto found = views_.find(name);
        if (found == views_.end()) {
            return error("argument " + text + ": the description neither reads nor stores to " +
                         name);
        }
        const DescriptionMatch::View& view = found->second;
        const std::size_t more = view.buffer->rank() - view.parameter->rank();
        out.buffer = view.buffer;
        out.at = view.at;
        for (std::size_t d = 0; d < view.at.size(); ++d) {
            const auto less = d < more ? std::optional<Int128>(0)
                                       : Affine::of(view.like[d - more]).constant().to_int128();
            if (!less || *less > std::numeric_limits<std::int32_t>::max() ||
                *less < std::numeric_limits<std::int32_t>::min()) {
                return error("an index of " + name + " is too large");
            }
            out.less.push_back(static_cast<std::int64_t>(*less));
        }
        if (what.empty()) {
            out.kind = ExternalArgument::Kind::Pointer;
        } else if (what == "data") {
            out.kind = ExternalArgument::Kind::Data;
        } else if (what == "elem_offset") {
            out.kind = ExternalArgument::Kind::Offset;
        } else {
            std::size_t dimension = 0;
            const std::string rest = what.substr(0, 8) == "strides[" ? what.substr(8) : "";
            const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), dimension);
            const std::string close(read.ptr, rest.data() + rest.size());
            if (rest.empty() || read.ec != std::errc() || close != "]" ||
                dimension >= view.parameter->rank()) {
                return error("argument " + text + " is not one that can be passed",
                             "A, A.data, A.elem_offset, A.strides[0], or a number");
            }
            out.kind = ExternalArgument::Kind::Stride;
            out.dimension = more + dimension;
            strides_.insert({name, dimension});
        }
        passed_.insert({name, out.kind});
        return out;
    }

    // The function can find every cell that the description mentions.
    Status all_reached() const {
        const auto has = [&](const std::string& name, ExternalArgument::Kind kind) {
            return passed_.count({name, kind}) != 0;
        };
        for (const auto& [name, view] : views_) {
            const bool found = has(name, ExternalArgument::Kind::Pointer) ||
                               (has(name, ExternalArgument::Kind::Data) &&
                                has(name, ExternalArgument::Kind::Offset));
            if (!found) {
                return error("no argument leads to " + name + ", which the description mentions",
                             "pass " + name + ".access_ptr(\"r\"), or " + name + ".data and " +
                                 name + ".elem_offset");
            }
            const std::size_t rank = view.parameter->rank();
            const std::size_t more = view.buffer->rank() - rank;
            for (std::size_t d = 0; d + 1 < rank; ++d) {
                if (is_int_const(view.parameter->shape[d], 1)) continue;
                const auto actual = stride(view.buffer, more + d);
                if (strides_.count({name, d}) != 0) continue;
                if (actual && actual == stride(view.parameter, d)) continue;
                return error("rows of buffer " + view.buffer->name +
                                 " are not as far apart as those of parameter " + name +
                                 ", and the function is not told how far",
                             "pass " + name + ".strides[" + std::to_string(d) +
                                 "], or copy the tile to a buffer of its own first "
                                 "(sch.cache_read, sch.cache_write)");
            }
        }
        return Unit{};
    }

    const Block& block_;
    ExternalFunction function_;
    Context own_;  // of the description
    std::map<std::string, DescriptionMatch::View> views_;
    std::set<std::pair<std::string, std::size_t>> strides_;  // that are passed
    std::set<std::pair<std::string, ExternalArgument::Kind>> passed_;
};

// What C sees of a call.
struct Use {
    std::string place;      // block "t", at body/0
    std::string prototype;  // void dot4(float32*, int64, int32)
    std::vector<std::int32_t> numbers;
    ExternalFunction function;
};

Use use_of(const ExternalCall& call, std::string place) {
    Use out{std::move(place), {}, {}, call.function};
    std::string types;
    for (const ExternalArgument& a : call.arguments) {
        types += types.empty() ? "" : ", ";
        switch (a.kind) {
            case ExternalArgument::Kind::Pointer:
            case ExternalArgument::Kind::Data: types += a.buffer->type.str() + "*"; break;
            case ExternalArgument::Kind::Offset:
            case ExternalArgument::Kind::Stride: types += "int64"; break;
            case ExternalArgument::Kind::Number:
                types += "int32";
                out.numbers.push_back(a.number);
                break;
        }
    }
    out.prototype = call.function.result + " " + call.function.symbol + "(" + types + ")";
    return out;
}

Status agree(const Use& a, const Use& b) {
    const std::string both = "the external function \"" + a.function.symbol + "\" is called ";
    if (a.prototype != b.prototype) {
        return error(both + "in two ways: " + a.prototype + " in " + a.place + ", and " +
                         b.prototype + " in " + b.place,
                     "a C function has one prototype; another one has another name");
    }
    const bool same = a.function.description == b.function.description &&
                      a.function.arguments == b.function.arguments;
    if (same || a.numbers != b.numbers) return Unit{};
    return error(both + "for two things by the same arguments, in " + a.place + " and in " +
                     b.place + ", and cannot tell them apart",
                 "call a function of another name, or pass a number that tells them apart; for "
                 "one thing, use one intrinsic");
}

}  // namespace

AttrValue ExternalFunction::annotation() const {
    AttrValue::List list;
    for (const std::string& a : arguments) list.push_back(AttrValue{a});
    return AttrValue{AttrValue::Dict{{"symbol", AttrValue{symbol}},
                                     {"result", AttrValue{result}},
                                     {"arguments", AttrValue{std::move(list)}},
                                     {"description", AttrValue{description}}}};
}

Result<ExternalCall> external_call(const Block& block) {
    Result<ExternalFunction> function = function_of(block);
    Result<ExternalCall> out =
        function ? Caller(block, *function).run() : Result<ExternalCall>(function.error());
    if (out) return out;
    Diagnostic why = out.error();
    const std::string symbol = external_symbol(block);
    why.message = "block " + block.name + " cannot be a call of \"" + symbol + "\": " + why.message;
    return why;
}

Status external_calls_agree(std::span<const Function> program) {
    std::map<std::string, std::vector<Use>> by_symbol;
    for (const Function& f : program) {
        if (f.body == nullptr) continue;
        for (const auto& [site, stmt] : all_statements(f)) {
            const Block* block = stmt->as<Block>();
            if (block == nullptr || !calls_external(*block)) continue;
            const Result<ExternalCall> call = external_call(*block);
            if (!call) continue;
            const std::string whose = program.size() > 1 ? " of " + f.name : "";
            Use use = use_of(*call, "block \"" + block->name + "\"" + whose + ", at " + site.str());
            std::vector<Use>& known = by_symbol[call->function.symbol];
            bool is_new = true;
            for (const Use& other : known) {
                if (const Status fine = agree(other, use); !fine) return fine;
                is_new = is_new && other.numbers != use.numbers;
            }
            if (is_new) known.push_back(std::move(use));
        }
    }
    return Unit{};
}

}  // namespace proviso::analysis
