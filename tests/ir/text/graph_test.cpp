// Functions of Relax over R.call_tir, which allocate and call.
#include "tests/ir/text/reader.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

struct TextGraph : TextReader {
    // `body` is what `main` has after its head, two levels inside.
    static std::string graph(const std::string& signature, const std::string& body) {
        return "@I.ir_module\nclass Net:\n"
               "    @T.prim_func(private=True)\n"
               "    def double(A: T.Buffer((T.int64(4),), \"int32\"), "
               "B: T.Buffer((T.int64(4),), \"int32\")):\n"
               "        for i in range(T.int64(4)):\n            B[i] = A[i] * 2\n"
               "    @T.prim_func(private=True)\n"
               "    def add(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\"), "
               "C: T.Buffer((4,), \"int32\")):\n"
               "        for i in range(4):\n            C[i] = A[i] + B[i]\n"
               "    @T.prim_func(private=True)\n"
               "    def both(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\"), "
               "C: T.Buffer((), \"int32\")):\n"
               "        C[()] = A[0]\n"
               "        for i in range(4):\n            B[i] = A[i] + 1\n"
               "    @T.prim_func(private=True)\n"
               "    def grow(A: T.Buffer((4,), \"int32\")):\n"
               "        for i in range(4):\n            A[i] = A[i] + 1\n"
               "    @T.prim_func(private=True)\n"
               "    def fill(a: T.handle, s: T.int64):\n"
               "        n = T.int64()\n        A = T.match_buffer(a, (n,), \"int32\")\n"
               "        for i in range(n):\n            A[i] = T.Cast(\"int32\", s)\n"
               "    @R.function\n    def main(" +
               signature + "):\n        cls = Net\n" + body;
    }
    static constexpr const char* kX = "x: R.Tensor((4,), dtype=\"int32\")";
    static constexpr const char* kLike = "out_sinfo=R.Tensor((4,), dtype=\"int32\"))\n";

    Function main_of(const std::string& text) {
        const Result<Module> m = parse_module(ctx, text, "net.py");
        EXPECT_TRUE(m.ok()) << m.error().str();
        const Function* f = m.ok() ? m->find("main") : nullptr;
        return f == nullptr ? Function{} : *f;
    }
    // The diagnostic of a graph that is read and has no meaning.
    Diagnostic kept(const std::string& text) {
        const auto f = parse_program(ctx, text, "net.py");
        EXPECT_TRUE(f.ok()) << f.error().str();
        if (!f || f->opaque.empty()) return {};
        EXPECT_EQ(f->opaque[0].name, "main");
        return f->opaque[0].reason;
    }
};

TEST_F(TextGraph, CallsAndAllocates) {
    const std::string text =
        graph(kX, std::string("        with R.dataflow():\n"
                              "            a = R.call_tir(cls.double, (x,), ") +
                      kLike + "            b = R.call_tir(cls.double, x, " + kLike +
                      "            y = R.call_tir(cls.add, (a, b), " + kLike +
                      "            gv: R.Tensor((4,), dtype=\"int32\") = y\n"
                      "            R.output(gv)\n        return gv\n");
    EXPECT_EQ(print(main_of(text)),
              "@T.prim_func\n"
              "def main(x: T.Buffer((T.int64(4),), \"int32\"), "
              "y: T.Buffer((T.int64(4),), \"int32\")):\n"
              "    a = T.alloc_buffer((T.int64(4),), \"int32\")\n"
              "    b = T.alloc_buffer((T.int64(4),), \"int32\")\n"
              "    for i in range(T.int64(4)):\n"
              "        a[i] = x[i] * 2\n"
              "    for i_1 in range(T.int64(4)):\n"
              "        b[i_1] = x[i_1] * 2\n"
              "    for i_2 in range(4):\n"
              "        y[i_2] = a[i_2] + b[i_2]\n");
    // The file stays a graph.
    const auto file = parse_program(ctx, text, "net.py");
    ASSERT_TRUE(file.ok());
    EXPECT_TRUE(file->opaque.empty());
    EXPECT_THAT(file->canonical, HasSubstr("y = R.call_tir(cls.add, (a, b), out_sinfo="));
    const auto again = parse_program(ctx, file->canonical, "net.py");
    ASSERT_TRUE(again.ok()) << again.error().str();
    EXPECT_EQ(again->canonical, file->canonical);
    EXPECT_EQ(again->module.functions, file->module.functions);
}

// So that a schedule can name each.
TEST_F(TextGraph, BlocksHaveNamesOfTheirOwn) {
    const std::string block =
        "                with T.block(\"NAME\"):\n                    v = T.axis.spatial(4, i)\n";
    const auto stage = [&](const std::string& name, const std::string& value) {
        std::string inside = block;
        inside.replace(inside.find("NAME"), 4, name);
        return "            for i in range(4):\n" + inside + "                    " + value + "\n";
    };
    const std::string text =
        "@I.ir_module\nclass Net:\n    @T.prim_func(private=True)\n"
        "    def twice(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\")):\n"
        "        with T.block(\"outer\"):\n" +
        stage("twice", "B[v] = A[v]") + stage("twice", "B[v] = B[v] * 2") +
        stage("twice_2", "B[v] = B[v] * 3") + "    @R.function\n    def main(" + kX +
        "):\n        y = R.call_tir(Net.twice, (x,), " + kLike +
        "        z = R.call_tir(Net.twice, (y,), " + kLike + "        return z\n";
    const std::string is = print(main_of(text));
    std::vector<std::string> names;
    for (std::size_t at = is.find("T.block(\""); at != std::string::npos;
         at = is.find("T.block(\"", at + 1)) {
        names.push_back(is.substr(at + 9, is.find('"', at + 9) - at - 9));
    }
    EXPECT_THAT(names, testing::ElementsAre("outer", "twice", "twice_1", "twice_2", "outer_1",
                                            "twice_3", "twice_4", "twice_2_1"));
}

// TVM 0.27 calls the kinds of the results `out_ty`.
TEST_F(TextGraph, ATensorMayBeReadTwiceByOneCall) {
    const Function f =
        main_of(graph(kX,
                      "        y = R.call_tir(cls.add, (x, x), out_ty=R.Tensor((4,), \"int32\"))\n"
                      "        return y\n"));
    EXPECT_THAT(print(f), HasSubstr("y[i] = x[i] + x[i]\n"));
}

TEST_F(TextGraph, SeveralResults) {
    const Function f = main_of(graph(
        kX,
        "        p = R.call_tir(cls.both, (x,), out_sinfo=[R.Tensor((4,), dtype=\"int32\"), "
        "R.Tensor((), dtype=\"int32\")])\n"
        "        q: R.Tensor((4,), dtype=\"int32\") = p[0]\n"
        "        r = R.call_tir(cls.double, (q,), out_sinfo=R.Tensor((4,), dtype=\"int32\"))\n"
        "        return (r, p[1], x, r)\n"));
    // What the caller gave, and what it gets already, are copied.
    EXPECT_EQ(print(f),
              "@T.prim_func\n"
              "def main(x: T.Buffer((T.int64(4),), \"int32\"), "
              "r: T.Buffer((T.int64(4),), \"int32\"), p_1: T.Buffer((), \"int32\"), "
              "x_out: T.Buffer((T.int64(4),), \"int32\"), "
              "r_out: T.Buffer((T.int64(4),), \"int32\")):\n"
              "    p_0 = T.alloc_buffer((T.int64(4),), \"int32\")\n"
              "    p_1[()] = x[0]\n"
              "    for i in range(4):\n"
              "        p_0[i] = x[i] + 1\n"
              "    for i_1 in range(T.int64(4)):\n"
              "        r[i_1] = p_0[i_1] * 2\n"
              "    for i0 in range(T.int64(4)):\n"
              "        x_out[i0] = x[i0]\n"
              "    for i0_1 in range(T.int64(4)):\n"
              "        r_out[i0_1] = r[i0_1]\n");
}

TEST_F(TextGraph, SizesThatShapesDefine) {
    const Function f = main_of(
        graph("x: R.Tensor((\"n * 2\",), dtype=\"int32\"), w: R.Tensor((\"n\",), dtype=\"int32\")",
              "        n = T.int64()\n"
              "        y = R.call_tir(cls.fill, R.tuple(), out_sinfo=R.Tensor((n + 1,), "
              "dtype=\"int32\"), tir_vars=R.shape([n]))\n"
              "        return y\n"));
    EXPECT_EQ(print(f),
              "@T.prim_func\n"
              "def main(var_x: T.handle, var_w: T.handle, var_y: T.handle, n: T.int64):\n"
              "    x = T.match_buffer(var_x, (n * T.int64(2),), \"int32\")\n"
              "    w = T.match_buffer(var_w, (n,), \"int32\")\n"
              "    y = T.match_buffer(var_y, (n + T.int64(1),), \"int32\")\n"
              "    n_1: T.int64 = n + T.int64(1)\n"
              "    for i in range(n_1):\n"
              "        y[i] = T.Cast(\"int32\", n)\n");
}

TEST_F(TextGraph, UpdatesInPlace) {
    const std::string start =
        "        a = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((4,), dtype=\"int32\"))\n";
    const auto grow = [](const std::string& of) {
        return "        b = R.call_tir_inplace(cls.grow, (" + of +
               ",), inplace_indices=[0], out_sinfo=R.Tensor((4,), dtype=\"int32\"))\n";
    };
    EXPECT_THAT(print(main_of(graph(kX, start + grow("a") + "        return b\n"))),
                HasSubstr("a[i] = x[i] * 2\n"
                          "    for i_1 in range(4):\n"
                          "        a[i_1] = a[i_1] + 1\n"));
    // Trap: the old value is looked at after its memory got another one, under any name.
    for (const char* old : {"a", "c"}) {
        const std::string told = fails(
            graph(kX, start + "        c = a\n" + grow("a") + "        return (b, " + old + ")\n"));
        EXPECT_THAT(told, HasSubstr("this is `a` as it was before line 31, which updates it"));
    }
    // Trap: the caller's tensor.
    EXPECT_EQ(kept(graph(kX, grow("x") + "        return b\n")).message,
              "this would change `x`, which the caller gave");
}

TEST_F(TextGraph, LayoutTransform) {
    const auto transform = [](const std::string& pad) {
        return graph("x: R.Tensor((7,), dtype=\"int32\")",
                     "        y: R.Tensor((2, 4), dtype=\"int32\") = R.layout_transform(x, "
                     "index_map=lambda i: (i // 4, i % 4), pad_value=" +
                         pad + ")\n        return y\n");
    };
    const std::string scatter = "        y[i0_1 // T.int64(4), i0_1 % T.int64(4)] = x[i0_1]\n";
    EXPECT_THAT(
        print(main_of(transform("3"))),
        HasSubstr("            y[i0, i1] = 3\n    for i0_1 in range(T.int64(7)):\n" + scatter));
    EXPECT_THAT(print(main_of(transform("T.int32(3)"))), HasSubstr("y[i0, i1] = 3\n"));
    EXPECT_THAT(print(main_of(transform("None"))),
                HasSubstr("    for i0 in range(T.int64(7)):\n"
                          "        y[i0 // T.int64(4), i0 % T.int64(4)] = x[i0]\n"));
    EXPECT_THAT(fails(graph(kX,
                            "        y: R.Tensor((4, 1), dtype=\"int32\") = "
                            "R.layout_transform(x, index_map=lambda i, j: (i, j))\n"
                            "        return y\n")),
                HasSubstr("the map takes 2 indices, and `x` has 1"));
    EXPECT_EQ(kept(graph(kX,
                         "        y = R.layout_transform(x, index_map=lambda i: (i, 0))\n"
                         "        return y\n"))
                  .message,
              "the shape of the result is not written");
}

TEST_F(TextGraph, WhatHasNoMeaningIsNamedAtItsPlace) {
    const auto told = [&](const std::string& body, const std::string& message, int line) {
        const Diagnostic d = kept(graph(kX, body));
        EXPECT_THAT(d.str(), HasSubstr(message)) << body;
        EXPECT_EQ(d.line, line) << body;
    };
    told("        y = R.add(x, x)\n        return y\n", "LegalizeOps makes calls of `R.call_tir`",
         29);
    told(
        "        y = R.call_dps_packed(\"f\", (x,), out_sinfo=R.Tensor((4,), \"int32\"))\n"
        "        return y\n",
        "this has no meaning here", 29);
    told("        w = metadata[\"relax.expr.Constant\"][0]\n        return w\n",
         "make it a parameter of the function", 29);
    told("        w = R.const(1, \"int32\")\n        return w\n", "data in a graph", 29);
    told("        if x:\n            y = x\n        else:\n            y = x\n        return y\n",
         "a choice between graphs", 29);
    told(
        "        y = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor(ndim=1, dtype=\"int32\"))\n"
        "        return y\n",
        "a tensor without a shape", 29);
    EXPECT_EQ(kept(graph("x: R.Object", "        return x\n")).message,
              "only tensors have a meaning here");
}

TEST_F(TextGraph, MistakesAreErrors) {
    const std::string y = std::string("        y = R.call_tir(cls.double, (x,), ") + kLike;
    const std::vector<std::pair<std::string, std::string>> cases = {
        {y + "        return yy\n", "`yy` is not known here"},
        {y, "function `main` returns nothing"},
        {y + "        return y\n        z = y\n", "nothing comes after `return`"},
        {"        y = R.call_tir(cls.doubel, (x,), " + std::string(kLike) + "        return y\n",
         "did you mean `double`?"},
        {"        y = R.call_tir(cls.add, (x,), " + std::string(kLike) + "        return y\n",
         "add takes 3 arguments, not 2"},
        {"        y = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((5,), dtype=\"int32\"))\n"
         "        return y\n",
         "buffer y has another type or shape than parameter B of double"},
        {"        with R.dataflow():\n            a = R.call_tir(cls.double, (x,), " +
             std::string(kLike) + "            R.output()\n        return a\n",
         "`a` is not given out by its dataflow block"},
        {"        y = R.call_tir(cls.double, (x,))\n        return y\n", "is expected"},
        {"        y = R.call_tir(cls.double, (x,), out_sinof=1)\n        return y\n",
         "did you mean `out_sinfo`?"},
        {y + "        return y[0]\n", "`y` is no tuple"},
        {"        y = R.call_tir_inplace(cls.grow, (x,), inplace_indices=[0, 1], " +
             std::string(kLike) + "        return y\n",
         "one index for each result is expected, not 2 for 1"},
        {"        for i in range(4):\n            pass\n        return x\n",
         "this line cannot stand in a function of Relax"},
    };
    for (const auto& [body, message] : cases) {
        EXPECT_THAT(fails(graph(kX, body)), HasSubstr(message)) << body;
    }
    // Not everything after an @ is a function of TVM.
    EXPECT_THAT(fails("@R.functio\ndef f():\n    pass\n"), HasSubstr("is not supported"));
    EXPECT_THAT(fails(graph(std::string(kX) + ") -> R.Tuple(R.Tensor((4,), \"int32\"), "
                                              "R.Tensor((4,), \"int32\")",
                            "        return x\n")),
                HasSubstr("says that it returns 2 tensors, and returns 1"));
}

}  // namespace
}  // namespace proviso::ir
