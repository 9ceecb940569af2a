#include "interrupt.h"

#include <signal.h>

#include <atomic>

namespace talweg::cli {
namespace {

std::atomic<int> noted_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a handler may touch nothing else");

void NoteSignal(int signal) { noted_signal.store(signal, std::memory_order_relaxed); }

}  // namespace

void WatchInterrupts() {
  struct sigaction action {};
  action.sa_handler = &NoteSignal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

int InterruptSignal() { return noted_signal.load(std::memory_order_relaxed); }

}  // namespace talweg::cli
