"""Programs of one construct each, for the tests of the exporter."""

from tvm.script import tirx as T

PROGRAMS = {}


def program(function):
    PROGRAMS[function.attrs["global_symbol"]] = function
    return function


@program
@T.prim_func(s_tir=True)
def blocks(A: T.Buffer((5, 7), "float32"), B: T.Buffer((5,), "float32")):
    for i, j in T.grid(5, 7):
        with T.sblock("sum"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vj]


@program
@T.prim_func(s_tir=True)
def predicate(A: T.Buffer((10,), "int32"), B: T.Buffer((10,), "int32")):
    for i, j in T.grid(3, 4):
        with T.sblock("copy"):
            v = T.axis.spatial(10, i * 4 + j)
            T.where(i * 4 + j < 10)
            B[v] = A[v] * 2


@program
@T.prim_func(s_tir=True)
def block_memory(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    for i in range(4):
        with T.sblock("row"):
            v = T.axis.spatial(4, i)
            row = T.sblock_alloc_buffer((4,), "float32")
            for j in range(4):
                row[j] = A[v, j] * T.float32(3)
            for j in range(4):
                B[v, j] = row[3 - j]


@program
@T.prim_func(s_tir=True)
def window(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4, 6), "float32")):
    for i in range(2):
        with T.sblock("tile"):
            v = T.axis.spatial(2, i)
            W = T.match_buffer(A[v * 2:v * 2 + 2, 0:6], (2, 6), "float32",
                               offset_factor=1)
            for j, k in T.grid(2, 6):
                B[v * 2 + j, k] = W[j, k] + T.float32(1)


@program
@T.prim_func(s_tir=True)
def view_of_parameter(A: T.Buffer((4, 6), "float32"), B: T.Buffer((24,), "float32")):
    F = T.decl_buffer((24,), "float32", data=A.data)
    for i in range(24):
        B[i] = F[23 - i]


@program
@T.prim_func(s_tir=True)
def view_with_offset(A: T.Buffer((4, 6), "float32"), B: T.Buffer((6,), "float32")):
    F = T.decl_buffer((6,), "float32", data=A.data, elem_offset=12)
    for i in range(6):
        B[i] = F[i]


@program
@T.prim_func(s_tir=True)
def lets(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        x: T.let[T.int32] = A[i] + i
        B[i] = x * x


@program
@T.prim_func(s_tir=True)
def let_in_expression(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        x = T.int32()
        B[i] = T.Let(x * x + x, where={x: A[i] - 2})


@program
@T.prim_func(s_tir=True)
def integers(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = (A[i] // 3) * 100 + A[i] % 3 + T.truncdiv(A[i], 4) * 10 + T.truncmod(A[i], 4) \
            + T.min(A[i], 2) - T.max(i, 3) + T.shift_left(i, 2) + T.bitwise_and(A[i], 6) \
            + T.bitwise_xor(i, 5) - T.bitwise_or(i, 1)


@program
@T.prim_func(s_tir=True)
def bits_of_unsigned(A: T.Buffer((8,), "uint8"), B: T.Buffer((8,), "uint8")):
    for i in range(8):
        B[i] = T.bitwise_not(A[i]) + T.uint8(250) - T.shift_right(A[i], T.uint8(1))


@program
@T.prim_func(s_tir=True)
def floats(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        B[i] = T.min(A[i], T.float32(1.5)) / T.float32(3) + T.max(A[i], T.float32(-0.1)) \
            - T.sqrt(T.fabs(A[i])) + T.floor(A[i]) + T.ceil(A[i]) + T.trunc(A[i])


@program
@T.prim_func(s_tir=True)
def rounds(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        B[i] = T.round(A[i] * T.float32(0) + T.Cast("float32", i) * T.float32(0.5))


@program
@T.prim_func(s_tir=True)
def math_functions(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        B[i] = T.exp(A[i]) + T.log(T.fabs(A[i]) + T.float32(1)) + T.tanh(A[i]) + T.sin(A[i]) \
            + T.cos(A[i]) + T.sigmoid(A[i]) + T.erf(A[i])


@program
@T.prim_func(s_tir=True)
def reciprocal_root(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        B[i] = T.rsqrt(T.fabs(A[i]) + T.float32(1))


@program
@T.prim_func(s_tir=True)
def choices(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        B[i] = T.Select(i < 3 or i == 5, A[i], T.float32(2)) + \
            T.if_then_else(i > 0 and A[i] > T.float32(0), A[i - 1], T.float32(7))


@program
@T.prim_func(s_tir=True)
def casts(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "float32"), C: T.Buffer((8,), "int8")):
    for i in range(8):
        B[i] = T.Cast("float32", A[i]) * T.float32(0.25)
        C[i] = T.Cast("int8", A[i] * 50)


@program
@T.prim_func(s_tir=True)
def wide_indices(A: T.Buffer((T.int64(8),), "float32"), B: T.Buffer((T.int64(8),), "float32")):
    for i in T.serial(T.int64(8)):
        B[T.int64(7) - i] = A[i]


@program
@T.prim_func(s_tir=True)
def kinds_of_loops(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
    for i in T.parallel(4):
        for j in T.unroll(2):
            for k in T.vectorized(4):
                B[i, j * 4 + k] = A[i, j * 4 + k] + T.float32(1)


@program
@T.prim_func(s_tir=True)
def loop_annotations(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in T.serial(8, annotations={"pragma_auto_unroll_max_step": 4}):
        with T.sblock("b"):
            v = T.axis.spatial(8, i)
            T.sblock_attr({"some": 1})
            B[v] = A[v]


@program
@T.prim_func(s_tir=True)
def allocations(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    x = T.alloc_buffer((8,), "float32", scope="local")
    for i in range(8):
        x[i] = A[i] * T.float32(2)
    for i in range(8):
        B[i] = x[7 - i]


@program
@T.prim_func(s_tir=True)
def vectors(A: T.Buffer((8,), "float32"), B: T.Buffer((16,), "float32")):
    B[T.Ramp(0, 2, 4)] = A[T.Ramp(0, 1, 4)] * T.Broadcast(T.float32(2), 4)
    B[T.Ramp(1, 2, 4)] = A[T.Ramp(4, 1, 4)]
    for i in range(2):
        B[T.Ramp(8 + i * 4, 1, 4)] = T.Broadcast(A[i], 4)


@program
@T.prim_func(s_tir=True)
def branches(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if A[i] > 0 and not (i == 3):
            B[i] = 1
        else:
            if i % 2 == 0:
                B[i] = 2


@program
@T.prim_func(s_tir=True)
def one_cell(A: T.Buffer((), "float32"), B: T.Buffer((), "float32")):
    B[()] = A[()] + T.float32(1)


@program
@T.prim_func(s_tir=True)
def scalars(A: T.Buffer((4,), "float32"), n: T.int32, B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = A[i] * T.Cast("float32", n)


@program
@T.prim_func(s_tir=True)
def constants(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.max(T.min(A[i], T.float32("inf")), T.float32("-inf")) + T.float32(1e-5)


@program
@T.prim_func(s_tir=True)
def large_memory(A: T.Buffer((2000,), "float32"), B: T.Buffer((2000,), "float32")):
    x = T.alloc_buffer((2000,), "float32")
    for i in range(2000):
        x[i] = A[i] + T.float32(1)
    for i in range(2000):
        B[i] = x[1999 - i]


@program
@T.prim_func(s_tir=True)
def workspace_in_loop(A: T.Buffer((3, 600), "float32"), B: T.Buffer((3, 600), "float32")):
    for i in range(3):
        x = T.alloc_buffer((600,), "float32")
        for j in range(600):
            x[j] = A[i, j] * T.float32(2)
        for j in range(600):
            B[i, j] = x[599 - j]


@program
@T.prim_func(s_tir=True)
def virtual_threads(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in T.thread_binding(2, thread="vthread.x"):
        for j in range(4):
            B[i * 4 + j] = A[i * 4 + j] + T.float32(1)
