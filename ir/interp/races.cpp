#include "ir/interp/races.h"

namespace proviso::ir {

void RaceDetector::enter_loop(Slot variable) {
    if (frames_.size() == depth_) frames_.emplace_back();
    Frame& frame = frames_[depth_++];
    frame.execution = ++executions_;
    frame.variable = variable;
}

bool RaceDetector::report(const Frame& frame, std::int64_t first, bool first_wrote,
                          bool second_wrote) {
    conflict_ = Conflict{frame.variable, first, frame.iteration, first_wrote, second_wrote};
    return false;
}

bool RaceDetector::touch(Frame& frame, Mark& mark, bool is_write) {
    if (mark.execution != frame.execution) {
        mark = Mark{};
        mark.execution = frame.execution;
    }
    const std::int64_t now = frame.iteration;
    if (mark.written && mark.writer != now) return report(frame, mark.writer, true, is_write);
    if (is_write) {
        if (mark.read && mark.reader != now) return report(frame, mark.reader, false, true);
        mark.written = true;
        mark.writer = now;
    } else if (!mark.read) {
        mark.read = true;
        mark.reader = now;
    }
    return true;
}

bool RaceDetector::touch(Slot buffer, std::size_t cells, std::size_t offset, bool is_write) {
    for (std::size_t d = 0; d < depth_; ++d) {
        Frame& frame = frames_[d];
        if (frame.marks.size() <= buffer) frame.marks.resize(buffer + 1);
        std::vector<Mark>& marks = frame.marks[buffer];
        if (marks.size() < cells) marks.resize(cells);
        if (!touch(frame, marks[offset], is_write)) return false;
    }
    return true;
}

void RaceDetector::forget(Slot buffer) {
    for (Frame& frame : frames_) {
        if (buffer < frame.marks.size()) frame.marks[buffer].clear();
    }
}

}  // namespace proviso::ir
