// Faults in messages that are there anyway: a field, a length, a word too many.
#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "faults.h"

namespace steertag::legal {
namespace {

using End = Rpc::End;

// One that came to a good end, and on which nothing else depends.
bool fit(const Rpc& rpc) {
  return rpc.end == End::success && !rpc.sent_again && !rpc.first && !rpc.wrapped && !rpc.regrants &&
         rpc.procedure.find("SESSION") == std::string::npos;
}
bool plain(const Rpc& rpc) {
  return fit(rpc) && !rpc.chunks();
}
bool reads(const Rpc& rpc) {
  return fit(rpc) && !rpc.reads.empty() && !rpc.whole;
}
bool read_at_once(const Rpc& rpc) {
  return reads(rpc) && rpc.reads[0].lengths.size() == 1 && rpc.reads[0].total() > 3;  // less may be roundup
}
bool writes(const Rpc& rpc) {
  return fit(rpc) && !rpc.writes.empty() && !rpc.writes[0].lengths.empty();
}
bool nomsg(const Rpc& rpc) {
  return fit(rpc) && rpc.nomsg;
}
bool nomsg_alone(const Rpc& rpc) {  // in a burst the builder does not know yet what the Reply will be
  return nomsg(rpc) && !rpc.in_burst;
}

// Whether an RPC of the other direction has the same XID at that time: what cannot be read may be about it.
bool meets_another(const Session& session, const Rpc& rpc) {
  const auto end = [](const Rpc& one) {
    return one.answer_line == 0 || one.left ? SIZE_MAX : one.answer_line;
  };
  return std::any_of(session.rpcs.begin(), session.rpcs.end(), [&](const Rpc& other) {
    return other.link == rpc.link && other.backward != rpc.backward && other.xid == rpc.xid &&
           other.call_line < end(rpc) && rpc.call_line < end(other);
  });
}

template <typename Fits>
Rpc* one_of(Session& session, Dice& dice, Fits fits) {
  std::vector<Rpc*> all;
  for (Rpc& rpc : session.rpcs) {
    if (fits(rpc) && !meets_another(session, rpc)) {
      all.push_back(&rpc);
    }
  }
  return all.empty() ? nullptr : all[dice.below(all.size())];
}

// The Responder rejects what it cannot make out, and does nothing else.
void reject(Session& session, const Rpc& rpc, std::string_view code, std::string_view more = {}) {
  for (const size_t move : rpc.moves) {
    session.lines[move].dropped = true;
  }
  session.lines[rpc.answer_line].text =
      fmt::format("{}error xid={} {}{} credit=8", rpc.responder(), rpc.xid, code, more);
}
void reject(Session& session, const Rpc& rpc) {
  reject(session, rpc, rpc.version == 1 ? "chunk" : "bad_xdr");
}

template <bool (*fits)(const Rpc&)>
bool in_call(Session& session, Dice& dice, const Fault& fault) {
  const Rpc* rpc = one_of(session, dice, fits);
  if (rpc != nullptr) {
    session.lines[rpc->call_line].text += " " + std::string(fault.lines);
    reject(session, *rpc);
  }
  return rpc != nullptr;
}

template <bool (*fits)(const Rpc&)>
bool in_reply(Session& session, Dice& dice, const Fault& fault) {
  const Rpc* rpc = one_of(session, dice, fits);
  if (rpc != nullptr) {
    session.lines[rpc->answer_line].text += " " + std::string(fault.lines);
  }
  return rpc != nullptr;
}

// The same, of one version.
template <uint32_t version, bool (*fits)(const Rpc&)>
bool of(const Rpc& rpc) {
  return rpc.version == version && fits(rpc);
}

// The Call, but it is answered as if nothing were the matter.
template <bool (*fits)(const Rpc&)>
bool in_served_call(Session& session, Dice& dice, const Fault& fault) {
  const Rpc* rpc = one_of(session, dice, fits);
  if (rpc != nullptr) {
    session.lines[rpc->call_line].text += " " + std::string(fault.lines);
  }
  return rpc != nullptr;
}

bool cut_call(Session& session, Dice& dice, const Fault&) {
  const Rpc* rpc = one_of(session, dice, plain);
  if (rpc == nullptr) {
    return false;
  }
  session.lines[rpc->call_line].text += rpc->version == 1 ? " cut=24" : " cut=32";
  if (rpc->version == 1) {  // RFC 8166 §4.5: dropped without a word
    session.lines[rpc->answer_line].dropped = true;
  } else {
    reject(session, *rpc);
  }
  return true;
}

bool cut_reply(Session& session, Dice& dice, const Fault&) {
  const Rpc* rpc = one_of(session, dice, plain);
  if (rpc != nullptr) {
    session.lines[rpc->answer_line].text += rpc->version == 1 ? " cut=24" : " cut=32";
  }
  return rpc != nullptr;
}

bool cut_read_list(Session& session, Dice& dice, const Fault&) {
  const Rpc* rpc = one_of(session, dice, reads);
  if (rpc != nullptr) {
    session.lines[rpc->call_line].text += rpc->version == 1 ? " cut=32" : " cut=40";
    reject(session, *rpc);
  }
  return rpc != nullptr;
}

bool no_payload(Session& session, Dice& dice, const Fault& fault) {
  const Rpc* rpc = one_of(session, dice, plain);
  if (rpc != nullptr) {
    const bool call = fault.name.starts_with("Call");
    session.lines[call ? rpc->call_line : rpc->answer_line].text += rpc->version == 1 ? " cut=28" : " cut=36";
    if (call) {
      reject(session, *rpc);
    }
  }
  return rpc != nullptr;
}

bool unknown_version(Session& session, Dice& dice, const Fault&) {
  const Rpc* rpc = one_of(session, dice, plain);
  if (rpc != nullptr) {
    session.lines[rpc->call_line].text += " rdma_vers=3";
    reject(session, *rpc, fmt::format("vers({0} {0})", rpc->version), " rdma_vers=3");
  }
  return rpc != nullptr;
}

bool unknown_procedure(Session& session, Dice& dice, const Fault&) {
  const Rpc* rpc = one_of(session, dice, plain);
  if (rpc != nullptr) {
    session.lines[rpc->call_line].text += " rdma_proc=9";
    reject(session, *rpc, rpc->version == 1 ? "chunk" : "inval_proc");
  }
  return rpc != nullptr;
}

bool second_reply(Session& session, Dice& dice, const Fault&) {
  const Rpc* rpc = one_of(session, dice, [](const Rpc& one) { return plain(one) && !one.backward; });
  if (rpc != nullptr) {
    session.lines[rpc->answer_line].text += "\n" + session.lines[rpc->answer_line].text;
  }
  return rpc != nullptr;
}

bool taken_xid(Session& session, Dice& dice, const Fault&) {
  const Rpc* rpc = one_of(session, dice, [](const Rpc& one) {
    // Under RPCSEC_GSS a Call is never sent again byte by byte.
    return plain(one) && !one.backward && one.words.find("krb5") == std::string::npos;
  });
  if (rpc != nullptr) {
    session.lines[rpc->call_line].text +=
        fmt::format("\n{}call xid={} v{} rpc(100005 3 1)", rpc->requester(), rpc->xid, rpc->version);
  }
  return rpc != nullptr;
}

// Before the first Reply there is one credit.
bool second_call(Session& session, Dice& dice, const Fault&) {
  const Rpc* rpc =
      one_of(session, dice, [](const Rpc& one) { return one.first && one.procedure != "conf_rdma"; });
  if (rpc != nullptr) {
    session.lines[rpc->call_line].text +=
        fmt::format("\n{}call xid=70001 v{} nfs3 NULL", rpc->requester(), rpc->version);
    session.lines[rpc->answer_line].text += fmt::format("\n{}reply xid=70001", rpc->responder());
  }
  return rpc != nullptr;
}

bool long_first_call(Session& session, Dice& dice, const Fault&) {
  const Rpc* rpc = one_of(session, dice, [](const Rpc& one) {
    return one.first && one.version == 2 && one.procedure.find("SESSION") == std::string::npos;
  });
  if (rpc != nullptr) {
    session.lines[rpc->call_line].text =
        fmt::format("{}call xid={} v2 nfs3 WRITE data=1500", rpc->requester(), rpc->xid);
  }
  return rpc != nullptr;
}

// A line with these words, changed.
bool replace(Session& session, Dice& dice, std::string_view words, std::string_view by) {
  std::vector<Line*> all;
  for (Line& line : session.lines) {
    if (line.text.find(words) != std::string::npos) {
      all.push_back(&line);
    }
  }
  if (all.empty()) {
    return false;
  }
  std::string& text = all[dice.below(all.size())]->text;
  text.replace(text.find(words), words.size(), by);
  return true;
}

// "old -> new"
bool in_words(Session& session, Dice& dice, const Fault& fault) {
  const size_t arrow = fault.lines.find(" -> ");
  return replace(session, dice, fault.lines.substr(0, arrow), fault.lines.substr(arrow + 4));
}

bool in_words_of_version_one(Session& session, Dice& dice, const Fault& fault) {
  return !session.features.contains("version two") && !session.features.contains("version two refused") &&
         in_words(session, dice, fault);
}

// What the words of a line are followed by.
bool behind_words(Session& session, Dice& dice, const Fault& fault) {
  const size_t arrow = fault.lines.find(" -> ");
  const std::string_view words = fault.lines.substr(0, arrow);
  std::vector<Line*> all;
  for (Line& line : session.lines) {
    if (line.text.find(words) != std::string::npos) {
      all.push_back(&line);
    }
  }
  if (!all.empty()) {
    all[dice.below(all.size())]->text += " " + std::string(fault.lines.substr(arrow + 4));
  }
  return !all.empty();
}

bool second_done(Session& session, Dice& dice, const Fault&) {
  std::vector<Line*> all;
  for (Line& line : session.lines) {
    if (line.text.find("client> done xid=") != std::string::npos) {
      all.push_back(&line);
    }
  }
  if (!all.empty()) {
    Line& line = *all[dice.below(all.size())];
    line.text += "\n" + line.text;
  }
  return !all.empty();
}

bool refused_version_again(Session& session, Dice&, const Fault&) {
  for (Line& line : session.lines) {
    const size_t at = line.text.find(".server> error xid=9000 vers(1 1)");
    if (at != std::string::npos) {
      const std::string link = line.text.substr(0, at);
      line.text +=
          fmt::format("\n{0}.client> call xid=9001 v2 nfs3 NULL\n{0}.server> error xid=9001 vers(1 1)", link);
      return true;
    }
  }
  return false;
}

bool in_several(const Rpc& rpc) {
  return writes(rpc) && rpc.writes[0].total() > 400;
}

constexpr Fault kFaults[] = {
    {"Call cut inside its fixed words", "HDR-02", kToday, cut_call},
    {"Reply cut inside its fixed words", "HDR-02", kEvery, cut_reply},
    {"Call with a discriminator of 2", "HDR-03", kEvery, in_call<plain>, nullptr, "rdma_writes=2"},
    {"Reply with a discriminator of 2", "HDR-03", kEvery, in_reply<plain>, nullptr, "rdma_reads=2"},
    {"Read list that runs off", "HDR-04", kEvery, cut_read_list},
    {"Write list of a Call that runs off", "HDR-05", kEvery, in_call<writes>, nullptr, "target=4096"},
    {"Write list of a Reply that runs off", "HDR-05", kEvery, in_reply<writes>, nullptr, "target=4096"},
    {"Reply chunk of a Reply that runs off", "HDR-05", kEvery, in_reply<nomsg>, nullptr, "target=4096"},
    {"rdma_direction of 7", "HDR-06", kEvery, in_call<of<2, plain>>, nullptr, "rdma_direction=7"},
    {"rdma_err of 9", "HDR-06", kToday, in_words, nullptr, " chunk credit= ->  code=9 credit="},
    {"rdma_vers of 3", "VER-01", kToday, unknown_version},
    {"ERR_VERS with an empty range", "VER-04", kEvery, in_words, nullptr, "vers(1 1) -> vers(3 1)"},
    {"ERR_VERS with the version that it rejects", "VER-04", kEvery, in_words, nullptr,
     "vers(1 1) -> vers(1 2)"},
    {"Call in a version that was refused", "VER-05", kEvery, refused_version_again},
    {"first message beyond 1024 bytes", "VER-06", kEvery, long_first_call},
    {"rdma_proc of 9", "PRC-01", kEvery, unknown_procedure},
    {"RDMA_MSGP", "PRC-02", kToday, in_call<of<1, plain>>, nullptr, "msgp(align=16 thresh=64)"},
    {"RDMA_DONE twice", "PRC-03", kRfc5666, second_done},
    {"rdma_direction of a Reply", "DIR-01", kEvery, in_reply<of<2, plain>>, nullptr, "rdma_direction=0"},
    {"rdma_direction of a Call", "DIR-01", kEvery, in_served_call<of<2, plain>>, nullptr, "rdma_direction=1"},
    {"rdma_direction of a Long Reply", "DIR-02", kEvery, in_reply<of<2, nomsg>>, nullptr, "rdma_direction=0"},
    {"rdma_optdir of RESPXCH", "DIR-02", kEvery, behind_words, nullptr, "> respxch -> rdma_optdir=0"},
    {"XIDs of a Call that differ", "XID-01", kEvery, in_call<plain>, nullptr, "rpc.xid=12345"},
    {"XIDs of a Reply that differ", "XID-01", kEvery, in_reply<plain>, nullptr, "rpc.xid=12345"},
    {"XIDs of a Long Reply that differ", "XID-01", kEvery, in_reply<nomsg_alone>, nullptr, "rpc.xid=12345"},
    {"second Reply", "XID-03", kEvery, second_reply},
    {"XID that is taken", "XID-04", kEvery, taken_xid},
    {"Call without an RPC message", "PAY-01", kEvery, no_payload},
    {"Reply without an RPC message", "PAY-01", kEvery, no_payload},
    {"Call with half a word", "PAY-02", kEvery, in_served_call<plain>, nullptr, "append=0000"},
    {"Reply with half a word", "PAY-02", kEvery, in_reply<plain>, nullptr, "append=0000"},
    {"Reply with mtype 9", "PAY-02", kEvery, in_reply<plain>, nullptr, "rpc.mtype=9"},
    {"bytes behind a Long Reply", "PAY-03", kEvery, in_reply<nomsg>, nullptr, "append=00000000"},
    {"bytes behind an error", "PAY-03", kEvery, behind_words, nullptr, "> error -> append=00000000"},
    {"bytes behind RESPXCH", "PAY-03", kEvery, behind_words, nullptr, "> respxch -> append=00000000"},
    {"Position that is no multiple of four", "CHK-02", kEvery, in_call<read_at_once>, nullptr, "position=42"},
    {"Position beyond the Call", "CHK-03", kEvery, in_call<reads>, nullptr, "position=4000000"},
    {"Write list with another handle", "CHK-07", kEvery, in_reply<in_several>, nullptr, "handle=0x6004"},
    {"Write list with another offset", "CHK-07", kEvery, in_reply<in_several>, nullptr, "offset=0x123400"},
    {"Write chunk that was not offered", "CHK-11", kEvery, in_reply<plain>, nullptr,
     "write(0x6005:0@0x1000)"},
    {"rdma_inv_handle that is not returned", "INV-04", kEvery, in_reply<of<2, plain>>, nullptr,
     "rdma_inv_handle=0x4711"},
    {"Call by Send With Invalidate", "INV-09", kEvery, in_served_call<plain>, nullptr, "invalidate=0x6006"},
    {"Call that requests no credits", "CRD-04", kEvery, in_served_call<plain>, nullptr, "rdma_credit=0"},
    {"second Call before the first grant", "CRD-02", kEvery, second_call},
    {"private data with reserved flags", "CMP-01", kEvery, in_words_of_version_one, nullptr,
     "connect client(R=1 -> connect client(pd_flags=0x81"},
    {"CONF_RDMA without a security flavor", "CMP-04", kRfc5666, in_words, nullptr,
     "conf_rdma auth=sys -> conf_rdma"},
    {"CONF_RDMA with a word too many", "CMP-05", kRfc5666, behind_words, nullptr,
     "conf_rdma auth=sys -> append=00000000"},
};

}  // namespace

std::span<const Fault> faults_in_messages() {
  return kFaults;
}

}  // namespace steertag::legal
