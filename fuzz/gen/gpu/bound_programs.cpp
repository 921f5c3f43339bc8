#include "fuzz/gen/gpu/bound_programs.h"

#include <fmt/format.h>

#include "fuzz/gen/gpu/bound_cells.h"
#include "fuzz/gen/gpu/gpu_schedules.h"
#include "ir/type.h"

namespace proviso::fuzz {

namespace {

struct Tile {
    std::string name;
    std::int64_t size;
    bool ready = false;
};

class BoundGen {
  public:
    explicit BoundGen(Choice& choice) : c_(choice) {}

    BoundProgram run() {
        type_ = c_.pick<std::string>({"float32", "float32", "float32", "float32", "int32", "int32",
                                      "int64", "uint32", "float64", "float16", "bfloat16"});
        if (type_ == "float16" || type_ == "bfloat16") feature("16-bit floats");
        shape_of_threads();
        head();
        kernel();
        if (c_.chance(20)) second_kernel();
        out_.text = text_;
        return std::move(out_);
    }

  private:
    void feature(const char* name) { out_.features.emplace_back(name); }
    void line(const std::string& s) { text_ += std::string(depth_ * 4, ' ') + s + "\n"; }
    std::string fresh(const char* base) { return fmt::format("{}{}", base, next_++); }
    std::string constant(std::int64_t v) const { return fmt::format("T.{}({})", type_, v); }

    void shape_of_threads() {
        x_ = c_.pick<std::int64_t>({4, 5, 8, 8, 16});
        if (c_.chance(25)) y_ = c_.between(2, 3);
        threads_ = x_ * y_;
        blocks_ = c_.between(1, 4);
        if (c_.chance(15)) block_rows_ = 2;
        const std::int64_t all = threads_ * blocks_ * block_rows_;
        symbolic_ = block_rows_ == 1 && c_.chance(30);
        if (symbolic_) feature("symbolic");
        elements_ = c_.chance(50) ? all : all - c_.between(1, threads_ - 1);
        n_ = symbolic_ ? "n" : std::to_string(elements_);
    }

    void head() {
        const auto buffer = [&](const std::string& name, const std::string& shape,
                                const std::string& type, std::int64_t lo, std::int64_t hi) {
            out_.ranges[name] = CellRange{lo, hi};
            return fmt::format("{}: T.Buffer(({},), \"{}\")", name, shape, type);
        };
        const bool is_unsigned = type_ == "uint32";
        std::string params = buffer("A", n_, type_, is_unsigned ? 0 : -8, 8);
        params += ", " + buffer("W", "4", type_, is_unsigned ? 0 : -3, 3);
        params += ", " + buffer("X", "8", "int32", 0, threads_ - 1);
        params += ", " + buffer("C", n_, type_, 0, 8);
        params += ", " + buffer("D", n_, type_, 0, 8);
        params +=
            ", " + buffer("E", std::to_string(blocks_ * block_rows_ * threads_ + 64), type_, 0, 8);
        params += ", m: T.int32";
        if (symbolic_) params += ", n: T.int32";
        line("@T.prim_func");
        line(fmt::format("def bound({}):", params));
        ++depth_;
        const std::string bounds = symbolic_ ? ", \"n\": " : "";
        const auto n_bound = [&](std::int64_t v) {
            return bounds.empty() ? "" : bounds + std::to_string(v);
        };
        line(
            fmt::format("T.func_attr({{\"tir_var_lower_bound\": {{\"m\": 0{}}}, "
                        "\"tir_var_upper_bound\": {{\"m\": 3{}}}}})",
                        n_bound(1), n_bound(blocks_ * threads_)));
    }

    void kernel() {
        const std::string bx = fresh("b");
        block_ = bx;
        if (block_rows_ > 1) {
            const std::string by = fresh("b");
            line(fmt::format("for {} in T.thread_binding({}, thread=\"blockIdx.y\"):", by,
                             block_rows_));
            ++depth_;
            block_ = fmt::format("({} * {} + {})", by, blocks_, bx);
        }
        const std::string grid = symbolic_ ? fmt::format("(n + {}) // {}", threads_ - 1, threads_)
                                           : std::to_string(blocks_);
        line(fmt::format("for {} in T.thread_binding({}, thread=\"blockIdx.x\"):", bx, grid));
        ++depth_;
        const std::size_t outer = depth_;
        allocate();
        for (Tile& tile : tiles_) {
            if (!c_.chance(95)) {
                out_.initialised = false;
                continue;
            }
            fill(tile);
        }
        if (has_registers_) set_registers();
        const std::int64_t count = c_.between(1, 4);
        for (std::int64_t k = 0; k < count; ++k) item("");
        result();
        depth_ = outer - (block_rows_ > 1 ? 2 : 1);
    }

    void allocate() {
        const std::int64_t count = c_.between(0, 3);
        for (std::int64_t k = 0; k < count; ++k) {
            Tile tile{fmt::format("S{}", k), threads_};
            if (c_.chance(20)) tile.size = 2 * threads_;
            if (c_.chance(15)) tile.size = threads_ + 2;
            line(fmt::format("{} = T.alloc_buffer(({},), \"{}\", scope=\"shared\")", tile.name,
                             tile.size, type_));
            tiles_.push_back(tile);
        }
        if (!tiles_.empty()) feature("shared");
        has_registers_ = c_.chance(30);
        if (!has_registers_) return;
        feature("registers");
        line(fmt::format("R = T.alloc_buffer(({}{}, 2), \"{}\", scope=\"local\")",
                         y_ > 1 ? std::to_string(y_) + ", " : "", x_, type_));
    }

    // --- phases --------------------------------------------------------------------------------

    ThreadScope begin_phase(const std::string& step) {
        ThreadScope s;
        s.step = step;
        const std::string x = fresh("t");
        std::string y;
        if (y_ > 1) {
            y = fresh("t");
            line(fmt::format("for {} in T.thread_binding({}, thread=\"threadIdx.y\"):", y, y_));
            ++depth_;
        }
        line(fmt::format("for {} in T.thread_binding({}, thread=\"threadIdx.x\"):", x, x_));
        ++depth_;
        s.self = y_ > 1 ? fmt::format("({} * {} + {})", y, x_, x) : x;
        s.registers = y_ > 1 ? y + ", " + x : x;
        s.global = fmt::format("{} * {} + {}", block_, threads_, s.self);
        return s;
    }
    void end_phase() { depth_ -= y_ > 1 ? 2 : 1; }

    // Fewer threads than the block has, each with several cells; or one thread with all of them.
    void fill(Tile& tile) {
        fill_cells(tile);
        tile.ready = true;
    }
    void fill_cells(const Tile& tile) {
        if (y_ == 1 && c_.chance(25)) {
            const std::int64_t some = c_.between(1, threads_);
            const std::string t = fresh("t");
            const std::string h = fresh("h");
            line(fmt::format("for {} in T.thread_binding({}, thread=\"threadIdx.x\"):", t, some));
            line(fmt::format("    for {} in range({}):", h, (tile.size + some - 1) / some));
            const std::string cell = fmt::format("{} * {} + {}", h, some, t);
            const bool exact = tile.size % some == 0;
            if (!exact) line(fmt::format("        if {} < {}:", cell, tile.size));
            line(fmt::format("{}{}[{}] = E[{}]", exact ? "        " : "            ", tile.name,
                             cell, cell));
            return feature("fewer threads");
        }
        if (c_.chance(10)) {
            const std::string h = fresh("h");
            line(fmt::format("for {} in range({}):", h, tile.size));
            line(fmt::format("    {}[{}] = W[{} % 4]", tile.name, h, h));
            return feature("one thread");
        }
        const ThreadScope s = begin_phase("");
        line(fmt::format("{}[{}] = {}", tile.name, s.self, value(s, 1)));
        if (tile.size > threads_) {
            const std::int64_t rest = tile.size - threads_;
            const bool all = rest == threads_;
            if (!all) line(fmt::format("if {} < {}:", s.self, rest));
            line(fmt::format("{}{}[{} + {}] = {}", all ? "" : "    ", tile.name, s.self, threads_,
                             constant(c_.between(0, 3))));
        }
        end_phase();
    }

    void set_registers() {
        const ThreadScope s = begin_phase("");
        for (int k = 0; k < 2; ++k) {
            line(fmt::format("R[{}, {}] = {}", s.registers, k, constant(c_.between(0, 3))));
        }
        end_phase();
        registers_ready_ = true;
    }

    // One thing that a block does. `step`: the serial loop that it is in.
    void item(const std::string& step) {
        switch (c_.weighted({30, 18, 10, 12, 8, 10, 8, 9})) {
            case 0: return compute(step);
            case 1: return step.empty() ? loop() : compute(step);
            case 2: return branch(step);
            case 3: return tree();
            case 4: return one_thread();
            case 5: return through_global(step);
            case 6: return accumulate(step);
            default: return lanes(step);
        }
    }

    void loop() {
        feature("loop of phases");
        const std::string k = fresh("k");
        const std::string count = c_.chance(40) ? "m" : std::to_string(c_.between(1, 3));
        line(fmt::format("for {} in range({}):", k, count));
        ++depth_;
        const std::int64_t items = c_.between(1, 3);
        for (std::int64_t i = 0; i < items; ++i) item(k);
        --depth_;
    }

    void branch(const std::string& step) {
        feature("branch of phases");
        const std::string subject = step.empty() ? block_ : step;
        line(fmt::format(
            "if {}:", c_.chance(50) ? fmt::format("{} % 2 == 0", subject) : std::string("m > 1")));
        ++depth_;
        compute(step);
        --depth_;
        if (!c_.chance(40)) return;
        line("else:");
        ++depth_;
        compute(step);
        --depth_;
    }

    // A tile's cells anew, from other tiles and its own cell.
    void compute(const std::string& step) {
        if (tiles_.empty()) return accumulate(step);
        Tile& tile = tiles_[static_cast<std::size_t>(
            c_.between(0, static_cast<std::int64_t>(tiles_.size()) - 1))];
        ThreadScope s = begin_phase(step);
        const std::string target = tile.name;
        busy_ = target;
        const std::string cell = own_cell(s, tile.size);
        std::string result = value(s, 2);
        if (tile.ready && c_.chance(40))
            result = combine(fmt::format("{}[{}]", target, cell), result);
        const bool some = c_.chance(20);
        if (some) line(fmt::format("if {} < {}:", s.self, c_.between(1, threads_)));
        line(fmt::format("{}{}[{}] = {}", some ? "    " : "", target, cell, result));
        busy_.clear();
        end_phase();
    }

    void tree() {
        if (tiles_.empty() || (x_ & (x_ - 1)) != 0 || y_ > 1) return compute("");
        feature("tree");
        const Tile& tile = c_.pick(tiles_);
        const std::string level = fresh("k");
        std::int64_t levels = 0;
        while ((std::int64_t{1} << (levels + 1)) <= x_) ++levels;
        line(fmt::format("for {} in range({}):", level, levels));
        ++depth_;
        const ThreadScope s = begin_phase(level);
        const std::string half = fmt::format("T.shift_right({}, {})", x_ / 2, level);
        line(fmt::format("if {} < {}:", s.self, half));
        line(fmt::format("    {0}[{1}] = {0}[{1}] + {0}[{1} + {2}]", tile.name, s.self, half));
        end_phase();
        --depth_;
    }

    void one_thread() {
        if (tiles_.empty()) return compute("");
        feature("one thread");
        const Tile& tile = c_.pick(tiles_);
        const std::int64_t cell = c_.between(0, tile.size - 1);
        line(fmt::format("{0}[{1}] = {0}[{2}] + {3}", tile.name, cell, c_.between(0, tile.size - 1),
                         constant(1)));
    }

    // Cells of a block in global memory, written by one phase and read by the next one.
    void through_global(const std::string& step) {
        feature("global exchange");
        ThreadScope s = begin_phase(step);
        line(fmt::format("E[{} * {} + {}] = {}", block_, threads_, own_cell(s, threads_),
                         value(s, 1)));
        end_phase();
        s = begin_phase(step);
        const std::string seen =
            fmt::format("E[{} * {} + {}]", block_, threads_, any_cell(s, threads_));
        if (has_registers_ && registers_ready_) {
            line(fmt::format("R[{}, 0] = {}", s.registers, seen));
        } else if (!tiles_.empty()) {
            line(fmt::format("{}[{}] = {}", c_.pick(tiles_).name, s.self, seen));
        } else {
            line(fmt::format("if {} < {}:", s.global, n_));
            line(fmt::format("    D[{}] = {}", s.global, seen));
        }
        end_phase();
    }

    // --- neighbours together -------------------------------------------------------------------

    // A phase of fewer threads, each with 2 or 4 cells that lie together. False, and nothing, where
    // that does not come out even.
    bool begin_lanes(ThreadScope& s, const std::string& guard) {
        const std::int64_t n = c_.pick<std::int64_t>({2, 4});
        if (y_ > 1 || threads_ % n != 0) return false;
        feature("lanes");
        out_.initialised = false;  // Oclgrind takes a vector put together from parts for unwritten
        const std::string t = fresh("t");
        const std::string v = fresh("v");
        line(fmt::format("for {} in T.thread_binding({}, thread=\"threadIdx.x\"):", t,
                         threads_ / n));
        ++depth_;
        const std::string first = fmt::format("{} * {} + {} * {}", block_, threads_, t, n);
        if (!guard.empty()) {
            line(fmt::format("if {} < {}:", first, guard));
            ++depth_;
        }
        line(fmt::format("for {} in T.vectorized({}):", v, n));
        ++depth_;
        s.self = fmt::format("({} * {} + {})", t, n, v);
        s.global = fmt::format("{} * {} + {}", block_, threads_, s.self);
        s.guarded = !guard.empty();
        return true;
    }

    std::string lane_value(const ThreadScope& s) {
        std::string out = fmt::format("E[{}]", s.global);
        if (c_.chance(8)) out = fmt::format("E[{} + 1]", s.global);  // no multiple of the lanes
        if (s.guarded && c_.chance(50)) out = fmt::format("A[{}]", s.global);
        if (c_.chance(40)) out += fmt::format(" * W[{}]", c_.between(0, 3));
        if (c_.chance(40)) out = fmt::format("T.max({}, {})", out, constant(c_.between(0, 3)));
        for (const Tile& t : tiles_) {
            if (!t.ready || !c_.chance(40)) continue;
            out += fmt::format(" + {}[{}]", t.name, s.self);
        }
        return out;
    }

    void lanes(const std::string& step) {
        ThreadScope s;
        const std::size_t before = depth_;
        if (tiles_.empty() || !begin_lanes(s, "")) return compute(step);
        line(fmt::format("{}[{}] = {}", c_.pick(tiles_).name, s.self, lane_value(s)));
        depth_ = before;
    }

    void accumulate(const std::string& step) {
        ThreadScope s = begin_phase(step);
        if (has_registers_ && registers_ready_) {
            const std::string k = fresh("j");
            line(fmt::format("for {} in range({}):", k, c_.between(1, 3)));
            const std::string cell = fmt::format("R[{}, {}]", s.registers, c_.between(0, 1));
            line(fmt::format("    {} = {} + {}", cell, cell, value(s, 1)));
        } else {
            line(fmt::format("if {} < {}:", s.global, n_));
            s.guarded = true;
            line(fmt::format("    D[{0}] = {1}", s.global,
                             combine(fmt::format("D[{}]", s.global), value(s, 1))));
        }
        end_phase();
    }

    void result() {
        ThreadScope s;
        const std::size_t before = depth_;
        if (!symbolic_ && elements_ % 4 == 0 && c_.chance(40) && begin_lanes(s, n_)) {
            line(fmt::format("C[{}] = {}", s.global, lane_value(s)));
            depth_ = before;
            return;
        }
        s = begin_phase("");
        line(fmt::format("if {} < {}:", s.global, n_));
        s.guarded = true;
        line(fmt::format("    C[{}] = {}", s.global, value(s, 2)));
        end_phase();
    }

    void second_kernel() {
        feature("two kernels");
        const std::string b = fresh("b");
        const std::string t = fresh("t");
        const std::string grid = symbolic_ ? "(n + 3) // 4" : std::to_string((elements_ + 3) / 4);
        line(fmt::format("for {} in T.thread_binding({}, thread=\"blockIdx.x\"):", b, grid));
        line(fmt::format("    for {} in T.thread_binding(4, thread=\"threadIdx.x\"):", t));
        line(fmt::format("        if {} * 4 + {} < {}:", b, t, n_));
        const std::string at = fmt::format("{} * 4 + {}", b, t);
        line(fmt::format("            D[{0}] = C[{0}] + A[{0}]", at));
    }

    // --- values --------------------------------------------------------------------------------

    std::string own_cell(const ThreadScope& s, std::int64_t size) {
        return fuzz::own_cell(c_, s, threads_, size, out_.features);
    }
    std::string any_cell(const ThreadScope& s, std::int64_t size) {
        return fuzz::any_cell(c_, s, threads_, size);
    }

    std::string leaf(const ThreadScope& s) {
        switch (c_.weighted({20, 20, 35, 15, 10})) {
            case 0: return constant(c_.between(0, 3));
            case 1:
                if (s.guarded) return fmt::format("A[{}]", s.global);
                return fmt::format("T.if_then_else({0} < {1}, A[{0}], {2})", s.global, n_,
                                   constant(1));
            case 2: {
                std::vector<Tile> usable;
                for (const Tile& t : tiles_) {
                    if (t.ready && t.name != busy_) usable.push_back(t);
                }
                if (usable.empty()) return fmt::format("W[{} % 4]", s.self);
                const Tile& tile = c_.pick(usable);
                return fmt::format("{}[{}]", tile.name, any_cell(s, tile.size));
            }
            case 3:
                if (!registers_ready_) return fmt::format("W[{} % 4]", s.self);
                return fmt::format("R[{}, {}]", s.registers, c_.between(0, 1));
            default: return fmt::format("T.Cast(\"{}\", {})", type_, s.self);
        }
    }

    std::string combine(const std::string& a, const std::string& b) {
        const bool is_float = type_.find("float") != std::string::npos;
        switch (c_.weighted({40, 15, 12, 12, is_float ? 20 : 0})) {
            case 0: return fmt::format("{} + {}", a, b);
            case 1: return fmt::format("{} - ({})", a, b);
            case 2: return fmt::format("T.max({}, {})", a, b);
            case 3: return fmt::format("T.min({}, {})", a, b);
            default: return fmt::format("({}) * ({})", a, b);
        }
    }

    std::string value(const ThreadScope& s, int depth) {
        if (depth == 0) return leaf(s);
        if (c_.chance(15)) {
            return fmt::format("T.if_then_else({} < {}, {}, {})", s.self, c_.between(1, threads_),
                               leaf(s), value(s, depth - 1));
        }
        if (c_.chance(20)) return fmt::format("({}) * W[{} % 4]", leaf(s), s.self);
        const bool spelled_out = type_.find("float") != std::string::npos && type_ != "float64";
        if (spelled_out && c_.chance(8)) {
            feature("elementary functions");
            const std::string name = c_.pick(elementary_functions());
            return fmt::format("T.{}({})", name, value(s, depth - 1));
        }
        return combine(leaf(s), value(s, depth - 1));
    }

    Choice& c_;
    BoundProgram out_;
    std::string text_;
    std::size_t depth_ = 0;
    int next_ = 0;
    std::string type_;
    std::int64_t x_ = 8;
    std::int64_t y_ = 1;
    std::int64_t threads_ = 8;
    std::int64_t blocks_ = 1;
    std::int64_t block_rows_ = 1;
    std::int64_t elements_ = 8;
    bool symbolic_ = false;
    std::string n_;      // number of elements
    std::string block_;  // the block's number in the grid
    std::vector<Tile> tiles_;
    std::string busy_;  // the tile that the phase stores to
    bool has_registers_ = false;
    bool registers_ready_ = false;
};

}  // namespace

BoundProgram generate_bound_program(Choice& choice) {
    return BoundGen(choice).run();
}

}  // namespace proviso::fuzz
