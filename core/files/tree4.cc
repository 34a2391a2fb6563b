// COMPOUND of NFSv4 and CB_COMPOUND (RFC 8881 §18, §20).
#include <algorithm>
#include <utility>

#include "files/tree.h"

namespace steertag::files {
namespace {

using nfs::Meaning;

constexpr uint32_t create4 = 6, getfh4 = 10, link4 = 11, lookup4 = 15, lookupp4 = 16, open4 = 18,
                   openattr4 = 19, putfh4 = 22, putpubfh4 = 23, putrootfh4 = 24, readdir4 = 26, remove4 = 28,
                   rename4 = 29, restorefh4 = 31, savefh4 = 32, secinfo4 = 33, secinfo_no_name4 = 52;
constexpr uint32_t noent4 = 2, stale4 = 70;

// Whether the arguments have a name; those of OPEN have one, or the current filehandle is meant (RFC 8881
// §18.16.3).
bool takes_name(uint32_t opcode) {
  return opcode == create4 || opcode == lookup4 || opcode == open4 || opcode == remove4 ||
         opcode == rename4 || opcode == secinfo4;
}

// What a current or saved filehandle stands for: a handle that was put, or the root, and names below it.
struct Standpoint {
  bool known = false;
  std::string handle;  // of the root: empty
  std::string below;   // "a/b"; empty: the handle itself
};

bool has_name(std::span<const Note> said) {
  return std::any_of(said.begin(), said.end(),
                     [](const Note& note) { return note.meaning == Meaning::name; });
}

class Steps {
 public:
  Steps(const Told& told, const nfs::Compound& compound, Names& names)
      : told_(told), compound_(compound), names_(names) {}

  std::string walk(std::optional<uint32_t> purpose) {
    std::string path;
    for (uint32_t i = 0; i < compound_.operations.size(); ++i) {
      std::string about = take(i, compound_.operations[i], purpose == i);
      if (purpose == i) {
        path = std::move(about);
      }
    }
    return path;
  }

 private:
  enum class Ended : uint8_t { well, badly, unknown };
  Ended ended(uint32_t operation) const;
  std::string path(const Standpoint& of) const;
  Standpoint below(const Standpoint& directory, const Note* name) const;
  Standpoint above(const Standpoint& directory) const;
  // The directory that names are known in; 0 where there is none. `enter`: it is known from now on.
  Names::Id directory(const Standpoint& of, bool enter) const;
  std::string take(uint32_t operation, uint32_t opcode, bool asked);
  std::string take_callback(uint32_t operation) const;
  std::string subject(uint32_t operation, uint32_t opcode, std::span<const Note> said) const;
  void go(uint32_t operation, uint32_t opcode, std::span<const Note> said);
  void unlearn(uint32_t operation, uint32_t opcode, const Note* handle, const Note* name);
  void learn(uint32_t operation);
  void learn_listed(uint32_t operation);
  void change(uint32_t operation, uint32_t opcode, std::span<const Note> said);
  void rename(uint32_t operation, const Note& from, const Note& to);
  void forget(const Standpoint& in, const Note& name) const {
    names_.forget(directory(in, false), name.text);
  }

  const Told& told_;
  const nfs::Compound& compound_;
  Names& names_;
  Standpoint current_, saved_;
};

// A COMPOUND ends at the first operation that fails, and with its status (RFC 8881 §16.2.3).
Steps::Ended Steps::ended(uint32_t operation) const {
  if (!told_.status) {
    return Ended::unknown;
  }
  if (*told_.status == 0) {
    return Ended::well;
  }
  const bool before_last = operation + 1 < told_.reply.entered();
  return before_last ? Ended::well : told_.results_read ? Ended::badly : Ended::unknown;
}

std::string Steps::path(const Standpoint& of) const {
  if (!of.known) {
    return {};
  }
  const std::string front = of.handle.empty() ? "/" : names_.path(names_.find(told_.scope, of.handle));
  return of.below.empty() ? front : joined(front, of.below);
}

Standpoint Steps::below(const Standpoint& directory, const Note* name) const {
  if (name == nullptr || !can_be_name(name->text)) {
    return {};
  }
  Standpoint made = directory;
  if (!made.known) {  // of which nothing is known but that name
    return {};
  }
  made.below = joined(made.below, name->text);
  return made;
}

// The one that it is in, by the name that it has there.
Standpoint Steps::above(const Standpoint& directory) const {
  Standpoint made = directory;
  if (made.known && made.below.empty()) {
    const auto where = names_.whereabouts(names_.find(told_.scope, made.handle));
    made = where ? Standpoint{true, where->directory, where->name} : Standpoint{};
  }
  const size_t slash = made.below.rfind('/');
  made.below.resize(slash == std::string::npos ? 0 : slash);
  return made;
}

Names::Id Steps::directory(const Standpoint& of, bool enter) const {
  if (!of.known || !of.below.empty()) {
    return 0;
  }
  return enter ? names_.enter(told_.scope, of.handle) : names_.find(told_.scope, of.handle);
}

std::string Steps::take_callback(uint32_t operation) const {
  const Note* handle = first(told_.call.of(operation), Meaning::handle);
  return handle != nullptr ? names_.path(names_.find(told_.scope, handle->text)) : std::string();
}

std::string Steps::take(uint32_t operation, uint32_t opcode, bool asked) {
  if (compound_.callback) {
    return asked ? take_callback(operation) : std::string();
  }
  const std::span<const Note> said = told_.call.of(operation);
  std::string about = asked ? subject(operation, opcode, said) : std::string();
  if (opcode == getfh4) {
    learn(operation);
  } else if (opcode == readdir4) {
    learn_listed(operation);
  } else if (opcode == rename4 || opcode == remove4 || opcode == link4) {
    change(operation, opcode, said);
  } else {
    go(operation, opcode, said);
  }
  return about;
}

// The path of what the operation is about.
std::string Steps::subject(uint32_t operation, uint32_t opcode, std::span<const Note> said) const {
  if (opcode == link4) {
    return path(saved_);
  }
  if (opcode == lookupp4) {
    return path(above(current_));
  }
  if (!takes_name(opcode)) {
    return path(current_);
  }
  if (!has_name(said)) {
    const bool cut = !told_.arguments_read && operation + 1 == compound_.operations.size();
    return opcode == open4 && !cut ? path(current_) : std::string();
  }
  const Note* name = first(said, Meaning::name);
  if (name == nullptr || !can_be_name(name->text)) {
    return {};
  }
  const std::string whole = path(below(opcode == rename4 ? saved_ : current_, name));
  return whole.empty() ? name->text : whole;
}

// Where the current filehandle goes.
void Steps::go(uint32_t operation, uint32_t opcode, std::span<const Note> said) {
  const Note *handle = first(said, Meaning::handle), *name = first(said, Meaning::name);
  unlearn(operation, opcode, handle, name);
  switch (opcode) {
    case putfh4:
      current_ = {.known = handle != nullptr && !handle->text.empty(),
                  .handle = handle != nullptr ? handle->text : std::string(),
                  .below = {}};
      break;
    case putrootfh4:
      current_ = {.known = true, .handle = {}, .below = {}};
      break;
    case putpubfh4:  // which any directory may be (RFC 8881 §4.1.2)
    case openattr4:
      current_ = {};
      break;
    case lookupp4:
      current_ = above(current_);
      break;
    case secinfo4:
    case secinfo_no_name4:
      if (compound_.minor_version != 0) {  // which consume it (RFC 8881 §2.6.3.1.1.8)
        current_ = {};
      }
      break;
    case savefh4:
      saved_ = current_;
      break;
    case restorefh4:
      current_ = saved_;
      break;
    case lookup4:
    case create4:
      current_ = below(current_, name);
      break;
    case open4:
      if (has_name(said)) {
        current_ = below(current_, name);
      }
      break;
    default:
      break;
  }
}

// What the server says of a name or a handle that is known no more.
void Steps::unlearn(uint32_t operation, uint32_t opcode, const Note* handle, const Note* name) {
  if (!told_.whole) {
    return;
  }
  const bool badly = ended(operation) == Ended::badly;
  const bool absent = badly && told_.status == noent4 && (opcode == lookup4 || opcode == open4);
  const bool is_new = ended(operation) == Ended::well && opcode == create4;
  if (name != nullptr && (absent || is_new)) {
    forget(current_, *name);
  }
  if (handle != nullptr && badly && told_.status == stale4 && opcode == putfh4) {
    names_.drop(names_.find(told_.scope, handle->text));
  }
}

void Steps::learn(uint32_t operation) {
  const Note* handle = first(told_.reply.of(operation), Meaning::handle);
  if (handle == nullptr || handle->text.empty() || !told_.whole || ended(operation) != Ended::well) {
    return;
  }
  if (current_.known && !current_.below.empty()) {
    const Names::Id from = names_.enter(told_.scope, current_.handle);
    names_.name(names_.enter(told_.scope, handle->text), from, current_.below);
  } else if (current_.known && current_.handle.empty()) {
    names_.make_root(names_.enter(told_.scope, handle->text));
  }
  current_ = {.known = true, .handle = handle->text, .below = {}};
}

// Entries of the current directory, with the handles that were listed.
void Steps::learn_listed(uint32_t operation) {
  if (!current_.known || !told_.whole || ended(operation) != Ended::well) {
    return;
  }
  for (const Note& entry : told_.reply.of(operation)) {
    if (entry.meaning == Meaning::name && entry.captured && !entry.listed.empty() &&
        can_be_name(entry.text)) {
      const Names::Id from = names_.enter(told_.scope, current_.handle);
      names_.name(names_.enter(told_.scope, entry.listed), from, joined(current_.below, entry.text));
    }
  }
}

void Steps::change(uint32_t operation, uint32_t opcode, std::span<const Note> said) {
  if (ended(operation) == Ended::badly || said.empty() || !said[0].captured) {
    return;
  }
  const Note& name = said[0];
  if (opcode == remove4) {
    forget(current_, name);
  } else if (opcode == rename4 && said.size() > 1 && said[1].captured) {
    rename(operation, name, said[1]);
  } else if (opcode == link4 && told_.whole && ended(operation) == Ended::well && can_be_name(name.text)) {
    names_.link(directory(saved_, true), directory(current_, true), name.text);
  }
}

void Steps::rename(uint32_t operation, const Note& from, const Note& to) {
  if (told_.whole && ended(operation) == Ended::well && can_be_name(to.text)) {
    return names_.move(directory(saved_, false), from.text, directory(current_, true), to.text);
  }
  forget(saved_, from);
  forget(current_, to);
}

}  // namespace

bool teaches(const nfs::Compound& compound) {
  constexpr uint32_t teaching[] = {getfh4, readdir4, remove4, rename4, link4, lookup4};
  return !compound.callback &&
         std::any_of(compound.operations.begin(), compound.operations.end(), [&](uint32_t opcode) {
           return std::find(std::begin(teaching), std::end(teaching), opcode) != std::end(teaching);
         });
}

std::optional<uint32_t> purpose_of(const nfs::Compound& compound) {
  const std::optional<uint32_t> opcode = nfs::purpose(compound);
  const auto found = opcode ? std::find(compound.operations.begin(), compound.operations.end(), *opcode)
                            : compound.operations.end();
  return found != compound.operations.end()
             ? std::optional(static_cast<uint32_t>(found - compound.operations.begin()))
             : std::nullopt;
}

std::string apply_compound(const Told& told, const nfs::Compound& compound, Names& names) {
  return Steps(told, compound, names).walk(purpose_of(compound));
}

}  // namespace steertag::files
