#include "sanitize/private_data.h"

#include <algorithm>

#include "rdma/iwarp/mpa.h"
#include "rpcrdma/private_data.h"
#include "wire/reader.h"

namespace steertag::sanitize {

std::vector<uint8_t> private_data(Bytes data) {
  constexpr size_t kLength = 8;
  std::vector<uint8_t> kept(data.size());
  const rpcrdma::PrivateData found = rpcrdma::find_private_data(data);
  if (found.present || found.cut) {
    const Bytes block = slice(data, found.offset, kLength);
    std::copy(block.begin(), block.end(), kept.begin() + found.offset);
  }
  return kept;
}

std::vector<uint8_t> setup_frame(Bytes raw) {
  using rdma::iwarp::EnhancedWord;
  using rdma::iwarp::SetupFrame;
  SetupFrame frame;
  wire::read(raw, frame);
  const size_t fields = SetupFrame::kSize + (frame.enhanced() ? EnhancedWord::kSize : 0);
  const Bytes front = slice(raw, 0, fields);
  std::vector<uint8_t> kept(front.begin(), front.end());
  for (size_t i = 0; i < std::min(kept.size(), frame.key.size()); ++i) {
    const bool right = kept[i] == rdma::iwarp::kRequestKey[i] || kept[i] == rdma::iwarp::kReplyKey[i];
    kept[i] = right ? kept[i] : 'x';  // a wrong key stays wrong
  }
  const std::vector<uint8_t> rest = private_data(slice(raw, front.size()));
  kept.insert(kept.end(), rest.begin(), rest.end());
  return kept;
}

}  // namespace steertag::sanitize
