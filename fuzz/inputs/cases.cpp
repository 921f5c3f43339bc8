#include "fuzz/inputs/cases.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "fuzz/inputs/log_case.h"

namespace proviso::fuzz::inputs {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

using Words = std::vector<std::string>;

// An array of int8 cells as NumPy writes it, by default what `scale` below takes.
std::string npy(const std::string& header, std::size_t cells) {
    std::string out("\x93NUMPY\x01\x00", 8);
    out += static_cast<char>(header.size() & 255U);
    out += static_cast<char>((header.size() >> 8U) & 255U);
    return out + header + std::string(cells, '\x05');
}

constexpr const char* kScale = R"(@T.prim_func
def scale(A: T.Buffer((4, 5), "int8"), B: T.Buffer((4, 5), "int8"), n: T.int32):
    for i, j in T.grid(4, 5):
        B[i, j] = A[i, j]
)";

const std::vector<std::string>& expressions() {
    static const std::vector<std::string> all = {
        "(T.Cast(\"int32\", (x << y) ^ T.int64(15))) % 4 == 3",
        "x // y * y + x % y == x",
        "x * x + y * y != 3 * z * z",
        "A[x, y] + A[y, x] >= T.float32(0.0)",
        "T.if_then_else(x < 8 and y > 0, x >> y, x & y) <= T.max(x, y)",
        "T.exp(A[0, 1]) > T.float32(0.0)",
        "T.truncdiv(x, y) * T.truncmod(x, z) < T.int64(1 << 40)",
        "let_value + x * (y + z * (x + y)) == z",
        "T.reinterpret(\"float32\", T.uint32(5)) < T.float32(1.5)",
        "T.Cast(\"uint8\", x) * T.Cast(\"uint8\", y) < T.uint8(200)",
    };
    return all;
}

Case program_case(Random& random, const Seeds& seeds, const Programs& programs) {
    Case c;
    const std::string text = random.of(seeds.programs);
    c.files["program.py"] = mutated(random, text, random.of(seeds.programs));
    c.words = random.of(
        std::vector<Words>{{"fmt", "program.py"},
                           {"lower", "program.py", "--emit", "ir", "-o", "out", "-q", "--no-cache"},
                           {"lower", "program.py", "--emit", "ir,llvm,header", "-o", "out",
                            "--no-cache", "--flatten", "--explain", "--json"},
                           {"run", "program.py", "--random", "--engine", "interp"},
                           {"check", "program.py", "original.py", "--tests", "2"}});
    if (c.words[0] == "check") c.files["original.py"] = text;
    c.words.insert(c.words.begin(), programs.proviso);
    return c;
}

Case schedule_case(Random& random, const Seeds& seeds, const Programs& programs) {
    Case c;
    const auto& [program, schedule] = random.of(seeds.scheduled);
    c.files["program.py"] = random.one_in(4) ? mutated(random, program, schedule) : program;
    c.files["schedule.py"] = mutated(random, schedule, random.of(seeds.scheduled).second);
    c.words = {programs.proviso,
               "lower",
               "program.py",
               "--schedule",
               "schedule.py",
               "--emit",
               "ir",
               "-o",
               "out",
               "--log",
               "log",
               "-q",
               "--no-cache"};
    return c;
}

Case log_case(Random& random, const Seeds& seeds, const Programs& programs) {
    Case c;
    Files log = random.of(seeds.logs);
    Files odd;
    change_log(random, log, odd);
    if (random.one_in(4)) {
        c.files["log"] = changed_archive(random, log);
    } else {
        for (auto& [name, bytes] : log) c.files["log/" + name] = std::move(bytes);
        for (auto& [name, what] : odd) c.odd["log/" + name] = std::move(what);
    }
    if (random.one_in(6)) {
        c.words = random.of(std::vector<std::vector<std::string>>{
            {programs.proviso, "diff", "log"},
            {programs.proviso, "diff", "log", "1", "--json"},
            {programs.proviso, "show", "log", "1"},
            {programs.proviso, "log", "ls", "log"},
            {programs.proviso, "log", "unpack", "log", "there"},
            {programs.proviso, "log", "smt2", "log", "there"}});
        return c;
    }
    c.words = {programs.proviso, "audit", "log", "--jobs", "1"};
    if (random.one_in(2)) c.words.emplace_back("--no-solvers");
    if (random.one_in(2)) c.words.emplace_back("--json");
    return c;
}

Case tensor_case(Random& random, const Seeds&, const Programs& programs) {
    Case c;
    const std::string header =
        "{'descr': '|i1', 'fortran_order': False, 'shape': (4, 5), }            \n";
    if (random.one_in(2)) {
        c.files["A.npy"] = npy(mutated(random, header, "'<f8' '<V2' True () (1,) 99"), 20);
    } else {
        c.files["A.npy"] = mutated(random, npy(header, 20), "(4, 5, 6) \x93NUMPY\x02\x03");
    }
    c.files["scale.py"] = kScale;
    c.words = {programs.proviso, "run",    "scale.py", "--in", "A=A.npy", "--set", "n=3",
               "--engine",       "interp", "-o",       "out"};
    return c;
}

Case question_case(Random& random, const Seeds& seeds, const Programs& programs) {
    Case c;
    const std::string command = random.of(Words{"prove", "prove", "simplify", "solve"});
    std::string lines;
    for (std::size_t n = 1 + random.below(3); n > 0; --n) {
        json line;
        if (random.one_in(2)) {
            line = json::parse(random.of(seeds.questions), nullptr, false);
            for (const char* key : {"id", "origin", "verdict", "unbounded"}) line.erase(key);
        } else {
            line = {{"vars", {{"x", "int64"}, {"y", "int32"}, {"A", "float32[4, 8]"}}},
                    {"given", {"0 <= x", "x < 13"}},
                    {"goal", random.of(expressions())}};
        }
        std::string& goal = line["goal"].get_ref<std::string&>();
        const bool changes_goal = !random.one_in(3);
        if (changes_goal) goal = mutated(random, goal, random.of(expressions()));
        if (command == "simplify") {
            line["expr"] = line["goal"];
            line.erase("goal");
        } else if (command == "solve") {
            line = {{"form", random.of(Words{"bounds", "project", "invert", "set"})},
                    {"text", line["goal"]},
                    {"for", "x"},
                    {"given", line["given"]},
                    {"vars", line["vars"]}};
        }
        if (!changes_goal && random.one_in(2)) line = mutated(random, line);
        lines += line.dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
    }
    if (random.one_in(8)) lines = mutated(random, lines, random.of(seeds.questions));
    c.files["stdin"] = lines;
    c.words = {programs.proviso, command, "--batch", "-", "--no-cache"};
    if (command == "prove" && random.one_in(4)) c.words.emplace_back("--explain");
    return c;
}

Case certificate_case(Random& random, const Seeds& seeds, const Programs& programs) {
    Case c;
    auto [claim, certificate] = random.of(seeds.certificates);
    const std::string other = random.of(seeds.certificates).second;
    if (random.one_in(2))
        claim = mutated(random, claim, other);
    else
        certificate = mutated(random, certificate, claim);
    c.files["claim.smt2"] = claim;
    c.files["claim.cert"] = certificate;
    c.words = {programs.certcheck, "claim.smt2", "claim.cert"};
    return c;
}

Case saved_case(Random& random, const Seeds&, const Programs& programs) {
    Case c;
    std::string steps =
        R"({"rule": "split", "site": "body", "args": {"factor": "2", "outer": "io", "inner": "ii", "guard": "if"}})"
        "\n";
    json inputs = {{"oracle", "refinement"},
                   {"signature", ""},
                   {"setup", {{"style", 1}, {"open", 0}, {"order", 2}, {"seed", 5}}},
                   {"inputs",
                    {{"n", {{"type", "int32"}, {"value", "3"}}},
                     {"A",
                      {{"type", "int8"},
                       {"shape", {2, 2}},
                       {"bits", {1, 2, 3, 4}},
                       {"states", {0, 0, 1, 0}}}}}}};
    const std::size_t which = random.below(3);
    if (which == 0) steps = mutated(random, steps, inputs.dump());
    if (which == 1) inputs = mutated(random, inputs);
    c.files["failure/program.py"] = which == 2 ? mutated(random, kScale, steps) : kScale;
    c.files["failure/steps.jsonl"] = steps;
    c.files["failure/inputs.json"] = inputs.dump(-1, ' ', true, json::error_handler_t::replace);
    c.words = {programs.proviso, "fuzz", "--reproduce", "failure"};
    return c;
}

const std::vector<Words>& command_lines() {
    static const std::vector<Words> all = {
        {"fmt", "--check", "scale.py"},
        {"fmt", "-i", "scale.py", "-"},
        {"lower", "scale.py", "--emit", "ir,llvm,asm,header,deps", "-o", "out", "--symbol", "f"},
        {"lower", "scale.py", "--function", "scale", "--target", "cuda:sm_80", "--emit", "cuda"},
        {"lower", "scale.py", "--log", "log", "--print-after", "all", "--explain", "--json"},
        {"run", "scale.py", "--random", "--seed", "7", "--engine", "both", "--set", "n=3"},
        {"run", "scale.py", "--in", "A=A.npy", "--target", "gpu-host", "-o", "out", "--json"},
        {"check", "scale.py", "scale.py", "--tests", "2", "--set", "n=3", "--seed", "1"},
        {"audit", "log", "--policy", "E2+v", "--jobs", "2", "--no-validation", "--verbose"},
        {"prove", "x * 8 + 3 > x", "--var", "x:int32", "--given", "x >= 0", "--explain"},
        {"prove", "A[9] == 0", "--var", "A:int32[8]", "--cross-check", "--solver-seconds", "1"},
        {"prove", "x > 0", "--smt", "--given", "x > 1"},
        {"prove", "x < x + y", "--given", "y > 0", "--certificate", "proof", "--json"},
        {"simplify", "(x * 8 + 3) // 4", "--given", "x >= 0", "--explain", "--json"},
        {"simplify", "x + T.float32(0)", "--var", "x:float32", "--licence", "no_signed_zero"},
        {"solve", "bounds", "2 * x + 1 < n", "--for", "x", "--json"},
        {"solve", "invert", "i, j -> j, i // 4, i % 4", "--extent", "i=8", "--extent", "j=3"},
        {"solve", "set", "i * 4 + j", "--extent", "i=8", "--extent", "j=4"},
        {"rules", "show", "floordiv-split-multiple", "--json"},
        {"rules", "--family", "bits"},
        {"rules", "--statements"},
        {"fuzz", "--reproduce", "failure"},
        {"--version"},
        {"lower", "--help"},
    };
    return all;
}

// Counts of work that somebody asks for are done, however large; and nothing is written elsewhere.
void tame(Words& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string& word = words[i];
        word.erase(std::remove(word.begin(), word.end(), '\0'), word.end());
        std::replace(word.begin(), word.end(), '/', '|');
        for (std::size_t at = word.find(".."); at != std::string::npos; at = word.find("..")) {
            word.erase(at, 2);
        }
        constexpr std::size_t longest = 100'000;  // of one word, as the system has it
        if (word.size() > longest) word.resize(longest);
        const bool counts = i > 0 && words[i - 1] == "--tests";
        if (counts && word.find_first_not_of("0123456789") == std::string::npos) word = "2";
    }
}

Case command_case(Random& random, const Seeds& seeds, const Programs& programs) {
    Case c;
    Words words = random.of(command_lines());
    for (std::size_t n = 1 + random.below(3); n > 0 && !words.empty(); --n) {
        const std::size_t at = random.below(words.size());
        const auto place = words.begin() + static_cast<std::ptrdiff_t>(at);
        switch (random.below(7)) {
            case 0: words.erase(place); break;
            case 1: words.insert(place, std::string(words[at])); break;
            case 2: std::swap(words[at], words[random.below(words.size())]); break;
            case 3: words[at] = odd_number(random); break;
            case 4: words[at] = random.of(random.of(command_lines())); break;
            case 5: words.insert(place, random.of(random.of(command_lines()))); break;
            default: words[at] = mutated(random, words[at], random.of(expressions()));
        }
    }
    tame(words);
    // Without its folder, or with another command's options, it is a campaign of a thousand cases.
    if (!words.empty() && words[0] == "fuzz") words = {"fuzz", "--reproduce", words.back()};
    c.files["scale.py"] = kScale;
    c.files["A.npy"] =
        npy("{'descr': '|i1', 'fortran_order': False, 'shape': (4, 5), }            \n", 20);
    for (const auto& [name, bytes] : seeds.logs.front()) c.files["log/" + name] = bytes;
    c.words = {programs.proviso};
    c.words.insert(c.words.end(), words.begin(), words.end());
    return c;
}

using Maker = Case (*)(Random&, const Seeds&, const Programs&);
struct Kind {
    const char* name;
    Maker make;
};
constexpr Kind kKinds[] = {
    {"programs", program_case}, {"schedules", schedule_case},    {"logs", log_case},
    {"tensors", tensor_case},   {"questions", question_case},    {"certificates", certificate_case},
    {"failures", saved_case},   {"command-lines", command_case},
};

}  // namespace

const std::vector<std::string>& kinds() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> out;
        for (const Kind& kind : kKinds) out.emplace_back(kind.name);
        return out;
    }();
    return all;
}

Case make_case(Random& random, const Seeds& seeds, const Programs& programs,
               const std::string& kind) {
    const std::string wanted = kind.empty() ? random.of(kinds()) : kind;
    for (const Kind& k : kKinds) {
        if (wanted != k.name) continue;
        Case out = k.make(random, seeds, programs);
        out.kind = wanted;
        return out;
    }
    return {};
}

void write_case(const Case& c, const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    for (const auto& [name, bytes] : c.files) {
        const fs::path path = folder / name;
        fs::create_directories(path.parent_path(), failed);
        std::ofstream(path, std::ios::binary) << bytes;
    }
    for (const auto& [name, what] : c.odd) {
        const fs::path path = folder / name;
        fs::create_directories(path.parent_path(), failed);
        if (what == "pipe") {
            if (::mkfifo(path.c_str(), 0600) != 0) continue;
        } else if (what == "folder") {
            fs::create_directory(path, failed);
        } else {
            fs::create_symlink(what, path, failed);
        }
    }
    std::ofstream(folder / "command") << shell_text(c.words) << "\n";
}

std::string shell_text(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) {
        out += out.empty() ? "'" : " '";
        for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
        out += "'";
    }
    return out;
}

}  // namespace proviso::fuzz::inputs
