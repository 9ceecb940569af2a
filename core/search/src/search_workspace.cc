#include "talweg/search/search_workspace.h"

#include "workspace_state.h"

namespace talweg {

SearchWorkspace::SearchWorkspace() : state_(std::make_unique<WorkspaceState>()) {}
SearchWorkspace::~SearchWorkspace() = default;

uint64_t SearchWorkspace::resident_bytes() const { return state_->tiles.resident_bytes(); }

}  // namespace talweg
