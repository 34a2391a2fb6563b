// FpduWatch: what is wrong with the FPDUs of either direction, by RFC 5044 §4 and §7: markers,
// pad, CRC, which end sends the first, and what stands where one is due and cannot be one. But
// for CRCs, nothing is reported of a direction of which something is missing since the setup.
#pragma once

#include <array>
#include <optional>

#include "rdma/anomaly.h"
#include "rdma/iwarp/framer.h"
#include "rdma/iwarp/mpa.h"
#include "rdma/op.h"

namespace steertag::rdma::iwarp {

class FpduWatch {
 public:
  explicit FpduWatch(Listener& listener) : listener_(&listener) {}

  // The setup frame of `from` is complete: its first FPDU comes next.
  void begin(Side from) { halves_[index(from)].gapless = true; }
  // Something that `from` sent is missing, or was not understood.
  void on_gap(Side from) { halves_[index(from)].gapless = false; }

  // Whether CRCs mean anything, by the setup; unset where that was not captured.
  using Negotiated = std::optional<bool>;
  // Whether the CRC is wrong, unless nothing tells that it means anything. Precondition: all of the FPDU was
  // captured.
  enum class Report : uint8_t { no, yes };
  bool check_crc(Side from, const Fpdu& fpdu, Negotiated negotiated, Report reports);
  // An FPDU whose CRC would have been checked, had all of it been captured.
  void on_cut(Side from) { halves_[index(from)].cut = true; }
  // What `from` complains of, where that is a CRC.
  void explain(Side from, Fault& fault) const;
  void on_fpdu(Side from, const Fpdu& fpdu, const Markers& markers, std::optional<Side> initiator);
  void on_misfit(Side from, const Fpdu& fpdu) const;

 private:
  void report(Anomaly::Kind kind, Side from, const Stamp& at, uint64_t position, uint64_t expected,
              uint64_t found) const;

  struct Half {
    bool gapless = false;                      // nothing of it is missing since the setup
    bool begun = false;                        // an FPDU of it was seen
    bool several = false;                      // more than one was seen
    bool crc_seen = false;                     // a CRC was right
    bool cut = false;                          // an FPDU was not captured whole
    std::optional<Fault::WrongCrc> wrong_crc;  // the latest
    std::optional<Fault::WrongCrc> unfilled;   // of its first FPDU, where that has 0 in place of a CRC
  };

  Listener* listener_;
  std::array<Half, 2> halves_;
};

}  // namespace steertag::rdma::iwarp
