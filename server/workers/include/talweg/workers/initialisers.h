// What a worker does before it reads its first message.
#ifndef TALWEG_WORKERS_INITIALISERS_H_
#define TALWEG_WORKERS_INITIALISERS_H_

#include <memory>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "talweg/search/search_workspace.h"

namespace talweg::workers {

// What initialisers make for the worker.
struct WorkerContext {
  std::unique_ptr<SearchWorkspace> workspace;
};

// One step of start-up. They run in the order of the list; a failure ends the
// worker before it says Hello.
struct Initialiser {
  std::string_view name;
  absl::Status (*run)(WorkerContext& context);
};

// The explicit list; a new step is a function in initialisers.cc and a row.
std::span<const Initialiser> WorkerInitialisers();

}  // namespace talweg::workers

#endif  // TALWEG_WORKERS_INITIALISERS_H_
