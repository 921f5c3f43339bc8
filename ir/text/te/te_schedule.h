// Schedules of tensor expressions as text: `s = te.create_schedule(C.op)`, `s[A].compute_at(s[C],
// C.op.axis[1])`. Read into a schedule of Proviso; part of te.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/text/reader/python/python.h"
#include "ir/text/te/te.h"

namespace proviso::ir::te {

// "compute" of `te.compute`, `tvm.te.compute`, `tvm.compute`; empty: another name.
std::string te_name(const python::Node& callee);
// The value of a keyword argument; null: there is none.
const python::Node* keyword(const python::Node& call, const std::string& name);

class TeSchedule {
  public:
    explicit TeSchedule(const python::Module& module) : module_(module) {}

    // A tensor that the schedule may speak of: its name in the text, its block, the number of its
    // dimensions and its axes of reduction.
    void add_stage(const std::string& variable, const std::string& block, std::size_t rank,
                   const std::vector<std::string>& axes);
    // Reads a statement about a schedule; false: it is about something else. Throws Failure.
    bool statement(const python::Statement& s);
    Script script() const;

  private:
    struct Stage {
        std::string block;
        std::size_t rank = 0;
        std::vector<std::string> axes;
        bool has_loops = false;  // their names stand in the script
        std::string attached;    // variable of the stage that this one is computed at
    };
    struct Attach {
        std::string stage, at, loop;  // variables; loop: an expression of the script
        int axis = -1;                // of `at`, where the loop is one that was not split
        python::Position place;
    };

    [[noreturn]] void wrong(const python::Node& at, const std::string& what,
                            const std::string& hint = {}) const;
    // The stage of `s[C]`.
    const std::string& stage(const python::Node& node) const;
    bool is_schedule(const python::Node& node) const;
    // `i, j = C.op.axis`, `k = C.op.reduce_axis[0]`: names for axes. False: it is no such thing.
    bool names_axes(const python::Statement& s);
    struct Axes {
        std::string variable;  // of the te.compute
        bool reduces = false;
        std::size_t first = 0, count = 0;  // of the stage's own loops
    };
    // Of `C.op.axis`, `s[C].op.reduce_axis`, or a name for them; none: it is no such list.
    std::optional<Axes> axes(const python::Node& node) const;
    // The loop of `C.op.axis[1]`, `s[C].op.reduce_axis[0]`, an axis of reduction of the stage `of`,
    // or a name that a call gave; sets the axis where it is one.
    std::string loop(const python::Node& node, const std::string& of, int* axis = nullptr);
    void need_loops(const std::string& variable, python::Position at);
    void call(const python::Node& call, const std::vector<std::string>& gives);
    void move(const std::string& stage, const python::Node& call);
    void line(const std::string& text, python::Position at);
    std::size_t depth(const std::string& variable) const;

    const python::Module& module_;
    std::string schedule_;  // its variable; empty: none so far
    std::map<std::string, Stage> stages_;
    std::map<std::string, std::string> loops_;   // names that calls gave, to the script's
    std::map<std::string, python::Node> named_;  // names for `C.op.axis` and `C.op.axis[0]`
    std::vector<Attach> moves_;
    Script out_;
};

}  // namespace proviso::ir::te
