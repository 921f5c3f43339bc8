// What the corner families write their programs with: statements of one form, in all places of a
// small program (before and after its loops, in them, in blocks, under guards and in their other
// arms), and a schedule on that program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/gen/pairs/pairs.h"

namespace proviso::fuzz {

// The type of all cells.
struct CornerType {
    std::string name;  // "int64"
    bool exact = true;
    bool is_float = false;
    std::string top;   // the largest value, as text; of a float: some value
    std::string half;  // the least value that cannot be doubled
    std::string number(std::int64_t v) const;
};
CornerType corner_type(Choice& choice);

const std::vector<PairFamily>& extent_pairs();  // own extents: a part of corner_pairs()

class Corner;

struct CornerForm {
    // Appends statements of the form about cell `at` of A (only read), Y and Z.
    void (*write)(Corner& c, int depth, const std::string& at);
    // They stop, or call what the caller sees: in a concurrent loop neither has an order.
    bool in_order = false;
    // A condition for the predicates of blocks, now and then.
    std::string (*predicate)(Corner& c, const std::string& at) = nullptr;
};

class Corner {
  public:
    explicit Corner(Choice& choice);

    PairText pair(const CornerForm& form);

    Choice& choice;
    const CornerType t;
    // Cells of A reach the ends of their type; else they are in [-100, 100].
    bool wide = true;

    // A parameter: a size with declared bounds, a buffer of so many cells.
    void size(const std::string& name, std::int64_t lo, std::int64_t hi);
    void buffer(const std::string& name, std::int64_t cells);
    void line(int depth, const std::string& text);
    void has(const std::string& feature);
    std::string fresh(const char* base);

    // T.call_extern with a result of int32, or of bool.
    std::string call(const std::string& at);
    std::string ask(const std::string& at);
    // An index from 0 to `last`, of any int32.
    static std::string clamped(const std::string& value, std::int64_t last);

    // A condition that evaluates without a fault.
    std::string condition(const std::string& at);
    // A store without a fault, to Y or Z.
    void plain(int depth, const std::string& at);
    // Nothing, or a plain store: for branches and loops.
    void pass_or_plain(int depth, const std::string& at);

    // Cells of Y and Z may be indeterminate.
    bool vague() const { return has_undef_; }

    // What has been written; with the schedule, the pair.
    PairText done(const std::string& schedule);

  private:
    struct Nest {
        std::size_t loops = 1;
        std::size_t statements = 1;  // in the innermost loop
        bool has_tail = false;       // a guard allows only some of its iterations
    };
    void head();
    void guarded(int depth, const std::string& at, const CornerForm& form);
    void statements(int depth, const std::string& at, const CornerForm& form);
    void block(int depth, const std::string& name, const std::string& at, const CornerForm& form);
    void nest(const std::string& name, const CornerForm& form);
    void refill(std::int64_t from);
    std::string schedule();
    std::string on_loops();
    std::string on_block();
    std::string layout();

    std::vector<std::string> params_;
    std::string text_;
    std::vector<std::string> features_;
    int next_ = 0;
    bool has_undef_ = false;  // cells of Y and Z may be indeterminate
    bool over_size_ = false;  // loops end at n
    bool assumes_ = false;
    std::int64_t a_cells_ = 8;
    std::int64_t tail_ = 0;  // of the nest's 8 iterations those that its guard allows; 0: none
    Nest first_;
    bool in_first_ = false;            // block "b" is being written
    bool loads_ = false;               // it reads A
    std::vector<std::string> stored_;  // what it stores to
    bool follows_ = false;             // a second nest, around block "c"
};

}  // namespace proviso::fuzz
