"""Programs for a campaign: small programs with schedules by hand."""

import tvm
from tvm import s_tir, te


def _matmul(m=6, n=7, k=5):
    A = te.placeholder((m, k), "float32", name="A")
    B = te.placeholder((k, n), "float32", name="B")
    r = te.reduce_axis((0, k), name="k")
    C = te.compute((m, n), lambda i, j: te.sum(A[i, r] * B[r, j], axis=r), name="C")
    return tvm.IRModule({"main": te.create_prim_func([A, B, C])})


def _large_matmul():
    return _matmul(126, 128, 130)


def _two_stages(n=14):
    A = te.placeholder((n,), "float32", name="A")
    B = te.compute((n,), lambda i: A[i] + te.const(1.0, "float32"), name="B")
    C = te.compute((n,), lambda i: B[i] * te.const(2.0, "float32"), name="C")
    return tvm.IRModule({"main": te.create_prim_func([A, C])})


def _stencil(n=12):
    A = te.placeholder((n + 2,), "float32", name="A")
    B = te.compute((n + 2,), lambda i: A[i] * te.const(3.0, "float32"), name="B")
    C = te.compute((n,), lambda i: B[i] + B[i + 1] + B[i + 2], name="C")
    return tvm.IRModule({"main": te.create_prim_func([A, C])})


def _scheduled(build, schedule):
    def make(wrap=lambda sch: sch):
        sch = wrap(s_tir.Schedule(build()))
        schedule(sch)
        return sch.mod
    return make


def _row_max(n=5, k=7):
    A = te.placeholder((n, k), "float32", name="A")
    r = te.reduce_axis((0, k), name="k")
    B = te.compute((n,), lambda i: te.max(A[i, r], axis=r), name="B")
    C = te.compute((n,), lambda i: B[i] * te.const(2.0, "float32"), name="C")
    return tvm.IRModule({"main": te.create_prim_func([A, C])})


def _sum_relu(n=5, k=7):
    A = te.placeholder((n, k), "float32", name="A")
    r = te.reduce_axis((0, k), name="k")
    B = te.compute((n,), lambda i: te.sum(A[i, r], axis=r), name="B")
    C = te.compute((n,), lambda i: te.max(B[i], te.const(0.0, "float32")), name="C")
    return tvm.IRModule({"main": te.create_prim_func([A, C])})


def _sum_bias(n=5, k=7):
    A = te.placeholder((n, k), "float32", name="A")
    D = te.placeholder((n,), "float32", name="D")
    r = te.reduce_axis((0, k), name="k")
    B = te.compute((n,), lambda i: te.sum(A[i, r], axis=r), name="B")
    C = te.compute((n,), lambda i: B[i] + D[i], name="C")
    return tvm.IRModule({"main": te.create_prim_func([A, D, C])})


def _floats(make):
    """Comparisons and products that nothing has simplified yet: no builder has seen them."""
    def build():
        tirx = tvm.tirx
        A = te.placeholder((7,), "float32", name="A")
        D = te.placeholder((7,), "float32", name="D")
        C = te.compute((7,), lambda i: A[i] + D[i], name="C")
        func = te.create_prim_func([A, D, C])
        a, d, c = func.params
        i = tirx.Var("i", "int32")
        value = make(tirx.BufferLoad(a, [i]), tirx.BufferLoad(d, [i]))
        body = tirx.For(i, 0, 7, tirx.ForKind.SERIAL, tirx.BufferStore(c, value, [i]))
        return tvm.IRModule({"main": func.with_body(body)})
    return build


def _block(sch, name):
    return sch.get_sblock(name)


def _tile(sch):
    i, j, _ = sch.get_loops(_block(sch, "C"))
    io, ii = sch.split(i, [None, 4])
    jo, ji = sch.split(j, [None, 4])
    sch.reorder(io, jo, ii, ji)


def _tile_vectorize(sch):
    i, j, k = sch.get_loops(_block(sch, "C"))
    _, ji = sch.split(j, [None, 4])
    sch.reorder(k, ji)
    sch.vectorize(ji)


def _parallel_unroll(sch):
    i, j, k = sch.get_loops(_block(sch, "C"))
    sch.parallel(i)
    sch.unroll(k)


def _decompose(sch):
    block = _block(sch, "C")
    i, j, k = sch.get_loops(block)
    sch.reorder(i, k, j)
    sch.decompose_reduction(block, sch.get_loops(block)[1])


def _rfactor(sch):
    _, _, k = sch.get_loops(_block(sch, "C"))
    sch.rfactor(k, 0)


def _cache(sch):
    block = _block(sch, "C")
    sch.cache_read(block, 0, "local")
    sch.cache_write(block, 0, "local")


def _fuse(sch):
    i, j, _ = sch.get_loops(_block(sch, "C"))
    fused = sch.fuse(i, j)
    sch.split(fused, [None, 8])


def _compute_at(sch):
    (i,) = sch.get_loops(_block(sch, "C"))
    io, _ = sch.split(i, [None, 4])
    sch.compute_at(_block(sch, "B"), io)


def _compute_at_vectorized(sch):
    (i,) = sch.get_loops(_block(sch, "C"))
    _, ii = sch.split(i, [None, 4])
    sch.compute_at(_block(sch, "B"), ii)
    sch.vectorize(ii)


def _inline(sch):
    sch.compute_inline(_block(sch, "B"))


def _reverse_inline(sch):
    sch.reverse_compute_inline(_block(sch, "C"))


def _reverse_compute_at(sch):
    (i,) = sch.get_loops(_block(sch, "B"))
    io, _ = sch.split(i, [None, 4])
    sch.reverse_compute_at(_block(sch, "C"), io)


def _vthread(sch):
    (i,) = sch.get_loops(_block(sch, "C"))
    io, ii = sch.split(i, [2, None])
    sch.bind(io, "vthread")


def _partition(sch):
    (i,) = sch.get_loops(_block(sch, "C"))
    sch.annotate(i, "pragma_loop_partition_hint", 1)


def _unroll_max(sch):
    (i,) = sch.get_loops(_block(sch, "C"))
    io, ii = sch.split(i, [None, 4])
    sch.annotate(io, "pragma_auto_unroll_max_step", 16)
    sch.annotate(io, "pragma_unroll_explicit", 1)


def _layout(sch):
    sch.transform_layout(_block(sch, "B"), ("write", 0), lambda i: [i // 2, i % 2])


def _storage_align(sch):
    sch.storage_align(_block(sch, "B"), 0, 0, 8, 1)


def _double_buffer(sch):
    (i,) = sch.get_loops(_block(sch, "C"))
    io, _ = sch.split(i, [None, 4])
    sch.compute_at(_block(sch, "B"), io)
    sch.annotate(_block(sch, "B"), "double_buffer_scope", 0)


def _pipeline(sch):
    (i,) = sch.get_loops(_block(sch, "C"))
    io, _ = sch.split(i, [None, 2])
    sch.compute_at(_block(sch, "B"), io)
    sch.annotate(io, "software_pipeline_stage", [0, 1])
    sch.annotate(io, "software_pipeline_order", [0, 1])


def _loop_partition_reduction(sch):
    _, k = sch.get_loops(_block(sch, "B"))
    sch.loop_partition(k, [2, None])


def _cache_after_partition(sch):
    (i,) = sch.get_loops(_block(sch, "B"))
    sch.loop_partition(i, [4, None])
    names = [str(b.name_hint) for b in _leaf_blocks(sch)]
    sch.cache_read(_block(sch, [n for n in names if n.startswith("B")][0]), 0, "local")


def _partition_stage(sch):
    (i,) = sch.get_loops(_block(sch, "B"))
    sch.loop_partition(i, [4, None])


def _leaf_blocks(sch):
    return [sch.get(b) for b in sch.get_child_blocks(_block(sch, "root"))]


def _fuse_epilogue(sch):
    sch.fuse_reduction_epilogue(_block(sch, "B"), _block(sch, "C"))


def _pad_einsum(sch):
    sch.pad_einsum(_block(sch, "B"), [2, 4])


def _pad_einsum_matmul(sch):
    sch.pad_einsum(_block(sch, "C"), [4, 4, 4])


def _reindex(sch):
    sch.reindex(_block(sch, "C"), ("read", 0))


def _cache_write_split(sch):
    (i,) = sch.get_loops(_block(sch, "C"))
    sch.split(i, [None, 4])
    sch.cache_write(_block(sch, "C"), 0, "local")


def _nothing(sch):
    pass


def hand_schedules():
    """name -> a function that gives the module."""
    out = {}
    for schedule in (_tile, _tile_vectorize, _parallel_unroll, _decompose, _rfactor, _cache,
                     _fuse):
        out["matmul" + schedule.__name__] = _scheduled(_matmul, schedule)
    for schedule in (_tile, _tile_vectorize, _decompose):
        out["large_matmul" + schedule.__name__] = _scheduled(_large_matmul, schedule)
    for schedule in (_compute_at, _compute_at_vectorized, _inline, _reverse_inline,
                     _reverse_compute_at, _vthread, _partition, _unroll_max, _layout,
                     _storage_align, _double_buffer, _pipeline):
        out["stages" + schedule.__name__] = _scheduled(_two_stages, schedule)
    for schedule in (_cache_after_partition, _reindex, _cache_write_split):
        out["stages" + schedule.__name__] = _scheduled(_two_stages, schedule)
    out["stages_loop_partition"] = _scheduled(_two_stages, _partition_stage)
    for schedule in (_loop_partition_reduction, _pad_einsum):
        out["row_max" + schedule.__name__] = _scheduled(_row_max, schedule)
    out["matmul_pad_einsum"] = _scheduled(_matmul, _pad_einsum_matmul)
    out["sum_relu_fuse_epilogue"] = _scheduled(_sum_relu, _fuse_epilogue)
    out["sum_bias_fuse_epilogue"] = _scheduled(_sum_bias, _fuse_epilogue)
    out["sum_loop_partition"] = _scheduled(_sum_relu, _loop_partition_reduction)
    tirx = tvm.tirx
    one, zero = te.const(1.0, "float32"), te.const(0.0, "float32")
    for name, make in {
            "self_not_equal": lambda a, b: tirx.Select(tirx.NE(a, a), one, zero),
            "not_less_equal": lambda a, b: tirx.Select(tirx.Not(tirx.LE(a, b)), one, zero),
            "times_zero": lambda a, b: tirx.Mul(a, zero),
            "difference": lambda a, b: tirx.Sub(a, a),
            "plus_zero": lambda a, b: tirx.Add(a, zero),
            "negated": lambda a, b: tirx.Mul(te.const(-1.0, "float32"), tirx.Sub(a, b)),
            "quotient": lambda a, b: tirx.Div(a, a),
            "max_of": lambda a, b: tirx.Max(a, tirx.Max(b, a)),
            "select_same": lambda a, b: tirx.Select(tirx.LT(a, b), a, tirx.Min(a, b)),
            "sum_less": lambda a, b: tirx.Select(tirx.LT(tirx.Add(a, b), b), one, zero)}.items():
        out["floats_" + name] = _scheduled(_floats(make), _nothing)
    for schedule in (_compute_at, _inline, _compute_at_vectorized, _layout, _double_buffer,
                     _unroll_max, _reverse_compute_at, _cache_after_partition):
        out["stencil" + schedule.__name__] = _scheduled(_stencil, schedule)
    return out
