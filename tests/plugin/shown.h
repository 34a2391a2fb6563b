// What the plugin's Notebook shows, as text that can be compared: all notes of all frames.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace steertag::plugin {

inline void require(bool holds, const char* what) {
  if (!holds) {
    throw std::logic_error(what);
  }
}

// What is shown of a note: once and for all, and what may be added later.
struct Line {
  std::string fixed;
  std::vector<std::string> later;
};
using Shown = std::map<std::string, Line>;  // by frame and place in it

Shown show();

// `got` has the notes of `before`, each as it was or with what became known of it until `after`.
void compare(const Shown& got, const Shown& before, const Shown& after);

}  // namespace steertag::plugin
