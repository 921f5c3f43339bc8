// Labels: the steps of sites, as texts ("body", "then", "12", "a0"). Each text is kept once, so
// that a site copies and compares as a list of handles: a program of many stages has sites that are
// as long as it has allocations.
#pragma once

#include <compare>
#include <concepts>
#include <string>
#include <string_view>

namespace proviso::ir {

class Label {
  public:
    Label() : Label("") {}
    // The text is kept as long as the process runs, by any thread. Readers of sites have limits
    // (ir/files/limits.h).
    template <std::convertible_to<std::string_view> Text>
    Label(const Text& text) : text_(kept(text)) {}

    const std::string& str() const { return *text_; }
    operator const std::string&() const { return *text_; }

    bool operator==(const Label&) const = default;
    // By their texts, so that no order depends on where they are kept.
    std::strong_ordering operator<=>(const Label& other) const {
        return text_ == other.text_ ? std::strong_ordering::equal : *text_ <=> *other.text_;
    }
    template <std::convertible_to<std::string_view> Text>
    friend bool operator==(const Label& label, const Text& text) {
        return *label.text_ == std::string_view(text);
    }

  private:
    static const std::string* kept(std::string_view text);

    const std::string* text_;
};

}  // namespace proviso::ir
