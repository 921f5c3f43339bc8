#include "verify/tv/numbering/terms.h"

#include <algorithm>

#include "verify/tv/expressions.h"

namespace proviso::verify {

using namespace ir;

namespace {

constexpr int kFirstBits = 12;
constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;  // 2^64 / golden ratio: Knuth, TAOCP 6.4

}  // namespace

Terms::Terms(std::size_t limit)
    : limit_(limit), table_(std::size_t{1} << kFirstBits), shift_(64 - kFirstBits) {
    records_.resize(2);  // kIndet, kClosed
    next_.resize(2);
    leaves_ = {nullptr};
}

TermId Terms::leaf(Expr e) {
    const auto [known, is_new] = by_leaf_.emplace(e, static_cast<TermId>(records_.size()));
    if (is_new) {
        if (records_.size() >= limit_) throw GivenUp{kTooManyTerms};
        records_.push_back({0, {static_cast<TermId>(leaves_.size())}});
        next_.push_back(0);
        leaves_.push_back(e);
    }
    return known->second;
}

TermId Terms::constant(Context& ctx, ScalarType type, std::int64_t value) {
    TermId& known = constants_[type][value];
    if (known == 0)
        known = leaf(type.is_bool() ? ctx.bool_imm(value != 0) : ctx.int_imm(type, value));
    return known;
}

std::uint32_t Terms::kind(Expr e) {
    const Kind key{e->op, e->type, e->op == Op::Math ? e->bits : 0, e->args.size()};
    const auto [known, is_new] = kinds_.emplace(key, static_cast<std::uint32_t>(kind_of_.size()));
    if (is_new) kind_of_.push_back(key);
    return known->second;
}

std::uint64_t Terms::hash_of(const Record& r) {
    std::uint64_t hash = r.kind * kOdd;
    for (const TermId a : r.args) hash = ((hash ^ (hash >> 32)) + a) * kOdd;
    return hash;
}

Terms::Entry& Terms::slot_of(const Record& r, std::uint64_t hash) {
    const std::size_t mask = table_.size() - 1;
    const auto low = static_cast<std::uint32_t>(hash);
    std::size_t at = hash >> shift_;
    while (table_[at].id != 0 && (table_[at].hash != low || records_[table_[at].id] != r)) {
        at = (at + 1) & mask;
    }
    return table_[at];
}

TermId Terms::term(std::uint32_t kind, std::span<const TermId> args) {
    if (args.size() > kMostOperands) throw GivenUp{"an operator of many operands"};
    Record r{kind, {}};
    std::copy(args.begin(), args.end(), r.args.begin());
    TermId id = next_[last_];
    if (records_[id] != r) {
        id = find_or_make(r);
        next_[last_] = id;
    }
    last_ = id;
    return id;
}

TermId Terms::find_or_make(const Record& r) {
    const std::uint64_t hash = hash_of(r);
    Entry* found = &slot_of(r, hash);
    if (found->id != 0) return found->id;
    if (records_.size() >= limit_) throw GivenUp{kTooManyTerms};
    if (records_.size() * 2 > table_.size()) {
        grow();
        found = &slot_of(r, hash);
    }
    *found = {static_cast<std::uint32_t>(hash), static_cast<TermId>(records_.size())};
    records_.push_back(r);
    next_.push_back(0);
    return found->id;
}

void Terms::grow() {
    table_.assign(table_.size() * 2, {});
    --shift_;
    for (TermId id = 2; id < records_.size(); ++id) {
        if (is_leaf(id)) continue;
        const std::uint64_t hash = hash_of(records_[id]);
        slot_of(records_[id], hash) = {static_cast<std::uint32_t>(hash), id};
    }
}

Expr Terms::expr(Context& ctx, TermId id) const {
    const Record& r = records_[id];
    if (r.kind == 0) return leaves_[r.args[0]];
    return ctx.var("term " + std::to_string(id), std::get<1>(kind_of_[r.kind]));
}

}  // namespace proviso::verify
