// Records: where a product prints what it has to say: into a file, or into what one of several
// threads has to say of its share. The product appends to the buffer and says where a record
// ends.
#pragma once

#include "report/buffer.h"

namespace steertag::product {

class Records {
 public:
  virtual report::Buffer& buffer() = 0;
  virtual void record_done() = 0;                 // a whole line, or several, were appended
  virtual void heading_done() { record_done(); }  // the same, the heading of a table
  virtual void aside_done() { record_done(); }    // the same, and it interrupts a table

 protected:
  ~Records() = default;
};

}  // namespace steertag::product
