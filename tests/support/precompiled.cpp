// A source for the precompiled headers of all tests to be built with.
