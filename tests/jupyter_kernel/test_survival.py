"""Nothing kills it. One row per way to break a session; a new way is one more line of TABLE. What is checked after each is in survival.py;
the rows that end by the interrupt button are in test_interrupt.py."""

import pytest

from client import SLOW
from survival import EITHER, STAYS, Row, compile_error, crash, exception, fine, survive

KERNEL_OPTIONS = {"env": {"LANES_MEMORY": "3G"}}

TABLE = [
    # Crashes: the signal is named, and the line
    crash("null dereference", "int* p = nullptr;\n*p = 1;", "SIGSEGV", line=2),
    crash("null read through a struct", "struct N { int a, b; }; N* volatile n = nullptr;\nint got = n->b;", "SIGSEGV", line=2),
    crash("wild write", "volatile int* wild = (int*)0x123456789000;\n\n*wild = 3;", "SIGSEGV", line=3, traceback="0x123456789000"),
    crash("write to a string literal", "char* literal = (char*)\"abc\";\nvolatile char* v = literal; v[0] = 'x';", "SIGSEGV"),
    crash("call of a null function", "void (*volatile call)() = nullptr;\ncall();", "SIGSEGV"),
    crash(
        "heap smashed",
        "char* smashed = new char[24];\nvolatile char* s = smashed; for (int i = -64; i < 4096; ++i) s[i] = 'x';\ndelete[] smashed; for (int i = 0; i < 9999; ++i) free(malloc(i));",
        "SIGABRT|SIGSEGV",
    ),
    crash("double free", "void* d = malloc(40); void* volatile e = d;\nfree(d); free(e);", "SIGABRT"),
    crash("free of a wild pointer", "void* volatile w = (void*)0x1234560; free(w);", "SIGABRT|SIGSEGV"),
    crash(
        "stack overflow by recursion",
        "int deeper(int x) { volatile int pad[64]; pad[0] = x; return deeper(x + 1) + pad[0]; }\ndeeper(0)",
        "SIGSEGV",
        traceback="(?i)stack|recursion",
    ),
    crash("integer division by zero", "volatile int zero = 0;\nint quotient = 1 / zero;", "SIGFPE|(?i:division by zero)", line=2),
    crash("integer modulo zero", "int seven = 7, nothing = 0;\nint rest = seven % nothing;", "SIGFPE|(?i:division by zero)", line=2),
    crash("abort", 'std::cout << "before" << std::endl;\nabort();', "SIGABRT", stdout="before"),
    crash("assert", "#include <cassert>\nint asserted = 1;\nassert(asserted == 2);", "asserted == 2|SIGABRT", traceback="asserted == 2", line=3),
    crash("illegal instruction", "__builtin_trap();", "SIGILL|SIGTRAP"),
    crash("bus error", "raise(SIGBUS);", "SIGBUS"),
    crash("raise(SIGKILL)", "raise(SIGKILL);", "SIGKILL"),
    crash("raise(SIGTERM)", "raise(SIGTERM);", "SIGTERM"),
    crash("raise(SIGSEGV) with the handler taken away", "signal(SIGSEGV, SIG_DFL); raise(SIGSEGV);", "SIGSEGV"),
    crash("std::terminate", "std::terminate();", "terminate|SIGABRT"),
    crash("std::terminate in another thread", "std::thread t([] { std::terminate(); });\nt.join();", "terminate|SIGABRT"),
    crash(
        "exception in another thread",
        'std::thread t([] { throw std::runtime_error("lost in a thread"); });\nt.join();',
        "terminate|SIGABRT",
        traceback="lost in a thread",
    ),
    crash("null dereference in another thread", "std::thread t([] { int* volatile p = nullptr; *p = 1; });\nt.join();", "SIGSEGV"),
    crash("a joinable thread destroyed", "{ std::thread t([] {}); }", "terminate|SIGABRT"),
    crash("exception out of noexcept", 'void never() noexcept { throw std::runtime_error("noexcept"); }\nnever();', "terminate|SIGABRT"),
    crash("exception out of a destructor", 'struct D { ~D() { throw std::runtime_error("from ~D"); } };\n{ D d; }', "terminate|SIGABRT"),
    crash(
        "pure virtual call",
        "struct A { virtual void f() = 0; A() { g(); } void g() { f(); } }; struct B : A { void f() override {} };\nB b;",
        "SIGABRT|terminate",
    ),
    crash(
        "stack smashed",
        "void smash() { volatile char a[8]; volatile char* p = a; for (int i = 0; i < 4096; ++i) p[i] = 1; }\nsmash();",
        "SIGABRT|SIGSEGV|SIGBUS",
    ),
    # Exits
    Row("exit(3)", 'std::cout << "before";\nexit(3);', "Exit", "3", stdout="before"),
    Row("exit(0)", "exit(0);", "Exit", "0"),
    Row("_exit", "_exit(4);", "Exit", "4"),
    Row("std::quick_exit", "std::quick_exit(5);", "Exit", "5"),
    Row("exit in another thread", "std::thread t([] { exit(6); });\nt.join(); for (;;) pause();", "Exit", "6"),
    Row("exec", 'execl("/bin/true", "true", (char*)nullptr);', "Exit|Crash", ""),
    # Exceptions keep what was done before
    exception("uncaught std::runtime_error", 'throw std::runtime_error("what it says");', "std::runtime_error", "^what it says$"),
    exception("uncaught std::out_of_range", "std::vector<int> three(3);\nthree.at(9);", "std::out_of_range", "9"),
    exception(
        "uncaught exception of a cell's own type",
        'struct Mine : std::exception { const char* what() const noexcept override { return "mine"; } };\nthrow Mine{};',
        ".*Mine",
        "mine",
    ),
    exception("uncaught int", "throw 42;", "int", "42"),
    exception("uncaught const char*", 'throw "a text";', "(const )?char ?(const)? ?\\*", "a text"),
    exception("uncaught std::string", 'throw std::string("a string");', "std::(__cxx11::)?(basic_)?string.*", "a string"),
    exception("uncaught struct without what()", "struct Bare { int x; };\nthrow Bare{1};", ".*Bare"),
    exception(
        "uncaught nested exception",
        'try { throw std::runtime_error("inner"); } catch (...) { std::throw_with_nested(std::logic_error("outer")); }',
        ".*(logic_error).*",
        "outer",
    ),
    exception(
        "uncaught from a future",
        'auto f = std::async(std::launch::async, []() -> int { throw std::domain_error("from async"); });\nf.get();',
        "std::domain_error",
        "from async",
    ),
    exception(
        "exception in a static initialiser",
        'int boom() { throw std::runtime_error("in an initialiser"); }\nstatic int never_there = boom();',
        "std::runtime_error",
        "in an initialiser",
    ),
    exception(
        "exception in the constructor of a global",
        'struct Thrower { Thrower() { throw std::logic_error("ctor"); } };\nThrower never_made;',
        "std::logic_error",
        "ctor",
    ),
    exception("exception while showing a value", "std::vector<int> tiny(1);\ntiny.at(5)", "std::out_of_range", "5"),
    # Link errors
    Row("unresolved symbol", "int nowhere_to_be_found(int);\nnowhere_to_be_found(1)", "LinkError", "nowhere_to_be_found"),
    Row("unresolved symbol in C", 'extern "C" void missing_c_function();\nmissing_c_function();', "LinkError", "missing_c_function"),
    Row("undefined static member", "struct Um { static int value; };\nUm::value", "LinkError", "value"),
    Row("missing library in a pragma", '#pragma cling load("libdoes_not_exist_anywhere")\n1', "LinkError|CompileError|LoadError", "does_not_exist_anywhere"),
    # Compile errors
    compile_error("missing header", "#include <no/such/header.hpp>", "no/such/header.hpp"),
    compile_error("unknown name", "int a = unknown_name + 1;", "unknown_name", line=1),
    compile_error("poisoned template", "std::vector<int> v;\nv.foo();", "foo", line=2),
    compile_error("missing semicolon", "int a = 1\nint b = 2;", "';'"),
    compile_error("unbalanced brace", "void unbalanced() {\n", "[{}]|brace|bracket"),
    compile_error("unbalanced parenthesis", "int a = (1 + 2;", "[()]|parenthes|bracket"),
    compile_error("unbalanced square bracket", "int a[3 = {1};", "[\\[\\]]|bracket"),
    compile_error("closing brace too many", "int a = 1; }", "[{}]|brace|bracket"),
    compile_error("mismatched brackets", "int f(int a] { return a; }", "\\)|\\]|bracket"),
    compile_error("brace open in a namespace", "namespace v { int x = }", ""),
    compile_error("namespace left open", "namespace left_open { int x = 1;", "[{}]|brace|bracket"),
    compile_error("open string", 'std::string s = "no end;', 'quote|string|"'),
    compile_error("open character", "char c = 'x;", "quote|character|'"),
    compile_error("open raw string", 'auto s = R"(never closed;', "raw string"),
    compile_error("raw string with a bad delimiter", 'auto s = R"too many spaces(x)too many spaces";', ""),
    compile_error("open comment", "int a = 1; /* no end", "comment"),
    compile_error("open #if", "#if 1\nint a = 1;", "#if|conditional"),
    compile_error("#endif too many", "int a = 1;\n#endif", "#endif"),
    compile_error("#else without #if", "#else\nint a;", "#else"),
    compile_error("#error", "#error told you so", "told you so"),
    compile_error("unknown directive", "#inclde <vector>", "directive", traceback="inclde"),
    compile_error("nonsense", "this is not C++ at all", ""),
    compile_error("stray characters", "int a = 1 @ 2 ` 3;", ""),
    compile_error("a zero byte", "int a = 1;\0int b = ;", ""),
    compile_error("python", "def f(x):\n    return x", ""),
    compile_error("static_assert", 'static_assert(sizeof(int) == 1, "ints are small");', "ints are small"),
    compile_error("struct closed without a semicolon", "struct NoSemi { int x; }\nint after = 1;", "';'"),
    compile_error("class template misused", "template <class T> struct Needs { typename T::type x; };\nNeeds<int> n;", "type"),
    compile_error("return at top level with a value of no type", "return nothing_there;", ""),
    compile_error(
        "endless template recursion",
        "template <int N> struct Deep { static constexpr int v = Deep<N + 1>::v; };\nint d = Deep<0>::v;",
        "(?i)recursive|depth|template",
    ),
    compile_error("endless template recursion through functions", "template <int N> int nest() { return nest<N + 1>(); }\nnest<0>();", ""),
    compile_error(
        "endless constexpr", "constexpr int spin() { int i = 0; while (true) i ^= 1; return i; }\nconstexpr int s = spin();", "(?i)constant|constexpr|step"
    ),
    compile_error("endless include of itself", "#include __FILE__", ""),
    Row("compiler crash", "#pragma clang __debug crash\nint a = 1;", "Crash|CompileError", "(?i)compiler"),
    Row("compiler crash in the parser", "#pragma clang __debug parser_crash\nint a = 1;", "Crash|CompileError", ""),
    Row("compiler's fatal error", "#pragma clang __debug llvm_fatal_error\nint a = 1;", "Crash|CompileError", "(?i)compiler"),
    # Memory and descriptors
    Row(
        "memory exhausted by new",
        "std::vector<char*> blocks; for (;;) { blocks.push_back(new char[64 << 20]); memset(blocks.back(), 1, 64 << 20); }",
        "OutOfMemory",
        "",
        timeout=60,
    ),
    Row("memory exhausted by a vector", "std::vector<double> growing; for (;;) growing.push_back(1);", "OutOfMemory", "", timeout=60),
    Row("memory exhausted at once", "std::vector<char> at_once(size_t(1) << 40);", "OutOfMemory|std::bad_alloc", "", after=EITHER),
    Row(
        "memory exhausted by malloc",
        "for (;;) { char* block = (char*)malloc(64 << 20); memset(block, 1, 64 << 20); static char* volatile used = block; used = block; }",
        "OutOfMemory|Crash",
        "",
        timeout=60,
    ),
    Row(
        "memory exhausted in a thread",
        "std::thread eater([] { for (;;) { char* volatile block = new char[64 << 20]; memset(block, 1, 64 << 20); } });\neater.join();",
        "OutOfMemory|Crash",
        "",
        timeout=60,
    ),
    Row("descriptors used up", 'while (open("/dev/null", O_RDONLY) >= 0) ;', "*", after=EITHER),
    Row("all descriptors closed", "for (int i = 0; i < 4096; ++i) close(i);", "*", after=EITHER),
    Row("descriptors above 2 closed", "for (int i = 3; i < 4096; ++i) close(i);", "*", after=EITHER),
    Row("close_range", "close_range(3, ~0u, 0);", "*", after=EITHER),
    Row("standard streams closed", "close(0); close(1); close(2);", "*", after=EITHER),
    Row("stdout closed", "fclose(stdout);", "*", after=EITHER),
    Row("stdout pointed elsewhere", 'freopen("/dev/null", "w", stdout);', "*", after=EITHER),
    Row("descriptor 1 moved", "dup2(2, 1);", "*", after=EITHER),
    fine("cout left in a bad state", "std::cout.setstate(std::ios::badbit | std::ios::failbit);"),
    fine("cout that throws", "std::cout.exceptions(std::ios::badbit | std::ios::failbit); std::cout << std::boolalpha;"),
    fine("cout without a buffer", "std::cout.rdbuf(nullptr);"),
    # Children
    fine("killed child", "pid_t child = fork();\nif (child == 0) pause(); else { kill(child, SIGKILL); waitpid(child, nullptr, 0); }"),
    fine("crashed child", "pid_t child = fork();\nif (child == 0) { volatile int* p = nullptr; *p = 1; }\nwaitpid(child, nullptr, 0);"),
    fine("killed shell", 'system("kill -9 $$");'),
    fine(
        "child that ends by exit",
        "pid_t child = fork();\nif (child == 0) exit(3);\nint how; waitpid(child, &how, 0); std::cout << WEXITSTATUS(how);",
        stdout="^3$",
    ),
    fine("zombies", "for (int i = 0; i < 5; ++i) if (fork() == 0) _exit(0);"),
    fine("SIGCHLD ignored", "signal(SIGCHLD, SIG_IGN);"),
    fine("all signals ignored", "for (int i = 1; i < 32; ++i) signal(i, SIG_IGN);"),
    # Input where none is allowed
    Row("std::cin without input", "int wanted; std::cin >> wanted;", "InputNotAllowed", "", after=STAYS),
    Row("std::getline without input", "std::string wanted; std::getline(std::cin, wanted);", "InputNotAllowed", "", after=STAYS),
    fine("scanf sees the end of the file", 'int wanted = 5; int got = scanf("%d", &wanted); std::cout << got;', stdout="-1"),
    # No error, and the session goes on
    fine(
        "fifty megabytes of output",
        "std::string block(1 << 20, 'x'); for (int i = 0; i < 50; ++i) { block.back() = '\\n'; std::cout << block; }\nstd::cout << \"the end\" << std::endl;",
        timeout=60,
    ),
    fine("bytes that are not UTF-8", 'std::cout << "a\\xff\\xfe b\\xc3" << "\\xa9 c" << std::endl;', stdout="a\ufffd+ b\u00e9 c"),
    fine("zero bytes", 'std::cout << std::string("a\\0b", 3) << std::endl;', stdout="a.b"),
    fine(
        "a forked child that returns from the cell",
        'pid_t child = fork();\nif (child == 0) std::cout << "child" << std::endl;\nelse waitpid(child, nullptr, 0);',
        stdout="child",
    ),
    fine("an empty cell of blanks", "   \n\n"),
    fine("huge cell", "int sum_of_many = 0;\n" + "sum_of_many += 1;\n" * 2000 + "std::cout << sum_of_many;", stdout="^2000$", timeout=60),
    fine("long line", 'std::string long_text = "' + "x" * 200000 + '"; std::cout << long_text.size();', stdout="^200000$"),
    fine("alarm", "alarm(0);"),
    fine("errno and locale", 'setlocale(LC_ALL, "C"); errno = 5;'),
    fine("working directory changed", 'chdir("/");'),
    fine("umask changed", "#include <sys/stat.h>\numask(077);"),
    fine("stack of four megabytes used", "void use_stack() { volatile char big[4 << 20]; big[0] = 1; big[(4 << 20) - 1] = 1; }\nuse_stack();"),
]


@pytest.mark.timeout(90 * SLOW)
@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_session_goes_on(kernel, row):
    survive(kernel, row)
