// Starts a pool, prints its workers' process numbers, keeps them busy, and
// waits to be killed.
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "pool_harness.h"

int main() {
  auto pool = talweg::workers::WorkerPool::Start(talweg::test::RealPool(3));
  if (!pool.ok()) return 1;
  const auto surface = talweg::test::SlowSurface();
  std::vector<talweg::test::Pending> tasks;
  for (int i = 0; i < 2; ++i) {
    tasks.push_back(talweg::test::Submit(**pool, talweg::test::FieldTask(surface)));
  }
  for (const int pid : (*pool)->status().worker_pids) std::printf("%d\n", pid);
  std::fflush(stdout);
  while (true) pause();
}
