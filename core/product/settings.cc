#include "product/settings.h"

namespace steertag::product {

Options Settings::analyzer() const {
  Options options;
  options.rpcrdma_ports.insert(options.rpcrdma_ports.end(), ports.begin(), ports.end());
  options.roce_ports.insert(options.roce_ports.end(), udp_ports.begin(), udp_ports.end());
  options.vxlan_ports.insert(options.vxlan_ports.end(), vxlan_ports.begin(), vxlan_ports.end());
  options.geneve_ports.insert(options.geneve_ports.end(), geneve_ports.begin(), geneve_ports.end());
  options.verify_checksums = checksums;
  options.memory = memory;
  options.settle_ns = static_cast<int64_t>(settle * 1e9);
  if (skew_ms) {
    options.linger_ns = options.copy_window_ns = static_cast<int64_t>(*skew_ms * 1e6);
  }
  return options;
}

}  // namespace steertag::product
