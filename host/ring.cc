#include "host/ring.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>

#include "base/counted.h"
#include "capture/annotation.h"
#include "capture/reader.h"
#include "host/failure.h"
#include "host/interrupt.h"
#include "report/escape.h"

namespace steertag::host {
namespace {

constexpr size_t kPiece = 256 << 10;  // bytes written, and read, at a time

// 0, or the errno of what went wrong.
int write_all(int fd, std::vector<uint8_t>& bytes) {
  int error = 0;
  for (size_t done = 0; done < bytes.size() && error == 0;) {
    const ssize_t count = write(fd, bytes.data() + done, bytes.size() - done);
    done += count > 0 ? static_cast<size_t>(count) : 0;
    error = count > 0 || (count < 0 && errno == EINTR) ? 0 : count == 0 ? EIO : errno;
  }
  bytes.clear();
  return error;
}

// Reads a file from its beginning, and calls what(step, piece, frame) for each step of its reader.
template <typename What>
int each_step(int fd, const What& what) {
  std::vector<uint8_t> bytes;
  std::unique_ptr<capture::Reader> reader;
  Frame frame;
  if (lseek(fd, 0, SEEK_SET) != 0) {
    return errno;
  }
  for (;;) {
    const size_t before = bytes.size();
    bytes.resize(before + kPiece);
    ssize_t got = 0;
    while ((got = read(fd, bytes.data() + before, kPiece)) < 0 && errno == EINTR) {
    }
    bytes.resize(before + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got <= 0) {
      return got < 0 ? errno : 0;
    }
    reader = reader ? std::move(reader) : capture::recognise(bytes);
    size_t begin = 0;
    for (capture::Step step; reader != nullptr;) {
      const Bytes unread = slice(bytes, begin, bytes.size());
      step = reader->next(unread, frame);
      if (step.kind == capture::Step::Kind::more || step.kind == capture::Step::Kind::damaged) {
        break;
      }
      if (const int error = what(step, unread.first(step.used), frame)) {
        return error;
      }
      begin += step.used;
    }
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(begin));
  }
}

}  // namespace

Ring::Ring(const RunOptions& options)
    : options_(options.ring), interface_(options.live.interface), snaplen_(options.live.snaplen) {
  const std::string path = options_.prefix.empty() ? "steertag-" + interface_ : options_.prefix;
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, std::max<size_t>(slash, 1));
  series_.prefix = path.substr(slash + 1);
  series_.ending = ".pcapng";
  series_.folder = open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (series_.folder < 0) {
    throw Failure("--ring-file: " + folder + ": " + reason(errno));
  }
  try {
    files_.push_back({.target = std::make_unique<Target>(series_)});
  } catch (const Failure& failure) {
    close(series_.folder);
    throw Failure("--ring-file: " + folder + ": " + failure.what());
  }
}

Ring::~Ring() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
    to_keep_.clear();
  }
  changed_.notify_all();
  keeper_ = {};
  to_keep_.clear();
  files_.clear();
  close(series_.folder);
}

void Ring::begin_file(uint64_t first) {
  using capture::PcapngOption;
  File& file = files_.back();
  file.first = first;
  const PcapngOption application{PcapngOption::kApplication, "steertag " STEERTAG_VERSION};
  writer_.put_section({&application, 1});
  const PcapngOption name{PcapngOption::kName, interface_};
  writer_.put_interface(link_type_, snaplen_, {&name, 1});
}

void Ring::add(const Frame& frame) {
  link_type_ = frame.link_type;
  if (files_.empty() || files_.back().bytes >= options_.size) {
    if (frame.at.number < paused_until_) {
      return;
    }
    flush();
    if (files_.size() == options_.files) {
      leave(std::move(files_.front()));
      files_.pop_front();
    }
    try {
      files_.push_back({.target = std::make_unique<Target>(series_)});
    } catch (const Failure&) {
      return complain_once(errno);
    }
  }
  File& file = files_.back();
  if (file.first == 0) {
    begin_file(frame.at.number);
  }
  const size_t before = out_.size();
  writer_.put_packet({.ticks = static_cast<uint64_t>(frame.at.time_ns),
                      .bytes = frame.bytes,
                      .original_length = frame.original_length,
                      .dropped = frame.dropped},
                     {});
  file.bytes += out_.size() - before;
  file.last = frame.at.number;
  if (out_.size() >= kPiece) {
    flush();
  }
}

void Ring::flush() {
  if (files_.empty() || out_.empty()) {
    return;
  }
  if (const int error = write_all(files_.back().target->descriptor(), out_)) {
    comment_bytes_ -= files_.back().comment_bytes;
    files_.pop_back();
    complain_once(error);
  }
}

void Ring::complain_once(int error) {
  constexpr uint64_t kPause = 10000;  // frames
  paused_until_ = (files_.empty() ? paused_until_ : files_.back().last) + kPause;
  if (!std::exchange(failed_, true)) {
    complain(
        fmt::format("--ring: {}; frames are missing from its files, the capture goes on", reason(error)));
  }
}

// Line by line: what several threads have found comes together.
void Ring::record_done() {
  std::string_view lines = report::view(buffer_);
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    uint64_t frame = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), frame);
    const auto words = static_cast<size_t>(end - line.data());
    if (error == std::errc() && words + 3 <= line.size()) {
      take(frame, line[words + 1] == 'k', line.substr(words + 3));
    }
  }
  buffer_.clear();
}

void Ring::take(uint64_t frame, bool keeps, std::string_view words) {
  const auto of = std::find_if(files_.begin(), files_.end(), [&](const File& file) {
    return file.first != 0 && file.first <= frame && frame <= file.last;
  });
  if (of == files_.end()) {
    late_ += keeps ? 1 : 0;
    return;
  }
  of->kept |= keeps;
  std::string text = report::spelled(fmt::format("{}:{}: {}", interface_, frame, words));
  if (comment_bytes_ + text.size() > kMostComments) {
    ++left_out_;
    return;
  }
  comment_bytes_ += text.size();
  of->comment_bytes += text.size();
  of->comments[frame].push_back(std::move(text));
}

void Ring::leave(File file) {
  comment_bytes_ -= file.comment_bytes;
  if (!file.kept) {
    return;
  }
  const std::scoped_lock lock(mutex_);
  to_keep_.push_back(std::move(file));
  if (!keeper_.joinable()) {
    const SignalsBlocked blocked;
    keeper_ = std::jthread([this] { work(); });
  }
  changed_.notify_all();
}

void Ring::finish() {
  flush();
  for (File& file : files_) {
    leave(std::move(file));
  }
  files_.clear();
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  keeper_ = {};
  if (keep_error_ != 0) {
    complain_once(keep_error_);
  }
}

void Ring::last_words() const {
  if (late_ != 0) {
    complain(base::counted(late_, "finding") +
             " came when the frame had left the ring: --ring with more files");
  }
  if (left_out_ != 0) {
    complain(base::counted(left_out_, "finding") + " found no place among the comments of the ring's files");
  }
}

void Ring::work() {
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return over_ || !to_keep_.empty(); });
    if (to_keep_.empty()) {
      return;
    }
    const File file = std::move(to_keep_.front());
    to_keep_.pop_front();
    lock.unlock();
    keep(file);
  }
}

// Writes it again, with the comments, under the first number that no file has.
void Ring::keep(const File& file) {
  int error = 0;
  try {
    Target target(series_);
    std::vector<uint8_t> out;
    capture::Annotation annotation(
        out, fmt::format("steertag " STEERTAG_VERSION " audit -i {}: frames {} to {}; {} with findings",
                         interface_, file.first, file.last, base::counted(file.comments.size(), "frame")));
    error = each_step(file.target->descriptor(), [&](const capture::Step& step, Bytes piece,
                                                     const Frame& frame) {
      if (step.kind == capture::Step::Kind::frame) {
        const auto found = file.comments.find(file.first + frame.at.number - 1);
        annotation.frame(frame, piece,
                         found != file.comments.end() ? found->second : std::vector<std::string>(), snaplen_);
      } else {
        annotation.pass(piece);
      }
      return out.size() < kPiece ? 0 : write_all(target.descriptor(), out);
    });
    annotation.finish();
    error = error != 0 ? error : write_all(target.descriptor(), out);
    error = error != 0 ? error : target.keep();
  } catch (const Failure&) {
    error = errno != 0 ? errno : EIO;
  }
  if (error == 0) {
    complain(fmt::format("kept {}: {} with findings", series_.name(series_.latest),
                         base::counted(file.comments.size(), "frame")));
  } else {
    keep_error_ = error;
  }
}

}  // namespace steertag::host
