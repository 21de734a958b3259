// What mutated sources of rows call: each place is what was written, but for the one whose number
// the environment names, which is another operator, field, number or function.
#pragma once

#include <concepts>
#include <cstdlib>
#include <type_traits>

#include "confmat/metrics/number.hpp"

namespace confmat::metrics::mutants {

inline bool on(int id) {
  static const int chosen = [] {
    const char* const text = std::getenv("CONFMAT_MUTANT");
    return text == nullptr ? -1 : std::atoi(text);
  }();
  return chosen == id;
}

// `a + b` is written `a +Tag(id)+ b`, which has the precedence and the grouping that it had.
struct Tag {
  int id;
  explicit Tag(int at) : id(at) {}
};
enum class Operator { kPlus, kMinus, kTimes, kOver };
template <Operator, class A>
struct Left {
  A a;
  int id;
};
template <class A>
Left<Operator::kPlus, A> operator+(const A& a, Tag tag) {
  return {a, tag.id};
}
template <class A>
Left<Operator::kMinus, A> operator-(const A& a, Tag tag) {
  return {a, tag.id};
}
template <class A>
Left<Operator::kTimes, A> operator*(const A& a, Tag tag) {
  return {a, tag.id};
}
template <class A>
Left<Operator::kOver, A> operator/(const A& a, Tag tag) {
  return {a, tag.id};
}

template <class T>
concept Exact = requires(const T& x) { x.value; };
template <class T>
concept Number = std::is_arithmetic_v<T> || Exact<T>;
template <class T>
double double_of(const T& x) {
  if constexpr (std::is_arithmetic_v<T>) return static_cast<double>(x);
  if constexpr (!std::is_arithmetic_v<T>) return real(x);
}

template <class A, class B>
auto operator+(const Left<Operator::kPlus, A>& left, const B& b) {
  using Out = std::decay_t<decltype(left.a + b)>;
  if constexpr (Number<A> && Number<B>) {
    if (on(left.id)) return static_cast<Out>(left.a - b);
  }
  return static_cast<Out>(left.a + b);
}
template <class A, class B>
auto operator-(const Left<Operator::kMinus, A>& left, const B& b) {
  using Out = std::decay_t<decltype(left.a - b)>;
  if constexpr (Number<A> && Number<B>) {
    if (on(left.id)) return static_cast<Out>(left.a + b);
  }
  return static_cast<Out>(left.a - b);
}
// Products become sums, in the kind of number that they had; quotients become products.
template <class A, class B>
auto operator*(const Left<Operator::kTimes, A>& left, const B& b) {
  using Out = std::decay_t<decltype(left.a * b)>;
  if constexpr (Number<A> && Number<B>) {
    if (on(left.id)) {
      if constexpr (Exact<Out> && Exact<A> && Exact<B>) return Out(left.a.value + b.value);
      if constexpr (Exact<Out> && !Exact<A>) return Out(decltype(b.value)(left.a) + b.value);
      if constexpr (!Exact<Out>) return static_cast<Out>(double_of(left.a) + double_of(b));
    }
  }
  return static_cast<Out>(left.a * b);
}
template <class A, class B>
auto operator/(const Left<Operator::kOver, A>& left, const B& b) {
  using Out = std::decay_t<decltype(left.a / b)>;
  if constexpr (Number<A> && Number<B>) {
    if (on(left.id)) return static_cast<Out>(double_of(left.a) * double_of(b));
  }
  return static_cast<Out>(left.a / b);
}

// `-a` is written `Minus(id) - a`.
struct Minus {
  int id;
  explicit Minus(int at) : id(at) {}
};
template <class A>
auto operator-(Minus minus, const A& a) {
  using Out = std::decay_t<decltype(-a)>;
  if constexpr (std::same_as<Out, A>) {
    if (on(minus.id)) return a;
  }
  return static_cast<Out>(-a);
}

template <class T>
T number(int id, T value) {
  return on(id) ? value + 1 : value;
}

template <class A, class B>
A field(int id, const A& written, const B& other) {
  if constexpr (std::same_as<A, B>) {
    if (on(id)) return other;
  }
  return written;
}

}  // namespace confmat::metrics::mutants

#define CONFMAT_EITHER(id, written, other)                                                      \
  ([&](const auto&... of) {                                                                     \
    using Out = std::decay_t<decltype(written(of...))>;                                         \
    return mutants::on(id) ? static_cast<Out>(other(of...)) : static_cast<Out>(written(of...)); \
  })
