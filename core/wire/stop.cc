#include "wire/stop.h"

namespace steertag::wire {

const char* text(Limit limit) {
  switch (limit) {
    case Limit::capture:
      return "capture";
    case Limit::message:
      return "message";
    case Limit::segment:
      return "segment";
  }
  return "message";
}

}  // namespace steertag::wire
