// expect: conversion.*Id<
// A value's id must not pass for a node's.
#include <treadle/core/ids.hpp>

int main() {
  treadle::NodeId node = treadle::ValueId(std::size_t{3});
  return static_cast<int>(node.index);
}
