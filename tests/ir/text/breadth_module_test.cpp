// Modules and decorators in the spellings that TVM writes and takes.
#include "tests/ir/text/reader.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

struct TextBreadthModule : TextReader {
    static constexpr const char* kCopy =
        "    @T.prim_func\n    def copy(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), "
        "\"int32\")):\n"
        "        for i in range(4):\n            B[i] = A[i]\n";
    static constexpr const char* kCanonical =
        "@T.prim_func\ndef copy(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\")):\n"
        "    for i in range(4):\n        B[i] = A[i]\n";
};

TEST_F(TextBreadthModule, ClassesAreMarkedInSeveralWays) {
    for (const char* mark :
         {"@I.ir_module\n", "@I.ir_module()\n", "@I.ir_module(s_tir=True)\n",
          "@I.ir_module(check_well_formed=False, s_tir=True)\n", "@tvm.script.ir_module\n",
          "@tvm.script.ir_module(check_well_formed=False)\n", "@ir_module\n", ""}) {
        reads_as(std::string(mark) + "class Module:\n" + kCopy, kCanonical);
    }
}

TEST_F(TextBreadthModule, HeadersAndCommentsSayNothing) {
    reads_as(std::string("# fmt: off\n# pylint: disable=all\nimport tvm\nimport tvm.script\n"
                         "import numpy as np\nfrom tvm import tir\n"
                         "from tvm.script import tirx as T\nfrom tvm.script import ir as I\n"
                         "from tvm.script import relax as R\n\n# a module\n@I.ir_module\n"
                         "class Module:\n    # fmt: off\n") +
                 kCopy + "    # fmt: on\n# fmt: on\n",
             kCanonical);
    reads_as(std::string("from tvm.script import ir as I, tir as T\nclass Module:\n") + kCopy,
             kCanonical);
}

TEST_F(TextBreadthModule, WhatAModuleCarriesBesideFunctionsIsDropped) {
    reads_as(
        std::string("@I.ir_module\nclass Module:\n"
                    "    I.module_attrs({\"external_mods\": [], \"runtime\": None})\n"
                    "    I.module_global_infos({\"vdevice\": [I.vdevice({\"kind\": \"llvm\"}, 0,"
                    " \"global\")]})\n") +
            kCopy,
        kCanonical);
}

TEST_F(TextBreadthModule, TheModuleAsAValueBeforeCalls) {
    const auto m = parse_module(ctx,
                                "class Module:\n    @T.prim_func\n"
                                "    def g(A: T.Buffer((4,), \"int8\")):\n        A[0] = 1\n"
                                "    @T.prim_func\n    def f(A: T.Buffer((4,), \"int8\")):\n"
                                "        cls = Module\n        cls.g(A)\n",
                                "m.py");
    ASSERT_TRUE(m.ok()) << m.error().str();
    EXPECT_THAT(print(m->functions[1]),
                HasSubstr("with T.block(\"g\"):\n        A[0] = T.int8(1)"));
}

// What Python computes around the functions changes none of them.
TEST_F(TextBreadthModule, ValuesOfTheFile) {
    const std::string f = "@T.prim_func\ndef f(A: T.Buffer((N,), \"int8\")):\n    A[0] = 1\n";
    const std::string is =
        "@T.prim_func\ndef f(A: T.Buffer((8,), \"int8\")):\n    A[0] = T.int8(1)\n";
    reads_as("N: int = 8\n" + f, is);
    reads_as("N: int\nN = 8\n" + f, is);
    reads_as("from numpy import ones\nN = 8\nx = [ones(k) for k in range(N)]\n" + f +
                 "g = f\nmod = tvm.IRModule({\"main\": f})\n",
             is);
    reads_as("f = 3\nN = 8\n" + f, is);
}

// Trap: it passes for a function of elsewhere, which has no meaning here.
TEST_F(TextBreadthModule, CallsOfMissingFunctionsAreMistakes) {
    const auto calls = [](const std::string& line) {
        return "@I.ir_module\nclass Mod:\n    @T.prim_func\n"
               "    def double(A: T.Buffer((4,), \"int8\")):\n        A[0] = 1\n"
               "    @T.prim_func\n    def f(A: T.Buffer((4,), \"int8\")):\n        " +
               line + "\n";
    };
    for (const char* line : {"cls.duoble(A)", "Mod.duoble(A)", "A[0] = cls.duoble(A)"}) {
        const std::string told = fails(calls(line));
        EXPECT_THAT(told, HasSubstr("the module has no function `duoble`"));
        EXPECT_THAT(told, HasSubstr("did you mean `double`?"));
        EXPECT_THAT(told, HasSubstr("f.py:8:"));
    }
    EXPECT_THAT(fails(calls("cls.other(A)")), HasSubstr("the module has no function `other`"));
    // The function is there, and gives no value.
    const auto kept = parse_program(ctx, calls("A[0] = cls.double(A)"), "f.py");
    ASSERT_TRUE(kept.ok()) << kept.error().str();
    EXPECT_EQ(kept->opaque.size(), 1U);
}

TEST_F(TextBreadthModule, DecoratorsOfFunctions) {
    for (const char* mark : {"T.prim_func", "T.prim_func()", "T.prim_func(private=True)",
                             "T.prim_func(check_well_formed=False, s_tir=True)", "prim_func",
                             "T.prim_func(persistent=False)", "tvm.script.tir.prim_func"}) {
        reads_as("@" + std::string(mark) + "\ndef f():\n    pass\n",
                 "@T.prim_func\ndef f():\n    pass\n");
    }
}

TEST_F(TextBreadthModule, WhatIsRefused) {
    const std::pair<const char*, const char*> table[] = {
        {"@I.ir_modul\nclass M:\n    pass\n", "did you mean `I.ir_module`?"},
        {"@I.ir_module(stir=True)\nclass M:\n    pass\n", "did you mean `s_tir`?"},
        {"@I.ir_module(1)\nclass M:\n    pass\n", "`I.ir_module` takes keywords only"},
        {"@I.ir_module(s_tir=3)\nclass M:\n    pass\n", "True or False is expected"},
        {"@I.ir_module(s_tir=None)\nclass M:\n    pass\n", "True or False is expected"},
        {"@I.ir_module\nclass M:\n    pass\n@I.ir_module\nclass N:\n    pass\n",
         "a file holds one module"},
        {"@T.prim_func(privat=True)\ndef f():\n    pass\n", "did you mean `private`?"},
        {"@T.prim_func(persistent=True)\ndef f():\n    pass\n", "persistent kernels"},
        {"class M:\n    I.module_attr({})\n", "did you mean `I.module_attrs`?"},
        {"class M:\n    I.module_attrs(3)\n", "a dictionary is expected here"},
        {"class M:\n    I.module_attrs({3: 4})\n", "a key is a string"},
        {"I.module_attrs({})\n", "only functions can stand here"},
        {"from tvm.script import tirx as X\n", "`X` is not understood as a module"},
        {"import.func_attr({\"tag\": \"\"})\n", "an import names modules"},
        {"import \"numpy\"\n", "an import names modules"},
        // Trap: another program than the one that was read.
        {"@T.prim_func\ndef f():\n    pass\nf = f.without_attr(\"x\")\n",
         "this changes what `f` is"},
        {"@T.prim_func\ndef f():\n    pass\nf = 3\n", "this changes what `f` is"},
        {"@T.prim_func\ndef f():\n    pass\nf: int = 3\n", "this changes what `f` is"},
        {"@T.prim_func\ndef f():\n    pass\nx, f = 3, 4\n", "this changes what `f` is"},
        {"@T.macro\ndef m():\n    pass\nm = 3\n@T.prim_func\ndef f():\n    pass\n",
         "this changes what `m` is"},
        {"class M:\n    @T.prim_func\n    def f():\n        pass\nM = 3\n",
         "this changes what `M` is"},
        {"class M:\n    @T.prim_func\n    def f():\n        pass\n    f = 3\n",
         "this changes what `f` is"},
        {"@T.prim_func\ndef f():\n    pass\nmod = {}\nmod[\"main\"] = f\n",
         "this stores into something"},
        {"@T.prim_func\ndef f():\n    pass\nf.attrs = 3\n", "this stores into something"},
        {"@T.prim_func\ndef f():\n    pass\nx = undefined_thing\n",
         "`undefined_thing` is not defined"},
        {"N = 4\nM = NN\n@T.prim_func\ndef f():\n    pass\n", "did you mean `N`?"},
    };
    for (const auto& [text, message] : table) EXPECT_THAT(fails(text), HasSubstr(message)) << text;
}

}  // namespace
}  // namespace proviso::ir
