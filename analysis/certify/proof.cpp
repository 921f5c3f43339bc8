// Pruning and printing: see proof.h.
#include "analysis/certify/proof.h"

#include <algorithm>

namespace proviso::analysis::certificate {

StepId Proof::add_step(Step step) {
    steps_.push_back(std::move(step));
    return static_cast<StepId>(steps_.size() - 1);
}

std::vector<StepId> Proof::used(const std::vector<StepId>& made, std::set<FactId>& needed) const {
    std::vector<StepId> out;
    for (auto s = made.rbegin(); s != made.rend(); ++s) {
        const Step& step = steps_[*s];
        const auto is_needed = [&](FactId f) { return needed.count(f) != 0; };
        if (std::none_of(step.results.begin(), step.results.end(), is_needed)) continue;
        out.push_back(*s);
        for (FactId f : step.results) needed.erase(f);
        needed.insert(step.premises.begin(), step.premises.end());
    }
    std::reverse(out.begin(), out.end());
    return out;
}

NodeId Proof::close(Node leaf, const std::vector<StepId>& made) {
    std::set<FactId> needed(leaf.premises.begin(), leaf.premises.end());
    for (std::size_t i = 0; i < leaf.branches.size(); ++i) {
        for (FactId f : nodes_[leaf.branches[i]].needs) {
            if (f != leaf.branch_facts[i]) needed.insert(f);
        }
    }
    leaf.steps = used(made, needed);
    leaf.needs.assign(needed.begin(), needed.end());
    nodes_.push_back(std::move(leaf));
    return static_cast<NodeId>(nodes_.size() - 1);
}

NodeId Proof::lift(NodeId branch, const std::vector<StepId>& made) {
    Node node = nodes_[branch];
    std::set<FactId> needed(node.needs.begin(), node.needs.end());
    std::vector<StepId> steps = used(made, needed);
    steps.insert(steps.end(), node.steps.begin(), node.steps.end());
    node.steps = std::move(steps);
    node.needs.assign(needed.begin(), needed.end());
    nodes_.push_back(std::move(node));
    return static_cast<NodeId>(nodes_.size() - 1);
}

bool Proof::needs(NodeId n, FactId f) const {
    return std::binary_search(nodes_[n].needs.begin(), nodes_[n].needs.end(), f);
}

namespace {

void write_references(const std::vector<FactId>& premises, const std::vector<Int128>& multipliers,
                      const std::vector<std::uint32_t>& numbers, std::string& out) {
    const bool plain = multipliers.empty();
    if (!plain) out += " (";
    for (std::size_t i = 0; i < premises.size(); ++i) {
        const std::string number = std::to_string(numbers[premises[i]]);
        if (plain) {
            out += ' ' + number;
        } else {
            out += (i == 0 ? "(" : " (") + number + ' ' + digits(multipliers[i]) + ')';
        }
    }
    if (!plain) out += ')';
}

}  // namespace

void Proof::write(NodeId n, std::vector<std::uint32_t>& numbers, std::uint32_t next,
                  std::string& out) const {
    const Node& node = nodes_[n];
    out += "(do";
    for (StepId s : node.steps) {
        const Step& step = steps_[s];
        out += "\n" + step.head;
        write_references(step.premises, step.multipliers, numbers, out);
        out += step.tail;
        for (FactId f : step.results) numbers[f] = next++;
    }
    out += "\n" + node.head;
    write_references(node.premises, node.multipliers, numbers, out);
    for (std::size_t i = 0; i < node.branches.size(); ++i) {
        numbers[node.branch_facts[i]] = next;
        out += "\n";
        write(node.branches[i], numbers, next + 1, out);
    }
    out += node.tail;
    out += ')';
}

std::string Proof::text(NodeId root, std::size_t assertions) const {
    std::vector<std::uint32_t> numbers(facts_.size());
    for (std::size_t i = 0; i < assertions; ++i) numbers[i] = static_cast<std::uint32_t>(i);
    std::string out = "(certificate 1\n";
    write(root, numbers, static_cast<std::uint32_t>(assertions), out);
    return out + ")\n";
}

}  // namespace proviso::analysis::certificate
