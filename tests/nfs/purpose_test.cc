// Which operation a COMPOUND was sent for.
#include <catch2/catch.hpp>
#include <initializer_list>

#include "nfs/nfs4.h"

namespace steertag::nfs {
namespace {

namespace opcode {
constexpr uint32_t lookup = 15, getattr = 9, getfh = 10, putfh = 22, putpubfh = 23, putrootfh = 24, read = 25,
                   restorefh = 31, savefh = 32, sequence = 53, setattr = 34, delegreturn = 8,
                   get_dir_delegation = 46, cb_sequence = 11, cb_recall = 4;
}

Compound counted_compound(std::initializer_list<uint32_t> operations, bool callback = false) {
  Compound made;
  made.callback = callback;
  made.counted = true;
  made.announced = static_cast<uint32_t>(operations.size());
  for (const uint32_t operation : operations) {
    made.operations.push_back(operation);
  }
  return made;
}

std::optional<uint32_t> purpose_of(std::initializer_list<uint32_t> operations, bool callback = false) {
  return purpose(counted_compound(operations, callback));
}

}  // namespace

TEST_CASE("a COMPOUND is for its first operation that does more than prepare") {
  CHECK(purpose_of({opcode::sequence, opcode::putfh, opcode::read}) == opcode::read);
  CHECK(purpose_of({opcode::sequence, opcode::putrootfh, opcode::savefh, opcode::getfh, opcode::putpubfh,
                    opcode::restorefh, opcode::getattr, opcode::lookup, opcode::read}) == opcode::lookup);
  CHECK(purpose_of({opcode::read}) == opcode::read);
  CHECK(purpose_of({opcode::sequence, opcode::putfh, 77, opcode::read}) ==
        77U);  // not known: it does more, for all one knows
}

TEST_CASE("asking for a directory delegation goes with other operations") {
  CHECK(purpose_of({opcode::sequence, opcode::putfh, opcode::get_dir_delegation, opcode::getattr}) ==
        opcode::getattr);
  CHECK(purpose_of({opcode::sequence, opcode::putfh, opcode::get_dir_delegation, opcode::read}) ==
        opcode::read);
  CHECK(purpose_of({opcode::sequence, opcode::putfh, opcode::get_dir_delegation}) ==
        opcode::get_dir_delegation);
}

TEST_CASE("SETATTR goes with a DELEGRETURN behind it") {
  CHECK(purpose_of({opcode::sequence, opcode::putfh, opcode::setattr, opcode::delegreturn}) ==
        opcode::delegreturn);
  CHECK(purpose_of({opcode::sequence, opcode::putfh, opcode::setattr, opcode::getattr,
                    opcode::delegreturn}) == opcode::delegreturn);
  CHECK(purpose_of({opcode::sequence, opcode::putfh, opcode::setattr, opcode::getattr}) == opcode::setattr);
  CHECK(purpose_of({opcode::setattr, opcode::read, opcode::delegreturn}) == opcode::setattr);
  CHECK(purpose_of({opcode::delegreturn, opcode::setattr}) == opcode::delegreturn);
  Compound cut = counted_compound({opcode::sequence, opcode::putfh, opcode::setattr});
  ++cut.announced;
  CHECK_FALSE(purpose(cut));  // a DELEGRETURN may follow
}

TEST_CASE("else it is for GETATTR, else for its last operation") {
  CHECK(purpose_of({opcode::sequence, opcode::putfh, opcode::getattr, opcode::getfh}) == opcode::getattr);
  CHECK(purpose_of({opcode::putrootfh, opcode::getfh}) == opcode::getfh);
  CHECK(purpose_of({opcode::sequence}) == opcode::sequence);
  CHECK_FALSE(purpose_of({}));
}

TEST_CASE("a CB_COMPOUND is for its first operation besides CB_SEQUENCE") {
  CHECK(purpose_of({opcode::cb_sequence, opcode::cb_recall}, true) == opcode::cb_recall);
  CHECK(purpose_of({opcode::cb_sequence}, true) == opcode::cb_sequence);
  CHECK(purpose_of({opcode::cb_sequence, opcode::getattr}, true) ==
        opcode::getattr);  // CB_RECALLABLE_OBJ_AVAIL, under this number
}

TEST_CASE("what a COMPOUND is for is not guessed from a part of it") {
  Compound part = counted_compound({opcode::sequence, opcode::putfh, opcode::getattr});
  part.announced = 4;
  CHECK_FALSE(purpose(part));
  part.operations.push_back(opcode::read);
  part.announced = 9;
  CHECK(purpose(part) == opcode::read);
  Compound uncounted = counted_compound({opcode::sequence});
  uncounted.counted = false;
  CHECK_FALSE(purpose(uncounted));
}

}  // namespace steertag::nfs
