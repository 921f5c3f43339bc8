// Barriers left out or put where not all threads come: steps of the rule `sync`.
#include "fuzz/planted/scenarios/scenario.h"

namespace proviso::fuzz {

const std::vector<Scenario>& barrier_scenarios() {
    static const std::vector<Scenario> list = {
        {"no barrier between a store and another thread's load",
         "between threads that do not wait",
         R"(
@T.prim_func
def f(A: T.Buffer((24,), "int32"), B: T.Buffer((24,), "int32")):
    for b in T.thread_binding(3, thread="blockIdx.x"):
        tile = T.alloc_buffer((8,), "int32", scope="shared")
        for t in T.thread_binding(8, thread="threadIdx.x"):
            tile[t] = A[b * 8 + t]
        for u in T.thread_binding(8, thread="threadIdx.x"):
            B[b * 8 + u] = tile[7 - u]
)",
         {{"sync", "body", R"j({"after": []})j"}}},
        {"no barrier before the next iteration's stores",
         "between threads that do not wait",
         R"(
@T.prim_func
def f(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4, 8), "int32")):
    for b in T.thread_binding(1, thread="blockIdx.x"):
        tile = T.alloc_buffer((8,), "int32", scope="shared")
        for k in range(4):
            for t in T.thread_binding(8, thread="threadIdx.x"):
                tile[t] = A[k, t]
            for u in T.thread_binding(8, thread="threadIdx.x"):
                B[k, u] = tile[7 - u]
)",
         {{"sync", "body", R"j({"after": ["body/body/body/body/0"]})j"}}},
        {"a barrier inside of a loop of threads",
         "",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32")):
    for b in T.thread_binding(1, thread="blockIdx.x"):
        for t in T.thread_binding(8, thread="threadIdx.x"):
            if t < 4:
                A[t] = 1
)",
         {{"sync", "body", R"j({"after": ["body/body/body/then"]})j"}}},
        {"a barrier that is needed and stands",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for b in T.thread_binding(1, thread="blockIdx.x"):
        tile = T.alloc_buffer((8,), "int32", scope="shared")
        for t in T.thread_binding(8, thread="threadIdx.x"):
            tile[t] = A[t]
        for u in T.thread_binding(8, thread="threadIdx.x"):
            B[u] = tile[u]
        for v in T.thread_binding(8, thread="threadIdx.x"):
            C[v] = tile[7 - v]
)",
         {{"sync", "body", R"j({"after": ["body/body/body/1"]})j"}}},
    };
    return list;
}

}  // namespace proviso::fuzz
