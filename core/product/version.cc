#include "product/version.h"

namespace steertag::product {

std::string_view version() {
  return STEERTAG_VERSION;
}

}  // namespace steertag::product
