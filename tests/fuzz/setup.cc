// What is said while a connection is set up: the MADs of the connection manager, their
// private data, and wherever else private data may be. What was read whole and is written
// again must be read as the same.
#include <algorithm>
#include <vector>

#include "input.h"
#include "rdma/roce/cm.h"
#include "rpcrdma/private_data.h"
#include "targets.h"

namespace steertag::fuzz {

namespace roce = rdma::roce;

void run_setup(Bytes bytes) {
  const rpcrdma::PrivateData found = rpcrdma::find_private_data(bytes);
  require(!found.present || found.offset + 8 <= bytes.size(), "private data lies inside the bytes");
  require(!(found.present && found.cut), "private data is there or cut");
  if (found.usable()) {
    std::vector<uint8_t> written;
    rpcrdma::encode(found, written);
    const rpcrdma::PrivateData again = rpcrdma::find_private_data(written);
    require(again.send_size == found.send_size && again.receive_size == found.receive_size &&
                again.remote_invalidation == found.remote_invalidation,
            "find(encode(private data)) says the same");
  }

  roce::CmMessage message;
  if (!roce::decode(bytes, message)) {
    return;
  }
  require(message.private_data.empty() ||
              (message.private_data.data() >= bytes.data() &&
               message.private_data.data() + message.private_data.size() <= bytes.data() + bytes.size()),
          "private data is a view of the MAD");
  if (message.fields_cut || !message.private_data_whole) {
    return;
  }
  std::vector<uint8_t> written;
  roce::encode(message, written);
  require(written.size() == roce::kMadSize, "a MAD has 256 bytes");
  roce::CmMessage again;
  require(roce::decode(written, again), "what encode() writes is a MAD");
  std::vector<uint8_t> twice;
  roce::encode(again, twice);
  require(written == twice, "encode(decode(MAD)) is the MAD");
}

}  // namespace steertag::fuzz
