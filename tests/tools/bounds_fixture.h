// `proviso bounds --json` on small programs, and where in its answer the figures are.
#pragma once

#include <nlohmann/json.hpp>

#include "tests/tools/commands.h"

namespace proviso::tests {

using nlohmann::json;

class BoundsCommand : public Commands {
  protected:
    // The answer about a program with a function of these parameters and this body.
    json bounds(const std::string& parameters, const std::string& body,
                const std::vector<std::string>& options = {}, int code = 0) {
        file("program.py", "@T.prim_func\ndef f(" + parameters + "):\n" + body);
        std::vector<std::string> words = {"bounds", "program.py", "--json"};
        words.insert(words.end(), options.begin(), options.end());
        const Seen seen = run(words);
        EXPECT_EQ(seen.code, code) << seen.out << seen.err;
        json out = json::parse(seen.out, nullptr, false);
        EXPECT_FALSE(out.is_discarded()) << seen.out << seen.err;
        return out;
    }
    static json named(const json& list, const char* key, const std::string& name) {
        for (const json& one : list) {
            if (one.at(key) == name) return one;
        }
        ADD_FAILURE() << "no " << name << " in " << list.dump();
        return {};
    }
    static json buffer(const json& answer, const std::string& name) {
        return named(answer.at("buffers"), "name", name);
    }
    // "8 of 16": cells needed in all, and computed in all; with the loss.
    static std::string needed_of_computed(const json& b) {
        return b.at(b.contains("asked") ? "asked" : "needed_in_all")["cells"]["text"]
                   .get<std::string>() +
               " of " + b.at("computed_in_all")["text"].get<std::string>();
    }
    // "B[i:i + 11:5]: 3 cells, box 11" of the requests of a stage, so many loops fixed.
    static std::string request(const json& b, const std::string& stage, std::size_t fixed,
                               const char* list = "consumers") {
        const json level = named(b.at(list), "stage", stage).at("levels").at(fixed);
        return level.at("region").get<std::string>() + ": " +
               level.at("cells").at("text").get<std::string>() + " cells, box " +
               level.at("box").at("text").get<std::string>();
    }
    static std::string fresh(const json& b, const std::string& stage, std::size_t fixed) {
        const json level = named(b.at("consumers"), "stage", stage).at("levels").at(fixed);
        if (!level.contains("new")) return "none";
        return level.at("new").at("cells").at("text").get<std::string>();
    }
};

}  // namespace proviso::tests
