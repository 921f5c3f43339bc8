// What the tests of the certificate checker share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analysis/certcheck/check.h"

namespace proviso::certcheck {

// Assertions over x y z n: Int, b c: Bool, u w: 8 bits, r s: floats, f: Int Bool -> Int,
// h: Int Bool -> Int, p: Int -> Bool, g: Int -> 8 bits.
inline std::string text_of(const std::string& commands) {
    return "(set-logic ALL)\n"
           "(declare-fun x () Int)(declare-fun y () Int)(declare-fun z () Int)\n"
           "(declare-fun n () Int)(declare-fun b () Bool)(declare-fun c () Bool)\n"
           "(declare-fun u () (_ BitVec 8))(declare-fun w () (_ BitVec 8))\n"
           "(declare-fun r () (_ FloatingPoint 8 24))(declare-fun s () (_ FloatingPoint 8 24))\n"
           "(declare-fun f (Int Bool) Int)(declare-fun h (Int Bool) Int)\n"
           "(declare-fun p (Int) Bool)(declare-fun g (Int) (_ BitVec 8))\n" +
           commands + "\n(check-sat)\n";
}

struct Case {
    std::string name;      // what is shown, or the trap
    std::string commands;  // of the text
    std::string node;      // of the certificate
    std::string why;       // part of the reason; empty: accepted
};

inline void expect_all(const std::vector<Case>& cases) {
    for (const Case& c : cases) {
        const CertificateVerdict v =
            check_certificate(text_of(c.commands), "(certificate 1 " + c.node + ")");
        EXPECT_EQ(v.accepted, c.why.empty()) << c.name << ": " << v.why;
        EXPECT_NE(v.why.find(c.why), std::string::npos) << c.name << ": " << v.why;
        EXPECT_EQ(v.accepted, v.steps > 0) << c.name;
    }
}

}  // namespace proviso::certcheck
