// The memory a worker's searches run in: made once, reused by every request.
#ifndef TALWEG_SEARCH_SEARCH_WORKSPACE_H_
#define TALWEG_SEARCH_SEARCH_WORKSPACE_H_

#include <cstdint>
#include <memory>

namespace talweg {

class WorkspaceState;

// Owned by one worker; not thread-safe; one search at a time. Memory grows
// with the cells a search touches, not with the surface, and is given back
// when later searches need far less.
class SearchWorkspace {
 public:
  SearchWorkspace();
  ~SearchWorkspace();
  SearchWorkspace(const SearchWorkspace&) = delete;
  SearchWorkspace& operator=(const SearchWorkspace&) = delete;

  // Bytes of private memory that hold search state now.
  uint64_t resident_bytes() const;

  // For the kernels of this layer.
  WorkspaceState& state() { return *state_; }

 private:
  std::unique_ptr<WorkspaceState> state_;
};

}  // namespace talweg

#endif  // TALWEG_SEARCH_SEARCH_WORKSPACE_H_
