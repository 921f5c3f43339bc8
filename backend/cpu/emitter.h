// The state of one function's translation, and the translation of each kind of node. Internal to
// the back ends: codegen.cpp makes the function around it, emitter_*.cpp hold the parts; kernels of
// GPUs (gpu/kernel_emitter.h) have their own function around the same parts.
//
// Values in registers: bool is i1, intN and uintN are iN, float32 and float64 are float and double,
// float16 and bfloat16 are i16 (their bits). In memory bool is i8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backend/cpu/options.h"
#include "backend/cpu/speed/loop_lines.h"
#include "backend/unrolling.h"
#include "ir/function.h"
#include "ir/site.h"

namespace llvm {
class BasicBlock;
class CallInst;
class Function;
class FunctionCallee;
class IRBuilderBase;
class Instruction;
class LLVMContext;
class MDNode;
class Module;
class Type;
class Value;
}  // namespace llvm

namespace proviso::backend {

// A division that may have no quotient: by anything but a constant other than 0 and -1.
bool divides_by_variable(ir::Expr e);

// Where a buffer lives.
struct BufferSlot {
    ir::Buffer buffer = nullptr;
    llvm::Value* data = nullptr;
    std::vector<llvm::Value*> extents;  // elements, i64
    std::size_t skip = 0;               // leading dimensions that positions leave out
};

class Emitter {
  public:
    Emitter(llvm::Module& module, const ir::Function& f, const CpuOptions& options);
    Emitter(const Emitter&) = delete;
    Emitter& operator=(const Emitter&) = delete;
    virtual ~Emitter() = default;

    // codegen.cpp. Types of memory and of registers; C's type for a parameter.
    llvm::Type* storage_type(ir::ScalarType type) const;
    llvm::Type* register_type(ir::ScalarType type) const;
    llvm::Value* to_register(llvm::Value* stored, ir::ScalarType type);
    llvm::Value* to_storage(llvm::Value* value, ir::ScalarType type);

    // The exported functions.
    void emit_entry();
    // Products may be fused into sums from now on (licence.h).
    void allow_contraction() { contract_ = true; }
    // Code in the function of the frame may have line numbers from now on.
    void begin_lines();
    void emit_packed();
    void emit_shape();
    void emit_message();

    // emitter_expr.cpp. The value of an expression where the builder stands. Nodes that were
    // already computed since begin_expressions() on a path to here are not computed again.
    llvm::Value* expr(ir::Expr e);
    // Forgets all computed nodes: memory may have changed, or control flow has moved on.
    void begin_expressions();
    llvm::Value* index64(ir::Expr e);
    // The value made definite: one arbitrary value where it was indeterminate.
    llvm::Value* definite(llvm::Value* value);

    // emitter_stmt.cpp, emitter_loop.cpp.
    void stmt(ir::Stmt s);

  protected:
    struct Memo {
        std::unordered_map<ir::Expr, llvm::Value*> values;
        bool opaque = false;  // what outer layers hold is not valid here
    };
    // A loop whose iterations are independent, and how many buffers are from outside it.
    struct IndependentLoop {
        llvm::MDNode* group;
        std::size_t outer_buffers;
    };
    // What belongs to the LLVM function that is being filled.
    struct Frame {
        llvm::Function* function = nullptr;
        llvm::BasicBlock* entry = nullptr;  // holds the allocas
        std::vector<llvm::Value*> heap;     // live allocations, to free before an early return
        std::vector<IndependentLoop> independent;
        std::int64_t stack_bytes = 0;
    };

    // emitter_expr.cpp
    llvm::Value* compute(ir::Expr e);
    llvm::Value* constant(ir::Expr e);
    llvm::Value* lookup(ir::Expr var) const;
    llvm::Value* short_circuit(ir::Expr e);
    llvm::Value* if_then_else(ir::Expr e);
    llvm::Value* branch_value(llvm::Value* cond, ir::ScalarType type,
                              const std::function<llvm::Value*()>& then_value,
                              const std::function<llvm::Value*()>& else_value);
    llvm::Value* let(ir::Expr e);
    llvm::Value* load(ir::Expr e);
    llvm::Value* call_extern(ir::Expr e);
    const BufferSlot& slot(ir::Buffer buffer, std::size_t* position = nullptr) const;
    llvm::Value* address(const BufferSlot& slot, const std::vector<llvm::Value*>& indices);
    void mark_independent(llvm::Instruction* access, std::size_t buffer_position);

    // emitter_arith.cpp
    llvm::Value* neg(ir::Expr e);
    llvm::Value* ring(ir::Expr e);
    llvm::Value* float_binary(ir::Op op, ir::ScalarType type, llvm::Value* a, llvm::Value* b);
    llvm::Value* division(ir::Expr e);
    llvm::Value* has_no_quotient(ir::Expr e, llvm::Value* x, llvm::Value* y);
    llvm::Value* divisor_that_fits(ir::Expr e, llvm::Value* x, llvm::Value* y);
    llvm::Value* floor_division(ir::Expr e, llvm::Value* x, llvm::Value* y);
    llvm::Value* min_max(ir::Expr e);
    llvm::Value* comparison(ir::Expr e);
    llvm::Value* compare(ir::Op op, ir::ScalarType type, llvm::Value* a, llvm::Value* b);
    llvm::Value* fusible(llvm::Value* value);
    llvm::Value* bits(ir::Expr e);
    bool never_wraps(ir::Expr e) const;
    bool machine_value_is_exact(ir::Expr e) const;

    // emitter_float.cpp: casts and the 16-bit formats.
    llvm::Value* cast(ir::Expr e);
    llvm::Value* int_to_float(llvm::Value* value, ir::ScalarType from, ir::ScalarType to);
    llvm::Value* float_to_int(llvm::Value* value, ir::ScalarType from, ir::ScalarType to);
    llvm::Value* float_to_float(llvm::Value* value, ir::ScalarType from, ir::ScalarType to);
    // A float in the type that operations on it are computed in: float32 for 16-bit types.
    llvm::Value* widen(llvm::Value* value, ir::ScalarType type);
    llvm::Value* narrow(llvm::Value* value, ir::ScalarType type);

    // emitter_math.cpp
    llvm::Value* math(ir::Expr e);
    llvm::Value* absolute(ir::Expr e, llvm::Value* x);
    llvm::Value* elementary(ir::MathFn fn, const std::vector<llvm::Value*>& args);
    // An elementary function of float64.
    virtual llvm::Value* library_call(ir::MathFn fn, const std::vector<llvm::Value*>& args);

    // emitter_stmt.cpp
    void store(const ir::Store& s);
    void if_else(const ir::IfElse& s);
    void let_stmt(const ir::LetStmt& s);
    void allocate(const ir::Allocate& s);
    void assertion(const ir::Assert& s);
    virtual llvm::Value* allocate_memory(const BufferSlot& slot);
    llvm::Value* obtain(llvm::Value* bytes, const std::string& name);
    llvm::Value* allocate_heap(llvm::Value* bytes, const std::string& name);
    void fill(const BufferSlot& slot, llvm::Value* count);
    void external_block(const ir::Block& s);  // emitter_external.cpp
    void return_code(llvm::Value* code);
    void return_if(llvm::Value* failed, llvm::Value* code, const char* label);

    // emitter_guard.cpp: nothing is emitted, and nothing changed, unless the options say `guarded`.
    void begin_guards();
    void begin_guarded(ir::Stmt s);
    // Some definite value where it is undefined, so that what is checked is what is used.
    llvm::Value* some_value(llvm::Value* value);
    void guard(llvm::Value* failed, const std::string& what, std::int64_t kind,
               const std::vector<llvm::Value*>& values);
    void guard_access(const char* verb, const BufferSlot& slot, std::span<const ir::Expr> at,
                      std::vector<llvm::Value*>& indices);
    void guard_division(ir::Expr e, llvm::Value*& x, llvm::Value*& y);
    void end_at_division(ir::Expr e, llvm::Value*& x, llvm::Value*& y);
    void guard_extents(const BufferSlot& slot);

    // emitter_loop.cpp
    virtual void loop(const ir::For& s);
    void serial_loop(const ir::For& s, llvm::Value* lo, llvm::Value* hi,
                     const std::vector<llvm::MDNode*>& properties);
    void vectorized_loop(const ir::For& s, llvm::Value* lo, llvm::Value* hi);
    void parallel_loop(const ir::For& s, llvm::Value* lo, llvm::Value* hi);
    llvm::Function* outline(const ir::For& s, const std::vector<llvm::Value*>& captured);
    llvm::Function* chunk_function(llvm::Function* body, const std::vector<llvm::Value*>& captured);
    std::vector<llvm::Value*> captured_values() const;
    void rebind(const std::vector<llvm::Value*>& from, const std::vector<llvm::Value*>& to);
    // for (v = lo; v < hi; ++v) body(v); leaves the builder behind the loop.
    // Emits a loop that is marked unrolled; what it is given says how LLVM is to unroll it.
    void unrolled(const ir::For& s,
                  const std::function<void(const std::vector<llvm::MDNode*>&)>& emit);
    void counted_loop(llvm::Value* lo, llvm::Value* hi, bool is_signed, const std::string& name,
                      const std::vector<llvm::MDNode*>& properties,
                      const std::function<void(llvm::Value*)>& body);

    // codegen.cpp
    std::vector<llvm::Type*> parameter_types() const;
    void bind_extents();
    // An extent of a parameter; -1 where it has no value, as the division in n // k has none for a
    // k of 0.
    llvm::Value* parameter_extent(ir::Expr e);
    llvm::Value* packed_argument(llvm::Value* args, std::size_t position, const ir::Param& param);
    llvm::BasicBlock* block(const char* name);
    void add_attributes(llvm::Function& function) const;

    llvm::Module& module_;
    llvm::LLVMContext& context_;
    const ir::Function& f_;
    const CpuOptions& options_;
    std::shared_ptr<llvm::IRBuilderBase> builder_owner_;  // shared: destroys the derived class
    llvm::IRBuilderBase& b_;
    bool may_be_indeterminate_;  // the function allocates
    bool contract_ = false;
    Frame frame_;
    std::vector<std::pair<ir::Expr, llvm::Value*>> vars_;
    std::vector<std::pair<std::pair<const std::string*, ir::ScalarType>, llvm::Value*>> lets_;
    std::vector<BufferSlot> buffers_;
    std::vector<Memo> memo_;
    std::int32_t asserts_ = 0;
    int outlined_ = 0;
    Unrolling unrolling_;
    std::unique_ptr<LoopLines> lines_;  // null: code has no line numbers
    // Of guarded code.
    std::vector<std::pair<ir::Site, ir::Stmt>> sites_;
    std::size_t next_site_ = 0;
    std::string site_;                 // of the statement that is being translated
    std::vector<std::string> guards_;  // messages, of the codes from first_guard_ on
    std::int32_t first_guard_ = 0;
    llvm::Value* fault_ = nullptr;
    // Where to note that a division has no quotient, instead of trapping; null: nowhere, since none
    // does in a run without a fault.
    llvm::Value* no_quotient_ = nullptr;
};

}  // namespace proviso::backend
