// Keeps the health service truthful.
#ifndef TALWEG_SERVICE_HEALTH_MONITOR_H_
#define TALWEG_SERVICE_HEALTH_MONITOR_H_

#include <grpcpp/health_check_service_interface.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "talweg/workers/worker_pool.h"

namespace talweg::service {

// SERVING exactly while the pool has a usable worker and the server does not
// drain; looked at every 100 ms. `health` must outlive it.
class HealthMonitor {
 public:
  HealthMonitor(grpc::HealthCheckServiceInterface& health, const workers::WorkerPool& pool,
                std::vector<std::string> services);
  ~HealthMonitor();
  HealthMonitor(const HealthMonitor&) = delete;
  HealthMonitor& operator=(const HealthMonitor&) = delete;

  // NOT_SERVING from now on.
  void Drain();

 private:
  void Watch();
  void Publish(bool serving);

  grpc::HealthCheckServiceInterface& health_;
  const workers::WorkerPool& pool_;
  const std::vector<std::string> services_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool draining_ = false;
  std::thread thread_;
};

}  // namespace talweg::service

#endif  // TALWEG_SERVICE_HEALTH_MONITOR_H_
