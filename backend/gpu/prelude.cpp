#include "backend/gpu/prelude.h"

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
#define PV_INLINE static __host__ __device__ __forceinline__
#define PV_KERNEL extern "C" __global__ void
#define PV_KERNEL_OF(x, y, z) extern "C" __global__ void __launch_bounds__((x) * (y) * (z))
#define PV_GLOBAL
#define PV_RESTRICT __restrict__
#define PV_SHARED(type, name, count, offset) __shared__ type name[count]
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
#define pv_mul_f64(x, y) __dmul_rn(x, y)
#define pv_div_f64(x, y) __ddiv_rn(x, y)
#define pv_sqrt_f64(x) __dsqrt_rn(x)
#define pv_abs_f64(x) fabs(x)
#define pv_floor_f64(x) floor(x)
#define pv_ceil_f64(x) ceil(x)
#define pv_trunc_f64(x) trunc(x)
#define pv_round_f64(x) rint(x)
#define pv_f64_of_bits(x) __longlong_as_double((long long)(x))
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
#define PV_INLINE static inline
#define PV_KERNEL __kernel void
#define PV_KERNEL_OF(x, y, z) __kernel __attribute__((reqd_work_group_size(x, y, z))) void
#define PV_GLOBAL __global
#define PV_RESTRICT restrict
#define PV_SHARED(type, name, count, offset) __local type name[count]
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
)";

constexpr const char* kOpenClDouble = R"(#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double f64;
#define pv_mul_f64(x, y) ((f64)(x) * (f64)(y))
#define pv_div_f64(x, y) ((f64)(x) / (f64)(y))
#define pv_sqrt_f64(x) sqrt((f64)(x))
#define pv_abs_f64(x) fabs((f64)(x))
#define pv_floor_f64(x) floor((f64)(x))
#define pv_ceil_f64(x) ceil((f64)(x))
#define pv_trunc_f64(x) trunc((f64)(x))
#define pv_round_f64(x) rint((f64)(x))
#define pv_f64_of_bits(x) as_double((u64)(x))
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

}  // namespace

std::string prelude(Language language, bool uses_double) {
    std::string out;
    switch (language) {
        case Language::Cuda: out = kCuda; break;
        case Language::OpenCl: out = kOpenCl; break;
        case Language::Host: out = kHost; break;
    }
    if (language == Language::OpenCl && uses_double) out += kOpenClDouble;
    out += kCommon;
    if (uses_double) out += kCommonDouble;
    return out;
}

}  // namespace proviso::backend::gpu
