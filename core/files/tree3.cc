// NFSv2 and NFSv3 (RFC 1094 §2.2, RFC 1813 §3.3), whose procedures have other numbers and the same order of
// arguments; and MNT (RFC 1094 appendix A, RFC 1813 §5.2.1).
#include <algorithm>

#include "files/tree.h"

namespace steertag::files {
namespace {

using nfs::Meaning;

constexpr uint32_t noent = 2, stale = 70;

// Whether the arguments begin with a directory and a name in it.
bool names_entry(Deed deed) {
  return deed == Deed::looks_up || deed == Deed::makes || deed == Deed::removes || deed == Deed::renames;
}

// What stands in a row of notes as a handle, and behind it a name.
struct Entry {
  const Note* directory = nullptr;
  const Note* name = nullptr;
};
Entry entry_at(std::span<const Note> notes, size_t at) {
  if (at + 1 >= notes.size() || notes[at].meaning != Meaning::handle ||
      notes[at + 1].meaning != Meaning::name || !notes[at].captured || !notes[at + 1].captured ||
      !can_be_name(notes[at + 1].text)) {
    return {};
  }
  return {&notes[at], &notes[at + 1]};
}

void learn_listed(const Told& told, const Note& directory, Names& names) {
  const std::span<const Note> all = told.reply.all();
  for (size_t i = 0; i + 1 < all.size(); ++i) {
    const Note &name = all[i], &handle = all[i + 1];
    if (name.meaning == Meaning::name && handle.meaning == Meaning::handle && name.captured &&
        handle.captured && can_be_name(name.text)) {
      const Names::Id parent = names.enter(told.scope, directory.text);
      names.name(names.enter(told.scope, handle.text), parent, name.text);
    }
  }
}

void learn_made(const Told& told, const Entry& entry, Names& names) {
  if (const Note* handle = first(told.reply.all(), Meaning::handle)) {
    const Names::Id parent = names.enter(told.scope, entry.directory->text);
    names.name(names.enter(told.scope, handle->text), parent, entry.name->text);
  } else {  // it is new, and no handle is known of it
    names.forget(names.find(told.scope, entry.directory->text), entry.name->text);
  }
}

void rename(const Told& told, const Entry& from, const Entry& to, Names& names) {
  const Names::Id source = from.name != nullptr ? names.find(told.scope, from.directory->text) : 0;
  if (from.name != nullptr && to.name != nullptr && told.whole && told.status == 0u) {
    return names.move(source, from.name->text, names.enter(told.scope, to.directory->text), to.name->text);
  }
  if (from.name != nullptr) {
    names.forget(source, from.name->text);
  }
  if (to.name != nullptr) {
    names.forget(names.find(told.scope, to.directory->text), to.name->text);
  }
}

// What was answered well, or perhaps was.
void learn_from(const Told& told, Deed deed, Names& names) {
  const std::span<const Note> asked = told.call.all();
  const Entry entry = entry_at(asked, 0);
  const bool sure = told.whole && told.status == 0u;
  if (deed == Deed::renames) {
    return rename(told, entry, entry_at(asked, 2), names);
  }
  if (deed == Deed::lists && sure && !asked.empty() && asked[0].captured) {
    return learn_listed(told, asked[0], names);
  }
  if (deed == Deed::links && sure && !asked.empty() && asked[0].captured) {
    const Entry added = entry_at(asked, 1);
    if (added.name != nullptr) {
      names.link(names.enter(told.scope, asked[0].text), names.enter(told.scope, added.directory->text),
                 added.name->text);
    }
    return;
  }
  if (entry.name == nullptr) {
    return;
  }
  if (sure && (deed == Deed::looks_up || deed == Deed::makes)) {
    learn_made(told, entry, names);
  } else if (deed == Deed::removes) {
    names.forget(names.find(told.scope, entry.directory->text), entry.name->text);
  }
}

// What a LOOKUP of "." or ".." is about: the directory `known` itself, or the one above. What the Reply says
// of that comes before what is known.
std::string path_by_dots(const Told& told, Names::Id known, Names& names) {
  const Note* name = first(told.call.all(), Meaning::name);
  if (name == nullptr || (name->text != "." && name->text != "..")) {
    return {};
  }
  if (const Note* handle = first(told.reply.all(), Meaning::handle);
      handle != nullptr && told.whole && told.status == 0u) {
    return names.path(names.find(told.scope, handle->text));
  }
  if (name->text == ".") {
    return names.path(known);
  }
  const auto where = names.whereabouts(known);
  return where ? names.path(names.find(told.scope, where->directory)) : std::string();
}

}  // namespace

Deed deed_of_nfs2(uint32_t procedure) {
  switch (procedure) {
    case 4:  // LOOKUP
      return Deed::looks_up;
    case 9:   // CREATE
    case 13:  // SYMLINK, which returns no handle
    case 14:  // MKDIR
      return Deed::makes;
    case 10:  // REMOVE
    case 15:  // RMDIR
      return Deed::removes;
    case 11:  // RENAME
      return Deed::renames;
    case 12:  // LINK
      return Deed::links;
    default:
      return Deed::other;
  }
}

Deed deed_of_nfs3(uint32_t procedure) {
  switch (procedure) {
    case 3:  // LOOKUP
      return Deed::looks_up;
    case 8:   // CREATE
    case 9:   // MKDIR
    case 10:  // SYMLINK
    case 11:  // MKNOD
      return Deed::makes;
    case 12:  // REMOVE
    case 13:  // RMDIR
      return Deed::removes;
    case 14:  // RENAME
      return Deed::renames;
    case 15:  // LINK
      return Deed::links;
    case 17:  // READDIRPLUS
      return Deed::lists;
    default:
      return Deed::other;
  }
}

bool teaches(Deed deed) {
  return deed == Deed::looks_up || deed == Deed::makes || deed == Deed::lists;
}

std::string apply_nfs(const Told& told, Deed deed, Names& names) {
  const std::span<const Note> asked = told.call.all();
  const Note* handle = first(asked, Meaning::handle);
  if (handle == nullptr) {
    return {};
  }
  const Entry entry = entry_at(asked, 0);
  const Names::Id known = names.find(told.scope, handle->text);
  std::string path;
  if (!names_entry(deed)) {
    path = names.path(known);
  } else if (entry.name != nullptr) {
    path = joined(names.path(known), entry.name->text);
  } else if (deed == Deed::looks_up) {
    path = path_by_dots(told, known, names);
  }
  if (told.status.value_or(0) == 0) {
    learn_from(told, deed, names);
  } else if (told.whole && told.status == noent && deed == Deed::looks_up && entry.name != nullptr) {
    names.forget(known, entry.name->text);
  } else if (told.whole && told.status == stale) {
    names.drop(known);
  }
  return path;
}

// The path begins at the root of what the server exports. One that goes through dots says nothing.
std::string apply_mnt(const Told& told, Names& names) {
  const Note* path = first(told.call.all(), Meaning::name);
  if (path == nullptr || path->text.empty() || path->text.front() != '/') {
    return {};
  }
  std::string whole;
  for (size_t at = 1; at < path->text.size();) {
    const size_t end = std::min(path->text.find('/', at), path->text.size());
    const std::string part = path->text.substr(at, end - at);
    if (!part.empty() && !can_be_name(part)) {
      return {};
    }
    whole = part.empty() ? whole : joined(whole, part);
    at = end + 1;
  }
  const Note* handle = first(told.reply.all(), Meaning::handle);
  if (handle != nullptr && told.whole && told.status == 0u) {
    const Names::Id root = names.enter(told.scope, {}), file = names.enter(told.scope, handle->text);
    if (whole.empty()) {
      names.make_root(file);
    } else {
      names.name(file, root, whole);
    }
  }
  return "/" + whole;
}

}  // namespace steertag::files
