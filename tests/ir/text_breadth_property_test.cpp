// Nothing that may stand in a file brings the reader of views, lets, launches and steps down: text
// with a few characters changed is read as a program that prints and reads back, or refused.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "tests/ir/text_reader.h"

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
