// The quantile of the standard normal distribution (Wichura, 1988, algorithm AS 241, PPND16): good
// to about 1e-15 of itself, in the tails too, where it takes the smaller of p and 1 - p.
#pragma once

#include <cmath>
#include <limits>

namespace confmat::metrics {

namespace normal {

struct Ratio {
  double above[8], below[8];
  [[nodiscard]] constexpr double at(double x) const {
    double top = above[7], bottom = below[7];
    for (int i = 6; i >= 0; --i) {
      top = top * x + above[i];
      bottom = bottom * x + below[i];
    }
    return top / bottom;
  }
};

inline constexpr Ratio kMiddle = {
    {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
     1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
     3.3430575583588128105e4, 2.5090809287301226727e3},
    {1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
     2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
     5.2264952788528545610e3}};
inline constexpr Ratio kTail = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
     3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9}};
inline constexpr Ratio kFarTail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15}};

}  // namespace normal

// Of p = below / (below + above), neither negative. nan of 0 and 0.
inline double normal_quantile(double below, double above) {
  const double n = below + above;
  const double q = (below - above) / n / 2;
  if (std::fabs(q) <= 0.425) return q * normal::kMiddle.at(0.180625 - q * q);
  const double least = (below < above ? below : above) / n;
  if (least == 0.0) return std::copysign(std::numeric_limits<double>::infinity(), q);
  const double r = std::sqrt(-std::log(least));
  const double size = r <= 5.0 ? normal::kTail.at(r - 1.6) : normal::kFarTail.at(r - 5.0);
  return std::copysign(size, q);
}

// How far the quantiles of p and q are apart, where they are first and second, and `between` is p -
// q: near each other they share digits that the difference would lose, so it is mended by what a
// normal density has between them (by Gauss and Legendre in 12 places).
inline double normal_distance(double first, double second, double between) {
  constexpr double kPlaces[] = {0.125233408511468915, 0.367831498998180194, 0.587317954286617447,
                                0.769902674194304687, 0.904117256370474857, 0.981560634246719251};
  constexpr double kWeights[] = {0.249147045813402785, 0.233492536538354809, 0.203167426723065922,
                                 0.160078328543346226, 0.106939325995318431, 0.0471753363865118272};
  const double distance = first - second;
  if (!(std::fabs(distance) < 2.0)) return distance;
  const auto density = [](double x) {
    constexpr double kTop = 0.3989422804014326779;
    return kTop * std::exp(-x * x / 2);
  };
  const double middle = second + distance / 2;
  double mass = 0.0;
  for (int i = 0; i < 6; ++i) {
    const double beside = distance / 2 * kPlaces[i];
    mass += kWeights[i] * (density(middle - beside) + density(middle + beside));
  }
  return distance + (between - distance / 2 * mass) / density(first);
}

}  // namespace confmat::metrics
