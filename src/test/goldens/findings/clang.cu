template <class T>
struct Table {
  void clear(int from);
  T first(int at = 0);  // ok: CXX-DEFAULT-PLACE
};

template <class T>
void Table<T>::clear(int from = 0,       // want: CXX-DEFAULT-PLACE
                     bool all = true) {  // want: CXX-DEFAULT-PLACE
  (void)from;
}

template <class T>
T Table<T>::first(int at) {  // ok: CXX-DEFAULT-PLACE
  return T(at = 1);          // ok: CXX-DEFAULT-PLACE
}

template <class T>
struct Wrapped {
  T inner;
  __device__ T get() const { return this->inner; }    // ok: CXX-MEMBER-MISSING
  __device__ T first() const noexcept { return this->outer; }  // want: CXX-MEMBER-MISSING
};

template <class T>
struct Derived : Wrapped<T> {
  __device__ T second() const { return this->outer; }  // ok: CXX-MEMBER-MISSING
};

struct Start {
  int value = 0;
};

__global__ void shared() {
  static __shared__ Start one;      // want: CXX-SHARED-INITIALIZER
  extern __shared__ Start dynamic[];  // ok: CXX-SHARED-INITIALIZER
  one.value = dynamic[0].value;
}

extern __shared__ float tile[8], rest[];  // want: CXX-SHARED-EXTERN
extern __shared__ float whole[];          // ok: CXX-SHARED-EXTERN

int first(int n) {
  int counts[n] = {n, 1};  // want: CXX-VARIABLE-ARRAY
  int more[n]{};           // ok: CXX-VARIABLE-ARRAY
  return counts[0] + more[0];
}
