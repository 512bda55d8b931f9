// Tables of C functions: one line implements a function that the headers declare. The parameters come from the
// declaration; the body reads the arguments from left to right, so one body serves float and double, int and int64_t,
// single, batched and strided forms.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "declared.h"

namespace rocport {

/** How a function takes many matrices: one, an array of pointers, or a distance between them. */
enum class Form { SINGLE, BATCHED, STRIDED };

/** The arguments of one call. Numbers are widened; a float or double travels as a double's bits. */
class Arguments {
 public:
  Arguments(const int64_t* first, Form form) : form(form), at_(first) {}

  const Form form;

  int64_t integer() { return *at_++; }

  /** The argument so many after the next. */
  int64_t later(int count) const { return at_[count]; }

  double real() {
    int64_t bits = integer();
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }

  template <class T>
  T* pointer() {
    return reinterpret_cast<T*>(integer());
  }

 private:
  const int64_t* at_;
};

template <class A>
int64_t slot(A argument) {
  if constexpr (std::is_pointer_v<A>) {
    return reinterpret_cast<int64_t>(argument);
  } else if constexpr (std::is_floating_point_v<A>) {
    double value = argument;
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
  } else {
    return static_cast<int64_t>(argument);
  }
}

/** A function of this type that hands its arguments to a body; Run makes its result. */
template <class Function, Form form, auto body>
struct Entry;

template <class Result, class... A, Form form, auto body>
struct Entry<Result(A...), form, body> {
  static Result call(A... arguments) {
    const int64_t slots[] = {slot(arguments)..., 0};
    Arguments all(slots, form);
    return entered(body, all);
  }
};

}  // namespace rocport

// ENTRY(name, form, body) expands to nothing if this version of the headers lacks the function.
#define ENTRY(name, form, ...) ENTRY_PICK(DECLARED_##name, ENTRY_ABSENT)(name, form, (__VA_ARGS__))
#define ENTRY_PICK(...) ENTRY_SECOND(__VA_ARGS__, ~)
#define ENTRY_SECOND(first, second, ...) second
#define ENTRY_ABSENT(name, form, body)
// An ifunc, since C++ has no other way to define a function with a type that is declared elsewhere.
#define ENTRY_DECLARED(name, form, body)                                                       \
  extern "C" decltype(name)* entry_of_##name() { return &rocport::Entry<decltype(name), form, body>::call; } \
  extern "C" decltype(name) name __attribute__((ifunc("entry_of_" #name)));
