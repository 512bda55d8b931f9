// Poisson's distribution as tables.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace rocport::rand {

/** All values that double precision tells from impossible ones. */
class Poisson {
 public:
  explicit Poisson(double lambda);

  /** The least value up to which the distribution holds at least u, in (0, 1]. */
  uint32_t quantile(double u) const;

  uint32_t first() const { return first_; }
  const std::vector<double>& probabilities() const { return probabilities_; }
  const std::vector<double>& cumulated() const { return cumulated_; }

 private:
  uint32_t first_;
  std::vector<double> probabilities_;
  std::vector<double> cumulated_;
};

/** Walker's alias method, by Vose: column i holds i with a probability, else its alias. */
struct Alias {
  explicit Alias(const std::vector<double>& probabilities);

  std::vector<double> own;
  std::vector<uint32_t> other;
};

}  // namespace rocport::rand
