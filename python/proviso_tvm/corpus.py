"""Programs for a campaign: operators of topi at odd sizes."""

import tvm
from tvm import te, topi


def _t(name, *shape, dtype="float32"):
    return te.placeholder(shape, dtype, name=name)


def _unary(op, dtype="float32"):
    def build():
        A = _t("A", 5, 7, dtype=dtype)
        return [A, op(A)]
    return build


def _binary(op, dtype="float32", other=(7,)):
    def build():
        A, B = _t("A", 5, 7, dtype=dtype), _t("B", *other, dtype=dtype)
        return [A, B, op(A, B)]
    return build


def _reduce(op, axis, dtype="float32", keepdims=False):
    def build():
        A = _t("A", 5, 7, 3, dtype=dtype)
        return [A, op(A, axis=axis, keepdims=keepdims)]
    return build


def _with(op, *shapes, dtype="float32"):
    def build():
        inputs = [_t("ABCDEFG"[k], *shape, dtype=dtype) for k, shape in enumerate(shapes)]
        out = op(*inputs)
        outs = list(out) if isinstance(out, (list, tuple)) or type(out).__name__ == "Array" \
            else [out]
        return inputs + outs
    return build


def operators():
    """name -> a function that gives the arguments of `te.create_prim_func`."""
    nn = topi.nn
    out = {}
    for name in ("exp", "log", "sqrt", "rsqrt", "tanh", "sigmoid", "erf", "sin", "cos", "floor",
                 "ceil", "trunc", "abs", "negative", "identity", "sign", "round", "isnan",
                 "isinf", "isfinite", "fast_exp", "fast_tanh", "fast_erf", "tan", "log2"):
        out[name] = _unary(getattr(topi, name))
    for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum", "power",
                 "greater", "less_equal", "equal"):
        out[name] = _binary(getattr(topi, name))
    for name in ("add", "subtract", "multiply", "floor_divide", "floor_mod", "mod", "maximum",
                 "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "not_equal"):
        out[f"{name}_int32"] = _binary(getattr(topi, name), "int32", (5, 7))
    for name in ("sum", "max", "min", "prod", "argmax", "argmin"):
        out[f"{name}_1"] = _reduce(getattr(topi, name), 1)
        out[f"{name}_02"] = _reduce(getattr(topi, name), (0, 2), keepdims=True)
    out["sum_int8"] = _reduce(topi.sum, 2, "int8")
    out["all"] = _reduce(topi.all, 1, "bool")
    out["any"] = _reduce(topi.any, 0, "bool")
    out.update({
        "softmax": _with(nn.softmax, (5, 7)),
        "fast_softmax": _with(nn.fast_softmax, (5, 7)),
        "log_softmax": _with(nn.log_softmax, (5, 7)),
        "relu": _with(nn.relu, (5, 7)),
        "relu_int32": _with(nn.relu, (5, 7), dtype="int32"),
        "leaky_relu": _with(lambda a: nn.leaky_relu(a, 0.1), (5, 7)),
        "prelu": _with(lambda a, b: nn.prelu(a, b, axis=1), (2, 3, 5), (3,)),
        "softplus": _with(nn.softplus, (5, 7)),
        "clip": _with(lambda a: topi.clip(a, -1.0, 2.0), (5, 7)),
        "dense": _with(nn.dense, (5, 7), (3, 7)),
        "dense_int32": _with(nn.dense, (5, 7), (3, 7), dtype="int32"),
        "matmul": _with(topi.matmul, (5, 7), (7, 3)),
        "batch_matmul": _with(nn.batch_matmul, (2, 5, 7), (2, 3, 7)),
        "tensordot": _with(lambda a, b: topi.tensordot(a, b, axes=1), (3, 5), (5, 2)),
        "einsum": _with(lambda a, b: topi.einsum("ij,jk->ik", a, b), (3, 5), (5, 4)),
        "conv1d_ncw": _with(lambda a, b: nn.conv1d_ncw(a, b, 1, 1, 1), (1, 2, 9), (3, 2, 3)),
        "conv2d_nchw": _with(lambda a, b: nn.conv2d_nchw(a, b, 1, 1, 1), (1, 2, 5, 7),
                             (3, 2, 3, 3)),
        "conv2d_stride": _with(lambda a, b: nn.conv2d_nchw(a, b, 2, 1, 1), (1, 2, 7, 5),
                               (2, 2, 3, 3)),
        "conv2d_dilated": _with(lambda a, b: nn.conv2d_nchw(a, b, 1, 0, 2), (1, 1, 9, 7),
                                (2, 1, 3, 3)),
        "conv2d_nhwc": _with(lambda a, b: nn.conv2d_nhwc(a, b, 1, 1, 1), (1, 5, 7, 2),
                             (3, 3, 2, 3)),
        "conv2d_hwcn": _with(lambda a, b: nn.conv2d_hwcn(a, b, 1, 1, 1), (5, 7, 2, 1),
                             (3, 3, 2, 3)),
        "depthwise": _with(lambda a, b: nn.depthwise_conv2d_nchw(a, b, 1, 1, 1), (1, 3, 5, 7),
                           (3, 1, 3, 3)),
        "group_conv2d": _with(lambda a, b: nn.group_conv2d_nchw(a, b, 1, 1, 1, 2), (1, 4, 5, 5),
                              (2, 2, 3, 3)),
        "conv2d_transpose": _with(
            lambda a, b: nn.conv2d_transpose_nchw(a, b, (2, 2), (1, 1), "float32", (0, 0)),
            (1, 2, 3, 4), (2, 3, 3, 3)),
        "conv1d_transpose": _with(
            lambda a, b: nn.conv1d_transpose_ncw(a, b, 2, 1, "float32", 0), (1, 2, 5), (2, 3, 3)),
        "max_pool": _with(lambda a: nn.pool2d(a, (2, 2), (2, 2), (1, 1), (0, 0, 0, 0), "max"),
                          (1, 2, 7, 5)),
        "avg_pool": _with(lambda a: nn.pool2d(a, (3, 3), (2, 2), (1, 1), (1, 1, 1, 1), "avg"),
                          (1, 2, 7, 5)),
        "global_pool": _with(lambda a: nn.global_pool(a, "avg"), (1, 3, 5, 7)),
        "adaptive_pool": _with(lambda a: nn.adaptive_pool(a, (2, 3), "avg"), (1, 2, 5, 7)),
        "pad": _with(lambda a: nn.pad(a, (1, 0), (2, 3), 0.5), (5, 7)),
        "mirror_pad": _with(lambda a: nn.mirror_pad(a, (1, 2), (2, 1), "REFLECT"), (5, 7)),
        "dilate": _with(lambda a: nn.dilate(a, (2, 3)), (3, 4)),
        "flatten": _with(nn.flatten, (2, 3, 5)),
        "layer_norm": _with(lambda a, b, c: nn.layer_norm(a, b, c, [1], 1e-5), (3, 7), (7,),
                            (7,)),
        "rms_norm": _with(lambda a, b: nn.rms_norm(a, b, [1], 1e-5), (3, 7), (7,)),
        "group_norm": _with(lambda a, b, c: nn.group_norm(a, b, c, 2, 1, [2], 1e-5), (2, 4, 5),
                            (4,), (4,)),
        "instance_norm": _with(lambda a, b, c: nn.instance_norm(a, b, c, 1, [2], 1e-5), (2, 3, 5),
                               (3,), (3,)),
        "lrn": _with(lambda a: nn.lrn(a, 3, 1, 0.1, 0.75, 2.0), (1, 5, 3, 3)),
        "space_to_batch": _with(lambda a: nn.space_to_batch_nd(a, [2], [1], [0], 0.0), (2, 5, 3)),
        "depth_to_space": _with(lambda a: nn.depth_to_space(a, 2, "NCHW", "DCR"), (1, 4, 3, 2)),
        "space_to_depth": _with(lambda a: nn.space_to_depth(a, 2, "NCHW"), (1, 2, 4, 6)),
        "upsampling": _with(lambda a: nn.upsampling(a, 2, 2, "NCHW", "nearest_neighbor"),
                            (1, 2, 3, 4)),
        "resize": _with(lambda a: topi.image.resize2d(
            a, (0.0, 0.0, 0.0, 0.0), (5, 7), "NCHW", "linear"), (1, 1, 3, 4)),
        "resize_nearest": _with(lambda a: topi.image.resize2d(
            a, (0.0, 0.0, 0.0, 0.0), (5, 7), "NCHW", "nearest_neighbor", "asymmetric", "floor"),
            (1, 1, 3, 4)),
        "transpose": _with(lambda a: topi.transpose(a, (2, 0, 1)), (3, 5, 2)),
        "reshape": _with(lambda a: topi.reshape(a, (7, 5)), (5, 7)),
        "concatenate": _with(lambda a, b: topi.concatenate([a, b], 1), (3, 5), (3, 2)),
        "stack": _with(lambda a, b: topi.stack([a, b], 0), (3, 5), (3, 5)),
        "split": _with(lambda a: topi.split(a, [2, 5], 1), (3, 7)),
        "squeeze": _with(topi.squeeze, (3, 1, 5)),
        "expand_dims": _with(lambda a: topi.expand_dims(a, 1, 2), (3, 5)),
        "tile": _with(lambda a: topi.tile(a, (2, 3)), (3, 5)),
        "repeat": _with(lambda a: topi.repeat(a, 3, 1), (3, 5)),
        "flip": _with(lambda a: topi.flip(a, 1), (3, 5)),
        "strided_slice": _with(lambda a: topi.strided_slice(a, [1, 0], [5, 7], [2, 3]), (5, 7)),
        "broadcast_to": _with(lambda a: topi.broadcast_to(a, (3, 5, 7)), (5, 1)),
        "where": _with(lambda a, b: topi.where(topi.greater(a, b), a, b), (5, 7), (5, 7)),
        "layout_transform": _with(lambda a: topi.layout_transform(a, "NCHW", "NCHW2c"),
                                  (1, 4, 3, 5)),
        "trilu": _with(lambda a: topi.trilu(a, te.const(0, "int32"), True), (5, 7)),
        "matrix_set_diag": _with(lambda a, b: topi.matrix_set_diag(a, b), (5, 7), (5,)),
        "meshgrid": _with(lambda a, b: topi.meshgrid([a, b], "ij"), (3,), (5,)),
        "cast_int8": _with(lambda a: topi.cast(a, "int8"), (5, 7), dtype="int32"),
        "cast_int64": _with(lambda a: topi.cast(a, "int64") * 3, (5, 7), dtype="int32"),
        "cast_half": _with(lambda a: topi.cast(a, "float16"), (5, 7)),
        "add_half": _with(topi.add, (5, 7), (5, 7), dtype="float16"),
        "log_add_exp": _with(topi.log_add_exp, (5, 7), (5, 7)),
        "elemwise_sum": _with(lambda a, b, c: topi.elemwise_sum([a, b, c]), (5, 7), (5, 7),
                              (5, 7)),
        "dense_relu": _with(lambda a, b: nn.relu(nn.dense(a, b)), (5, 7), (3, 7)),
        "conv_bias_relu": _with(
            lambda a, b, c: nn.relu(topi.add(nn.conv2d_nchw(a, b, 1, 1, 1), c)), (1, 2, 5, 4),
            (2, 2, 3, 3), (2, 1, 1)),
        "attention": _with(
            lambda q, k, v: nn.batch_matmul(nn.softmax(nn.batch_matmul(q, k)), v), (1, 3, 4),
            (1, 5, 4), (1, 4, 5)),
        "not_a_number": _with(lambda a: topi.where(topi.not_equal(a, a), topi.full_like(a, 1.0),
                                                   topi.full_like(a, 0.0)), (5, 7)),
        "times_zero": _with(lambda a: a * te.const(0.0, "float32"), (5, 7)),
        "not_less": _with(lambda a, b: te.compute((7,), lambda i: tvm.tirx.Select(
            tvm.tirx.Not(a[i] <= b[i]), a[i], b[i])), (7,), (7,)),
    })
    return out


def symbolic():
    """The same for programs with a symbolic size."""
    nn = topi.nn

    def sized(op, *shapes):
        def build():
            n = te.var("n")
            inputs = [_t("ABCDEFG"[k], *(n if e is None else e for e in shape))
                      for k, shape in enumerate(shapes)]
            return inputs + [op(*inputs)]
        return build

    return {
        "any_add": sized(topi.add, (None,), (None,)),
        "any_relu": sized(nn.relu, (None, 7)),
        "any_sum": sized(lambda a: topi.sum(a, 1), (None, 5)),
        "any_sum_inner": sized(lambda a: topi.sum(a, 1), (5, None)),
        "any_max": sized(lambda a: topi.max(a, 0), (None, 3)),
        "any_dense": sized(nn.dense, (None, 4), (3, 4)),
        "any_matmul": sized(topi.matmul, (4, None), (None, 3)),
        "any_transpose": sized(lambda a: topi.transpose(a, (1, 0)), (None, 5)),
        "any_softmax": sized(nn.softmax, (3, None)),
        "any_flip": sized(lambda a: topi.flip(a, 0), (None,)),
        "any_concatenate": sized(lambda a, b: topi.concatenate([a, b], 0), (None, 2), (3, 2)),
        "any_pad": sized(lambda a: nn.pad(a, (1,), (2,), 0.0), (None,)),
    }


def large():
    """Programs at sizes of real networks, which are compared on their twins."""
    nn = topi.nn
    return {
        "large_conv2d": _with(lambda a, b: nn.conv2d_nchw(a, b, 1, 1, 1), (1, 64, 56, 56),
                              (64, 64, 3, 3)),
        "large_conv2d_stride": _with(lambda a, b: nn.conv2d_nchw(a, b, 2, 1, 1),
                                     (1, 64, 56, 56), (128, 64, 3, 3)),
        "large_depthwise": _with(lambda a, b: nn.depthwise_conv2d_nchw(a, b, 1, 1, 1),
                                 (1, 32, 112, 112), (32, 1, 3, 3)),
        "large_dense": _with(nn.dense, (64, 1024), (1000, 1024)),
        "large_softmax": _with(nn.softmax, (128, 1000)),
        "large_layer_norm": _with(lambda a, b, c: nn.layer_norm(a, b, c, [1], 1e-5), (128, 768),
                                  (768,), (768,)),
        "large_max_pool": _with(
            lambda a: nn.pool2d(a, (2, 2), (2, 2), (1, 1), (0, 0, 0, 0), "max"),
            (1, 64, 112, 112)),
        "large_flatten": _with(nn.flatten, (1, 512, 7, 7)),
        "large_transpose": _with(lambda a: topi.transpose(a, (0, 2, 1)), (12, 197, 64)),
    }


def module(build):
    """The module of one operator."""
    args = build()
    return tvm.IRModule({"main": te.create_prim_func(args)})
