// The check of ir/well_formed.h, statement by statement: of a whole function, or of statements that
// stand somewhere in one. Only well_formed.cpp and known_program.cpp look in here.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/function.h"
#include "ir/result.h"
#include "ir/site.h"

namespace proviso::ir {

class Checker {
  public:
    explicit Checker(const Function& f) : f_(f) {}

    // The whole function: every fault, in textual order.
    std::vector<Diagnostic> run();

    // One statement with all below it, as it stands within the statements `around` (outermost
    // first) of the function; sites in messages start at it. Faults, binders and lets add up over
    // several calls. What only the whole function shows is the caller's: that names differ from
    // those outside of these statements, and how deep it nests.
    void part(const std::vector<Stmt>& around, Stmt s);

    const std::vector<Diagnostic>& found() const { return found_; }
    const std::set<std::string>& binders() const { return names_; }
    const std::map<std::string, std::optional<Site>>& lets() const { return let_names_; }

  private:
    bool is_bound_around(Expr var, Buffer buffer) const;
    void wrong(const std::string& message);
    void binder(const std::string& name);
    void parameters();
    void declaration(Buffer b);
    void attributes();
    void size_bound(const std::string& key, const std::string& name, const AttrValue& value);
    bool is_licence(const std::string& text) const;
    void expression(Expr e, const std::string& what);
    void let(Expr n);
    void used(Buffer b);
    void condition(Expr e, const std::string& what);
    void definite(Expr e, const std::string& what);
    void with_var(Expr var, Stmt body, const Site& site);
    void bind(Expr var);
    void statement(Stmt s, const Site& site);
    void claim(Expr e, const std::string& what);
    void store(const Store& n);
    void loop(const For& n, const Site& site);
    void bound(Expr e, Expr var, const std::string& what);
    void block(const Block& n, const Site& site);
    void region(const BufferRegion& r);

    const Function& f_;
    std::vector<Diagnostic> found_;
    std::optional<Site> here_;  // of the statement last begun; none yet
    std::set<std::string> names_;
    std::map<std::string, std::optional<Site>> let_names_;  // name -> site of the first one
    std::set<Expr> vars_;
    std::set<Buffer> buffers_;
    std::set<Expr> nodes_;
    bool parameters_known_ = false;  // by `part`
    std::vector<Stmt> around_;       // the part
};

}  // namespace proviso::ir
