// What proposers ask about the current program again and again: which names are taken, where a loop
// or block stands, what is stored. Brought up to date in time that grows with what has changed
// since the last question. Nothing here is trusted, and the answers are those of a search from the
// top.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "ir/function.h"
#include "ir/site.h"

namespace proviso::rewrite {

class ProgramIndex {
  public:
    // Brings the index up to date: the other answers are about `f`.
    const ProgramIndex& of(const ir::Function& f);

    bool is_bound(const std::string& name) const;  // as ir::bound_names has it
    bool is_block(const std::string& name) const;
    bool is_one_block(const std::string& name) const;
    std::optional<ir::Site> loop(const std::string& name) const;  // by variable
    // The first block of that name.
    std::optional<ir::Site> block(const std::string& name) const;

    bool is_stored(ir::Buffer b) const { return count(stored_, b) != 0; }
    bool is_given_a_constant(ir::Buffer b) const { return count(constants_, b) != 0; }
    // By an assumption that is more than permission to read.
    bool is_spoken_of(ir::Buffer b) const { return count(assumed_, b) != 0; }

  private:
    // Statements of one name, and where one of them was when last seen.
    struct Place {
        int count = 0;
        ir::Site site;
    };
    using Places = std::unordered_map<std::string, Place>;
    template <typename Key>
    static int count(const std::unordered_map<Key, int>& counts, const Key& key) {
        const auto found = counts.find(key);
        return found == counts.end() ? 0 : found->second;
    }

    void parameters(int sign);
    void statements(ir::Stmt s, ir::Site& site, int sign);
    void statement(ir::Stmt s, const ir::Site& site, int sign);
    static void place(Places& places, const std::string& name, const ir::Site& site, int sign);

    ir::Function program_;  // without a body: nothing is known yet
    std::unordered_map<std::string, int> names_;
    Places loops_;
    Places blocks_;
    std::unordered_map<ir::Buffer, int> stored_;
    std::unordered_map<ir::Buffer, int> constants_;
    std::unordered_map<ir::Buffer, int> assumed_;
};

}  // namespace proviso::rewrite
