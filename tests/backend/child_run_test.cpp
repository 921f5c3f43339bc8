// Code in a process of its own, on memory with guards: what leaves its buffers is seen, and
// nothing else comes to harm.
#include "backend/cpu/child_run.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstring>

#include "backend/runtime/child.h"
#include "backend/runtime/guarded_memory.h"
#include "ir/text.h"
#include "tests/backend/helpers.h"

namespace proviso::backend {
namespace {

using namespace ir;

// How a child ends that touches a byte.
int signal_of(const std::function<void()>& work) {
    return in_child(kNoLimits,
                    [&] {
                        work();
                        return std::string("fine");
                    })
        .signal;
}

TEST(GuardedMemory, EndsWhereNobodyMayTouch) {
    for (const std::size_t size : {0U, 1U, 24U, 4096U, 5000U, 100000U}) {
        const Result<GuardedBlock> block = GuardedBlock::make(size);
        ASSERT_TRUE(block.ok());
        const std::span<std::byte> bytes = block->bytes();
        ASSERT_EQ(bytes.size(), size);
        for (const std::byte b : bytes) ASSERT_EQ(b, std::byte{0});
        volatile std::byte* const data = bytes.data();
        EXPECT_EQ(signal_of([&] { data[size] = std::byte{1}; }), SIGSEGV) << size;
        EXPECT_EQ(signal_of([&] { static_cast<void>(data[size]); }), SIGSEGV) << size;
        EXPECT_EQ(signal_of([&] { data[size + 1000000] = std::byte{1}; }), SIGSEGV) << size;
        EXPECT_EQ(signal_of([&] { data[-100000] = std::byte{1}; }), SIGSEGV) << size;
        if (size == 0) continue;
        EXPECT_EQ(signal_of([&] { data[size - 1] = std::byte{1}; }), 0) << size;
        EXPECT_EQ(bytes[size - 1], std::byte{1}) << "what a child stores is seen";
        EXPECT_TRUE(block->intact());
        block->make_read_only();
        EXPECT_EQ(signal_of([&] { data[0] = std::byte{1}; }), SIGSEGV) << size;
        EXPECT_EQ(signal_of([&] { static_cast<void>(data[0]); }), 0) << size;
    }
}

TEST(GuardedMemory, NoticesStoresBeforeTheStart) {
    const Result<GuardedBlock> block = GuardedBlock::make(24);
    ASSERT_TRUE(block.ok());
    volatile std::byte* const data = block->bytes().data();
    EXPECT_EQ(signal_of([&] { data[-1] = std::byte{1}; }), 0);
    EXPECT_FALSE(block->intact());
}

TEST(GuardedMemory, RefusesWhatThereIsNoMemoryFor) {
    EXPECT_FALSE(GuardedBlock::make(SIZE_MAX).ok());
    EXPECT_FALSE(GuardedBlock::make(std::size_t{1} << 62).ok());
    EXPECT_EQ(guarded_malloc(SIZE_MAX), nullptr);
}

TEST(GuardedMemory, StandsInForMalloc) {
    for (const std::size_t size : {1U, 16U, 100U, 4096U, 70000U}) {
        for (int again = 0; again < 3; ++again) {
            auto* const block = static_cast<char*>(guarded_malloc(size));
            ASSERT_NE(block, nullptr);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 16, 0U);
            std::memset(block, again, size);
            volatile char* const data = block;
            const std::size_t whole = (size + 15) / 16 * 16;
            EXPECT_EQ(signal_of([&] { data[whole] = 1; }), SIGSEGV) << size;
            // What is nobody's, but on a page of the block, is seen when the block is freed.
            if (whole != size) {
                EXPECT_EQ(signal_of([&] {
                              data[size] = 1;
                              guarded_free(block);
                          }),
                          SIGABRT);
            }
            if (whole < 4096) {
                EXPECT_EQ(signal_of([&] {
                              data[-1] = 1;
                              guarded_free(block);
                          }),
                          SIGABRT);
            }
            guarded_free(block);
        }
    }
    std::vector<void*> many;  // more than are kept
    for (std::size_t k = 0; k < 50; ++k) many.push_back(guarded_malloc(1000 * k));
    for (void* block : many) guarded_free(block);
    guarded_free(nullptr);
}

class ChildRuns : public ::testing::Test {
  protected:
    Result<ChildRun> run(const std::string& text, const Inputs& inputs) {
        const Result<Function> f = parse_function(ctx_, "@T.prim_func\n" + text, "f.py");
        EXPECT_TRUE(f.ok()) << (f.ok() ? "" : f.error().str());
        CpuOptions options;
        options.heap = Heap::Guarded;
        const CpuModule module = testing::compiled(*f, options);
        return run_in_child(module, *f, inputs);
    }
    static Inputs cells(const std::vector<double>& values, const std::string& name = "A") {
        return {{name, Tensor::of(kInt32, {static_cast<std::int64_t>(values.size())}, values)}};
    }

    Context ctx_;
};

TEST_F(ChildRuns, GiveWhatTheCodeLeft) {
    const auto out =
        run("def f(A: T.Buffer((4,), \"int32\")):\n"
            "    for i in T.parallel(4):\n"
            "        A[i] = A[i] + i\n",
            cells({1, 2, 3, 4}));
    ASSERT_TRUE(out.ok());
    ASSERT_FALSE(out->crash) << out->crash->text;
    EXPECT_EQ(out->run.outcome.code, 0);
    EXPECT_EQ(out->run.tensors.at("A"), Tensor::of(kInt32, {4}, {1, 3, 5, 7}));
}

// The parent's threads are not the child's.
TEST_F(ChildRuns, RunParallelLoopsAfterTheParentDid) {
    const std::string text =
        "@T.prim_func\ndef f(A: T.Buffer((400,), \"int32\")):\n"
        "    for k in range(20):\n"
        "        for i in T.parallel(400):\n"
        "            A[i] = A[i] + i\n";
    const Result<Function> f = parse_function(ctx_, text, "f.py");
    ASSERT_TRUE(f.ok());
    const CpuModule module = testing::compiled(*f);
    const Inputs inputs = cells(std::vector<double>(400, 1));
    const auto here = run_on_tensors(module, *f, inputs);
    ASSERT_TRUE(here.ok());
    for (int k = 0; k < 20; ++k) {
        const auto there = run_in_child(module, *f, inputs);
        ASSERT_TRUE(there.ok());
        ASSERT_FALSE(there->crash) << there->crash->text;
        EXPECT_EQ(there->run.tensors, here->tensors);
    }
}

TEST_F(ChildRuns, TellAssertsApart) {
    const auto out =
        run("def f(A: T.Buffer((4,), \"int32\")):\n"
            "    A[0] = 7\n"
            "    assert A[1] > 5, \"too small: a b\"\n",
            cells({1, 2, 3, 4}));
    ASSERT_TRUE(out.ok());
    ASSERT_FALSE(out->crash);
    EXPECT_EQ(out->run.outcome, (RunOutcome{1, "too small: a b"}));
    EXPECT_EQ(out->run.tensors.at("A"), Tensor::of(kInt32, {4}, {7, 2, 3, 4}));
}

TEST_F(ChildRuns, SurviveWhatLeavesItsBuffers) {
    struct Case {
        const char* what;
        std::string text;
        std::string says;
    };
    const std::string head = "def f(A: T.Buffer((4,), \"int32\")):\n";
    const std::vector<Case> cases = {
        {"behind", head + "    A[A[0]] = 1\n", "segmentation fault"},
        {"far behind", head + "    A[A[0] * 100000000] = 1\n", "segmentation fault"},
        {"just before", head + "    A[A[1]] = 1\n", "a store before the start of A"},
        {"far before", head + "    A[A[1] * 100000000] = 1\n", "segmentation fault"},
        {"a load", head + "    A[1] = A[A[0]]\n", "segmentation fault"},
        {"a division", head + "    A[1] = A[0] // A[2]\n", "arithmetic exception"},
        {"its allocation",
         head + "    t = T.alloc_buffer((5000,), \"int32\")\n"
                "    for i in range(5000):\n"
                "        t[i + A[0]] = A[3]\n"
                "    A[1] = t[4321]\n",
         "segmentation fault"},
        {"its allocation, before",
         head + "    t = T.alloc_buffer((5000,), \"int32\")\n"
                "    for i in range(5000):\n"
                "        t[i + A[1]] = A[3]\n"
                "    A[1] = t[4321]\n",
         "abort (memory found to be corrupt)"},
    };
    for (const Case& c : cases) {
        const auto out = run(c.text, cells({4, -1, 0, 3}));
        ASSERT_TRUE(out.ok()) << c.what;
        ASSERT_TRUE(out->crash.has_value()) << c.what;
        EXPECT_NE(out->crash->text.find(c.says), std::string::npos)
            << c.what << ": " << out->crash->text;
    }
}

TEST_F(ChildRuns, ArgumentsAreChecked) {
    const std::string text = "def f(A: T.Buffer((4,), \"int32\")):\n    A[0] = 1\n";
    EXPECT_FALSE(run(text, {}).ok());
    EXPECT_FALSE(run(text, cells({1, 2, 3})).ok());
}

}  // namespace
}  // namespace proviso::backend
