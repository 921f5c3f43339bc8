// The files of tools/page/ as they lie there, for whoever makes a page (cmake/ProvisoPage.cmake).
#pragma once

#include <string_view>

namespace proviso::tools {

extern const std::string_view kPageHtml;
extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;  // all of them, one after the other

}  // namespace proviso::tools
