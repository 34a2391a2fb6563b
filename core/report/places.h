// Places: where captures lie, as those say who look for files in a checkout: relative to the folder that the
// command was run in, with slashes, whatever name the capture was given by. Captures that lie elsewhere are
// relative to the deepest folder that has all of these. Names are taken as they are written: nothing is
// looked up, and a link is not followed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/files.h"

namespace steertag::report {

class Places {
 public:
  // `folder`: an absolute path; empty where it is not known.
  Places(const Files& files, std::string_view folder);

  size_t size() const { return places_.size(); }
  // Never begins with a slash or with two dots.
  std::string_view path(uint32_t file) const {
    return file < places_.size() ? std::string_view(places_[file].path) : std::string_view();
  }
  bool outside(uint32_t file) const { return file < places_.size() && places_[file].outside; }
  // What the paths of those outside are relative to: "/srv/captures/"; empty where there are none, or where
  // that is not known.
  const std::string& base() const { return base_; }

 private:
  struct Place {
    std::string path;
    bool outside = false;
  };
  std::vector<Place> places_;
  std::string base_;
};

// Of a path, as the path of a URI; no part of it can be taken for a scheme, a query or a fragment.
std::string percent_encoded(std::string_view path);

}  // namespace steertag::report
