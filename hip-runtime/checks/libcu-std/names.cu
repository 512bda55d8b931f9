// Calls every name of cuda::std that rocport maps to the standard library, in device code. To be
// compiled only: with nvcc as it is, ported with the HIP compiler for each target.
//   nvcc -std=c++17 -arch=sm_80 --expt-relaxed-constexpr -c names.cu
#include <cuda/std/__algorithm_>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/cassert>
#include <cuda/std/cfloat>
#include <cuda/std/chrono>
#include <cuda/std/climits>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/cstdlib>
#include <cuda/std/cstring>
#include <cuda/std/functional>
#include <cuda/std/initializer_list>
#include <cuda/std/iterator>
#include <cuda/std/limits>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/ratio>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

struct Base {};
struct Derived : Base {};
enum class Small : unsigned char { one = 1 };

// ---- traits --------------------------------------------------------------------------------------

static_assert(cuda::std::is_same<cuda::std::add_const_t<int>, const int>::value, "");
static_assert(cuda::std::is_same_v<cuda::std::add_pointer_t<int>, int*>, "");
static_assert(cuda::std::alignment_of_v<double> == alignof(double), "");
static_assert(cuda::std::bool_constant<true>::value && cuda::std::true_type::value, "");
static_assert(!cuda::std::false_type::value && cuda::std::integral_constant<int, 3>::value == 3, "");
static_assert(cuda::std::is_same_v<cuda::std::common_type<int, long>::type, long>, "");
static_assert(cuda::std::is_same_v<cuda::std::common_type_t<char, float>, float>, "");
static_assert(cuda::std::is_same_v<cuda::std::conditional<true, int, char>::type, int>, "");
static_assert(cuda::std::is_same_v<cuda::std::conditional_t<false, int, char>, char>, "");
static_assert(cuda::std::conjunction<cuda::std::true_type, cuda::std::true_type>::value, "");
static_assert(!cuda::std::conjunction_v<cuda::std::true_type, cuda::std::false_type>, "");
static_assert(cuda::std::disjunction<cuda::std::true_type, cuda::std::false_type>::value, "");
static_assert(cuda::std::disjunction_v<cuda::std::true_type, cuda::std::false_type>, "");
static_assert(cuda::std::negation<cuda::std::false_type>::value && cuda::std::negation_v<cuda::std::false_type>, "");
static_assert(cuda::std::is_same_v<cuda::std::decay<const int&>::type, cuda::std::decay_t<int&>>, "");
static_assert(cuda::std::is_same_v<decltype(cuda::std::declval<int>() + 1L), long>, "");
static_assert(cuda::std::extent_v<int[3]> == 3, "");
static_assert(cuda::std::is_same_v<cuda::std::invoke_result<int (*)(char), char>::type, int>, "");
static_assert(cuda::std::is_same_v<cuda::std::invoke_result_t<int (*)(char), char>, int>, "");
static_assert(cuda::std::is_arithmetic<int>::value && cuda::std::is_arithmetic_v<float>, "");
static_assert(cuda::std::is_array_v<int[2]> && cuda::std::is_class_v<Base>, "");
static_assert(cuda::std::is_base_of<Base, Derived>::value && cuda::std::is_base_of_v<Base, Derived>, "");
static_assert(cuda::std::is_const<const int>::value && cuda::std::is_const_v<const int>, "");
static_assert(cuda::std::is_convertible<int, long>::value && cuda::std::is_convertible_v<int, long>, "");
static_assert(cuda::std::is_default_constructible_v<Base> && cuda::std::is_empty_v<Base>, "");
static_assert(cuda::std::is_enum<Small>::value && cuda::std::is_enum_v<Small>, "");
static_assert(cuda::std::is_floating_point<float>::value && cuda::std::is_floating_point_v<double>, "");
static_assert(cuda::std::is_integral<int>::value && cuda::std::is_integral_v<char>, "");
static_assert(cuda::std::is_invocable<int (*)(char), char>::value, "");
static_assert(cuda::std::is_invocable_v<int (*)(char), char>, "");
static_assert(cuda::std::is_nothrow_move_constructible_v<Base>, "");
static_assert(cuda::std::is_pointer<int*>::value && cuda::std::is_pointer_v<int*>, "");
static_assert(cuda::std::is_reference_v<int&>, "");
static_assert(cuda::std::is_signed<int>::value && cuda::std::is_signed_v<int>, "");
static_assert(cuda::std::is_unsigned<unsigned>::value && cuda::std::is_unsigned_v<unsigned>, "");
static_assert(cuda::std::is_trivially_copyable<Base>::value, "");
static_assert(cuda::std::is_trivially_copyable_v<Base> && cuda::std::is_trivially_destructible_v<Base>, "");
static_assert(cuda::std::is_void<void>::value && cuda::std::is_void_v<void>, "");
static_assert(cuda::std::is_same_v<cuda::std::make_signed<unsigned>::type, cuda::std::make_signed_t<unsigned>>, "");
static_assert(cuda::std::is_same_v<cuda::std::make_unsigned<int>::type, cuda::std::make_unsigned_t<int>>, "");
static_assert(cuda::std::is_same_v<cuda::std::remove_const<const int>::type, cuda::std::remove_const_t<int>>, "");
static_assert(cuda::std::is_same_v<cuda::std::remove_cv<const int>::type, cuda::std::remove_cv_t<int>>, "");
static_assert(cuda::std::is_same_v<cuda::std::remove_extent_t<int[2]>, int>, "");
static_assert(cuda::std::is_same_v<cuda::std::remove_pointer<int*>::type, cuda::std::remove_pointer_t<int*>>, "");
static_assert(
    cuda::std::is_same_v<cuda::std::remove_reference<int&>::type, cuda::std::remove_reference_t<int&&>>, "");
static_assert(cuda::std::is_same_v<cuda::std::underlying_type<Small>::type, unsigned char>, "");
static_assert(cuda::std::is_same_v<cuda::std::underlying_type_t<Small>, unsigned char>, "");
static_assert(cuda::std::is_same_v<cuda::std::void_t<int>, void>, "");
static_assert(cuda::std::ratio<1, 4>::den == 4, "");
static_assert(cuda::std::is_same_v<cuda::std::iterator_traits<int*>::value_type, int>, "");

static_assert(cuda::std::is_same_v<cuda::std::add_const<int>::type, const int>, "");
static_assert(cuda::std::is_same_v<cuda::std::add_lvalue_reference_t<int>, int&>, "");
static_assert(cuda::std::is_same_v<cuda::std::add_rvalue_reference_t<int>, int&&>, "");
static_assert(cuda::std::alignment_of<int>::value == 4, "");
static_assert(!cuda::std::is_abstract_v<Base>, "");
static_assert(cuda::std::is_array<int[2]>::value, "");
static_assert(cuda::std::is_assignable_v<int&, int>, "");
static_assert(cuda::std::is_class<Base>::value, "");
static_assert(cuda::std::is_compound_v<Base>, "");
static_assert(cuda::std::is_constructible_v<long, int>, "");
static_assert(cuda::std::is_copy_constructible_v<Base>, "");
static_assert(cuda::std::is_default_constructible<Base>::value, "");
static_assert(cuda::std::is_empty<Base>::value, "");
static_assert(!cuda::std::is_final<Base>::value, "");
static_assert(!cuda::std::is_final_v<Base>, "");
static_assert(cuda::std::is_function_v<int(int)>, "");
static_assert(cuda::std::is_fundamental_v<int>, "");
static_assert(cuda::std::is_lvalue_reference_v<int&>, "");
static_assert(cuda::std::is_move_constructible_v<Base>, "");
static_assert(cuda::std::is_nothrow_default_constructible_v<Base>, "");
static_assert(!cuda::std::is_null_pointer<int>::value, "");
static_assert(cuda::std::is_object_v<int>, "");
static_assert(!cuda::std::is_polymorphic_v<Base>, "");
static_assert(cuda::std::is_reference<int&>::value, "");
static_assert(cuda::std::is_rvalue_reference_v<int&&>, "");
static_assert(cuda::std::is_scalar_v<int>, "");
static_assert(cuda::std::is_standard_layout_v<Base>, "");
static_assert(cuda::std::is_trivial_v<Base>, "");
static_assert(cuda::std::is_trivially_constructible_v<Base>, "");
static_assert(cuda::std::is_trivially_copy_constructible_v<Base>, "");
static_assert(cuda::std::is_trivially_default_constructible_v<Base>, "");
static_assert(!cuda::std::is_union_v<Base>, "");
static_assert(cuda::std::is_volatile_v<volatile int>, "");
static_assert(cuda::std::rank_v<int[2][3]> == 2, "");
static_assert(cuda::std::is_same_v<cuda::std::remove_all_extents_t<int[2][3]>, int>, "");
static_assert(cuda::std::is_same_v<cuda::std::remove_volatile_t<volatile int>, int>, "");

template <typename T, typename = cuda::std::enable_if_t<cuda::std::is_integral_v<T>>>
__device__ T twice(T x) {
  return x + x;
}
template <typename T>
__device__ typename cuda::std::enable_if<cuda::std::is_floating_point_v<T>, T>::type half_of(T x) {
  return x / 2;
}

// ---- types and sequences -------------------------------------------------------------------------

template <cuda::std::size_t... I>
__device__ int add(cuda::std::index_sequence<I...>) {
  return (0 + ... + static_cast<int>(I));
}
template <typename T, T... I>
__device__ T add_all(cuda::std::integer_sequence<T, I...>) {
  return (T(0) + ... + I);
}
template <typename... T>
__device__ int count(T...) {
  return add(cuda::std::index_sequence_for<T...>());
}
__device__ int list(cuda::std::initializer_list<int> values) {
  int sum = 0;
  for (int v : values) sum += v;
  return sum;
}

__device__ cuda::std::int64_t integers(cuda::std::int8_t a, cuda::std::int16_t b, cuda::std::int32_t c,
                                       cuda::std::uint8_t d, cuda::std::uint16_t e, cuda::std::uint32_t f,
                                       cuda::std::uint64_t g, cuda::std::intptr_t h, cuda::std::uintptr_t i,
                                       cuda::std::ptrdiff_t j, cuda::std::byte k, cuda::std::nullptr_t n) {
  return a + b + c + d + e + f + static_cast<cuda::std::int64_t>(g) + h + static_cast<cuda::std::int64_t>(i) + j +
         static_cast<int>(k) + (n == nullptr);
}

// ---- functions -----------------------------------------------------------------------------------

__device__ float math(float x, double y) {
  float r = cuda::std::abs(x) + cuda::std::ceil(x) + cuda::std::floor(x) + cuda::std::round(x);
  r += cuda::std::cos(x) + cuda::std::sin(x) + cuda::std::tan(x) + cuda::std::exp(x) + cuda::std::log(x);
  r += cuda::std::sqrt(x) + cuda::std::pow(x, 2.0f) + cuda::std::fabs(x) + cuda::std::fma(x, x, x);
  r += cuda::std::fmax(x, 1.0f) + cuda::std::fmin(x, 1.0f);
  r += cuda::std::isnan(x) + cuda::std::isinf(x) + cuda::std::isfinite(x);
  return r + static_cast<float>(cuda::std::abs(y) + cuda::std::sqrt(y) + cuda::std::isnan(y));
}

__device__ double more_math(float x, double y) {
  double r = 0;
  r += cuda::std::acos(x) + cuda::std::acos(y);
  r += cuda::std::acosh(x) + cuda::std::acosh(y);
  r += cuda::std::asin(x) + cuda::std::asin(y);
  r += cuda::std::asinh(x) + cuda::std::asinh(y);
  r += cuda::std::atan(x) + cuda::std::atan(y);
  r += cuda::std::atanh(x) + cuda::std::atanh(y);
  r += cuda::std::cbrt(x) + cuda::std::cbrt(y);
  r += cuda::std::cosh(x) + cuda::std::cosh(y);
  r += cuda::std::erf(x) + cuda::std::erf(y);
  r += cuda::std::erfc(x) + cuda::std::erfc(y);
  r += cuda::std::exp2(x) + cuda::std::exp2(y);
  r += cuda::std::expm1(x) + cuda::std::expm1(y);
  r += cuda::std::lgamma(x) + cuda::std::lgamma(y);
  r += cuda::std::log10(x) + cuda::std::log10(y);
  r += cuda::std::log1p(x) + cuda::std::log1p(y);
  r += cuda::std::log2(x) + cuda::std::log2(y);
  r += cuda::std::logb(x) + cuda::std::logb(y);
  r += cuda::std::nearbyint(x) + cuda::std::nearbyint(y);
  r += cuda::std::rint(x) + cuda::std::rint(y);
  r += cuda::std::signbit(x) + cuda::std::signbit(y);
  r += cuda::std::sinh(x) + cuda::std::sinh(y);
  r += cuda::std::tanh(x) + cuda::std::tanh(y);
  r += cuda::std::tgamma(x) + cuda::std::tgamma(y);
  r += cuda::std::trunc(x) + cuda::std::trunc(y);
  r += cuda::std::isnormal(x) + cuda::std::isnormal(y);
  r += cuda::std::hypot(x, x) + cuda::std::hypot(y, y);
  r += cuda::std::atan2(x, x) + cuda::std::atan2(y, y);
  r += cuda::std::fmod(x, x) + cuda::std::fmod(y, y);
  r += cuda::std::copysign(x, x) + cuda::std::copysign(y, y);
  r += cuda::std::fdim(x, x) + cuda::std::fdim(y, y);
  r += cuda::std::remainder(x, x) + cuda::std::remainder(y, y);
  int exponent;
  float whole;
  r += cuda::std::ldexp(x, 2) + cuda::std::ilogb(x) + static_cast<double>(cuda::std::lround(x));
  r += static_cast<double>(cuda::std::llround(x)) + cuda::std::frexp(x, &exponent) + cuda::std::modf(x, &whole);
  return r + exponent + whole;
}

__device__ int more_tuples(int x) {
  cuda::std::tuple<int, float> t(1, 2.0f);
  int r = cuda::std::apply([](int a, float b) { return a + static_cast<int>(b); }, t);
  r += static_cast<int>(cuda::std::tuple_size<decltype(t)>::value + cuda::std::tuple_size_v<decltype(t)>);
  auto both = cuda::std::tuple_cat(cuda::std::make_tuple(1), cuda::std::make_tuple(2.0f));
  cuda::std::tuple_element_t<0, decltype(both)> a = cuda::std::get<0>(both);
  cuda::std::tuple_element<0, decltype(both)>::type b = a;
  auto held = cuda::std::forward_as_tuple(x);
  cuda::std::optional<int> o(cuda::std::in_place, x);
  return r + a + b + cuda::std::get<0>(held) + *o + cuda::std::make_optional(x).value_or(2);
}

__device__ int ranges(int x) {
  int a[3] = {1, 2, x};
  int r = *cuda::std::begin(a) + *(cuda::std::end(a) - 1) + static_cast<int>(cuda::std::size(a));
  r += *cuda::std::data(a) + *cuda::std::cbegin(a) + *cuda::std::next(a) + *cuda::std::prev(a + 2);
  r += cuda::std::gcd(x, 6) + cuda::std::lcm(x, 6) + cuda::std::bit_not<>()(x);
  int copy[3];
  cuda::std::memset(copy, 0, sizeof(copy));
  cuda::std::memcpy(copy, a, sizeof(a));
  return r + copy[2];
}

__device__ float more_complexes(cuda::std::complex<float> c) {
  return cuda::std::norm(c) + cuda::std::conj(c).real() + cuda::std::arg(c) + cuda::std::abs(c) +
         cuda::std::polar(1.0f, 2.0f).imag() + cuda::std::exp(c).real() + cuda::std::sqrt(c).real();
}

__device__ long long times(long long x) {
  auto t = cuda::std::chrono::nanoseconds(x) + cuda::std::chrono::microseconds(3);
  return cuda::std::chrono::duration_cast<cuda::std::chrono::milliseconds>(t).count() +
         cuda::std::chrono::seconds(1).count() +
         static_cast<long long>(cuda::std::chrono::duration<double>(2.0).count()) +
         cuda::std::chrono::minutes(1).count() + cuda::std::chrono::hours(1).count();
}

__device__ int algorithms(int a, int b) {
  int c = cuda::std::max(a, b) + cuda::std::min(a, b) + cuda::std::clamp(a, 0, 10);
  cuda::std::swap(a, b);
  c += cuda::std::exchange(a, 7);
  c += cuda::std::move(a) + cuda::std::forward<int>(b) + cuda::std::as_const(b);
  c += *cuda::std::addressof(b);
  int cells[4] = {1, 2, 3, 4}, others[4] = {5, 6, 7, 8};
  cuda::std::swap(cells, others);
  c += static_cast<int>(cuda::std::distance(cells, cells + 4));
  return c;
}

__device__ int function_objects(int a, int b) {
  int c = cuda::std::plus<int>()(a, b) + cuda::std::minus<int>()(a, b) + cuda::std::multiplies<>()(a, b);
  c += cuda::std::divides<int>()(a, b) + cuda::std::modulus<int>()(a, b) + cuda::std::negate<int>()(a);
  c += cuda::std::bit_and<int>()(a, b) + cuda::std::bit_or<int>()(a, b) + cuda::std::bit_xor<int>()(a, b);
  c += cuda::std::less<int>()(a, b) + cuda::std::less_equal<>()(a, b) + cuda::std::greater<int>()(a, b);
  c += cuda::std::greater_equal<int>()(a, b) + cuda::std::equal_to<int>()(a, b) + cuda::std::not_equal_to<>()(a, b);
  c += cuda::std::logical_and<bool>()(a, b) + cuda::std::logical_or<bool>()(a, b) + cuda::std::logical_not<bool>()(a);
  return c;
}

// ---- classes -------------------------------------------------------------------------------------

struct Grid {
  cuda::std::array<int, 3> size{};
};

__device__ int arrays(int i) {
  cuda::std::array<int, 4> a = {1, 2, 3, 4};
  a[i % 4] += 5;
  a.back() = 3;
  int sum = 0;
  for (int v : a) sum += v;
  Grid grid;
  grid.size[1] = static_cast<int>(a.size());
  return sum + cuda::std::get<2>(a) + grid.size[1] + a.front() + *a.data();
}

__device__ float tuples(int i) {
  cuda::std::pair<int, float> p(i, 2.0f), q = cuda::std::make_pair(1, 2.0f);
  q.first = 4;
  cuda::std::tuple<int, float, char> t(1, 2.0f, 'c');
  cuda::std::get<0>(t) = i;
  auto u = cuda::std::make_tuple(1, p.second);
  auto tied = cuda::std::tie(p.first, p.second);
  cuda::std::get<0>(tied) = 3;
  return static_cast<float>(p.first + q.first) + cuda::std::get<1>(t) + static_cast<float>(cuda::std::get<0>(u));
}

__device__ int optionals(int i) {
  cuda::std::optional<int> o = i > 0 ? cuda::std::optional<int>(i) : cuda::std::nullopt;
  return o.has_value() ? *o : o.value_or(3);
}

__device__ cuda::std::complex<float> complexes(cuda::std::complex<float> a, cuda::std::complex<float> b) {
  cuda::std::complex<float> c = a * b + a / b - a;
  c += b;
  return c * c.real() + c.imag();
}

__device__ double limits() {
  return cuda::std::numeric_limits<float>::max() + cuda::std::numeric_limits<double>::infinity() +
         cuda::std::numeric_limits<int>::lowest();
}

__global__ void all(int* out) {
  cuda::std::aligned_storage_t<8, 8> storage;
  out[0] = twice(3) + add(cuda::std::make_index_sequence<4>()) + add_all(cuda::std::integer_sequence<int, 1, 2>()) +
           count(1, 2, 3) + list({1, 2}) + algorithms(out[1], out[2]) + function_objects(out[1], out[2]) +
           arrays(out[1]) + optionals(out[1]) + static_cast<int>(sizeof(storage));
  out[1] = static_cast<int>(half_of(1.0f) + math(2.0f, 3.0) + tuples(out[1]) + limits());
  out[2] = static_cast<int>(complexes({1, 2}, {3, 4}).real());
  out[4] = static_cast<int>(more_math(1.0f, 2.0) + more_tuples(out[1]) + ranges(out[1]) + times(out[1]));
  out[5] = static_cast<int>(more_complexes({1, 2}));
  out[3] = static_cast<int>(
      integers(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, cuda::std::byte{11}, nullptr));
}
