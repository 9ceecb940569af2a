// Ctrl-C: ends the call and leaves no partial file.
#ifndef TALWEG_CLI_INTERRUPT_H_
#define TALWEG_CLI_INTERRUPT_H_

namespace talweg::cli {

// From here on the first SIGINT or SIGTERM is noted, a second one ends the
// process at once.
void WatchInterrupts();

// The number of the signal that was noted; 0: none.
int InterruptSignal();
inline bool Interrupted() { return InterruptSignal() != 0; }

}  // namespace talweg::cli

#endif  // TALWEG_CLI_INTERRUPT_H_
