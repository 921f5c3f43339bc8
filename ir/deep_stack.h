// Stacks that hold deep recursion. Most of what works on expressions recurses over them, and the
// usual stack of 8 MiB bounds how deep they may nest; a thread that was started here has one of
// gigabytes, of which the system commits what is touched. The commands run on one, and so do the
// threads that they start.
//
// What limits the depth of its input (the readers of text, ir/depth.h) allows more on such a
// thread. So a command's limits are the same on every machine, and a library user who calls without
// one is told of the lower limit instead of overflowing the stack.
#pragma once

#include <functional>
#include <memory>

namespace proviso::ir {

// Whether this thread was started here.
bool has_deep_stack();

// Calls `work` on a thread with a deep stack and waits; directly where this thread has one, or
// where the system gives none. What `work` throws is thrown here.
void on_deep_stack(const std::function<void()>& work);

// A thread with a deep stack (with a usual one where the system gives none); join() before the end
// of its life. What `work` throws, join() throws.
class DeepThread {
  public:
    explicit DeepThread(std::function<void()> work);
    ~DeepThread();
    DeepThread(DeepThread&&) noexcept;
    DeepThread& operator=(DeepThread&&) = delete;
    void join();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace proviso::ir
