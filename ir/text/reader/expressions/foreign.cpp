#include "ir/text/reader/expressions/foreign.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "ir/type.h"

namespace proviso::ir {

namespace {

using Names = std::string_view;

// Prefixes of families, then single names. Sources: the reference of tvm.tir.script and
// tvm.script.ir_builder.tir, and the lists of intrinsics of the targets there.
constexpr std::array kFamilies = {Names{"ptx_"},
                                  Names{"tvm_"},
                                  Names{"cuda_"},
                                  Names{"nvshmem_"},
                                  Names{"simdgroup"},
                                  Names{"make_filled_simdgroup"},
                                  Names{"hexagon_"},
                                  Names{"dma_"},
                                  Names{"anylist_"},
                                  Names{"vectorlow"},
                                  Names{"vectorhigh"},
                                  Names{"vectorcombine"},
                                  Names{"atomic_"},
                                  Names{"texture2d"},
                                  Names{"mma_"},
                                  Names{"TVMBackend"},
                                  Names{"start_profile"},
                                  Names{"end_profile"},
                                  Names{"create_barriers"},
                                  Names{"nki_"},
                                  Names{"ptx."},
                                  Names{"cuda."},
                                  Names{"nvshmem."},
                                  Names{"nki."},
                                  Names{"webgpu."},
                                  Names{"metal."},
                                  Names{"warp"},
                                  Names{"cta"},
                                  Names{"cluster"},
                                  Names{"thread_id"},
                                  Names{"lane_id"},
                                  Names{"kernel"},
                                  Names{"mbarrier"},
                                  Names{"tcgen05"},
                                  Names{"tma_"},
                                  Names{"address_of"},
                                  Names{"llvm_"},
                                  Names{"amdgcn"},
                                  Names{"async_"}};

constexpr std::array kNames = {Names{"call_packed"},
                               Names{"call_cpacked"},
                               Names{"call_pure_extern"},
                               Names{"call_intrin"},
                               Names{"call_llvm_intrin"},
                               Names{"call_llvm_pure_intrin"},
                               Names{"call_packed_lowered"},
                               Names{"call_cpacked_lowered"},
                               Names{"call_tir"},
                               Names{"call_spirv_pure_glsl450"},
                               Names{"while_"},
                               Names{"ret"},
                               Names{"Ramp"},
                               Names{"ramp"},
                               Names{"Broadcast"},
                               Names{"broadcast"},
                               Names{"vscale"},
                               Names{"Shuffle"},
                               Names{"shuffle"},
                               Names{"reinterpret"},
                               Names{"fma"},
                               Names{"sigmoid"},
                               Names{"isinf"},
                               Names{"isfinite"},
                               Names{"fmod"},
                               Names{"hypot"},
                               Names{"copysign"},
                               Names{"nextafter"},
                               Names{"ldexp"},
                               Names{"exp2"},
                               Names{"exp10"},
                               Names{"log2"},
                               Names{"log10"},
                               Names{"log1p"},
                               Names{"tan"},
                               Names{"acos"},
                               Names{"acosh"},
                               Names{"asin"},
                               Names{"asinh"},
                               Names{"atan"},
                               Names{"atanh"},
                               Names{"atan2"},
                               Names{"cosh"},
                               Names{"sinh"},
                               Names{"erf"},
                               Names{"trunc"},
                               Names{"floor"},
                               Names{"ceil"},
                               Names{"sum"},
                               Names{"comm_reducer"},
                               Names{"reduce"},
                               Names{"Reduce"},
                               Names{"prefetch"},
                               Names{"realize"},
                               Names{"buffer_store"},
                               Names{"buffer_load"},
                               Names{"load"},
                               Names{"store"},
                               Names{"BufferLoad"},
                               Names{"BufferStore"},
                               Names{"ProducerLoad"},
                               Names{"ProducerStore"},
                               Names{"Call"},
                               Names{"StringImm"},
                               Names{"IntImm"},
                               Names{"FloatImm"},
                               Names{"type_annotation"},
                               Names{"void"},
                               Names{"TensorMap"},
                               Names{"Ptr"},
                               Names{"Var"},
                               Names{"SizeVar"},
                               Names{"iter_var"},
                               Names{"IterVar"},
                               Names{"CommReducer"},
                               Names{"IndexMap"},
                               Names{"index_map"},
                               Names{"Range"},
                               Names{"target"},
                               Names{"Target"},
                               Names{"BlockRealize"},
                               Names{"Block"},
                               Names{"SBlock"},
                               Names{"preflattened_buffer"},
                               Names{"meta_var"},
                               Names{"macro"},
                               Names{"inline"},
                               Names{"static_assert"},
                               Names{"undef"},
                               Names{"break_loop"},
                               Names{"continue_loop"},
                               Names{"break_"},
                               Names{"continue_"},
                               Names{"device_entry"},
                               Names{"device_func"},
                               Names{"get_active_lane_mask"},
                               Names{"get_vscale_expr"},
                               Names{"ignore_loop_partition"},
                               Names{"lookup_param"},
                               Names{"infinity"},
                               Names{"thread_return"},
                               Names{"no_op"},
                               Names{"assume"},
                               Names{"builtin"},
                               Names{"print_buffer"},
                               Names{"printf"},
                               Names{"sync_warp"},
                               Names{"syncthreads"},
                               Names{"thread_axis"},
                               Names{"add_to_parent"},
                               Names{"unsafe_view"},
                               Names{"decl_scalar"},
                               Names{"local_scalar"},
                               Names{"alloc_cell"},
                               Names{"alloc_tcgen05"},
                               Names{"alloc_scalar"},
                               Names{"alloc_tmem"},
                               Names{"shared_scalar"},
                               Names{"shared_cell"},
                               Names{"local_cell"},
                               Names{"constexpr"},
                               Names{"filter"},
                               Names{"selector"},
                               Names{"elect_sync"},
                               Names{"layout"},
                               Names{"Layout"},
                               Names{"TileLayout"},
                               Names{"SwizzleLayout"},
                               Names{"ComposeLayout"},
                               Names{"S"},
                               Names{"R"},
                               Names{"axis.scan"},
                               Names{"vectorized_load"},
                               Names{"handle_add_byte_offset"},
                               Names{"isnullptr"},
                               Names{"large_uint_imm"},
                               Names{"mul_hi"},
                               Names{"get_cache_hint"},
                               Names{"hint"},
                               Names{"smem"},
                               Names{"scope_id"},
                               Names{"bitwise_popcount"},
                               Names{"end_trace"},
                               Names{"start_trace"},
                               Names{"profiler"},
                               Names{"scan"}};

constexpr std::array kMembers = {Names{"vload"},
                                 Names{"vstore"},
                                 Names{"access_ptr"},
                                 Names{"data"},
                                 Names{"offset_of"},
                                 Names{"byte_offset"},
                                 Names{"dtype"},
                                 Names{"shape"},
                                 Names{"strides"},
                                 Names{"elem_offset"},
                                 Names{"scope"},
                                 Names{"view"},
                                 Names{"permute"},
                                 Names{"local"},
                                 Names{"storage"},
                                 Names{"ptr_to"},
                                 Names{"get_flattened_buffer"},
                                 Names{"layout"},
                                 Names{"partition"},
                                 Names{"rearrange"},
                                 Names{"bcast"},
                                 Names{"tile"},
                                 Names{"chunk"}};

bool starts_with(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

bool digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(),
                                        [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

bool is_foreign_name(std::string_view dotted) {
    const std::size_t dot = dotted.find('.');
    if (dot == std::string_view::npos) return false;
    const std::string_view module = dotted.substr(0, dot);
    if (module != "T" && module != "I") return module == "Tx" || module == "tvm" || module == "R";
    const std::string_view name = dotted.substr(dot + 1);
    return is_foreign_type(name) || std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
           std::any_of(kFamilies.begin(), kFamilies.end(),
                       [&](std::string_view family) { return starts_with(name, family); });
}

// A scalar and its lanes, or a type of cells that no operator here computes with.
bool is_foreign_type(std::string_view name) {
    if (ScalarType::parse(std::string(name))) return false;
    if (name == "handle" || name == "void" || name == "TensorMap") return true;
    const std::size_t lanes = name.find('x');
    const std::string_view scalar = name.substr(0, lanes);
    if (lanes != std::string_view::npos) {
        std::string_view rest = name.substr(lanes + 1);
        if (starts_with(rest, "vscale")) rest.remove_prefix(6);
        if (starts_with(rest, "x")) rest.remove_prefix(1);
        if (!rest.empty() && !digits(rest)) return false;
        if (ScalarType::parse(std::string(scalar))) return true;
    }
    if (starts_with(scalar, "float8_") || starts_with(scalar, "float4_") ||
        starts_with(scalar, "float6_") || starts_with(scalar, "e4m3_") ||
        starts_with(scalar, "e5m2_")) {
        return true;
    }
    static constexpr std::array narrow = {Names{"int1"},  Names{"int2"},  Names{"int4"},
                                          Names{"uint1"}, Names{"uint2"}, Names{"uint4"}};
    return std::find(narrow.begin(), narrow.end(), scalar) != narrow.end();
}

bool is_foreign_member(std::string_view name) {
    return std::find(kMembers.begin(), kMembers.end(), name) != kMembers.end();
}

}  // namespace proviso::ir
