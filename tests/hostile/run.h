// Runner: runs the command in a process forked from this one, which saves starting a program. What
// it reads and writes are files in memory (/dev/shm), where there are such.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace steertag::hostile {

struct Outcome {
  int status = 0;  // of its exit; -1: a signal ended it
  int signal = 0;
  double seconds = 0;  // of computing time
  std::string out, err;
};

class Runner {
 public:
  Runner();
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // A file of its folder, with this in it. Returns its path.
  std::string put(const std::string& name, std::string_view data) const;
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string read(const std::string& name) const;  // empty: there is none
  void remove(const std::string& name) const;
  size_t files() const;  // that there are in its folder

  // steertag ARGUMENTS..., with the file `input` as standard input unless it is empty.
  Outcome run(const std::vector<std::string>& arguments, const std::string& input = {}) const;

 private:
  std::string folder_;
  int out_ = -1, err_ = -1;
};

}  // namespace steertag::hostile
