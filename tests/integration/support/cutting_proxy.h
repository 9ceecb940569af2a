// A relay before a server that breaks connections in the middle.
#ifndef TALWEG_TESTS_INTEGRATION_CUTTING_PROXY_H_
#define TALWEG_TESTS_INTEGRATION_CUTTING_PROXY_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace talweg::test {

// Relays a Unix socket to another one, one connection at a time. Connection k
// is cut after cuts[k] bytes from the client; those after the last cut live on.
class CuttingProxy {
 public:
  CuttingProxy(std::string listen_path, std::string server_path, std::vector<uint64_t> cuts);
  ~CuttingProxy();
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;

  int connections() const { return connections_; }

 private:
  void Serve();
  void Relay(int client, uint64_t cut_after);

  const std::string server_path_;
  const std::vector<uint64_t> cuts_;
  int listener_ = -1;
  std::atomic<bool> ending_{false};
  std::atomic<int> connections_{0};
  std::thread thread_;
};

}  // namespace talweg::test

#endif  // TALWEG_TESTS_INTEGRATION_CUTTING_PROXY_H_
