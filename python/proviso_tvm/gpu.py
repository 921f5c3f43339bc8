"""Programs on the blocks and threads of a GPU: scheduled by dlight, lowered, and not compiled."""

import tvm
from tvm.s_tir import dlight
from tvm.tirx.build import split_host_device_mods


def gpu_target():
    return tvm.target.Target({"kind": "cuda", "arch": "sm_80"}, host="llvm")


def on_gpu(mod):
    """The module with its loops bound to blocks and threads."""
    with gpu_target():
        return dlight.ApplyDefaultSchedule(
            dlight.gpu.Matmul(), dlight.gpu.GEMV(), dlight.gpu.Reduction(),
            dlight.gpu.GeneralReduction(), dlight.gpu.Fallback())(mod)


def lower_for_gpu(mod):
    """All passes of TVM's pipeline for CUDA, up to the generation of code."""
    target = gpu_target()
    mod = tvm.tirx.transform.BindTarget(target)(mod)
    pipeline, finish_host, finish_device = tvm.tirx.get_default_tir_pipeline(target)
    mod = pipeline(mod)
    host, devices = split_host_device_mods(mod)
    finish_host()(host)
    for device in devices.values():
        finish_device()(device)
