#include "health_monitor.h"

#include <chrono>
#include <utility>

namespace talweg::service {

HealthMonitor::HealthMonitor(grpc::HealthCheckServiceInterface& health,
                             const workers::WorkerPool& pool, std::vector<std::string> services)
    : health_(health), pool_(pool), services_(std::move(services)) {
  Publish(pool_.status().usable_workers > 0);
  thread_ = std::thread([this] { Watch(); });
}

HealthMonitor::~HealthMonitor() {
  Drain();
  thread_.join();
}

void HealthMonitor::Drain() {
  const std::lock_guard lock(mutex_);
  if (draining_) return;
  draining_ = true;
  Publish(false);
  changed_.notify_one();
}

void HealthMonitor::Watch() {
  constexpr auto kInterval = std::chrono::milliseconds(100);
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kInterval, [&] { return draining_; })) {
    Publish(pool_.status().usable_workers > 0);
  }
}

void HealthMonitor::Publish(bool serving) {
  health_.SetServingStatus(serving);  // the server as a whole, ""
  for (const std::string& service : services_) health_.SetServingStatus(service, serving);
}

}  // namespace talweg::service
