#include "scenario/procedures.h"

#include <span>

namespace steertag::scenario {
namespace {

struct Named {
  std::string_view name;
  uint32_t number;
};

constexpr Named kNfs3[] = {
    {"NULL", nfs3::kNull},     {"GETATTR", nfs3::kGetattr},   {"LOOKUP", nfs3::kLookup},
    {"ACCESS", nfs3::kAccess}, {"READLINK", nfs3::kReadlink}, {"READ", nfs3::kRead},
    {"WRITE", nfs3::kWrite},   {"SYMLINK", nfs3::kSymlink},   {"READDIR", nfs3::kReaddir},
    {"FSINFO", nfs3::kFsinfo}, {"COMMIT", nfs3::kCommit},
};

constexpr Named kNfs4[] = {
    {"CREATE", nfs4::kCreate},
    {"GETATTR", nfs4::kGetattr},
    {"GETFH", nfs4::kGetfh},
    {"LOOKUP", nfs4::kLookup},
    {"PUTFH", nfs4::kPutfh},
    {"PUTROOTFH", nfs4::kPutrootfh},
    {"READ", nfs4::kRead},
    {"READDIR", nfs4::kReaddir},
    {"READLINK", nfs4::kReadlink},
    {"WRITE", nfs4::kWrite},
    {"BIND_CONN_TO_SESSION", nfs4::kBindConnToSession},
    {"EXCHANGE_ID", nfs4::kExchangeId},
    {"CREATE_SESSION", nfs4::kCreateSession},
    {"DESTROY_SESSION", nfs4::kDestroySession},
    {"SEQUENCE", nfs4::kSequence},
    {"RECLAIM_COMPLETE", nfs4::kReclaimComplete},
    {"READ_PLUS", nfs4::kReadPlus},
};

constexpr Named kCallback[] = {
    {"CB_RECALL", nfs4::kCbRecall},
    {"CB_SEQUENCE", nfs4::kCbSequence},
};

std::optional<uint32_t> find(std::span<const Named> table, std::string_view name) {
  for (const Named& named : table) {
    if (named.name == name) {
      return named.number;
    }
  }
  return std::nullopt;
}

std::string list(std::span<const Named> table) {
  std::string names;
  for (const Named& named : table) {
    names += names.empty() ? "" : " ";
    names += named.name;
  }
  return names;
}

}  // namespace

std::optional<uint32_t> nfs3_procedure(std::string_view name) {
  return find(kNfs3, name);
}
std::optional<uint32_t> nfs4_operation(std::string_view name) {
  return find(kNfs4, name);
}
std::optional<uint32_t> callback_operation(std::string_view name) {
  return find(kCallback, name);
}
std::string nfs3_names() {
  return list(kNfs3);
}
std::string nfs4_names() {
  return list(kNfs4);
}
std::string callback_names() {
  return list(kCallback);
}

Procedure nfs4_compound(uint32_t operation) {
  Procedure compound{Family::nfs4, 100003, 4, 1, {}};
  switch (operation) {
    case nfs4::kExchangeId:
    case nfs4::kCreateSession:
    case nfs4::kDestroySession:
    case nfs4::kBindConnToSession:
    case nfs4::kSequence:
      break;
    case nfs4::kReclaimComplete:
    case nfs4::kPutfh:
    case nfs4::kPutrootfh:
      compound.operations = {nfs4::kSequence};
      break;
    default:
      compound.operations = {nfs4::kSequence, nfs4::kPutfh};
  }
  compound.operations.push_back(operation);
  return compound;
}

Procedure callback_compound(uint32_t operation) {
  Procedure compound{Family::callback, kCallbackProgram, 1, 1, {nfs4::kCbSequence}};
  if (operation != nfs4::kCbSequence) {
    compound.operations.push_back(operation);
  }
  return compound;
}

}  // namespace steertag::scenario
