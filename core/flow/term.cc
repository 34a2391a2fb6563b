#include "flow/term.h"

#include <algorithm>

#include "base/digest.h"

namespace steertag::flow {

Term term_of(const xchar::Value& value) {
  Term made{value.which, xchar::value(value), base::digest(value.data), xchar::well_formed(value)};
  if (!made.number) {
    const size_t kept = std::min(value.data.size(), Term::kMaxData);
    made.data.assign(value.data.begin(), value.data.begin() + static_cast<std::ptrdiff_t>(kept));
    made.length = value.data.size();
  }
  return made;
}

}  // namespace steertag::flow
