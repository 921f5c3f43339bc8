// From statement trees to statements.
//
// A binding by assignment (`x: T.int32 = …`, `X = T.alloc_buffer(…)`) lasts to the end of its list:
// the rest of the list becomes the body of the Let or Allocate.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ir/children.h"
#include "ir/text/reader/expressions/expr_binder.h"
#include "ir/text/reader/python/exits.h"
#include "ir/text/reader/view_map.h"

namespace proviso::ir {

inline constexpr std::size_t kMaxConstants = 65536;  // values of one T.allocate_const

// The function of that name in the module at hand, read by now; null when there is none. Throws
// Failure where a function would call itself.
struct ModuleFunction {
    const Function* function = nullptr;
    std::size_t written = 0;  // parameters in its text; sizes that their shapes define come after
    bool has_result = false;  // its last parameter is the cell that gets it
    int calls = 0;            // inside each other, in its body
};
inline constexpr int kMaxCalls = 64;                // of functions inside each other
inline constexpr std::size_t kMaxInlined = 20'000;  // statements of one call
using ModuleFunctions = std::function<ModuleFunction(const std::string& name)>;

// What only stands at the top of a function's body.
struct FunctionHead {
    ModuleFunctions functions;
    std::string module;                  // the name of the class around the function; may be empty
    std::set<std::string> aliases = {};  // other names of it: cls = Module
    // Parameters in order; a handle's place holds null until it is matched to a buffer.
    std::vector<Param> params;
    std::map<std::string, std::size_t> handles;    // written name -> place in `params`
    std::map<std::string, ScalarType> pointed_to;  // of handles that say it: T.handle("float32")
    // Variables declared at the top, such as n = T.int32(), which got no value: sizes, scalar
    // parameters after the others.
    struct SizeVariable {
        Expr var;
        python::Position at;
    };
    std::vector<SizeVariable> sizes;
    // Those of them that shapes of parameters define: quoted names, and type variables.
    std::map<std::string, Expr> defined;
    std::map<std::string, AttrValue> attrs;
    std::map<std::string, const python::Node*> attr_values;  // as written
    // Parameters with strides, which are flat here: by name, what the caller's tensor looks like;
    // and the strides.
    AttrValue::Dict strided;
    std::vector<Expr> strides;
    // Of a function with a result: its type, where that is known by now, and the parameter after
    // all others that gets it, once a line returns it.
    bool has_result = false;
    std::string result_name;
    std::optional<ScalarType> result_type;
    Buffer result = nullptr;
};

// Shape, element type and scope, as T.Buffer, T.alloc_buffer and their relatives give them.
struct BufferDeclaration {
    std::vector<Expr> shape;
    ScalarType type = kFloat32;
    std::int64_t lanes = 1;  // of a vector type: the last extent of the shape, too
    std::string scope = "global";
    bool placed_by_use = false;  // T.sblock_alloc_buffer: see placement.h
    // As written; null where absent. The compact row-major ones are dropped by whoever asks.
    const python::Node* scope_at = nullptr;
    const python::Node* data = nullptr;
    const python::Node* annotations = nullptr;
    const python::Node* strides = nullptr;
    const python::Node* elem_offset = nullptr;
    std::vector<Expr> said_strides;  // of a view, as X.strides[k] gives them; may be empty
};

class StmtBinder {
  public:
    using Lines = std::span<const python::Statement* const>;

    // `head` is null for statements that stand alone.
    StmtBinder(ExprBinder& exprs, FunctionHead* head)
        : exprs_(exprs), ctx_(exprs.ctx()), names_(exprs.names()), head_(head) {}

    // One statement list with its own scope. Throws Failure on a user's mistake.
    Stmt bind_body(const std::vector<python::Statement>& lines);
    // The top list of a function.
    Stmt bind_function_body(const std::vector<python::Statement>& lines);
    // After the last line: what became of the variables that were declared without a value.
    void finish_declared(Stmt body);

    // `call` is T.Buffer(…) or similar; its shape starts at the positional argument `first`. A
    // buffer of its own: nothing of it is a view.
    BufferDeclaration bind_declaration(const python::Node& call, std::size_t first);
    // The parameter of that name, whose cells the body then uses by it.
    Buffer bind_parameter_memory(const std::string& name, const BufferDeclaration& declared);

  private:
    Stmt bind_list(Lines lines);
    // A statement, or null for what only tells something about the function.
    Stmt bind_line(const python::Statement& s);
    Stmt bind_call_line(const python::Statement& s);
    // A call of another function of the module; null when it is none. `result` gets what a callee
    // with a result returns.
    Stmt bind_function_call(const python::Statement& s, Buffer result = nullptr);
    ModuleFunction callee_of(const python::Node& call) const;
    void check_size_of(const Function& callee, int calls, const python::Node& call) const;
    // Results of functions, in result_binder.cpp.
    bool takes_result(const python::Statement& s) const;
    Stmt bind_taken_result(const python::Statement& s, Lines rest);
    Stmt bind_returned(const python::Statement& s);
    Stmt bind_assign(const python::Statement& s);
    // In store_binder.cpp.
    Stmt bind_store(const python::Statement& s);
    // In vector_binder.cpp.
    bool is_vector_store(const python::Statement& s) const;
    Stmt bind_vector_store(const python::Statement& s);
    Stmt bind_vector_let(const python::Node& target, const python::Node* type,
                         const python::Node& value, Lines rest);
    Stmt over_lanes(Expr lane, std::int64_t count, Stmt body, ForKind kind);
    void refuse_calls(Expr e, const python::Node& node) const;
    Buffer memory_below(Buffer buffer) const;
    Expr bind_stored(const python::Node& node, ScalarType type, const std::string& what);
    Expr stored_constant(const python::Node& node, Expr constant, ScalarType type) const;
    Stmt bind_for(const python::Statement& s);
    Stmt bind_with(const python::Statement& s);

    // What is bound of a list so far; `outer`: of the list whose rest this one is, where nothing
    // stands between the two but names and first values of scalars.
    struct Before {
        const Before* outer;
        const std::vector<Stmt>* lines;
    };
    // `first` stands before these lines and is a part of their list; it may be null.
    Stmt bind_after(Stmt first, Lines rest);

    // Bindings that last to the end of their list; the statements after `lines[0]` are the body.
    bool binds_the_rest(const python::Statement& s) const;
    Stmt bind_rest(Lines lines);
    Stmt bind_binding(const python::Statement& s, Lines rest);
    Stmt bind_allocation(const python::Statement& s, Lines rest);
    using Filling = std::function<Stmt(const python::Node& name, Buffer buffer)>;
    Stmt bind_memory(const python::Statement& s, const BufferDeclaration& declared, Lines rest,
                     const Filling& filling);
    // In store_binder.cpp.
    Stmt bind_constants(const python::Statement& s, Lines rest);
    Stmt store_constants(Buffer buffer, const std::vector<Expr>& values);

    // Declarations and allocations, in buffer_binder.cpp.
    BufferDeclaration read_declaration(const python::Node& call, std::size_t first);
    void bind_shape(const python::Node& shape, BufferDeclaration& out);
    void bind_buffer_fact(const python::Keyword& k, BufferDeclaration& out) const;
    void require_own_memory(const BufferDeclaration& declared);
    std::vector<Expr> bind_strides(const BufferDeclaration& declared);
    std::vector<Expr> bind_said_strides(const BufferDeclaration& declared);
    Expr bind_offset(const python::Node& node);
    void require_fixed(Expr e, const python::Node& node, const std::string& what) const;
    const python::Node* with_quoted_strides(const python::Node& strides, ScalarType type);
    Stmt allocate(const python::Node& target, const BufferDeclaration& declared,
                  const std::function<Stmt(Buffer)>& body);
    Stmt bind_local(const python::Statement& s, Lines rest);
    std::optional<BufferDeclaration> shape_of_memory(const python::Statement& s,
                                                     const BufferDeclaration& memory, Lines rest);

    // Buffers of their own, in stride_binder.cpp. `view` is null unless strides make the name
    // stand for a view of the memory.
    struct OwnMemory {
        Buffer memory = nullptr;
        Buffer view = nullptr;
    };
    OwnMemory bind_own_memory(const std::string& name, const BufferDeclaration& declared);
    Stmt without_view(Stmt body, const OwnMemory& own);

    // Attributes of memory, in attribute_binder.cpp.
    Stmt bind_memory_hint(const python::Statement& s, Lines rest);
    void take_hints(Buffer memory, const python::Node& target, Annotations& out);
    void finish_hints();
    // Attributes of loops, there as well.
    Stmt bind_loop_hint(const python::Statement& s, Lines rest);
    void take_hints_before(const python::Node& target, Expr var);
    void take_loop_hints(Expr var, const python::Node& target, Annotations& out);

    // Views, in view_binder.cpp.
    struct ViewOf {
        Buffer base;
        CellMap map;
        bool pointer;  // its name stands for memory as well: data=p
        bool compact;  // its cells have the numbers that they have in the base
    };
    Stmt bind_view(const python::Statement& s, Lines rest);
    Stmt bind_reshape(const python::Statement& s, Lines rest);
    Stmt bind_window(const python::Statement& s, Lines rest);
    Stmt bind_cells_view(const python::Node& target, BufferDeclaration declared, Buffer base,
                         Lines rest, bool pointer);
    Stmt within_view(const python::Node& target, const BufferDeclaration& declared,
                     const ViewOf& view, Lines rest);
    void require_first_cell(const python::Node& target, Stmt inner, Buffer buffer);
    std::vector<Expr> window_starts(const python::Node& call, const BufferRegion& region,
                                    const BufferDeclaration& declared);
    void window_facts(BufferDeclaration& declared, Buffer base, const std::vector<Expr>& starts,
                      Substitution& known);
    Param* unmatched_handle(const python::Node& data) const;
    BufferDeclaration without_data(BufferDeclaration declared);
    Buffer memory_named(const python::Node& data);
    bool has_strides(Buffer memory) const;
    void check_scope_of_view(const BufferDeclaration& declared, const std::string& scope) const;

    // Lets and declared variables, in let_binder.cpp.
    struct LetParts;
    struct Declared {
        Expr var;
        python::Position at;
        std::string thread;  // of T.env_thread; else empty
        bool at_top;         // of a function
        bool used;           // by a let or a launch
    };
    Stmt bind_let(const python::Statement& s, Lines rest);
    Stmt bind_several(const python::Statement& s, Lines rest);
    Stmt bind_at_once(const python::Statement& s, Lines rest);
    Expr bind_scalar_value(const python::Node& target, const python::Node& node);
    LetParts let_parts(const python::Statement& s) const;
    void check_new_name(const python::Statement& s, const python::Node& target) const;
    bool is_declaration(const python::Statement& s) const;
    void bind_declarations(const python::Statement& s);
    void bind_declared(const python::Node& target, const python::Node& call);
    bool is_extent(Expr var) const;
    bool is_defined(const python::Node& target) const;
    Declared* find_declared(const python::Node& name);
    // The variable to bind now: the declared one, or another of its kind when that is bound
    // already. Whoever calls this releases the name.
    Expr use_declared(const python::Node& name, Declared& declared);

    // Scalars that change, in scalar_binder.cpp: buffers of one cell.
    Buffer scalar_named(const python::Node& node) const;
    bool stores_scalar(const python::Statement& s) const;
    std::optional<ScalarType> type_before(const python::Node& name) const;
    Stmt bind_scalar(const python::Node& target, ScalarType type, Expr value, Lines rest);

    // Threads, in thread_binder.cpp.
    Stmt bind_launch(const python::Statement& s, Lines rest);
    std::string thread_tag(const python::Node& node) const;
    // `bind` reads a loop over these threads, whose variable is written `name`. No loop over them
    // is around it: TVM means the same threads by both, and a loop inside a loop would be more.
    Stmt within_threads(const python::Node& place, const std::string& tag, const std::string& name,
                        const std::function<Stmt()>& bind);
    // Nor is one around a call whose callee has such a loop.
    void check_threads_of(Stmt callee, const python::Node& call) const;
    // A loop without variable and body. Virtual threads run interleaved in one thread: in any order
    // of their iterations, like a parallel loop.
    For over_threads(const std::string& tag) const;

    // Early exits, in exit_binder.cpp.
    struct Flag {
        Buffer buffer = nullptr;
        int blocks = 0;  // how many were around it
    };
    struct EnclosingLoop {
        bool in_order;   // one iteration after the other
        bool several;    // T.grid of more than one
        int concurrent;  // loops and launches whose iterations run at the same time, this included
        Flag skipped;    // the rest of this iteration
        Flag stopped;    // this iteration's rest and all later iterations
    };
    Stmt bind_leaving(const python::Statement& s, Lines rest);
    Stmt bind_into_branch(const python::Statement& s, Lines rest);
    Stmt bind_chain(const python::Statement& s, Lines rest);
    Stmt bind_guarded(const python::Statement& s, Lines rest);
    void bind_unreached(Lines lines);
    Stmt bind_exit(const python::Statement& s, python::Exit exit);
    Stmt within_loop(const python::Statement& s, ForKind kind, int loops,
                     const std::function<Stmt()>& bind);
    void enter_guards(python::Position at, int count);
    Flag new_flag(const std::string& name);
    Stmt set_flag(const Flag& flag, bool value);
    Stmt with_flag(const Flag& flag, Stmt body);
    Flag& flag_of(python::Exit exit);
    Expr none_taken(python::Exits exits);
    Stmt unless_taken(python::Exits exits, Stmt body);

    // `while`, in while_binder.cpp.
    Stmt bind_while(const python::Statement& s);
    Stmt bind_while(const python::Statement& s, Expr cond);
    Expr known_before(Buffer buffer, const std::vector<Expr>& indices) const;

    // Loops, in loop_binder.cpp.
    struct Bounds {
        Expr lo;
        Expr hi;
    };
    Bounds bind_bounds(const python::Node* lo, const python::Node& hi);
    Stmt bind_grid(const python::Statement& s);
    const python::Node& with_shapes(const python::Node& node);
    Stmt bind_loop(const python::Statement& s, std::span<const python::Node* const> targets,
                   std::span<const Bounds> bounds, const For& kind);
    // In step_binder.cpp.
    Stmt with_step(Stmt loop, const python::Node& node);
    Expr span_before(Expr lo, Expr hi) const;
    std::optional<Int128> least(Expr e) const;
    bool is_shape(Expr var) const;
    void note_least(Expr var, std::optional<Int128> value);
    void note_facts(Expr cond, bool truth);
    void forget_facts(std::size_t mark);
    // `bind` may know what a condition says, or that the variable is not below a value.
    Stmt bind_branch(Expr cond, bool truth, const std::function<Stmt()>& bind);
    Stmt bind_scope_of(Expr var, Expr low, const std::function<Stmt()>& bind);
    Annotations annotations_of(const python::Node& call) const;
    // Remembers the variable when [lo, hi) holds 0 alone.
    void note_zero(Expr var, Expr lo, Expr hi);

    // Blocks, in block_binder.cpp.
    struct BlockHead;
    struct AxisLine;
    Stmt bind_block(const python::Statement& s);
    BlockHead split_block(const python::Statement& s) const;
    void bind_axis(const python::Statement& s, std::vector<AxisLine>& out);
    void bind_remap(const python::Statement& s, const std::vector<const python::Node*>& targets,
                    std::vector<AxisLine>& out);
    Expr bind_where(const python::Node& call, const std::vector<AxisLine>& axes);
    std::vector<BufferRegion> bind_regions(const python::Node& call);
    BufferRegion bind_region(const python::Node& node);
    std::pair<Expr, Expr> bind_range(const python::Node& node, Expr extent);

    // Function heads, in function_binder.cpp.
    bool is_head_line(const python::Statement& s) const;
    void bind_head_line(const python::Statement& s);
    bool names_module(const python::Node& value) const;
    void bind_match(const python::Node& target, const python::Node& call);
    // The buffer `target` becomes the parameter `param`, which was written as the handle.
    void bind_parameter(Param& param, const python::Node& handle, const python::Node& target,
                        const BufferDeclaration& declared);

    Expr bind_truth(const python::Node& node, const std::string& what);
    std::string assert_message(const python::Node& node) const;
    void require_definite(Expr e, const python::Node& node, const std::string& what) const;
    Expr declare_var(const python::Node& target, ScalarType type);
    [[noreturn]] void wrong(const python::Node& node, std::string message,
                            std::string hint = {}) const {
        exprs_.wrong(node, std::move(message), std::move(hint));
    }
    [[noreturn]] void wrong(const python::Statement& s, std::string message,
                            std::string hint = {}) const {
        exprs_.wrong(s.at, std::move(message), std::move(hint));
    }
    template <typename Place>  // Node or Statement
    [[noreturn]] void no_meaning(const Place& place, std::string message,
                                 std::string hint = {}) const {
        exprs_.no_meaning(place.at, std::move(message), std::move(hint));
    }

    ExprBinder& exprs_;
    Context& ctx_;
    Names& names_;
    FunctionHead* head_;
    bool top_ = false;              // in the top list of the function
    int depth_ = 0;                 // loops and bindings inside each other
    std::map<Expr, Bounds> loops_;  // bounds of enclosing loops, for T.axis.remap
    std::vector<Declared> declared_;
    std::map<std::string, std::string> launched_;  // thread tags around this place, and variables
    std::map<Buffer, ViewOf> views_;  // what stands for a view until its list is read, and of what
    std::set<Buffer> pointers_;       // made by T.allocate
    std::set<Expr> zero_;             // loop variables and iterators of one value, 0
    // Numbers that variables are not below at this place, and what to undo when it is left.
    std::map<Expr, Int128> at_least_;
    std::vector<std::pair<Expr, std::optional<Int128>>> facts_;
    const Before* before_ = nullptr;  // of the list at hand
    const Before* joined_ = nullptr;  // of the list that the next call of bind_rest goes on with
    std::vector<EnclosingLoop> around_;
    Flag returned_;       // the rest of the function
    int bodies_ = 0;      // lists and guards inside each other
    int blocks_ = 0;      // around this place
    int concurrent_ = 0;  // loops and launches around it whose iterations run at the same time
    bool in_init_ = false;
    std::map<Buffer, std::string> strided_;         // views that are buffers with strides: in words
    std::map<Buffer, Annotations> hints_;           // about memory in scope
    std::map<Expr, Annotations> loop_hints_;        // about loops around this place
    std::map<std::string, Annotations> next_loop_;  // about the loop that is the next line
    std::set<Expr> scalar_lets_;                    // lets of `x = v` and `x: T.int32 = v`
    std::set<Buffer> scalars_;                      // those that change
    std::deque<python::Node> made_;                 // trees that stand for others
    std::deque<python::Statement> made_lines_;
    std::vector<OwnMemory> parameter_views_;  // parameters with strides
};

// T.alloc_buffer and its relatives: calls that make a buffer.
bool makes_buffer(const python::Node& node);
// `x: T.int32[4]`
bool is_local_annotation(const python::Node& annotation);
// `x = value` as TVM 0.27 reads it: a store when `x` is a buffer of one cell, else a new scalar.
bool is_scalar_value(const python::Node& value);
// `T.let` and `T.let[T.int32]`, which do not change.
bool is_let_annotation(const python::Node& annotation);
// Whether these lines, which follow the declaration of a scalar in its list, change it in a body
// of their own, or by `+=`.
bool is_changed(const std::string& name, StmtBinder::Lines rest);
// T.decl_buffer and T.Buffer with `data=`, T.match_buffer of a region, A.view(…).
bool is_view(const python::Node& call);
// T.launch_thread(…), T.attr(…): run what follows or stands inside by threads.
bool is_launch(const python::Node& node);
// T.attr(p, "storage_alignment", 128) and the like.
bool is_memory_hint(const python::Node& call);
// T.attr(i, "pragma_unroll_explicit", 1), T.attr({"pragma_scope": "seq"}) and the like.
bool is_loop_hint(const python::Node& call);
// T.int32(), T.var("int32"), T.int64(is_size_var=True): a variable without a value.
bool is_free_variable(const python::Node& value);

// The dictionary of T.func_attr, T.block_attr and `annotations=`; one value of such.
Annotations bind_annotations(const ExprBinder& exprs, const python::Node& dict);
AttrValue bind_attr(const ExprBinder& exprs, const python::Node& node);
// Fails on keys of a function's attributes that are misspelt names of those that have a meaning.
void check_attribute_names(const ExprBinder& exprs, const python::Node& dict);
// Other names in the values of all annotations.
Stmt with_renamed_attributes(Context& ctx, Stmt s, const std::map<std::string, std::string>& names);

}  // namespace proviso::ir
