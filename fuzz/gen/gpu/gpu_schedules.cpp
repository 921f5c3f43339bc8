#include "fuzz/gen/gpu/gpu_schedules.h"

#include <fmt/format.h>

namespace proviso::fuzz {

namespace {

class Scheduler {
  public:
    explicit Scheduler(Choice& choice) : c_(choice) {}

    ScheduledProgram run() {
        type_ = c_.pick<std::string>(
            {"float32", "float32", "float32", "float32", "int32", "int64", "float16", "bfloat16"});
        if (type_ == "float16" || type_ == "bfloat16") feature("16-bit floats");
        symbolic_ = c_.chance(25);
        x_ = c_.pick<std::int64_t>({4, 8, 8, 16});
        y_ = c_.pick<std::int64_t>({2, 4});
        switch (c_.weighted({18, 14, 14, 12, 16, 14, 12, 14})) {
            case 0: element_wise(); break;
            case 7: lanes(); break;
            case 1: stencil(); break;
            case 2: stencil_2d(); break;
            case 3: transpose(); break;
            case 4: product(); break;
            case 5: row_sums(); break;
            default: two_kernels(); break;
        }
        if (symbolic_) out_.features.emplace_back("scheduled: symbolic");
        return std::move(out_);
    }

  private:
    void feature(const std::string& name) { out_.features.push_back("scheduled: " + name); }
    void line(const std::string& s) { out_.text += s + "\n"; }
    void call(const std::string& s) { out_.schedule += s + "\n"; }
    std::string constant(std::int64_t v) const { return fmt::format("T.{}({})", type_, v); }
    bool is_float() const { return type_.find("float") != std::string::npos; }

    // A number of elements: of whole blocks, or with a tail; or `n`, known at run time.
    std::string size(std::int64_t block) {
        const std::int64_t n =
            block * c_.between(1, 3) + (c_.chance(60) ? c_.between(1, block) : 0);
        if (n % block != 0) feature("tail");
        return symbolic_ ? "n" : std::to_string(n);
    }

    std::string buffer(const std::string& name, const std::string& shape) {
        out_.ranges[name] = CellRange{is_float() ? -8 : 0, 8};
        return fmt::format("{}: T.Buffer(({},), \"{}\")", name, shape, type_);
    }
    void head(const std::string& buffers) {
        line("@T.prim_func");
        line(fmt::format("def kernel({}{}):", buffers, symbolic_ ? ", n: T.int32" : ""));
        if (!symbolic_) return;
        line(
            "    T.func_attr({\"tir_var_lower_bound\": {\"n\": 1}, \"tir_var_upper_bound\": "
            "{\"n\": 40}})");
    }

    // Binds, now and then to another axis, or not at all.
    void bind(const std::string& loop, const std::string& axis) {
        if (c_.chance(3)) return feature("loop not bound");
        if (c_.chance(3)) {
            feature("wrong axis");
            return call(fmt::format("sch.bind({}, \"{}\")", loop,
                                    c_.pick<std::string>({"threadIdx.x", "blockIdx.x"})));
        }
        call(fmt::format("sch.bind({}, \"{}\")", loop, axis));
    }
    void simplify() {
        if (c_.chance(50)) call("sch.simplify()");
    }
    void cached(const std::string& block, const std::string& in, const std::string& out) {
        if (c_.chance(15)) call(fmt::format("sch.cache_read({}, \"{}\", \"local\")", block, in));
        if (c_.chance(15)) call(fmt::format("sch.cache_write({}, \"{}\", \"local\")", block, out));
    }

    std::string term(const std::string& cell) {
        if (is_float() && c_.chance(8)) {
            feature("elementary functions");
            return fmt::format("T.{}({})", c_.pick(elementary_functions()), cell);
        }
        switch (c_.between(0, 3)) {
            case 0: return fmt::format("{} * {}", cell, constant(c_.between(2, 3)));
            case 1: return fmt::format("T.max({}, {})", cell, constant(c_.between(0, 2)));
            case 2: return fmt::format("({} - {})", cell, constant(c_.between(1, 3)));
            default: return cell;
        }
    }

    // --- programs --------------------------------------------------------------------------------

    void element_wise() {
        feature("element-wise");
        const std::string n = size(x_);
        head(buffer("A", n) + ", " + buffer("D", n) + ", " + buffer("B", n));
        line(fmt::format("    for i in range({}):", n));
        line("        with T.block(\"b\"):");
        line(fmt::format("            v = T.axis.spatial({}, i)", n));
        line(fmt::format("            B[v] = {} + {}", term("A[v]"), term("D[v]")));
        call("b = sch.get_block(\"b\")");
        if (c_.chance(30)) return padded();
        cached("b", "A", "B");
        call("(i,) = sch.get_loops(b)");
        call(fmt::format("b0, t0 = sch.split(i, factors=[None, {}])", x_));
        if (c_.chance(40)) {  // several elements a thread
            feature("elements a thread");
            call(fmt::format("t0, e = sch.split(t0, factors=[None, {}])", c_.pick({2, 4})));
            if (c_.chance(60)) call("sch.unroll(e)");
        }
        bind("b0", "blockIdx.x");
        bind("t0", "threadIdx.x");
        simplify();
    }

    // 2 or 4 neighbours a thread; mostly whole groups of them, at multiples of their number.
    void lanes() {
        feature("lanes");
        const std::int64_t lanes = c_.pick<std::int64_t>({2, 4});
        std::string n = size(x_);
        if (c_.chance(85)) n = fmt::format("{} * {}", n, lanes);
        head(buffer("A", n + " + 4") + ", " + buffer("B", n));
        line(fmt::format("    for i in range({}):", n));
        line("        with T.block(\"b\"):");
        line(fmt::format("            v = T.axis.spatial({}, i)", n));
        line(
            fmt::format("            B[v] = {}",
                        term(c_.chance(88) ? "A[v]" : fmt::format("A[v + {}]", c_.between(1, 4)))));
        call("b = sch.get_block(\"b\")");
        call("(i,) = sch.get_loops(b)");
        call(fmt::format("g, lane = sch.split(i, factors=[None, {}])", lanes));
        call(fmt::format("b0, t0 = sch.split(g, factors=[None, {}])", x_));
        if (c_.chance(30)) simplify();
        bind("b0", "blockIdx.x");
        bind("t0", "threadIdx.x");
        call("sch.vectorize(lane)");
        simplify();
    }

    // Over-computed into padding: no guard.
    void padded() {
        feature("padded");
        for (const char* name : {"A", "D", "B"}) {
            call(
                fmt::format("sch.transform_layout(b, \"{0}\", lambda i: [i // {1}, i % {1}], "
                            "pad_value={2})",
                            name, x_,
                            c_.chance(50) ? fmt::format("T.undef(\"{}\")", type_)
                                          : std::string(is_float() ? "0.0" : "0")));
        }
        call("sch.sequential_buffer_access(b, \"B\")");
        if (c_.chance(85)) call("sch.remove_branching_through_overcompute(block=b)");
        call("b0, t0 = sch.get_loops(b)");
        bind("b0", "blockIdx.x");
        bind("t0", "threadIdx.x");
    }

    void stencil() {
        feature("halo");
        const std::int64_t reach = c_.between(1, 3);
        const std::string n = size(x_);
        head(buffer("A", fmt::format("{} + {}", n, reach)) + ", " + buffer("B", n));
        line(fmt::format("    for i in range({}):", n));
        line("        with T.block(\"b\"):");
        line(fmt::format("            v = T.axis.spatial({}, i)", n));
        std::string sum = term("A[v]");
        for (std::int64_t k = 1; k <= reach; ++k) sum += " + " + term(fmt::format("A[v + {}]", k));
        line("            B[v] = " + sum);
        call("b = sch.get_block(\"b\")");
        call("(i,) = sch.get_loops(b)");
        call(fmt::format("b0, t0 = sch.split(i, factors=[None, {}])", x_));
        const std::string at = c_.chance(94) ? "b0" : "t0";
        call(fmt::format("tile = sch.read_at({}, b, \"A\", \"shared\")", at));
        call("loops = sch.get_loops(tile)");
        loader("loops[1]");
        bind("b0", "blockIdx.x");
        bind("t0", "threadIdx.x");
        simplify();
    }

    // A loop over the cells of a tile, for the threads of a block.
    void loader(const std::string& loop) {
        if (c_.chance(10)) return feature("one thread loads");
        call(fmt::format("rounds, load = sch.split({}, factors=[None, {}])", loop, x_));
        bind("load", "threadIdx.x");
    }

    // i0, j0: blocks; i1, j1: threads.
    void tiles(const std::string& block) {
        call(fmt::format("i, j = sch.get_loops({})", block));
        call(fmt::format("i0, i1 = sch.split(i, factors=[None, {}])", y_));
        call(fmt::format("j0, j1 = sch.split(j, factors=[None, {}])", x_));
        call("sch.reorder(i0, j0, i1, j1)");
    }
    void bind_tiles() {
        bind("i0", "blockIdx.y");
        bind("j0", "blockIdx.x");
        bind("i1", "threadIdx.y");
        bind("j1", "threadIdx.x");
    }

    void stencil_2d() {
        feature("halo of two axes");
        symbolic_ = false;
        const std::string rows = size(y_);
        const std::string columns = size(x_);
        head(buffer("A", fmt::format("{} + 2, {} + 2", rows, columns)) + ", " +
             buffer("B", rows + ", " + columns));
        line(fmt::format("    for i, j in T.grid({}, {}):", rows, columns));
        line("        with T.block(\"b\"):");
        line("            v, w = T.axis.remap(\"SS\", [i, j])");
        line(fmt::format("            B[v, w] = {} - A[v, w + 1] - A[v + 2, w + {}]",
                         term("A[v + 1, w + 1]"), c_.between(0, 2)));
        call("b = sch.get_block(\"b\")");
        tiles("b");
        call("tile = sch.read_at(j0, b, \"A\", \"shared\")");
        call("loops = sch.get_loops(tile)");
        if (c_.chance(60)) {
            call("flat = sch.fuse(loops[2], loops[3])");
            call(fmt::format("rounds, t = sch.split(flat, factors=[None, {}])", x_ * y_));
            call(fmt::format("y, x = sch.split(t, factors=[None, {}])", x_));
        } else {
            call(fmt::format("ry, y = sch.split(loops[2], factors=[None, {}])", y_));
            call(fmt::format("rx, x = sch.split(loops[3], factors=[None, {}])", x_));
            call("sch.reorder(ry, rx, y, x)");
        }
        bind("y", "threadIdx.y");
        bind("x", "threadIdx.x");
        bind_tiles();
        simplify();
    }

    void transpose() {
        feature("transpose");
        symbolic_ = false;
        y_ = x_ = c_.pick<std::int64_t>({4, 8});
        const std::string rows = size(y_);
        const std::string columns = size(x_);
        head(buffer("A", columns + ", " + rows) + ", " + buffer("B", rows + ", " + columns));
        line(fmt::format("    for i, j in T.grid({}, {}):", rows, columns));
        line("        with T.block(\"b\"):");
        line("            v, w = T.axis.remap(\"SS\", [i, j])");
        line(fmt::format("            B[v, w] = {}", term("A[w, v]")));
        call("b = sch.get_block(\"b\")");
        tiles("b");
        if (c_.chance(80)) {
            call("tile = sch.read_at(j0, b, \"A\", \"shared\")");
            call("loops = sch.get_loops(tile)");
            bind("loops[2]", "threadIdx.y");
            bind("loops[3]", "threadIdx.x");
        }
        bind_tiles();
        simplify();
    }

    void product() {
        feature("matrix product");
        symbolic_ = false;
        y_ = x_ = c_.pick<std::int64_t>({4, 8});
        const std::string m = size(y_);
        const std::string n = size(x_);
        const std::int64_t depth = c_.between(3, 10);
        head(buffer("A", fmt::format("{}, {}", m, depth)) + ", " +
             buffer("B", fmt::format("{}, {}", depth, n)) + ", " + buffer("C", m + ", " + n));
        line(fmt::format("    for i, j in T.grid({}, {}):", m, n));
        line("        with T.block(\"init\"):");
        line("            vi, vj = T.axis.remap(\"SS\", [i, j])");
        line(fmt::format("            C[vi, vj] = {}", constant(0)));
        line(fmt::format("    for p, q, k in T.grid({}, {}, {}):", m, n, depth));
        line("        with T.block(\"update\"):");
        line("            vp, vq, vk = T.axis.remap(\"SSR\", [p, q, k])");
        line("            C[vp, vq] = C[vp, vq] + A[vp, vk] * B[vk, vq]");
        call("init = sch.get_block(\"init\")");
        call("update = sch.get_block(\"update\")");
        tiles("init");
        call("p, q, k = sch.get_loops(update)");
        call(fmt::format("p0, p1 = sch.split(p, factors=[None, {}])", y_));
        call(fmt::format("q0, q1 = sch.split(q, factors=[None, {}])", x_));
        call(fmt::format("k0, k1 = sch.split(k, factors=[None, {}])", c_.pick({2, 4})));
        call("sch.reorder(p0, q0, k0, p1, q1, k1)");
        const bool merged = c_.chance(70);
        if (merged) call("sch.merge_adjacent_loops(i0, p0)");
        // A thread's sum, stored once: below the loops of blocks it lives across barriers.
        const bool registers = merged && c_.chance(45);
        if (registers) {
            feature("sums in registers");
            call("acc = sch.write_at(j0, update, \"C\", \"local\")");
        }
        if (c_.chance(80)) {
            call("ta = sch.read_at(k0, update, \"A\", \"shared\")");
            call("tb = sch.read_at(k0, update, \"B\", \"shared\")");
            for (const char* tile : {"a", "b"}) {
                call(fmt::format("{0} = sch.get_loops(t{0})", tile));
                bind(fmt::format("{}[3]", tile), "threadIdx.y");
                bind(fmt::format("{}[4]", tile), "threadIdx.x");
            }
        }
        bind_tiles();
        if (registers) {
            call("w = sch.get_loops(acc)");
            bind("w[2]", "threadIdx.y");
            bind("w[3]", "threadIdx.x");
        }
        if (!merged) {
            bind("p0", "blockIdx.y");
            bind("q0", "blockIdx.x");
        }
        bind("p1", "threadIdx.y");
        bind("q1", "threadIdx.x");
        if (c_.chance(25)) call("sch.unroll(k1)");
        simplify();
    }

    void row_sums() {
        feature("sums of rows");
        const std::string n = size(x_);
        const std::int64_t columns = c_.between(2, 9);
        head(buffer("A", fmt::format("{}, {}", n, columns)) + ", " + buffer("S", n));
        line(fmt::format("    for i, j in T.grid({}, {}):", n, columns));
        line("        with T.block(\"b\"):");
        line("            v, w = T.axis.remap(\"SR\", [i, j])");
        line("            with T.init():");
        line(fmt::format("                S[v] = {}", constant(0)));
        line(fmt::format("            S[v] = S[v] + {}", term("A[v, w]")));
        call("b = sch.get_block(\"b\")");
        call("i, j = sch.get_loops(b)");
        call(fmt::format("i0, i1 = sch.split(i, factors=[None, {}])", x_));
        if (c_.chance(40)) {
            call(fmt::format("sch.decompose_reduction(b, {})",
                             c_.pick<std::string>({"j", "j", "i1"})));
        }
        if (c_.chance(20)) call("tile = sch.read_at(i0, b, \"A\", \"shared\")");
        if (c_.chance(35)) {
            feature("sums in registers");
            call("sch.write_at(i1, b, \"S\", \"local\")");
        }
        bind("i0", "blockIdx.x");
        bind(c_.chance(92) ? "i1" : "j", "threadIdx.x");
        simplify();
    }

    void two_kernels() {
        feature("two kernels");
        const std::string n = size(x_);
        head(buffer("A", n) + ", " + buffer("B", n));
        line(fmt::format("    M = T.alloc_buffer(({},), \"{}\")", n, type_));
        line(fmt::format("    for i in range({}):", n));
        line("        with T.block(\"first\"):");
        line(fmt::format("            v = T.axis.spatial({}, i)", n));
        line(fmt::format("            M[v] = {}", term("A[v]")));
        line(fmt::format("    for j in range({}):", n));
        line("        with T.block(\"second\"):");
        line(fmt::format("            w = T.axis.spatial({}, j)", n));
        line(fmt::format("            B[w] = {} + M[{} - 1 - w]", term("M[w]"), n));
        int k = 0;
        for (const char* block : {"first", "second"}) {
            call(fmt::format("{0} = sch.get_block(\"{0}\")", block));
            call(fmt::format("(l{},) = sch.get_loops({})", k, block));
            call(fmt::format("b{0}, t{0} = sch.split(l{0}, factors=[None, {1}])", k,
                             c_.pick<std::int64_t>({x_, 4})));
            bind(fmt::format("b{}", k), "blockIdx.x");
            bind(fmt::format("t{}", k), "threadIdx.x");
            ++k;
        }
        simplify();
    }

    Choice& c_;
    ScheduledProgram out_;
    std::string type_;
    bool symbolic_ = false;
    std::int64_t x_ = 8;  // threads of a block, by axis
    std::int64_t y_ = 2;
};

}  // namespace

const std::vector<std::string>& elementary_functions() {
    static const std::vector<std::string> names = {"exp", "exp2", "log", "log2", "tanh", "sigmoid"};
    return names;
}

ScheduledProgram generate_gpu_schedule(Choice& choice) {
    return Scheduler(choice).run();
}

}  // namespace proviso::fuzz
