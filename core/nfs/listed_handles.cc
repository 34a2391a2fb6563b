#include "nfs/listed_handles.h"

#include <iterator>

#include "nfs/nfs4_shapes.h"

namespace steertag::nfs {
namespace {

using namespace v4;

// The attributes in front of the handle, by number (RFC 8881 §5.6). Null: what find() looks at itself, and an
// ACL, which may be of any length and ends the search.
constexpr Shape attributes[] = {
    &Bitmap::walk,     // supported_attrs
    &U32::walk,        // type
    &U32::walk,        // fh_expire_type
    &U64::walk,        // change
    &U64::walk,        // size
    &U32::walk,        // link_support
    &U32::walk,        // symlink_support
    &U32::walk,        // named_attr
    &Fixed<16>::walk,  // fsid
    &U32::walk,        // unique_handles
    &U32::walk,        // lease_time
    nullptr,           // rdattr_error
    nullptr,           // acl
    &U32::walk,        // aclsupport
    &U32::walk,        // archive
    &U32::walk,        // cansettime
    &U32::walk,        // case_insensitive
    &U32::walk,        // case_preserving
    &U32::walk,        // chown_restricted
};
constexpr uint32_t rdattr_error = 11, filehandle = 19;
static_assert(std::size(attributes) == filehandle);

// Moves `at` to the handle. False where that is not there, or where the server says that it could not read
// the attributes (RFC 8881 §5.8.1.12).
bool reach_handle(Cursor& at, uint32_t given) {
  for (uint32_t i = 0; i < filehandle; ++i) {
    if ((given >> i & 1) == 0) {
      continue;
    }
    if (i == rdattr_error) {
      if (at.word() != 0) {
        return false;
      }
    } else if (attributes[i] == nullptr) {
      return false;
    } else {
      attributes[i](at);
    }
  }
  return !at.stopped();
}

Stream for_itself(Stream stream) {
  stream.marks = nullptr;
  stream.chunks = {};
  return stream;
}

}  // namespace

ListedHandles::ListedHandles(const Stream& stream) : stream_(for_itself(stream)), at_(stream_, 0, walk_) {}

std::optional<ListedHandles::Place> ListedHandles::find(uint64_t offset) {
  walk_.reason = Reason::none;
  walk_.offset = offset;
  const uint32_t words = at_.word();
  const uint32_t given = words != 0 ? at_.word() : 0;
  at_.skip(words > 1 ? uint64_t{words - 1} * 4 : 0);
  const uint64_t length = at_.word(), end = walk_.offset + length;
  if ((given >> filehandle & 1) == 0 || at_.stopped() || !reach_handle(at_, given)) {
    return std::nullopt;
  }
  const Place place{.at = walk_.offset + 4, .length = at_.word()};
  const bool within = !at_.stopped() && place.length != 0 && place.at + padded(place.length) <= end;
  return within ? std::optional(place) : std::nullopt;
}

}  // namespace steertag::nfs
