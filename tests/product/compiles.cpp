// expect: this text never comes, for this file compiles
int main() { return 0; }
