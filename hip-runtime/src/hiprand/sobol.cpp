#include "sobol.h"

namespace rocport::rand {
namespace {

constexpr unsigned JOE_KUO[] = {
#include "joe_kuo.inc"
};

unsigned degreeOf(unsigned polynomial) {
  return 31 - static_cast<unsigned>(__builtin_clz(polynomial));
}

}  // namespace

template <class Word>
std::vector<Word> directions(unsigned dimension) {
  constexpr unsigned BITS = 8 * sizeof(Word);
  std::vector<Word> v(BITS);
  if (dimension == 0) {
    for (unsigned i = 0; i < BITS; i++) v[i] = Word(1) << (BITS - 1 - i);
    return v;
  }
  const unsigned* row = JOE_KUO;
  for (unsigned d = 1; d < dimension; d++) row += 1 + degreeOf(*row);
  unsigned polynomial = *row++;
  unsigned degree = degreeOf(polynomial);
  for (unsigned i = 0; i < degree; i++) v[i] = Word(row[i]) << (BITS - 1 - i);
  // Bratley and Fox, algorithm 659: the recurrence that the polynomial's coefficients give.
  for (unsigned i = degree; i < BITS; i++) {
    v[i] = v[i - degree] ^ (v[i - degree] >> degree);
    for (unsigned k = 1; k < degree; k++) {
      if (polynomial >> (degree - k) & 1) v[i] ^= v[i - k];
    }
  }
  return v;
}

template std::vector<uint32_t> directions(unsigned);
template std::vector<uint64_t> directions(unsigned);

}  // namespace rocport::rand
