#include "poisson.h"

#include <algorithm>
#include <cmath>

namespace rocport::rand {

Poisson::Poisson(double lambda) {
  double reach = 12 * std::sqrt(lambda) + 40;  // beyond, less than 2^-53 is left
  double last = std::min(std::floor(lambda + reach), 4294967295.0);
  double first = std::min(std::max(0.0, std::floor(lambda - reach)), last);
  first_ = static_cast<uint32_t>(first);
  double sum = 0;
  for (double k = first; k <= last; k++) {
    double p = std::exp(k * std::log(lambda) - lambda - std::lgamma(k + 1));
    probabilities_.push_back(p);
    sum += p;
    cumulated_.push_back(sum);
  }
  for (double& p : probabilities_) p /= sum;
  for (double& c : cumulated_) c /= sum;
}

uint32_t Poisson::quantile(double u) const {
  auto found = std::lower_bound(cumulated_.begin(), cumulated_.end() - 1, u);
  return first_ + static_cast<uint32_t>(found - cumulated_.begin());
}

Alias::Alias(const std::vector<double>& probabilities)
    : own(probabilities), other(probabilities.size()) {
  std::vector<uint32_t> small;
  std::vector<uint32_t> large;
  for (uint32_t i = 0; i < own.size(); i++) {
    own[i] *= static_cast<double>(own.size());
    other[i] = i;
    (own[i] < 1 ? small : large).push_back(i);
  }
  while (!small.empty() && !large.empty()) {
    uint32_t low = small.back();
    uint32_t high = large.back();
    small.pop_back();
    other[low] = high;
    own[high] -= 1 - own[low];
    if (own[high] < 1) {
      large.pop_back();
      small.push_back(high);
    }
  }
  for (uint32_t i : small) own[i] = 1;
  for (uint32_t i : large) own[i] = 1;
}

}  // namespace rocport::rand
