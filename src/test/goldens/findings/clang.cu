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
