#include "start.h"

int main(int argc, char** argv) {
  return steertag::cli::start(argc, argv);
}
