#include "fuzz/planted/undefined_programs.h"

namespace proviso::fuzz {

const std::vector<UndefinedProgram>& undefined_programs() {
    static const std::vector<UndefinedProgram> list = {
        {"semantics:indet-arithmetic", R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = (A[i] + 1) // 2
)"},
        {"semantics:indet-arithmetic", R"(
@T.prim_func
def f(A: T.Buffer((4,), "int64"), B: T.Buffer((4,), "bool")):
    for i in range(4):
        B[i] = -A[i] < T.int64(3)
)"},
        {"semantics:indet-arithmetic", R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.abs(A[i]) % 7
)"},
        {"semantics:indet-arithmetic", R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i] << 3
)"},
        {"semantics:indet-quotient", R"(
@T.prim_func
def f(A: T.Buffer((4,), "int8"), B: T.Buffer((4,), "int8")):
    for i in range(4):
        B[i] = A[i] // T.int8(-1)
)"},
        {"semantics:indet-shift", R"(
@T.prim_func
def f(A: T.Buffer((4,), "uint8"), B: T.Buffer((4,), "uint8")):
    for i in range(4):
        B[i] = T.uint8(1) << A[i]
)"},
        {"semantics:indet-cast", R"(
@T.prim_func
def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int16")):
    for i in range(4):
        B[i] = T.Cast("int16", A[i])
)"},
        {"semantics:indet-choice", R"(
@T.prim_func
def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Select(A[i] < T.float32(0.0), 2147483647 + i, 0) // 2
)"},
    };
    return list;
}

}  // namespace proviso::fuzz
