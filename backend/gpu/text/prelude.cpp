#include "backend/gpu/text/prelude.h"

#include "backend/gpu/text/functions.h"

namespace proviso::backend::gpu {

namespace {

constexpr const char* kCuda =
    R"(// CUDA C++. Floats are strict: products do not fuse with sums, quotients and roots are correctly
// rounded, in every mode of the compiler but --use_fast_math and --ftz=true.
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
typedef char2 i8x2;
typedef char4 i8x4;
typedef uchar2 u8x2;
typedef uchar4 u8x4;
typedef short2 i16x2;
typedef short4 i16x4;
typedef ushort2 u16x2;
typedef ushort4 u16x4;
typedef int2 i32x2;
typedef int4 i32x4;
typedef uint2 u32x2;
typedef uint4 u32x4;
typedef float2 f32x2;
typedef float4 f32x4;
typedef longlong2 i64x2;
typedef ulonglong2 u64x2;
typedef double2 f64x2;
#define PV_WIDE(type, cells) (*(type*)(cells))
#define PV_INLINE static __host__ __device__ __forceinline__
#define PV_KERNEL extern "C" __global__ void
#define PV_KERNEL_OF(x, y, z) extern "C" __global__ void __launch_bounds__((x) * (y) * (z))
#define PV_GLOBAL
#define PV_SHARED_MEMORY
#define PV_RESTRICT __restrict__
#define PV_SHARED(type, name, count, offset) __shared__ __align__(16) type name[count]
#define PV_LOCAL(type, name, count) type name[count]
#define PV_BARRIER() __syncthreads()
#define PV_UNROLL _Pragma("unroll")
#define PV_BLOCK_X blockIdx.x
#define PV_BLOCK_Y blockIdx.y
#define PV_BLOCK_Z blockIdx.z
#define PV_THREAD_X threadIdx.x
#define PV_THREAD_Y threadIdx.y
#define PV_THREAD_Z threadIdx.z
#define pv_mul_f32(x, y) __fmul_rn(x, y)
#define pv_div_f32(x, y) __fdiv_rn(x, y)
#define pv_sqrt_f32(x) __fsqrt_rn(x)
#define pv_abs_f32(x) fabsf(x)
#define pv_floor_f32(x) floorf(x)
#define pv_ceil_f32(x) ceilf(x)
#define pv_trunc_f32(x) truncf(x)
#define pv_round_f32(x) rintf(x)
#define pv_f32_of_bits(x) __uint_as_float(x)
#define pv_bits_of_f32(x) __float_as_uint(x)
#define pv_mul_f64(x, y) __dmul_rn(x, y)
#define pv_div_f64(x, y) __ddiv_rn(x, y)
#define pv_sqrt_f64(x) __dsqrt_rn(x)
#define pv_abs_f64(x) fabs(x)
#define pv_floor_f64(x) floor(x)
#define pv_ceil_f64(x) ceil(x)
#define pv_trunc_f64(x) trunc(x)
#define pv_round_f64(x) rint(x)
#define pv_f64_of_bits(x) __longlong_as_double((long long)(x))
#define pv_bits_of_f64(x) ((u64)__double_as_longlong(x))
)";

constexpr const char* kOpenCl =
    R"(// OpenCL C 1.2. Floats are strict where the device rounds quotients and roots correctly; build with
// -cl-fp32-correctly-rounded-divide-sqrt.
#pragma OPENCL FP_CONTRACT OFF
typedef char i8;
typedef short i16;
typedef int i32;
typedef long i64;
typedef uchar u8;
typedef ushort u16;
typedef uint u32;
typedef ulong u64;
typedef float f32;
typedef char2 i8x2;
typedef char4 i8x4;
typedef uchar2 u8x2;
typedef uchar4 u8x4;
typedef short2 i16x2;
typedef short4 i16x4;
typedef ushort2 u16x2;
typedef ushort4 u16x4;
typedef int2 i32x2;
typedef int4 i32x4;
typedef uint2 u32x2;
typedef uint4 u32x4;
typedef float2 f32x2;
typedef float4 f32x4;
typedef long2 i64x2;
typedef ulong2 u64x2;
#define PV_WIDE(type, cells) (*(type*)(cells))
#define PV_INLINE static inline
#define PV_KERNEL __kernel void
#define PV_KERNEL_OF(x, y, z) __kernel __attribute__((reqd_work_group_size(x, y, z))) void
#define PV_GLOBAL __global
#define PV_SHARED_MEMORY __local
#define PV_RESTRICT restrict
#define PV_SHARED(type, name, count, offset) __local type name[count] __attribute__((aligned(16)))
#define PV_LOCAL(type, name, count) type name[count]
#define PV_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define PV_UNROLL
#define PV_BLOCK_X get_group_id(0)
#define PV_BLOCK_Y get_group_id(1)
#define PV_BLOCK_Z get_group_id(2)
#define PV_THREAD_X get_local_id(0)
#define PV_THREAD_Y get_local_id(1)
#define PV_THREAD_Z get_local_id(2)
#define pv_mul_f32(x, y) ((f32)(x) * (f32)(y))
#define pv_div_f32(x, y) ((f32)(x) / (f32)(y))
#define pv_sqrt_f32(x) sqrt((f32)(x))
#define pv_abs_f32(x) fabs((f32)(x))
#define pv_floor_f32(x) floor((f32)(x))
#define pv_ceil_f32(x) ceil((f32)(x))
#define pv_trunc_f32(x) trunc((f32)(x))
#define pv_round_f32(x) rint((f32)(x))
#define pv_f32_of_bits(x) as_float((u32)(x))
#define pv_bits_of_f32(x) as_uint((f32)(x))
)";

constexpr const char* kOpenClDouble = R"(#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double f64;
typedef double2 f64x2;
#define pv_mul_f64(x, y) ((f64)(x) * (f64)(y))
#define pv_div_f64(x, y) ((f64)(x) / (f64)(y))
#define pv_sqrt_f64(x) sqrt((f64)(x))
#define pv_abs_f64(x) fabs((f64)(x))
#define pv_floor_f64(x) floor((f64)(x))
#define pv_ceil_f64(x) ceil((f64)(x))
#define pv_trunc_f64(x) trunc((f64)(x))
#define pv_round_f64(x) rint((f64)(x))
#define pv_f64_of_bits(x) as_double((u64)(x))
#define pv_bits_of_f64(x) as_ulong((f64)(x))
)";

constexpr const char* kHost =
    R"(// C++ for this machine, one thread of the grid after the other. Build with -ffp-contract=off.
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
// Neighbouring cells as one object. An access that is not aligned is a crash here, too.
#define PV_PAIR(T) struct alignas(2 * sizeof(T)) T##x2 { T x, y; };
#define PV_FOUR(T) struct alignas(4 * sizeof(T)) T##x4 { T x, y, z, w; };
PV_PAIR(i8) PV_PAIR(i16) PV_PAIR(i32) PV_PAIR(i64) PV_PAIR(u8) PV_PAIR(u16) PV_PAIR(u32) PV_PAIR(u64)
PV_PAIR(f32) PV_PAIR(f64)
PV_FOUR(i8) PV_FOUR(i16) PV_FOUR(i32) PV_FOUR(u8) PV_FOUR(u16) PV_FOUR(u32) PV_FOUR(f32)
template <typename T, typename P>
static inline T& pv_wide(P* cells) {
    if ((unsigned long)cells % sizeof(T) != 0) __builtin_trap();
    return *(T*)cells;
}
#define PV_WIDE(type, cells) pv_wide<type>(cells)
// Set by whoever runs the kernels; see gpu_host.h.
extern "C" {
unsigned pv_block[3];
unsigned pv_thread[3];
char* pv_shared;
void (*pv_barrier)(int line);
}
static inline void pv_poison(void* memory, unsigned long bytes) {
    __builtin_memset(memory, 0xff, bytes);
}
#define PV_INLINE static inline
#define PV_KERNEL extern "C" void
#define PV_KERNEL_OF(x, y, z) extern "C" void
#define PV_GLOBAL
#define PV_SHARED_MEMORY
#define PV_RESTRICT __restrict__
#define PV_SHARED(type, name, count, offset) type* const name = (type*)(pv_shared + (offset))
#define PV_LOCAL(type, name, count) type name[count]; pv_poison(name, sizeof name)
#define PV_BARRIER() pv_barrier(__LINE__)
#define PV_UNROLL
#define PV_BLOCK_X pv_block[0]
#define PV_BLOCK_Y pv_block[1]
#define PV_BLOCK_Z pv_block[2]
#define PV_THREAD_X pv_thread[0]
#define PV_THREAD_Y pv_thread[1]
#define PV_THREAD_Z pv_thread[2]
#define pv_mul_f32(x, y) ((f32)(x) * (f32)(y))
#define pv_div_f32(x, y) ((f32)(x) / (f32)(y))
#define pv_sqrt_f32(x) __builtin_sqrtf(x)
#define pv_abs_f32(x) __builtin_fabsf(x)
#define pv_floor_f32(x) __builtin_floorf(x)
#define pv_ceil_f32(x) __builtin_ceilf(x)
#define pv_trunc_f32(x) __builtin_truncf(x)
#define pv_round_f32(x) __builtin_rintf(x)
static inline f32 pv_f32_of_bits(u32 x) {
    f32 out;
    __builtin_memcpy(&out, &x, sizeof out);
    return out;
}
static inline u32 pv_bits_of_f32(f32 x) {
    u32 out;
    __builtin_memcpy(&out, &x, sizeof out);
    return out;
}
#define pv_mul_f64(x, y) ((f64)(x) * (f64)(y))
#define pv_div_f64(x, y) ((f64)(x) / (f64)(y))
#define pv_sqrt_f64(x) __builtin_sqrt(x)
#define pv_abs_f64(x) __builtin_fabs(x)
#define pv_floor_f64(x) __builtin_floor(x)
#define pv_ceil_f64(x) __builtin_ceil(x)
#define pv_trunc_f64(x) __builtin_trunc(x)
#define pv_round_f64(x) __builtin_rint(x)
static inline f64 pv_f64_of_bits(u64 x) {
    f64 out;
    __builtin_memcpy(&out, &x, sizeof out);
    return out;
}
static inline u64 pv_bits_of_f64(f64 x) {
    u64 out;
    __builtin_memcpy(&out, &x, sizeof out);
    return out;
}
)";

// Min and max by compare and select: the result for NaN and for zeros of both signs is that of
// ir/op.h. Floor division from the truncating one that C has.
constexpr const char* kCommon = R"(
#define PV_CHOICES(T) \
    PV_INLINE T pv_min_##T(T x, T y) { return y < x ? y : x; } \
    PV_INLINE T pv_max_##T(T x, T y) { return x < y ? y : x; }
#define PV_SIGNED(T, U) \
    PV_INLINE T pv_floordiv_##T(T x, T y) { \
        const T q = (T)(x / y); \
        const T r = (T)(x % y); \
        return r != 0 && (r < 0) != (y < 0) ? (T)(q - 1) : q; \
    } \
    PV_INLINE T pv_floormod_##T(T x, T y) { \
        const T r = (T)(x % y); \
        return r != 0 && (r < 0) != (y < 0) ? (T)(r + y) : r; \
    } \
    PV_INLINE T pv_abs_##T(T x) { return x < 0 ? (T)((U)0 - (U)x) : x; }
PV_CHOICES(i8)
PV_CHOICES(i16)
PV_CHOICES(i32)
PV_CHOICES(i64)
PV_CHOICES(u8)
PV_CHOICES(u16)
PV_CHOICES(u32)
PV_CHOICES(u64)
PV_CHOICES(f32)
PV_SIGNED(i8, u32)
PV_SIGNED(i16, u32)
PV_SIGNED(i32, u32)
PV_SIGNED(i64, u64)
PV_INLINE bool pv_isnan_f32(f32 x) { return x != x; }
)";

constexpr const char* kCommonDouble = R"(PV_CHOICES(f64)
PV_INLINE bool pv_isnan_f64(f64 x) { return x != x; }
)";

// 16-bit floats: each operation is one of float32, rounded once more, to nearest even. For + - * /
// and the square root that is the correctly rounded result: float32 has 24 bits, twice float16's 11
// and two more (Figueroa, "When is double rounding innocuous?", 1995), and bfloat16's results below
// the normal range have fewer bits than lie between its last place and float32's.
constexpr const char* kSmallFloats = R"(
typedef u16 f16;
typedef u16 bf16;
// The 15 bits of the magnitude, in float32's place, are the value divided by 2^112.
PV_INLINE f32 pv_f32_of_f16(f16 x) {
    const u32 magnitude = (u32)x & 0x7fffu;
    const u32 sign = ((u32)x & 0x8000u) << 16;
    const u32 scaled = pv_bits_of_f32(pv_mul_f32(pv_f32_of_bits(magnitude << 13), pv_f32_of_bits(0x77800000u)));
    return pv_f32_of_bits(sign | (magnitude >= 0x7c00u ? magnitude << 13 | 0x7f800000u : scaled));
}
PV_INLINE f32 pv_f32_of_bf16(bf16 x) { return pv_f32_of_bits((u32)x << 16); }
// Half of the last kept place is added, less one where that place is even.
PV_INLINE f16 pv_f16_of_f32(f32 x) {
    const u32 magnitude = pv_bits_of_f32(x) & 0x7fffffffu;
    const u32 sign = pv_bits_of_f32(x) >> 16 & 0x8000u;
    if (magnitude > 0x7f800000u) return (f16)0x7e00u;
    if (magnitude >= 0x477ff000u) return (f16)(sign | 0x7c00u);
    if (magnitude < 0x38800000u) {  // the last place of 0.5 is that of float16's subnormals
        return (f16)(sign | (pv_bits_of_f32(pv_f32_of_bits(magnitude) + 0.5f) - 0x3f000000u));
    }
    return (f16)(sign | (((magnitude + 0xfffu + (magnitude >> 13 & 1u)) >> 13) - 0x1c000u));
}
PV_INLINE bf16 pv_bf16_of_f32(f32 x) {
    const u32 magnitude = pv_bits_of_f32(x) & 0x7fffffffu;
    const u32 sign = pv_bits_of_f32(x) >> 16 & 0x8000u;
    if (magnitude > 0x7f800000u) return (bf16)0x7fc0u;
    return (bf16)(sign | (magnitude + 0x7fffu + (magnitude >> 16 & 1u)) >> 16);
}
// Integers of more than 24 bits: those that are dropped leave a 1 behind, so that the last rounding
// sees on which side of a tie it is.
PV_INLINE bf16 pv_bf16_of_u64(u64 x) {
    u32 places = 0;
    while (x >= 0x1000000u) {
        x = (x >> 1) | (x & 1u);
        ++places;
    }
    return pv_bf16_of_f32(pv_mul_f32((f32)x, pv_f32_of_bits((127u + places) << 23)));
}
PV_INLINE bf16 pv_bf16_of_i64(i64 x) {
    if (x >= 0) return pv_bf16_of_u64((u64)x);
    return (bf16)(pv_bf16_of_u64((u64)0 - (u64)x) | 0x8000u);
}
#define PV_SMALL_FLOAT(T, infinity) \
    PV_INLINE T pv_add_##T(T x, T y) { return pv_##T##_of_f32(pv_f32_of_##T(x) + pv_f32_of_##T(y)); } \
    PV_INLINE T pv_sub_##T(T x, T y) { return pv_##T##_of_f32(pv_f32_of_##T(x) - pv_f32_of_##T(y)); } \
    PV_INLINE T pv_mul_##T(T x, T y) { return pv_##T##_of_f32(pv_mul_f32(pv_f32_of_##T(x), pv_f32_of_##T(y))); } \
    PV_INLINE T pv_div_##T(T x, T y) { return pv_##T##_of_f32(pv_div_f32(pv_f32_of_##T(x), pv_f32_of_##T(y))); } \
    PV_INLINE T pv_min_##T(T x, T y) { return pv_f32_of_##T(y) < pv_f32_of_##T(x) ? y : x; } \
    PV_INLINE T pv_max_##T(T x, T y) { return pv_f32_of_##T(x) < pv_f32_of_##T(y) ? y : x; } \
    PV_INLINE T pv_neg_##T(T x) { return (T)(x ^ 0x8000u); } \
    PV_INLINE T pv_abs_##T(T x) { return (T)(x & 0x7fffu); } \
    PV_INLINE T pv_sqrt_##T(T x) { return pv_##T##_of_f32(pv_sqrt_f32(pv_f32_of_##T(x))); } \
    PV_INLINE T pv_floor_##T(T x) { return pv_##T##_of_f32(pv_floor_f32(pv_f32_of_##T(x))); } \
    PV_INLINE T pv_ceil_##T(T x) { return pv_##T##_of_f32(pv_ceil_f32(pv_f32_of_##T(x))); } \
    PV_INLINE T pv_trunc_##T(T x) { return pv_##T##_of_f32(pv_trunc_f32(pv_f32_of_##T(x))); } \
    PV_INLINE T pv_round_##T(T x) { return pv_##T##_of_f32(pv_round_f32(pv_f32_of_##T(x))); } \
    PV_INLINE bool pv_isnan_##T(T x) { return ((u32)x & 0x7fffu) > infinity; }
PV_SMALL_FLOAT(f16, 0x7c00u)
PV_SMALL_FLOAT(bf16, 0x7f80u)
)";

// By way of the float32 next to the double, rounded to odd: a further rounding to 16 bits is then
// as good as one from the double (Boldo and Melquiond, "Emulation of FMA and correctly rounded
// sums: proved algorithms using rounding to odd", 2008).
constexpr const char* kSmallFloatsOfDouble = R"(
PV_INLINE f32 pv_odd_f32(f64 x) {
    const f32 nearest = (f32)x;
    const f64 back = (f64)nearest;
    const u32 bits = pv_bits_of_f32(nearest);
    if (back == x || x != x || (bits & 1u) != 0) return nearest;
    return pv_f32_of_bits(pv_abs_f64(back) < pv_abs_f64(x) ? bits + 1u : bits - 1u);
}
PV_INLINE f16 pv_f16_of_f64(f64 x) { return pv_f16_of_f32(pv_odd_f32(x)); }
PV_INLINE bf16 pv_bf16_of_f64(f64 x) { return pv_bf16_of_f32(pv_odd_f32(x)); }
)";

}  // namespace

std::string prelude(Language language, const Uses& uses) {
    std::string out;
    switch (language) {
        case Language::Cuda: out = kCuda; break;
        case Language::OpenCl: out = kOpenCl; break;
        case Language::Host: out = kHost; break;
    }
    if (language == Language::OpenCl && uses.doubles) out += kOpenClDouble;
    out += kCommon;
    if (uses.doubles) out += kCommonDouble;
    if (uses.functions) out += functions_text();
    if (uses.small_floats) out += kSmallFloats;
    if (uses.small_floats && uses.doubles) out += kSmallFloatsOfDouble;
    return out;
}

}  // namespace proviso::backend::gpu
