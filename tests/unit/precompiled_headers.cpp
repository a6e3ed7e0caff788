// The precompiled header of the unit tests belongs to a program; this is the program.
int main() { return 0; }
