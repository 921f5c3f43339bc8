// Nothing that may stand in a file brings the reader of views, lets, launches and steps down: text
// with a few characters changed is read as a program that prints and reads back, or refused.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "tests/ir/text/reader.h"

namespace proviso::ir {
namespace {

const char* const kPrograms[] = {
    R"(@T.prim_func
def f(A: T.Buffer((4, 32), "float32", strides=[32, 1]), p: T.handle("float32"), n: T.int32):
    x, y = T.int32(), T.int64()
    tx = T.env_thread("threadIdx.x")
    S = T.decl_buffer((128,), "float32", data=p)
    X = T.decl_buffer((8, 16), "float32", data=A.data)
    Y = T.Buffer((2, 4), data=X.data, strides=[16, 2], elem_offset=n)
    with T.launch_thread(tx, 8):
        for k in range(0, 16, 2):
            with T.LetStmt(n * 2, var=x):
                S[tx * 16 + k] = X[tx, k] + Y[0, x]
    with T.LetStmt(T.int64(3), var=y):
        S[y + n] = 1
)",
    R"(@T.prim_func
def f(a: T.handle, b: T.handle):
    n = T.int32()
    off = T.int32()
    A = T.match_buffer(a, (n, 16), "int32", elem_offset=off, align=64, offset_factor=1)
    B = T.match_buffer(b, (4, 4, 16), "int32")
    q = T.allocate([64], "int32", "shared.dyn")
    w = T.decl_buffer((4, 16), "int32", data=q)
    for i in T.serial(n):
        with T.block("b"):
            vi = T.axis.spatial(n, i)
            T.reads(A[vi, 0:16])
            s0, s1 = T.int32(), T.int32()
            R = T.match_buffer(A[vi, 0:16], (16,), strides=[1])
            Q = T.match_buffer(B[1, 0:4, 0:16], (4, 16), strides=[s0, s1], elem_offset=T.int32())
            with T.init():
                R[0] = 0
            z: T.let[T.int32] = T.bind(R[1])
            if z % 2:
                Q[0, 1] = z * s0 + s1
            w[1, 2] = q[3]
            assert z < 3, ("ValueError", ["z is ", "large"])
)",
    R"(@T.prim_func
def f(a: T.handle, V: T.Buffer((4,), "int32x4", strides=(2,)), I: T.Buffer((16,), "int32")):
    n, s, t = T.int32(), T.int32(), T.int32()
    A = T.match_buffer(a, (n, 16), "int32", strides=[s, t])
    T.attr(I.data, "storage_alignment", 64)
    X = T.alloc_buffer((4, 8), "int32", strides=[9, 1], scope="shared")
    T.attr(X, "double_buffer_scope", n)
    Y = T.decl_buffer((2,), "int32x4", data=X.data, elem_offset=1)
    for i in T.serial(n, annotations={"of": [I, lambda k: (k, s)]}):
        v: T.let[T.int32x4] = A[i, 0:4]
        w = I.vload([4], "int32x4") + T.broadcast(I[0], 4)
        V[1] = v * w + V[0]
        I[1:5] = I[0:4]
        I[I[0:4]] += v
        with T.block("b"):
            vi = T.axis.spatial(n, i)
            T.reads(V[0:4], X[1, 0:8])
            T.block_attr({"row": [vi * 2, I[vi]]})
            Y[1] = V[2]
)",
};

RC_GTEST_PROP(TextBreadthProperty, DamagedTextIsReadOrRefused, ()) {
    const auto cuts =
        *rc::gen::container<std::vector<std::uint32_t>>(20, rc::gen::arbitrary<std::uint32_t>());
    Context ctx;
    for (const std::string text : kPrograms) {
        for (const std::uint32_t cut : cuts) {
            const std::string wrong = neither_read_nor_refused(ctx, damaged(text, cut));
            if (!wrong.empty()) RC_FAIL(wrong);
        }
    }
}

TEST(TextBreadthProperty, TheProgramsThemselvesAreReadable) {
    Context ctx;
    for (const std::string text : kPrograms) {
        const auto f = parse_function(ctx, text, "f.py");
        EXPECT_EQ(f.ok() ? "" : f.error().str(), "");
    }
}

}  // namespace
}  // namespace proviso::ir
