#include "tools/page/theorem.h"

#include <fmt/format.h>

#include "tools/page/html.h"
#include "verify/log/format.h"

namespace proviso::tools {

namespace {

std::string code(const std::string& text) {
    return "<code>" + html_text(text) + "</code>";
}

std::string licences(const verify::Duties& duties) {
    if (duties.licences_granted.empty()) return "no licence";
    const auto listed = [](const std::vector<std::string>& all) {
        std::string out;
        for (const std::string& one : all) out += (out.empty() ? "" : ", ") + code(one);
        return out.empty() ? std::string("none") : out;
    };
    return fmt::format("licences {} (used: {})", listed(duties.licences_granted),
                       listed(duties.licences_used));
}

}  // namespace

std::string list_html(const char* style, const std::vector<std::string>& items) {
    std::string out;
    for (const std::string& item : items) out += "<li>" + html_text(item) + "</li>\n";
    return out.empty() ? out : fmt::format("<ul class=\"{}\">\n{}</ul>\n", style, out);
}

std::string count_html(std::size_t n, const char* what, const char* style) {
    return fmt::format("<li class=\"{}\"><b>{}</b> {}</li>\n", style, n, what);
}

std::string theorem_html(const Theorem& t) {
    std::string out = "<p>For all inputs of " + code(t.function);
    std::string conditions;
    for (const verify::Axiom& a : t.duties.axioms) {
        conditions += fmt::format("<li><b>{}</b> <code>{}</code></li>\n", html_text(a.id),
                                  html_text(a.str()));
    }
    for (const std::string& c : t.duties.constraints) conditions += "<li>" + code(c) + "</li>\n";
    if (!conditions.empty())
        out += " that satisfy</p>\n<ul class=\"claims\">\n" + conditions + "</ul>\n<p>";
    if (conditions.empty()) out += " ";
    out += fmt::format("under <a href=\"#words\">semantics {}</a> and {},</p>\n",
                       verify::kSemanticsVersion, licences(t.duties));
    out += fmt::format(
        "<p class=\"programs\"><span>the final program</span> <code class=\"hash\">{}</code>\n"
        "<span class=\"refines\">refines</span>\n"
        "<span>the source program</span> <code class=\"hash\">{}</code></p>\n",
        html_text(t.final), html_text(t.source));
    if (!t.duties.relations.empty()) {
        out += "<p>with its parameters related by</p>\n<ul class=\"claims\">\n";
        for (const std::string& r : t.duties.relations) out += "<li>" + code(r) + "</li>\n";
        out += "</ul>\n";
    }
    if (!t.duties.external.empty()) {
        out +=
            "<p>Code of the final program does what that says, provided that</p>\n"
            "<ul class=\"claims\">\n";
        for (const verify::ExternalAxiom& e : t.duties.external) {
            out += fmt::format("<li><b>{}</b> <code>{}</code></li>\n", html_text(e.id),
                               html_text(e.str()));
        }
        out += "</ul>\n";
    }
    const std::string warning = t.inputs.warning();
    if (!warning.empty()) out += "<p class=\"warning\">" + html_text(warning) + "</p>\n";
    return out;
}

}  // namespace proviso::tools
