// Faults in the check of another layout.
#include "fuzz/planted/theorems/theorem.h"

namespace proviso::fuzz {

namespace {

constexpr const char* kPlaces = "layouts: each cell has a place of its own";
constexpr const char* kExtents = "layouts: the new buffer is one";
constexpr const char* kPadding = "layouts: padding holds what is promised";

const std::string kAll = "    for i in range(8):\n        B[i] = A[i]\n";
const std::string kTmp =
    "    t = T.alloc_buffer((8,), \"int32\")\n    for i in range(8):\n        t[i] = A[i]\n"
    "    for j in range(8):\n        B[j] = t[7 - j]\n";

// Of one dimension.
RelayoutText flat(const std::string& buffer, const std::string& shape, const std::string& map,
                  const std::string& inverse, const std::string& pad = "none") {
    RelayoutText t;
    t.buffer = buffer;
    t.shape = {shape};
    t.map = {map};
    t.inverse = {inverse};
    t.pad = pad;
    t.physical = {"p"};
    t.limits = {ir::Int128{1} << 40};
    return t;
}

// B with two cells of padding, written in a box after a statement.
RelayoutText padded(const std::string& lo, const std::string& hi, const std::string& pad = "7",
                    const std::string& after = "body") {
    RelayoutText t = flat("B", "10", "x", "p", pad);
    t.boxes = {{{{lo, hi}}, false}};
    t.after = after;
    return t;
}

std::vector<TheoremFault> places() {
    const std::string square = "    for i, j in T.grid(2, 4):\n        B[i * 4 + j] = D[i, j]\n";
    RelayoutText diagonal = flat("D", "16", "x", "p");
    diagonal.vars = {"x", "x"};
    diagonal.inverse = {"p", "p"};
    return {
        {kPlaces, "omit:the inverse takes each physical cell back", "it is not owed",
         RelayoutOf{kTmp, flat("t", "4", "x // 2", "p * 2")}},
        {kPlaces, "omit:the layout map is computed without a fault", "it is not owed",
         RelayoutOf{kTmp, flat("t", "8", "x + 0 * (1 // n)", "p")}},
        {kPlaces, "omit:the layout map stays within the physical shape", "it is not owed",
         RelayoutOf{kTmp, flat("t", "7", "x", "p")}},
        {kPlaces, "omit:the layout map stays within the physical shape, part 1",
         "a shape has no first cell", RelayoutOf{kTmp, flat("t", "8", "x - 1", "p + 1")}},
        {kPlaces, "omit:the layout map stays within the physical shape, part 2",
         "a shape has no last cell", RelayoutOf{kTmp, flat("t", "8", "x + 1", "p - 1")}},
        {kPlaces, "relocate:one-index-twice", "two dimensions have one index",
         RelayoutOf{square, diagonal}},
    };
}

std::vector<TheoremFault> extents() {
    const auto sized = [](const std::string& extent) {
        return "    t = T.alloc_buffer((" + extent +
               ",), \"int32\")\n    B[0] = 1\n    for i in range(" + extent +
               "):\n        t[i] = i\n";
    };
    RelayoutText huge;
    huge.buffer = "t";
    huge.shape = {"8", "T.max(n, 1) * 100000000", "T.max(n, 1) * 100000000"};
    huge.map = {"x", "0", "0"};
    huge.inverse = {"p"};
    huge.physical = {"p", "q", "r"};
    huge.limits = {8, 1, 1};
    return {
        {kExtents, "omit:the physical extent is computed", "it is not owed",
         RelayoutOf{kTmp, flat("t", "8 + 0 * (1 // n)", "x", "p")}},
        {kExtents, "omit:the physical extent is computed, part 1", "an extent has no fault",
         RelayoutOf{kTmp, flat("t", "T.max(8, 8 // n)", "x", "p")}},
        {kExtents, "omit:the physical extent is computed, part 2", "an extent is in range",
         RelayoutOf{sized("T.max(n, 0)"),
                    flat("t", "T.max(n, 0) * 2000000000 // 2000000000", "x", "p")}},
        {kExtents, "omit:the physical extent is computed, part 3", "an extent is not negative",
         RelayoutOf{sized("T.max(n, 0)"), flat("t", "n * 1000 // 1000", "x", "p")}},
        {kExtents, "omit:is at most", "a limit of an extent is one", RelayoutOf{kTmp, huge}, false},
    };
}

std::vector<TheoremFault> padding() {
    const std::string later = kAll + "    B[0] = 1\n";
    const std::string guarded =
        "    if 0 < n:\n        for i in range(8):\n            B[i] = A[i]\n";
    return {
        {kPadding, "omit:box 0 of the padding is computed without a fault", "it is not owed",
         RelayoutOf{kAll, padded("8", "10 + 0 * (1 // n)")}},
        {kPadding, "omit:of the padding is in bounds and holds nothing else", "it is not owed",
         RelayoutOf{kAll, padded("7", "10")}},
        {kPadding, "omit:of the padding is in bounds and holds nothing else, part 2",
         "a box ends where the buffer does", RelayoutOf{kAll, padded("8", "11")}},
        {kPadding, "omit:all of the padding is written", "it is not owed",
         RelayoutOf{kAll, padded("8", "9")}},
        {kPadding, "omit:the padding value is computed without a fault", "it is not owed",
         RelayoutOf{kAll, padded("8", "10", "7 // n")}},
        {kPadding, "omit:the cell that padding repeats is data", "it is not owed",
         RelayoutOf{kAll, padded("8", "10", "B[17 - p]")}},
        {kPadding, "omit:the inverse is computed without a fault in the padding", "it is not owed",
         RelayoutOf{kAll, flat("A", "10", "x", "p + 0 * (1 // (p - 9))", "7")}},
        {kPadding, "relocate:padding-sometimes", "padding is written in a branch",
         RelayoutOf{guarded, padded("8", "10", "7", "body/then")}},
        {kPadding, "relocate:stored-later", "what padding repeats is stored to later",
         RelayoutOf{later, padded("8", "10", "B[p - 8]", "body/0")}},
    };
}

}  // namespace

const std::vector<TheoremFault>& layout_faults() {
    static const std::vector<TheoremFault> list = [] {
        std::vector<TheoremFault> out;
        for (const auto& part : {places(), extents(), padding()}) {
            out.insert(out.end(), part.begin(), part.end());
        }
        return out;
    }();
    return list;
}

}  // namespace proviso::fuzz
