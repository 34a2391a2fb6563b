// Target: the file that -o names. What is written goes to a temporary file beside it, which
// takes its name when all was written and is on the disk: nobody finds half a result
// under that name, and a run that fails or is interrupted leaves the file as it was.
// Where the name is that of no regular file (a FIFO, /dev/null, an open descriptor such as
// /dev/stdout), that is written to as it is. A symbolic link stays one.
//
// The Targets that are not finished are known to all, so that whoever has to end the
// process at once, even a signal handler, leaves nothing temporary behind. Where there is a clerk (clerk.h),
// it is the one who makes, names and removes files.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "host/clerk.h"
#include "host/last_line.h"

struct stat;

namespace steertag::host {

// Whether two names, or descriptors, are of one file.
bool same_file(const struct stat& one, const struct stat& other);

// "" and "-".
bool is_standard(const std::string& output);
// Whether two outputs are of one file, so that what one of them writes would be lost: one, at least, gets its
// name when it is whole.
bool same_place(const std::string& one, const std::string& other);

// Files whose names are numbered: "steertag-eth0-000001.pcapng".
struct Series {
  int folder = -1;  // a descriptor of it
  std::string prefix, ending;
  uint64_t latest = 0;  // number of the name that was given last

  std::string name(uint64_t number) const;
};

class Target {
 public:
  explicit Target(const std::string& path);  // throws Failure
  // A file that gets the first name of the series that no file has, by then. It can be read, too.
  explicit Target(Series& series);  // throws Failure, with an errno
  ~Target();                        // what was not kept is given up
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  int descriptor() const { return fd_; }
  int folder() const { return folder_; }                 // where the file gets its name; -1: it has it
  bool replaces() const { return !temporary_.empty(); }  // or is written to as it is
  // All was written. Returns 0, or the errno of what went wrong.
  [[nodiscard]] int keep();

 private:
  friend void give_up_targets(LastLine& line) noexcept;
  friend Done run_errand(const Errand& errand, Series* series);
  void open_in_place(const std::string& path);
  void open_beside(const std::string& file);
  void create(mode_t mode, int access);
  void make();
  int take_name();
  int rename_new(const std::string& name) const;
  void remove();
  void list();
  void unlist();

  int fd_ = -1;
  int folder_ = -1;           // where both names are, once it replaces ...
  Series* series_ = nullptr;  // ... which is of these
  uint64_t number_ = 0;       // of the Targets that were listed
  std::string file_;          // name of what is replaced
  std::string temporary_;     // empty once there is none
  std::string fate_;          // "; out.txt is as it was", should it be given up
  std::atomic<Target*> next_ = nullptr;
};

// What became of the Targets that were given up: "; out.txt is as it was". Empty where there were none.
const std::string& given_up();

// What the clerk does. What it makes is of that series.
Done run_errand(const Errand& errand, Series* series);

// For whoever ends the process: gives up all Targets and says so at the end of the line. Allocates nothing.
void give_up_targets(LastLine& line) noexcept;

}  // namespace steertag::host
