// The life of a server: start, serve, drain, stop.
#ifndef TALWEG_APP_APP_H_
#define TALWEG_APP_APP_H_

#include "talweg/app/options.h"

namespace talweg::app {

// Serves until SIGTERM, SIGINT or the end of the lifeline; a second signal
// hurries the drain. Returns the exit code; what failed is said on stderr.
int Serve(const Options& options);

}  // namespace talweg::app

#endif  // TALWEG_APP_APP_H_
