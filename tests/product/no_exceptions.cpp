// Every header, compiled without exceptions and without run-time type information.
#include <all_headers.hpp>

#include <treadle/core/error.hpp>
#include <treadle/core/result.hpp>

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "this file is to be compiled with -fno-exceptions -fno-rtti"
#endif

int main() {
  const treadle::Result<int> failed = treadle::Error(treadle::ErrorCode::io, "no such file");
  return failed.error().code() == treadle::ErrorCode::io ? 0 : 1;
}
