#include "rewrite/passes/share_memory.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "analysis/parts/top_level.h"
#include "ir/children.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// What buffers of one place have in common.
using MemoryKind = std::tuple<std::string, std::string, std::string>;

MemoryKind kind_of(Buffer b) {
    return {b->type.str(), std::string(b->scope), b->shape[0]->type.str()};
}

// Absent: it is not constant, or too large to speak of.
std::optional<std::int64_t> bytes_of_buffer(Buffer b) {
    Int128 out = b->type.bytes();
    for (Expr extent : b->shape) {
        if (!is_int_const(extent)) return std::nullopt;
        out *= extent->int_value();
        if (out < 0 || out >> 47 != 0) return std::nullopt;
    }
    return static_cast<std::int64_t>(out);
}

class Planner {
  public:
    Planner(const Function& f, const std::set<std::string>& apart)
        : top_(analysis::top_level(f.body)), apart_(apart) {}

    MemoryPlan run() {
        for (Stmt s : top_.statements) touched_.push_back(analysis::touched_by(s));
        out_.statements = touched_.size();
        for (Buffer b : top_.buffers) add(b);
        std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
            return a.item.first < b.item.first;
        });
        for (Found& f : found_) place(f);
        out_.least = most_alive();
        return std::move(out_);
    }

  private:
    struct Found {
        MemoryPlan::Item item;
        Buffer buffer = nullptr;
    };
    struct Place {
        MemoryKind kind;
        std::size_t free_after = 0;  // the last statement that uses it
        bool closed = false;         // of a buffer that stays apart
    };

    void add(Buffer b) {
        const auto bytes = bytes_of_buffer(b);
        if (!bytes || b->rank() == 0) return;
        Found f{{b->name, *bytes, touched_.size(), 0, 0}, b};
        for (std::size_t k = 0; k < touched_.size(); ++k) {
            if (!touched_[k].any(b)) continue;
            f.item.first = std::min(f.item.first, k);
            f.item.last = k;
        }
        if (f.item.first < touched_.size()) found_.push_back(std::move(f));
    }

    void place(Found& f) {
        const MemoryKind kind = kind_of(f.buffer);
        const bool alone = apart_.count(f.item.buffer) != 0;
        std::size_t best = places_.size();
        for (std::size_t k = 0; k < places_.size() && !alone; ++k) {
            const Place& p = places_[k];
            if (p.closed || p.kind != kind || p.free_after >= f.item.first) continue;
            if (best == places_.size() || better(out_.places[k], out_.places[best], f.item.bytes)) {
                best = k;
            }
        }
        if (best == places_.size()) {
            places_.push_back({kind, 0, alone});
            out_.places.push_back(0);
        }
        places_[best].free_after = f.item.last;
        std::int64_t& size = out_.places[best];
        out_.together += std::max(size, f.item.bytes) - size;
        size = std::max(size, f.item.bytes);
        f.item.place = best;
        out_.apart += f.item.bytes;
        out_.items.push_back(f.item);
    }

    // The smallest one that is large enough, else the largest one.
    static bool better(std::int64_t a, std::int64_t b, std::int64_t bytes) {
        if ((a >= bytes) != (b >= bytes)) return a >= bytes;
        return a >= bytes ? a < b : a > b;
    }

    // Buffers that stay apart are alive throughout.
    std::int64_t most_alive() const {
        std::int64_t out = 0;
        for (std::size_t k = 0; k < touched_.size(); ++k) {
            std::int64_t alive = 0;
            for (const MemoryPlan::Item& i : out_.items) {
                const bool now = i.first <= k && k <= i.last;
                if (now || apart_.count(i.buffer) != 0) alive += i.bytes;
            }
            out = std::max(out, alive);
        }
        return out;
    }

    analysis::TopLevel top_;
    const std::set<std::string>& apart_;
    std::vector<analysis::Touched> touched_;
    std::vector<Found> found_;
    std::vector<Place> places_;
    MemoryPlan out_;
};

class Sharing {
  public:
    Sharing(Proposer& p, const std::set<std::string>& apart) : p_(p), apart_(apart) {}

    MemoryPlan run() {
        const MemoryPlan plan = memory_plan(p_.current(), apart_);
        std::map<std::size_t, std::vector<std::string>> by_place;
        for (const MemoryPlan::Item& i : plan.items) by_place[i.place].push_back(i.buffer);
        std::set<std::string> alone = apart_;
        for (const auto& [place, names] : by_place) {
            if (names.size() < 2) continue;
            if (!alike(names)) {
                for (const std::string& name : names) flatten(name);
            }
            for (std::size_t k = 1; k < names.size(); ++k) {
                if (!share(names[0], names[k])) alone.insert(names[k]);
            }
        }
        MemoryPlan out = memory_plan_of(plan, alone);
        out.refused = std::move(refused_);
        return out;
    }

  private:
    // The same plan with places of their own for buffers that stayed.
    MemoryPlan memory_plan_of(const MemoryPlan& plan, const std::set<std::string>& alone) const {
        std::map<std::size_t, std::size_t> number;
        MemoryPlan out = plan;
        out.places.clear();
        out.together = 0;
        for (MemoryPlan::Item& i : out.items) {
            const bool own = alone.count(i.buffer) != 0 && apart_.count(i.buffer) == 0;
            std::size_t at = out.places.size();
            if (!own) at = number.emplace(i.place, at).first->second;
            if (at == out.places.size()) out.places.push_back(0);
            out.together += std::max<std::int64_t>(0, i.bytes - out.places[at]);
            out.places[at] = std::max(out.places[at], i.bytes);
            i.place = at;
        }
        return out;
    }

    Buffer find(const std::string& name) const {
        for (Buffer b : analysis::top_level(p_.current().body).buffers) {
            if (b->name == name) return b;
        }
        return nullptr;
    }

    // Of one shape, or of one dimension: the common shape has no more cells than the largest one.
    bool alike(const std::vector<std::string>& names) const {
        Buffer first = find(names[0]);
        return first != nullptr && std::all_of(names.begin(), names.end(), [&](const auto& name) {
                   Buffer b = find(name);
                   return b != nullptr && (std::ranges::equal(b->shape, first->shape) ||
                                           (b->rank() == 1 && first->rank() == 1));
               });
    }

    void flatten(const std::string& name) {
        Buffer b = find(name);
        if (b == nullptr || b->rank() < 2) return;
        std::set<std::string> used = bound_names(p_.current());
        const json args = {{"buffer", name}, {"var", fresh_name(name + "_flat", used)}};
        std::optional<Rejection> no;
        p_.try_apply("flatten", Site{}, args, &no);
        if (no) refused_.push_back(name + ": " + no->diagnostic.message);
    }

    bool share(const std::string& first, const std::string& second) {
        std::optional<Rejection> no;
        const json args = {{"first", first}, {"second", second}};
        if (p_.try_apply("share-buffer", Site{}, args, &no)) return true;
        if (no) refused_.push_back(second + ": " + no->diagnostic.message);
        return false;
    }

    Proposer& p_;
    const std::set<std::string>& apart_;
    std::vector<std::string> refused_;
};

}  // namespace

MemoryPlan memory_plan(const Function& f, const std::set<std::string>& apart) {
    return Planner(f, apart).run();
}

MemoryPlan share_memory(Proposer& p, const std::set<std::string>& apart) {
    return Sharing(p, apart).run();
}

}  // namespace proviso::rewrite
