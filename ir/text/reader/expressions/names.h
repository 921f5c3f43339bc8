// Names in scope while a program is read, and the unique names that its binders get.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/context.h"

namespace proviso::ir {

// What a written name stands for. Exactly one of `var` and `buffer` is set, or none of them for a
// T.handle parameter that is not matched to a buffer yet.
struct NameEntry {
    Expr var = nullptr;
    Buffer buffer = nullptr;
    int let_number = -1;  // of the let of an expression: i of `written_i`, 0 of `written` itself
};

class Names {
  public:
    Names();

    // What `written` means here; null when nothing.
    const NameEntry* find(const std::string& written) const;
    // Was bound, and went out of scope.
    bool was_bound(const std::string& written) const { return entries_.count(written) != 0; }

    // A name for a new binder: `written`, or `written_1`, … when another binder of the function has
    // it, or when it means something to TVMScript (`T`).
    std::string unique(const std::string& written);
    // Binds the variable of an expression's let, under a name of its own: several lets may share a
    // name, as long as none is inside the other, because one expression may stand in several
    // places.
    Expr bind_let(Context& ctx, const std::string& written, ScalarType type);

    void bind(const std::string& written, NameEntry entry);
    void set_used(const std::string& name) { used_.insert(name); }

    // Scopes: what was bound since `mark` is forgotten by `release`.
    std::size_t mark() const { return log_.size(); }
    void release(std::size_t mark);

    // Statement lists. A name is of this body when the innermost list bound it.
    void enter() { bodies_.push_back(log_.size()); }
    void leave() { bodies_.pop_back(); }
    bool is_of_this_body(const std::string& written) const;

    // Names that the file gives outside of this function, whose values Python would compute.
    // The set is the caller's, and outlives this.
    void set_of_file(const std::set<std::string>* names) { of_file_ = names; }
    bool is_of_file(const std::string& written) const {
        return of_file_ != nullptr && of_file_->count(written) != 0;
    }

    // All names in scope, sorted: candidates for "did you mean".
    std::vector<std::string> visible() const;

  private:
    std::map<std::string, std::vector<NameEntry>> entries_;
    std::vector<std::string> log_;
    std::vector<std::size_t> bodies_;
    std::map<std::string, int> in_scope_;  // variables by their names, and how often
    std::map<std::string, int> next_;      // of `unique`: numbers below are taken
    std::set<std::string> used_;
    std::set<std::string> lets_;
    const std::set<std::string>* of_file_ = nullptr;
};

struct Scope;
// Makes the names of a scope (text.h) visible; binders get other names than these.
void bind_scope(Names& names, const Scope& scope);

}  // namespace proviso::ir
