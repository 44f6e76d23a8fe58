// Definitions of the error: all cold, so that failing costs the code around it little.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <treadle/core/error.hpp>

namespace treadle::inline v0 {

[[gnu::cold]] TREADLE_INLINE Error::Error(ErrorCode code, std::string message)
    : data_(std::make_unique<Data>(Data{code, std::move(message)})) {}

[[gnu::cold]] TREADLE_INLINE Error Error::with_context(std::string_view where) && {
  data_->message.insert(0, ": ").insert(0, where);
  return std::move(*this);
}

[[gnu::cold]] TREADLE_INLINE Error Error::clone() const { return {data_->code, data_->message}; }

}  // namespace treadle::inline v0
