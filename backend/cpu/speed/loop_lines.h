// Line numbers in generated code: each instruction of a loop gets the line of the innermost `for`
// around it, so that what LLVM says of its loops can be told in the program's terms.
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace llvm {
class DIBuilder;
class DISubprogram;
class Function;
class IRBuilderBase;
class Module;
}  // namespace llvm

namespace proviso::backend {

class LoopLines {
  public:
    // `lines`: of the loops in the order in which they stand in the program.
    LoopLines(llvm::Module& module, std::span<const unsigned> lines);
    ~LoopLines();
    LoopLines(const LoopLines&) = delete;
    LoopLines& operator=(const LoopLines&) = delete;

    // Code of a function that is filled from now on may have lines.
    void begin(llvm::Function& function);
    // The next loop begins, with all of its code; ends with the object.
    class Loop {
      public:
        Loop(LoopLines* lines, llvm::IRBuilderBase& builder);
        ~Loop();
        Loop(const Loop&) = delete;
        Loop& operator=(const Loop&) = delete;

      private:
        LoopLines* lines_;
        llvm::IRBuilderBase& builder_;
        unsigned outer_ = 0;
    };
    // What the builder makes belongs to the line of `function` where the builder stands: after it
    // went to another function, or came back.
    void place(llvm::IRBuilderBase& builder);
    // No more lines: what the builder makes from now on has none.
    void finish(llvm::IRBuilderBase& builder);

  private:
    std::span<const unsigned> lines_;
    std::size_t next_ = 0;
    unsigned line_ = 0;  // of the innermost loop; 0: none
    std::unique_ptr<llvm::DIBuilder> info_;
};

}  // namespace proviso::backend
