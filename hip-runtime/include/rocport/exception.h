// The exceptions with a place of exception.h of the CUDA samples, in the global namespace as there.
#ifndef ROCPORT_EXCEPTION_H
#define ROCPORT_EXCEPTION_H

#ifndef __cplusplus
#error "rocport/exception.h needs C++"
#endif

#include <stdlib.h>

#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

template <class Std_Exception>
class Exception : public Std_Exception {
 public:
  [[noreturn]] static void throw_it(const char* file, const int line,
                                    const char* detailed = "-") {
    std::ostringstream text;
    text << "Exception in file '" << file << "' in line " << line << "\n"
         << "Detailed description: " << detailed << "\n";
    throw Exception(text.str());
  }
  [[noreturn]] static void throw_it(const char* file, const int line,
                                    const std::string& detailed) {
    throw_it(file, line, detailed.c_str());
  }

 private:
  Exception() : Std_Exception("Unknown Exception.\n") {}
  explicit Exception(const std::string& text) : Std_Exception(text) {}
};

template <class Exception_Typ>
inline void handleException(const Exception_Typ& ex) {
  std::cerr << ex.what() << std::endl;
  exit(EXIT_FAILURE);
}

#define RUNTIME_EXCEPTION(msg) Exception<std::runtime_error>::throw_it(__FILE__, __LINE__, msg)
#define LOGIC_EXCEPTION(msg) Exception<std::logic_error>::throw_it(__FILE__, __LINE__, msg)
#define RANGE_EXCEPTION(msg) Exception<std::range_error>::throw_it(__FILE__, __LINE__, msg)

#endif
