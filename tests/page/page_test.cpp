// The pages that `audit --html`, `lower --report` and `check --html` write: as files, and as a
// browser shows them, where there is one (Debian's package chromium).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "tests/page/browser.h"
#include "tests/tools/commands.h"

namespace proviso::tests {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kRowSum = PROVISO_SOURCE_DIR "/examples/row_sum";

class Page : public Commands {
  protected:
    void SetUp() override {
        Commands::SetUp();
        setenv("PROVISO_CACHE", (folder_ / "cache").c_str(), 1);
    }
    void log(const std::string& program = std::string(kRowSum) + ".py",
             const std::string& schedule = std::string(kRowSum) + ".sch.py") {
        const Seen made =
            run({"lower", program, "-s", schedule, "-q", "--emit", "ir", "--log", "log"});
        ASSERT_EQ(made.code, 0) << made.err;
    }
    std::string page(const std::string& name = "p.html") { return text_of(folder_ / name); }
};

// --- the file ------------------------------------------------------------------------------------

TEST_F(Page, IsTheSameEachTime) {
    log();
    const Seen seen = run({"audit", "log", "--html", "p.html"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("VERIFIED at policy E2"));
    EXPECT_EQ(run({"audit", "log", "--html", "deep/q.html"}).code, 0);
    EXPECT_EQ(page(), page("deep/q.html"));
    EXPECT_EQ(run({"audit", "log", "--html", "-"}).out, page());
    EXPECT_EQ(shell(std::string(PROVISO_AUDIT) + " log --html -").out, page());
    EXPECT_FALSE(std::filesystem::exists(folder_ / "p.html.part"));
    // Nothing of the machine is in it.
    EXPECT_THAT(page(), Not(HasSubstr(folder_.string())));
}

TEST_F(Page, SaysTheTheoremWithoutAScript) {
    log();
    ASSERT_EQ(run({"audit", "log", "--html", "p.html"}).code, 0);
    const std::string head = page().substr(0, page().find("<script"));
    EXPECT_THAT(head, HasSubstr("VERIFIED at policy E2"));
    EXPECT_THAT(head, HasSubstr("For all inputs of <code>row_sum</code>"));
    EXPECT_THAT(head, HasSubstr("refines"));
    EXPECT_THAT(head, HasSubstr("padding holds T.float32(0.0)"));
    EXPECT_THAT(head, HasSubstr("default-src 'none';"));
}

// Trap: a page tells the theorem without what the report warns of.
TEST_F(Page, HasTheNotesOfTheReport) {
    file("p.py", R"(
@T.prim_func
def f(A: T.Buffer((n,), "int32"), B: T.Buffer((n,), "int32"), n: T.int32):
    for i in range(n):
        T.assume(A[i] > 5)
        B[i] = A[i] // 4
    for i in range(n):
        T.assume(A[i] < 3)
        B[i] = A[i] // 4
)");
    ASSERT_EQ(run({"lower", "p.py", "-q", "--emit", "ir", "--log", "log"}).code, 0);
    const Seen seen = run({"audit", "log", "--html", "p.html"});
    const std::size_t at = seen.out.find("\nNotes:\n  ");
    ASSERT_NE(at, std::string::npos) << seen.out;
    const std::string note = seen.out.substr(at + 10, 40);
    const std::size_t notes = page().find("<h3>Notes</h3>");
    ASSERT_NE(notes, std::string::npos);
    EXPECT_NE(page().find("<li>" + note, notes), std::string::npos) << note;
    EXPECT_THAT(page(), HasSubstr("<li><b>A2</b> <code>for each i_1 in range(n): "));
}

TEST_F(Page, IsNotWrittenWhereItMustNotBe) {
    log();
    const std::string before = shell("find log -type f | sort | xargs sha256sum").out;
    for (const char* file : {"log/p.html", "log/more/p.html", "./log/../log/p.html"}) {
        const Seen seen = run({"audit", "log", "--html", file});
        EXPECT_EQ(seen.code, 2) << file;
        EXPECT_THAT(seen.err, HasSubstr("would write into the proof log log")) << file;
        EXPECT_THAT(seen.out, IsEmpty()) << file;
    }
    EXPECT_EQ(shell("find log -type f | sort | xargs sha256sum").out, before);
    EXPECT_EQ(run({"audit", "log", "--html", "log"}).code, 2);
    EXPECT_EQ(run({"audit", "log", "--html", "/dev/full"}).code, 2);
    EXPECT_EQ(run({"audit", "log", "--html", ""}).code, 2);
    file("taken", "");
    const Seen below = run({"audit", "log", "--html", "taken/p.html"});
    EXPECT_EQ(below.code, 2);
    EXPECT_THAT(below.err, HasSubstr("cannot write taken/p.html"));
    const Seen both = run({"audit", "log", "--json", "--html", "-"});
    EXPECT_EQ(both.code, 2);
    EXPECT_THAT(both.err, HasSubstr("both write to standard output"));
    file("a.py", text_of(std::string(kRowSum) + ".py"));
    EXPECT_EQ(run({"lower", "a.py", "--report", "a.py"}).code, 2);
    EXPECT_EQ(run({"check", "a.py", "a.py", "--html", "a.py"}).code, 2);
    EXPECT_EQ(run({"lower", "a.py", "--report", "-", "--json"}).code, 2);
    EXPECT_EQ(text_of(folder_ / "a.py"), text_of(std::string(kRowSum) + ".py"));
}

TEST_F(Page, OfALogThatIsBrokenSaysWhy) {
    log();
    shell("sed -i '2s/\"seq\":1/\"seq\":7/' log/steps.jsonl");
    EXPECT_EQ(run({"audit", "log", "--html", "p.html"}).code, 2);
    EXPECT_THAT(page(), HasSubstr("BROKEN at policy E2"));
    EXPECT_THAT(page(), HasSubstr("steps.jsonl:2: the line was changed"));
    EXPECT_THAT(page(), Not(HasSubstr("For all inputs")));
    const Seen none = run({"audit", "<img src=x>", "--html", "-"});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.out, Not(HasSubstr("<img")));
}

// --- in a browser --------------------------------------------------------------------------------

class InABrowser : public Page {
  protected:
    void SetUp() override {
        const std::string program = browser_program();
        if (program.empty()) GTEST_SKIP() << "no chromium in PATH (apt-get install chromium)";
        Page::SetUp();
        browser_ = std::make_unique<Browser>(program, folder_ / "profile");
    }
    void TearDown() override {
        browser_.reset();
        if (!folder_.empty()) Page::TearDown();
    }
    void show_audit() {
        ASSERT_EQ(run({"audit", "log", "--html", "p.html"}).code, 0);
        show();
    }
    void show() {
        browser_->open(folder_ / "p.html");
        EXPECT_THAT(browser_->complaints(), IsEmpty());
        EXPECT_THAT(browser_->requests(), IsEmpty());
    }
    json js(const std::string& script) { return browser_->evaluate(script); }
    std::string text(const std::string& selector) {
        return js("document.querySelector(" + json(selector).dump() + ").innerText")
            .get<std::string>();
    }
    int count(const std::string& selector) {
        return js("document.querySelectorAll(" + json(selector).dump() + ").length").get<int>();
    }
    // Waits until a script's value is true. What it speaks of may not be there yet.
    bool soon(const std::string& value) {
        const std::string script =
            "(() => { try { return " + value + "; } catch (e) { return false; } })()";
        for (int k = 0; k < 6000; ++k) {
            if (js(script) == json(true)) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }
    std::unique_ptr<Browser> browser_;
};

TEST_F(InABrowser, ClicksThrough) {
    log();
    show_audit();
    const int steps = js("STEPS.length").get<int>();
    ASSERT_GT(steps, 5);
    EXPECT_EQ(count("details.step"), steps);
    for (const char* name : {"Theorem", "Layouts", "Program", "Schedule", "Steps", "Obligations"}) {
        EXPECT_THAT(text("#nav"), HasSubstr(name));
    }
    // A step: the call that caused it, its difference, an obligation with its claim.
    EXPECT_THAT(text("#steps .call"), HasSubstr("schedule line "));
    browser_->click("#step-1 summary");
    EXPECT_TRUE(soon("document.querySelectorAll('#step-1 .diff .more').length > 0"));
    EXPECT_GT(count("#step-1 .diff .less"), 0);
    EXPECT_GT(count("#step-1 .obligation"), 0);
    browser_->click("#step-1 .obligation summary");
    EXPECT_TRUE(soon("document.querySelectorAll('#step-1 .obligation .goal').length === 1"));
    EXPECT_THAT(text("#step-1 .obligation .pairs"), HasSubstr("accepted, "));
    browser_->click("#step-1 .smt summary");
    EXPECT_TRUE(soon("document.querySelector('#step-1 .smt pre').innerText.includes('(assert')"));
    // Trap: a browser needs minutes to break one long word.
    EXPECT_EQ(js("shortened('A'.repeat(1e6)).length < 5000 && shortened('short') === 'short'"),
              json(true));
    const int few = count("#step-1 .diff tr");
    browser_->click("#step-1 .heading button");
    EXPECT_GE(count("#step-1 .diff tr"), few);
    EXPECT_EQ(count("#step-1 .diff .gap"), 0);
    // The history of a line goes back to the source.
    browser_->click("#program tr.changed .history");
    EXPECT_THAT(text("#program .past"), HasSubstr("step "));
    EXPECT_THAT(text("#program .past li:last-child"), HasSubstr("source, line "));
    browser_->click("#program .tabs button:nth-child(2)");
    EXPECT_GT(count("#program .diff .more"), 0);
    browser_->click("#program .tabs button:nth-child(3)");
    browser_->click("#program tr.changed .history");
    EXPECT_THAT(text("#program .past"), HasSubstr("step "));
    // Layouts: six rows of stored cells with their padding.
    EXPECT_GT(count("#layouts svg .padding"), 0);
    EXPECT_GT(count("#layouts svg .data"), 0);
    EXPECT_THAT(text("#layouts .legend"), HasSubstr("padding: T.float32(0.0)"));
    EXPECT_THAT(browser_->complaints(), IsEmpty());
}

TEST_F(InABrowser, TheProgramsAreThoseOfTheLog) {
    log();
    show_audit();
    EXPECT_EQ(js("PROGRAMS.after(STEPS.length - 1).map((l) => l.text + '\\n').join('')"),
              json(text_of(folder_ / "row_sum.lowered.py")));
    EXPECT_EQ(js("PROGRAMS.after(-1).map((l) => l.text + '\\n').join('')"), js("DATA.source"));
    EXPECT_EQ(js("PROGRAMS.broken"), json());
    // In any order, and each line comes from the source or from nothing that was there.
    EXPECT_EQ(
        js("[5, 2, 7, 0].every((k) => { const p = new Programs(DATA.source, STEPS); p.every = 3;"
           " p.after(STEPS.length - 1); const q = new Programs(DATA.source, STEPS.slice(0, k + 1));"
           " return p.after(k).map((l) => l.text).join() === q.after(k).map((l) => l.text).join(); "
           "})"),
        json(true));
    // Each step has the hash that the log says.
    EXPECT_EQ(js("(async () => { for (let k = 0; k < STEPS.length; ++k) {"
                 " const text = PROGRAMS.after(k).map((l) => l.text + '\\n').join('');"
                 " const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new "
                 "TextEncoder().encode(text)));"
                 " const hex = [...hash].map((b) => b.toString(16).padStart(2, '0')).join('');"
                 " if ('sha256:' + hex !== STEPS[k].after) return k; } return 'all'; })()"),
              json("all"));
}

TEST_F(InABrowser, SearchesAndFilters) {
    log();
    show_audit();
    const int steps = js("STEPS.length").get<int>();
    const std::string shown = "document.querySelectorAll('details.step:not([hidden])').length";
    browser_->press("/");
    browser_->type("relayout");
    EXPECT_TRUE(soon(shown + " < " + std::to_string(steps)));
    EXPECT_GT(js(shown).get<int>(), 0);
    EXPECT_THAT(text(".count"), HasSubstr(" of " + std::to_string(steps) + " steps"));
    browser_->press("Escape");
    browser_->click("#filters button");
    EXPECT_TRUE(soon(shown + " === " + std::to_string(steps)));
    js("(() => { const s = document.querySelector('#filters select'); s.value = STEPS[0].rule;"
       " s.dispatchEvent(new Event('change')); })()");
    EXPECT_EQ(js("[...document.querySelectorAll('details.step:not([hidden]) .rule')]"
                 ".every((r) => r.innerText === STEPS[0].rule)"),
              json(true));
    // A link to a step that is filtered away shows all again.
    js("(() => { FILTERS.text = 'no such text'; location.hash = '#step-3'; })()");
    EXPECT_TRUE(soon(
        "document.querySelector('#step-3').open && !document.querySelector('#step-3').hidden"));
    EXPECT_THAT(browser_->complaints(), IsEmpty());
}

TEST_F(InABrowser, NeedsNoMouse) {
    log();
    show_audit();
    // Tab reaches each control that is shown, once around the page.
    const std::string controls =
        "[...document.querySelectorAll('a[href], button, input, select, summary, "
        "[tabindex=\"0\"]')]"
        ".filter((e) => e.checkVisibility() && e.getClientRects().length > 0)";
    const int wanted = js("(window.left = new Set(" + controls + ")).size").get<int>();
    ASSERT_GT(wanted, 30);
    for (int k = 0; k < wanted + 10; ++k) {
        browser_->press("Tab");
        js("left.delete(document.activeElement)");
    }
    EXPECT_EQ(js("[...left].map((e) => e.outerHTML.slice(0, 80))"), json::array());
    js("document.activeElement.blur()");
    browser_->press("j");
    browser_->press("j");
    EXPECT_EQ(js("document.activeElement.closest('.step').id"), json("step-2"));
    browser_->press("k");
    browser_->press("o");
    EXPECT_EQ(js("document.querySelector('#step-1').open"), json(true));
    browser_->press("o");
    EXPECT_EQ(js("document.querySelector('#step-1').open"), json(false));
    browser_->press("Enter");
    EXPECT_TRUE(soon("document.querySelector('#step-1').open"));
    browser_->press("x");
    EXPECT_EQ(count("details.step[open]"), 0);
    browser_->press("?");
    EXPECT_EQ(js("document.querySelector('#help').open"), json(true));
    EXPECT_EQ(js("document.querySelector('#help').contains(document.activeElement)"), json(true));
    browser_->press("Escape");
    EXPECT_TRUE(soon("!document.querySelector('#help').open"));
    browser_->press("/");
    EXPECT_EQ(js("document.activeElement.id"), json("search"));
    EXPECT_THAT(browser_->complaints(), IsEmpty());
}

// Texts whose contrast with what is behind them is below 4.5 (3 where they are large), as WCAG 2
// has it: ["1.2 in .soft: text", …].
constexpr const char* kContrast = R"((() => {
  const numbers = (c) => { const m = c.match(/[\d.]+/g).map(Number); return [...m.slice(0, 3), m[3] ?? 1]; };
  const over = (a, b) => a.slice(0, 3).map((x, i) => x * a[3] + b[i] * (1 - a[3]));
  const light = (c) => { const [r, g, b] = c.map((x) => x / 255).map((x) => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (e) => { const layers = []; for (; e; e = e.parentElement) layers.unshift(numbers(getComputedStyle(e).backgroundColor));
    return layers.reduce((below, c) => over(c, below), [255, 255, 255]); };
  const bad = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    if (walk.currentNode.data.trim() === "" || e.closest("script, noscript, title") || !e.checkVisibility()) continue;
    const style = getComputedStyle(e);
    const back = e.closest("svg") && e.classList.contains("cell")
      ? numbers(getComputedStyle(e.previousElementSibling).fill).slice(0, 3) : behind(e);
    const front = over(numbers(e.closest("svg") ? style.fill : style.color), back);
    const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) bad.push(ratio.toFixed(2) + " in " + e.tagName + "." + e.getAttribute("class") + ": " + walk.currentNode.data.slice(0, 30));
  }
  return bad;
})())";

TEST_F(InABrowser, CanBeRead) {
    log();
    show_audit();
    js("(() => { open(ROWS[0]); open(ROWS[1]); for (const d of document.querySelectorAll('#step-1 "
       "details, #words details'))"
       " d.fill ? open(d) : (d.open = true); document.querySelector('#program tr.changed "
       ".history').click(); })()");
    for (const char* scheme : {"light", "dark"}) {
        browser_->media(scheme);
        EXPECT_EQ(js(kContrast), json::array()) << scheme;
        EXPECT_EQ(js("matchMedia('(prefers-color-scheme: dark)').matches"),
                  json(std::string(scheme) == "dark"));
    }
    browser_->press("t");  // the other one, whatever the system prefers
    EXPECT_EQ(js(kContrast), json::array()) << "light by hand";
    EXPECT_EQ(js("getComputedStyle(document.body).backgroundColor"), json("rgb(255, 255, 255)"));
    // Controls have names, pictures have texts, headings go down by one.
    EXPECT_EQ(js("[...document.querySelectorAll('button, select, input, a, [role=region], "
                 "svg[role=img]')]"
                 ".filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim())).map((e) "
                 "=> e.outerHTML)"),
              json::array());
    EXPECT_EQ(js("(() => { let last = 1; const bad = []; for (const h of "
                 "document.querySelectorAll('h1, h2, h3, h4')) {"
                 " if (!h.checkVisibility()) continue;"
                 " const level = Number(h.tagName[1]); if (level > last + 1) "
                 "bad.push(h.textContent); last = level; } return bad; })()"),
              json::array());
    EXPECT_EQ(js("(() => { const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);"
                 " return ids.length === new Set(ids).size; })()"),
              json(true));
}

TEST_F(InABrowser, FitsTheWindow) {
    log();
    show_audit();
    js("(() => { for (const r of ROWS) { open(r); for (const o of "
       "r.querySelectorAll('.obligation')) open(o); } })()");
    for (const int width : {1280, 800, 400, 320}) {
        browser_->size(width, 800);
        EXPECT_EQ(js("document.documentElement.scrollWidth"), json(width));
    }
}

TEST_F(InABrowser, CanBePrinted) {
    log();
    show_audit();
    js("open(ROWS[0])");
    EXPECT_GT(browser_->printed_bytes(), 20'000U);
    browser_->media("dark", "print");
    EXPECT_EQ(js("['#nav', '#filters', '#tools'].map((s) => "
                 "document.querySelector(s).checkVisibility())"),
              json::parse("[false, false, false]"));
    // Trap: what hides a button hides a line of a difference.
    for (const char* rows : {".less", ".more", ".same", ".shift"}) {
        EXPECT_EQ(js("[...document.querySelectorAll('#step-1 .diff " + std::string(rows) +
                     "')].every((e) => e.checkVisibility())"),
                  json(true))
            << rows;
    }
    EXPECT_GT(count("#step-1 .diff .more"), 0);
    EXPECT_EQ(js("getComputedStyle(document.body).backgroundColor"), json("rgb(255, 255, 255)"));
}

// Without its script the page still says what was proved.
TEST_F(InABrowser, SaysTheTheoremWithoutItsScript) {
    log();
    ASSERT_EQ(run({"audit", "log", "--html", "p.html"}).code, 0);
    browser_->scripts(false);
    browser_->open(folder_ / "p.html");
    browser_->scripts(true);  // of what is evaluated here; the page's has had its chance
    EXPECT_EQ(count("#nav a"), 0);
    EXPECT_THAT(text("main"), HasSubstr("For all inputs of row_sum"));
    EXPECT_THAT(text("header"), HasSubstr("VERIFIED at policy E2"));
}

// Trap: a log is somebody else's text. Here a schedule's comments try to become markup.
TEST_F(InABrowser, HostileTextsStayTexts) {
    const std::string hostile =
        "# </script><script>window.hit = 1</script><img src=x onerror='window.hit = 2'>\n"
        "# <!-- <script> \xe2\x80\xa8 \xe2\x80\xae {{data}} $& &lt;b&gt;\n";
    file("s.py", hostile + text_of(std::string(kRowSum) + ".sch.py") + hostile);
    log(std::string(kRowSum) + ".py", "s.py");
    show_audit();
    EXPECT_EQ(js("window.hit === undefined"), json(true));
    EXPECT_EQ(count("img"), 0);
    EXPECT_EQ(count("script"), 3);
    EXPECT_THAT(text("#schedule"), HasSubstr("</script><script>window.hit = 1</script><img src=x"));
    EXPECT_THAT(text("#schedule"),
                HasSubstr("<!-- <script> \\u2028 \\u202e {{data}} $& &lt;b&gt;"));
}

// Trap: the policy allows the page's own script and style only.
TEST_F(InABrowser, ThePolicyStopsOtherScripts) {
    log();
    ASSERT_EQ(run({"audit", "log", "--html", "p.html"}).code, 0);
    std::string changed = page();
    const std::size_t at = changed.find("<section id=\"steps\"");
    ASSERT_NE(at, std::string::npos);
    changed.insert(at, "<script>window.hit = 1</script><img src=x onerror='window.hit = 2'>");
    file("q.html", changed);
    browser_->open(folder_ / "q.html");
    EXPECT_EQ(js("window.hit === undefined"), json(true));
    EXPECT_THAT(browser_->complaints(), Not(IsEmpty()));
    EXPECT_GT(count("details.step"), 0);
}

TEST_F(InABrowser, ARefusalHasItsPlaceAndItsValues) {
    const std::string refused = PROVISO_SOURCE_DIR "/examples/refused/row_sum.sch.py";
    const Seen seen =
        run({"lower", std::string(kRowSum) + ".py", "-s", refused, "-q", "--report", "p.html"});
    ASSERT_EQ(seen.code, 1) << seen.err;
    show();
    EXPECT_THAT(text("header"), HasSubstr("REFUSED (REFUTED)"));
    EXPECT_THAT(text("#refusals .excerpt"), HasSubstr("row_sum.sch.py:"));
    EXPECT_THAT(text("#refusals .excerpt"), HasSubstr("^"));
    EXPECT_GT(count("#refusals .values tr"), 0);
    EXPECT_THAT(text("#refusals"), HasSubstr("replay by the interpreter: "));
}

// The log of a refused schedule says which call it was, though it has no step.
TEST_F(InABrowser, AnAuditShowsTheCallThatWasRefused) {
    const std::string refused = PROVISO_SOURCE_DIR "/examples/refused/row_sum.sch.py";
    ASSERT_EQ(
        run({"lower", std::string(kRowSum) + ".py", "-s", refused, "-q", "--log", "log"}).code, 1);
    show_audit();
    EXPECT_THAT(text("header"), HasSubstr("VERIFIED"));  // of the steps before
    EXPECT_THAT(text("#refusals"), HasSubstr("The schedule ended here: schedule line 5."));
    EXPECT_THAT(text("#refusals .excerpt"),
                HasSubstr("sch.remove_branching_through_overcompute(block=row_sum)\n^"));
    EXPECT_GT(count("#refusals .values tr"), 0);
    EXPECT_EQ(js("CALL_OF.length === STEPS.length"), json(true));
}

TEST_F(InABrowser, ALoweringHasItsSteps) {
    const Seen seen =
        run({"lower", std::string(kRowSum) + ".py", "-s", std::string(kRowSum) + ".sch.py", "-q",
             "--emit", "ir", "--report", "p.html"});
    ASSERT_EQ(seen.code, 0) << seen.err;
    show();
    EXPECT_THAT(text("header"), HasSubstr("PROVED"));
    EXPECT_THAT(text("#theorem"),
                HasSubstr("Translation validation of source and result: BOUNDED"));
    EXPECT_THAT(text("#steps .call"), HasSubstr("schedule line "));
    EXPECT_EQ(js("PROGRAMS.after(STEPS.length - 1).map((l) => l.text + '\\n').join('')"),
              json(text_of(folder_ / "row_sum.lowered.py")));
    browser_->click("#step-1 summary");
    EXPECT_TRUE(soon("document.querySelectorAll('#step-1 .obligation').length > 0"));
    EXPECT_EQ(js("DATA.schedule.calls.reduce((n, c) => n + c.steps, 0) === STEPS.length"),
              json(true));
}

TEST_F(InABrowser, AComparisonHasItsAnswer) {
    ASSERT_EQ(run({"lower", std::string(kRowSum) + ".py", "-s", std::string(kRowSum) + ".sch.py",
                   "-q", "--emit", "ir"})
                  .code,
              0);
    const Seen seen =
        run({"check", std::string(kRowSum) + ".py", "row_sum.lowered.py", "--html", "p.html"});
    EXPECT_THAT(seen.out, Not(IsEmpty()));
    show();
    EXPECT_THAT(text("#theorem"), HasSubstr(seen.out.substr(0, seen.out.find('\n'))));
    EXPECT_GT(count("#program .diff tr"), 5);
    EXPECT_EQ(run({"check", std::string(kRowSum) + ".py", "row_sum.lowered.py", "--html", "-"}).out,
              page());
}

}  // namespace
}  // namespace proviso::tests
