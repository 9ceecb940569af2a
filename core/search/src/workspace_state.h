// What a SearchWorkspace holds.
#ifndef TALWEG_SEARCH_WORKSPACE_STATE_H_
#define TALWEG_SEARCH_WORKSPACE_STATE_H_

#include "adaptive_bucket_queue.h"
#include "bucket_search.h"
#include "tile_space.h"

namespace talweg {

class WorkspaceState {
 public:
  TileStorage tiles;
  AdaptiveBucketQueue queue;
  SearchBuffers buffers;
};

}  // namespace talweg

#endif  // TALWEG_SEARCH_WORKSPACE_STATE_H_
