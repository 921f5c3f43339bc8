// Prints programs that share most of their statements, such as those of a derivation, one after the
// other: the text of a statement that the program before had, too, is taken from there.
#pragma once

#include <string>
#include <unordered_map>

#include "ir/function.h"

namespace proviso::ir {

// Texts of statements by handle and indentation; those that a program does not use are forgotten
// with the next one.
class StatementTexts {
  public:
    // Null where it is not known. Good until the next call.
    const std::string* find(Stmt s, int indent);
    void keep(Stmt s, int indent, std::string text);
    void next_program();

  private:
    using Texts = std::unordered_map<Stmt, std::string>;
    std::unordered_map<int, Texts> now_;
    std::unordered_map<int, Texts> before_;
};

// The statements' context must outlive it.
class ProgramPrinter {
  public:
    std::string print(const Function& f);  // ir::print(f)

  private:
    StatementTexts texts_;
};

}  // namespace proviso::ir
