// What mutate_test breaks: larger() is tested by main(), smaller() is called and not tested, and unused() not
// even called.
namespace {

constexpr int kMost = 4 + 1;

int larger(int a, int b) {
  int most = a;
  if (b > most) {
    most = b;
  }
  return most;
}

int smaller(int a, int b) {
  return a < b ? a : b;
}

int count = 0;

void unused() {
  count += 1;
}

}  // namespace

int main(int argc, char**) {
  smaller(1, 2);
  if (argc > 5) {
    unused();
  }
  return larger(1, 2) == 2 && larger(4, 3) == 4 && larger(kMost, 5) == kMost ? 0 : 1;
}
