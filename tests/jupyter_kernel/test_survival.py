"""Nothing kills it. One row per way to break a session; a new way is one more line of TABLE.

Every cell is preceded by a line `kept = 8; int left_behind = 1;` (so its own first line is line 2 of the cell). After the cell `40 + 2` must answer 42,
the variable `kept` and the function `twice` of an earlier cell must work, printing must work, and what the cell did must be undone: `kept` is 7 again
and `left_behind` is unknown. Only after an exception (and after a cell that ended well) both stay.
"""
import re
import time
from dataclasses import dataclass

import pytest

from client import SLOW

KERNEL_OPTIONS = {"env": {"LANES_MEMORY": "3G"}}
UNDONE, STAYS, EITHER = "undone", "stays", "either"


@dataclass
class Row:
    name: str
    cell: str
    ename: str = None  # regex; None: the cell ends well; "*": the cell may end well or not
    evalue: str = ""  # regex, searched
    traceback: str = ""  # regex, searched
    line: int = None  # the line of the cell below that the traceback must show
    after: str = UNDONE
    interrupt: float = None  # press the interrupt button after so many seconds
    stdout: str = None  # regex for what was printed
    timeout: float = 20


def crash(name, cell, signal, **more):
    return Row(name, cell, "Crash", signal, **more)


def compile_error(name, cell, evalue="", **more):
    return Row(name, cell, "CompileError", evalue, **more)


def exception(name, cell, ename, evalue="", **more):
    return Row(name, cell, ename, evalue, after=STAYS, **more)


def interrupted(name, cell, after=UNDONE, **more):
    return Row(name, cell, "Interrupted", "", after=after, interrupt=0.5, **more)


def fine(name, cell, **more):
    return Row(name, cell, None, after=STAYS, **more)


INCLUDES = """
#include <cassert>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <condition_variable>
#include <fcntl.h>
#include <future>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
"""

TABLE = [
    # Crashes: the signal is named, and the line
    crash("null dereference", "int* p = nullptr;\n*p = 1;", "SIGSEGV", line=2),
    crash("null read through a struct", "struct N { int a, b; }; N* volatile n = nullptr;\nint got = n->b;", "SIGSEGV", line=2),
    crash("wild write", "volatile int* wild = (int*)0x123456789000;\n\n*wild = 3;", "SIGSEGV", line=3, traceback="0x123456789000"),
    crash("write to a string literal", 'char* literal = (char*)"abc";\nvolatile char* v = literal; v[0] = \'x\';', "SIGSEGV"),
    crash("call of a null function", "void (*volatile call)() = nullptr;\ncall();", "SIGSEGV"),
    crash("heap smashed", "char* smashed = new char[24];\nvolatile char* s = smashed; for (int i = -64; i < 4096; ++i) s[i] = 'x';\ndelete[] smashed; for (int i = 0; i < 9999; ++i) free(malloc(i));",
          "SIGABRT|SIGSEGV"),
    crash("double free", "void* d = malloc(40); void* volatile e = d;\nfree(d); free(e);", "SIGABRT"),
    crash("free of a wild pointer", "void* volatile w = (void*)0x1234560; free(w);", "SIGABRT|SIGSEGV"),
    crash("stack overflow by recursion", "int deeper(int x) { volatile int pad[64]; pad[0] = x; return deeper(x + 1) + pad[0]; }\ndeeper(0)", "SIGSEGV",
          traceback="(?i)stack|recursion"),
    crash("integer division by zero", "volatile int zero = 0;\nint quotient = 1 / zero;", "SIGFPE|(?i:division by zero)", line=2),
    crash("abort", 'std::cout << "before" << std::endl;\nabort();', "SIGABRT", stdout="before"),
    crash("assert", "#include <cassert>\nint asserted = 1;\nassert(asserted == 2);", "asserted == 2|SIGABRT", traceback="asserted == 2", line=3),
    crash("illegal instruction", "__builtin_trap();", "SIGILL|SIGTRAP"),
    crash("bus error", "raise(SIGBUS);", "SIGBUS"),
    crash("raise(SIGKILL)", "raise(SIGKILL);", "SIGKILL"),
    crash("raise(SIGTERM)", "raise(SIGTERM);", "SIGTERM"),
    crash("raise(SIGSEGV) with the handler taken away", "signal(SIGSEGV, SIG_DFL); raise(SIGSEGV);", "SIGSEGV"),
    crash("std::terminate", "std::terminate();", "terminate|SIGABRT"),
    crash("std::terminate in another thread", "std::thread t([] { std::terminate(); });\nt.join();", "terminate|SIGABRT"),
    crash("exception in another thread", 'std::thread t([] { throw std::runtime_error("lost in a thread"); });\nt.join();', "terminate|SIGABRT",
          traceback="lost in a thread"),
    crash("null dereference in another thread", "std::thread t([] { int* volatile p = nullptr; *p = 1; });\nt.join();", "SIGSEGV"),
    crash("a joinable thread destroyed", "{ std::thread t([] {}); }", "terminate|SIGABRT"),
    crash("exception out of noexcept", 'void never() noexcept { throw std::runtime_error("noexcept"); }\nnever();', "terminate|SIGABRT"),
    crash("exception out of a destructor", 'struct D { ~D() { throw std::runtime_error("from ~D"); } };\n{ D d; }', "terminate|SIGABRT"),
    crash("pure virtual call", "struct A { virtual void f() = 0; A() { g(); } void g() { f(); } }; struct B : A { void f() override {} };\nB b;", "SIGABRT|terminate"),
    crash("stack smashed", "void smash() { volatile char a[8]; volatile char* p = a; for (int i = 0; i < 4096; ++i) p[i] = 1; }\nsmash();", "SIGABRT|SIGSEGV|SIGBUS"),
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
    exception("uncaught exception of a cell's own type", 'struct Mine : std::exception { const char* what() const noexcept override { return "mine"; } };\nthrow Mine{};',
              ".*Mine", "mine"),
    exception("uncaught int", "throw 42;", "int", "42"),
    exception("uncaught const char*", 'throw "a text";', "(const )?char ?(const)? ?\\*", "a text"),
    exception("uncaught std::string", 'throw std::string("a string");', "std::(__cxx11::)?(basic_)?string.*", "a string"),
    exception("uncaught struct without what()", "struct Bare { int x; };\nthrow Bare{1};", ".*Bare"),
    exception("uncaught nested exception", 'try { throw std::runtime_error("inner"); } catch (...) { std::throw_with_nested(std::logic_error("outer")); }',
              ".*(logic_error).*", "outer"),
    exception("uncaught from a future", 'auto f = std::async(std::launch::async, []() -> int { throw std::domain_error("from async"); });\nf.get();',
              "std::domain_error", "from async"),
    exception("exception in a static initialiser", 'int boom() { throw std::runtime_error("in an initialiser"); }\nstatic int never_there = boom();',
              "std::runtime_error", "in an initialiser"),
    exception("exception in the constructor of a global", 'struct Thrower { Thrower() { throw std::logic_error("ctor"); } };\nThrower never_made;', "std::logic_error", "ctor"),
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
    compile_error("unbalanced brace", "void unbalanced() {\n", "\\}|brace|bracket"),
    compile_error("unbalanced parenthesis", "int a = (1 + 2;", "\\)|parenthes|bracket"),
    compile_error("unbalanced square bracket", "int a[3 = {1};", "\\]|bracket"),
    compile_error("closing brace too many", "int a = 1; }", "\\}|brace|bracket"),
    compile_error("mismatched brackets", "int f(int a] { return a; }", "\\)|\\]|bracket"),
    compile_error("brace open in a namespace", "namespace v { int x = }", ""),
    compile_error("namespace left open", "namespace left_open { int x = 1;", "\\}|brace|bracket"),
    compile_error("open string", 'std::string s = "no end;', "quote|string|\""),
    compile_error("open character", "char c = 'x;", "quote|character|'"),
    compile_error("open raw string", 'auto s = R"(never closed;', "raw string"),
    compile_error("raw string with a bad delimiter", 'auto s = R"too many spaces(x)too many spaces";', ""),
    compile_error("open comment", "int a = 1; /* no end", "comment"),
    compile_error("open #if", "#if 1\nint a = 1;", "#if|conditional"),
    compile_error("#endif too many", "int a = 1;\n#endif", "#endif"),
    compile_error("#else without #if", "#else\nint a;", "#else"),
    compile_error("#error", "#error told you so", "told you so"),
    compile_error("unknown directive", "#inclde <vector>", "inclde"),
    compile_error("nonsense", "this is not C++ at all", ""),
    compile_error("stray characters", "int a = 1 @ 2 ` 3;", ""),
    compile_error("a zero byte", "int a = 1;\0int b = ;", ""),
    compile_error("python", "def f(x):\n    return x", ""),
    compile_error("static_assert", 'static_assert(sizeof(int) == 1, "ints are small");', "ints are small"),
    compile_error("struct closed without a semicolon", "struct NoSemi { int x; }\nint after = 1;", "';'"),
    compile_error("class template misused", "template <class T> struct Needs { typename T::type x; };\nNeeds<int> n;", "type"),
    compile_error("return at top level with a value of no type", "return nothing_there;", ""),
    compile_error("endless template recursion", "template <int N> struct Deep { static constexpr int v = Deep<N + 1>::v; };\nint d = Deep<0>::v;", "(?i)recursive|depth|template"),
    compile_error("endless template recursion through functions", "template <class T> auto nest(T) { return nest(std::vector<T>{}); }\nnest(1);", ""),
    compile_error("endless constexpr", "constexpr int spin() { int i = 0; while (true) i ^= 1; return i; }\nconstexpr int s = spin();", "(?i)constant|constexpr|step"),
    compile_error("endless include of itself", "#include __FILE__", ""),
    Row("compiler crash", "#pragma clang __debug crash\nint a = 1;", "Crash|CompileError", "(?i)compiler"),
    Row("compiler crash in the parser", "#pragma clang __debug parser_crash\nint a = 1;", "Crash|CompileError", "(?i)compiler"),
    Row("compiler's fatal error", "#pragma clang __debug llvm_fatal_error\nint a = 1;", "Crash|CompileError", "(?i)compiler"),
    # Interrupts
    interrupted("endless loop", "for (;;) ;"),
    interrupted("tight loop with a counter", "volatile unsigned long n = 0; while (true) ++n;"),
    interrupted("endless loop in a function", "void spin_forever() { volatile int x = 0; while (true) ++x; }\nspin_forever();"),
    interrupted("endless printing", 'for (;;) std::cout << "line" << std::endl;'),
    interrupted("endless printf", 'for (;;) printf("%s", "many bytes, no newline ");'),
    interrupted("sleep", "std::this_thread::sleep_for(std::chrono::seconds(100));"),
    interrupted("usleep in a loop", "for (;;) usleep(1000);"),
    interrupted("blocking read", "int ends[2]; pipe(ends);\nchar c; read(ends[0], &c, 1);"),
    interrupted("SIGINT ignored", "signal(SIGINT, SIG_IGN); for (;;) ;"),
    interrupted("SIGINT blocked", "sigset_t all; sigfillset(&all); sigprocmask(SIG_SETMASK, &all, nullptr); for (;;) ;"),
    interrupted("SIGINT caught", "signal(SIGINT, [](int) {}); for (;;) pause();"),
    interrupted("with threads running", "for (int i = 0; i < 4; ++i) std::thread([] { for (;;) usleep(100); }).detach();\nfor (;;) usleep(100);"),
    interrupted("join of a thread that never ends", "std::thread endless([] { for (;;) usleep(1000); });\nendless.join();"),
    interrupted("with children running", "for (int i = 0; i < 3; ++i) if (fork() == 0) for (;;) usleep(1000);\nwhile (wait(nullptr) > 0) ;"),
    interrupted("children that ignore SIGINT", "if (fork() == 0) { signal(SIGINT, SIG_IGN); for (;;) usleep(1000); }\nwhile (wait(nullptr) > 0) ;"),
    interrupted("system()", 'system("sleep 100");', after=EITHER),
    interrupted("shell", "!sleep 100", after=EITHER),
    interrupted("deadlock with itself", "std::mutex m; m.lock();\nm.lock();"),
    interrupted("deadlock of two threads",
                "std::mutex a, b;\nauto both = [](std::mutex& x, std::mutex& y) { x.lock(); usleep(50000); y.lock(); };\n"
                "std::thread t(both, std::ref(a), std::ref(b)); both(b, a); t.join();"),
    interrupted("condition that never comes", "std::mutex m; std::condition_variable cv; std::unique_lock<std::mutex> lock(m);\ncv.wait(lock);"),
    interrupted("future that never comes", "std::promise<int> p; p.get_future().get();"),
    interrupted("catch (...) around everything", "for (;;) { try { for (;;) usleep(100); } catch (...) {} }"),
    interrupted("stopped by itself", "raise(SIGSTOP); for (;;) usleep(100);"),
    interrupted("endless compilation", "template <int A, int B> struct F { static constexpr int v = F<A - 1, B * 2>::v + F<A - 1, B * 2 + 1>::v; };\n"
                "template <int B> struct F<0, B> { static constexpr int v = 1; };\nint f = F<20, 0>::v;"),
    interrupted("endless preprocessing", "\n".join(["#define X0 1 +"] + [f"#define X{i} X{i - 1} X{i - 1} X{i - 1} X{i - 1}" for i in range(1, 16)] + ["int x = X15 1;"])),
    # Memory and descriptors
    Row("memory exhausted by new", "std::vector<char*> blocks; for (;;) { blocks.push_back(new char[64 << 20]); memset(blocks.back(), 1, 64 << 20); }", "OutOfMemory", "", timeout=60),
    Row("memory exhausted by a vector", "std::vector<double> growing; for (;;) growing.push_back(1);", "OutOfMemory", "", timeout=60),
    Row("memory exhausted at once", "std::vector<char> at_once(size_t(1) << 40);", "OutOfMemory|std::bad_alloc", "", after=EITHER),
    Row("memory exhausted by malloc", "for (;;) { char* block = (char*)malloc(64 << 20); memset(block, 1, 64 << 20); }", "OutOfMemory|Crash", "", timeout=60),
    Row("memory exhausted in a thread", "std::thread eater([] { for (;;) memset(new char[64 << 20], 1, 64 << 20); });\neater.join();", "OutOfMemory|Crash", "", timeout=60),
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
    fine("child that ends by exit", "pid_t child = fork();\nif (child == 0) exit(3);\nint how; waitpid(child, &how, 0); std::cout << WEXITSTATUS(how);", stdout="^3$"),
    fine("zombies", "for (int i = 0; i < 5; ++i) if (fork() == 0) _exit(0);"),
    fine("SIGCHLD ignored", "signal(SIGCHLD, SIG_IGN);"),
    fine("all signals ignored", "for (int i = 1; i < 32; ++i) signal(i, SIG_IGN);"),
    # Input where none is allowed
    Row("std::cin without input", "int wanted; std::cin >> wanted;", "InputNotAllowed", "", after=STAYS),
    Row("std::getline without input", "std::string wanted; std::getline(std::cin, wanted);", "InputNotAllowed", "", after=STAYS),
    fine("scanf sees the end of the file", 'int wanted = 5; int got = scanf("%d", &wanted); std::cout << got;', stdout="-1"),
    # No error, and the session goes on
    fine("fifty megabytes of output", 'std::string block(1 << 20, \'x\'); for (int i = 0; i < 50; ++i) { block.back() = \'\\n\'; std::cout << block; }\nstd::cout << "the end" << std::endl;',
         timeout=60),
    fine("bytes that are not UTF-8", 'std::cout << "a\\xff\\xfe b\\xc3" << "\\xa9 c" << std::endl;', stdout="a\ufffd+ b\u00e9 c"),
    fine("zero bytes", 'std::cout << std::string("a\\0b", 3) << std::endl;', stdout="a.b"),
    fine("a forked child that returns from the cell", 'pid_t child = fork();\nif (child == 0) std::cout << "child" << std::endl;\nelse waitpid(child, nullptr, 0);', stdout="child"),
    fine("an empty cell of blanks", "   \n\n"),
    fine("huge cell", "int sum_of_many = 0;\n" + "sum_of_many += 1;\n" * 2000 + "std::cout << sum_of_many;", stdout="^2000$", timeout=60),
    fine("long line", 'std::string long_text = "' + "x" * 200000 + '"; std::cout << long_text.size();', stdout="^200000$"),
    fine("alarm", "alarm(0);"),
    fine("errno and locale", 'setlocale(LC_ALL, "C"); errno = 5;'),
    fine("working directory changed", 'chdir("/");'),
    fine("umask changed", "#include <sys/stat.h>\numask(077);"),
    fine("stack of four megabytes used", "void use_stack() { volatile char big[4 << 20]; big[0] = 1; big[(4 << 20) - 1] = 1; }\nuse_stack();"),
]


def prepare(kernel):
    kernel.run(INCLUDES + "int kept = 7;\nint twice(int x) { return 2 * x; }").ok()


def check_alive(kernel, kept):
    """The session answers, and `kept` is one of the values."""
    assert kernel.run("40 + 2").ok().result == "42"
    state = kernel.value("kept")
    assert state in kept, f"kept is {state}, expected one of {kept}"
    assert kernel.value("twice(kept)") == str(2 * int(state))
    said = kernel.run('std::cout << "still " << 255 << std::endl; printf("%d\\n", 16); std::cerr << "there" << std::endl;').ok()
    assert sorted(said.stdout.split()) == ["16", "255", "still"] and said.stderr == "there\n", said
    assert kernel.value("std::vector<int> fresh_vector{1, 2, 3}; fresh_vector.size()") == "3"


def run_row(kernel, row):
    code = row.cell if row.cell.startswith("!") else "kept = 8; int left_behind = 1;\n" + row.cell
    result = kernel.run(code, timeout=row.timeout, interrupt_after=row.interrupt)
    if row.ename is None:
        result.ok()
    elif row.ename != "*":
        assert result.status == "error", f"an error {row.ename} was expected\n{result}"
        assert re.fullmatch(row.ename, result.ename), f"ename {result.ename!r}, expected {row.ename!r}\n{result}"
        assert re.search(row.evalue, result.evalue), f"evalue {result.evalue!r}, expected {row.evalue!r}\n{result}"
        assert re.search(row.traceback, result.traceback), f"{row.traceback!r} is not in\n{result.traceback}"
    if row.line:
        number, text = row.line + 1, row.cell.split("\n")[row.line - 1].strip()
        assert text in result.traceback, f"line {number}, {text!r}, is not in\n{result.traceback}"
        assert re.search(rf"\b{number}\b", result.traceback), f"line number {number} is not in\n{result.traceback}"
    if row.interrupt is not None:
        assert result.seconds_after_interrupt < 2 * SLOW, f"back after {result.seconds_after_interrupt:.2f} s"
    if row.stdout is not None:
        assert re.search(row.stdout, result.stdout, re.S), f"stdout {result.stdout[:200]!r}, expected {row.stdout!r}"
    return result


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
@pytest.mark.timeout(90 * SLOW)
def test_session_goes_on(kernel, row):
    prepare(kernel)
    run_row(kernel, row)
    if row.cell.startswith("!"):
        return check_alive(kernel, ["7"])
    check_alive(kernel, {UNDONE: ["7"], STAYS: ["8"], EITHER: ["7", "8"]}[row.after])
    left = kernel.run("left_behind")
    if row.after == UNDONE:
        assert left.ename == "CompileError", f"the failed cell left a trace\n{left}"
    elif row.after == STAYS:
        assert left.ok().result == "1"


@pytest.mark.timeout(90 * SLOW)
def test_ten_crashes_are_no_worse_than_one(fresh):
    prepare(fresh)
    cell = "kept = 8;\nint* volatile p = nullptr; *p = 1;"

    def state():
        processes = fresh.processes()
        front = next(p for p in processes if p.pid == fresh.pid)
        return len(processes), front.num_fds(), front.memory_info().rss

    fresh.run(cell)
    check_alive(fresh, ["7"])
    processes, descriptors, memory = state()
    seconds = []
    for _ in range(10):
        result = fresh.run(cell)
        assert result.ename == "Crash" and "SIGSEGV" in result.evalue
        seconds.append(result.seconds)
    check_alive(fresh, ["7"])
    time.sleep(0.3 * SLOW)
    after = state()
    assert after[0] <= processes, f"{processes} processes before, {after[0]} after"
    assert after[1] <= descriptors + 2, f"{descriptors} descriptors of the front before, {after[1]} after"
    assert after[2] < memory + (16 << 20), f"the front grew from {memory >> 20} MB to {after[2] >> 20} MB"
    assert min(seconds[5:]) < 2 * min(seconds[:5]) + 0.1, seconds
    assert max(seconds) < 2 * SLOW, seconds


def test_crash_in_a_function_of_an_earlier_cell_shows_that_cells_line(kernel):
    defined = kernel.run("int harmless = 0;\n\nvoid breaks(int* p) {\n    *p = 5;  // the culprit\n}").ok()
    kernel.run("int between = 1;").ok()
    result = kernel.run("int* volatile nothing = nullptr;\nbreaks(nothing);")
    assert result.ename == "Crash" and "SIGSEGV" in result.evalue
    assert "the culprit" in result.traceback and re.search(r"\b4\b", result.traceback), result.traceback
    assert re.search(rf"\[{defined.count}\]|cell {defined.count}\b", result.traceback), result.traceback
    assert "breaks(nothing);" in result.traceback, f"the calling line is not in\n{result.traceback}"


def test_crash_in_the_library_shows_the_line_that_called_it(kernel):
    result = kernel.run('#include <cstring>\nchar* volatile nowhere = nullptr;\n\nstrcpy(nowhere, "text");')
    assert result.ename == "Crash" and "strcpy(nowhere" in result.traceback, result.traceback


def test_crash_between_two_cells(kernel):
    """The next cell says so and runs."""
    prepare(kernel)
    kernel.run("kept = 9;").ok()
    kernel.run("std::thread([] { usleep(300000); int* volatile p = nullptr; *p = 1; }).detach();").ok()
    time.sleep(1 * SLOW)
    result = kernel.run("kept + 1").ok()
    assert result.result == "10"
    told = result.shown + result.stderr + result.stdout
    assert "SIGSEGV" in told, f"nothing says that the session crashed between the cells\n{result}"
    assert "SIGSEGV" not in str(kernel.run("kept").messages), "it is said once"


def test_a_thread_that_prints_after_its_cell(kernel):
    prepare(kernel)
    cell = kernel.run('std::thread([] { usleep(300000); std::cout << "late" << std::endl; }).detach();').ok()
    late = kernel.drain(3, until=lambda m: m["msg_type"] == "stream")
    assert late and late[-1]["content"] == {"name": "stdout", "text": "late\n"}
    assert late[-1]["parent_header"]["msg_id"] == cell.reply["parent_header"]["msg_id"], "it belongs to the cell that started it"
    check_alive(kernel, ["7"])


def test_several_crashes_between_cells(kernel):
    prepare(kernel)
    for _ in range(3):
        kernel.run("std::thread([] { usleep(100000); abort(); }).detach();").ok()
        time.sleep(0.5 * SLOW)
        assert kernel.value("twice(kept)") == "14"


TAKE_OVERS = ["int* volatile p = nullptr; *p = 1;", "std::vector<int> v; v.foo();", "exit(1);", "int not_there(); not_there();"]


@pytest.mark.parametrize("code", TAKE_OVERS)
def test_everything_works_after_a_take_over(kernel, code, tmp_path):
    """OpenMP, BLAS, threads, futures and open files, used before and after."""
    prepare(kernel)
    kernel.run("#include <omp.h>\n#include <fstream>\n#include <xtensor/xarray.hpp>\n#include <xtensor-blas/xlinalg.hpp>").ok()
    use = [
        ("int threads_seen = 0;\n#pragma omp parallel for reduction(+ : threads_seen)\nfor (int i = 0; i < 1000; ++i) threads_seen += 1;\nthreads_seen", "1000"),
        ("xt::xarray<double> square_matrix{{1., 2.}, {3., 4.}};\nint(xt::linalg::dot(square_matrix, square_matrix)(1, 1))", "22"),
        ("int in_thread = 0; std::thread t([&] { in_thread = 5; }); t.join();\nin_thread", "5"),
        ("std::async(std::launch::async, [] { return 6; }).get()", "6"),
    ]
    kernel.run(f'std::ofstream held_open("{tmp_path}/held.txt"); held_open << "before\\n" << std::flush;').ok()
    for cell, value in use:
        assert kernel.value(cell) == value
    for _ in range(2):
        assert kernel.run(code).status == "error"
        for cell, value in use:
            assert kernel.value(cell) == value
    kernel.run('held_open << "after\\n" << std::flush;').ok()
    assert (tmp_path / "held.txt").read_text() == "before\nafter\n"


def test_large_matrix_product_after_a_take_over(kernel):
    """BLAS starts threads for this one; they are not in the copy that took over."""
    kernel.run("#include <xtensor/xarray.hpp>\n#include <xtensor-blas/xlinalg.hpp>\nxt::xarray<double> big = xt::ones<double>({400, 400});").ok()
    assert kernel.value("int(xt::linalg::dot(big, big)(7, 7))") == "400"
    assert kernel.run("abort();").ename == "Crash"
    assert kernel.value("int(xt::linalg::dot(big, big)(7, 7))") == "400"


def test_children_of_a_crashed_cell_are_cleared_away(kernel):
    prepare(kernel)
    before = len(kernel.processes())
    result = kernel.run("for (int i = 0; i < 3; ++i) if (fork() == 0) for (;;) pause();\nusleep(100000); abort();")
    assert result.ename == "Crash"
    deadline = time.monotonic() + 3 * SLOW
    while len(kernel.processes()) > before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(kernel.processes()) <= before, [p.cmdline() for p in kernel.processes()]


def test_crash_in_the_first_cell(fresh):
    assert fresh.run("int* volatile p = nullptr; *p = 1;").ename == "Crash"
    assert fresh.value("40 + 2") == "42"


def test_interrupt_when_idle_does_nothing(kernel):
    prepare(kernel)
    for _ in range(3):
        kernel.interrupt()
        time.sleep(0.1)
    check_alive(kernel, ["7"])


def test_interrupt_pressed_five_times(kernel):
    prepare(kernel)
    message = kernel.submit("kept = 8; for (;;) usleep(100);")
    for _ in range(5):
        time.sleep(0.2 * SLOW)
        kernel.interrupt()
    assert kernel.wait(message).ename == "Interrupted"
    check_alive(kernel, ["7"])


def test_interrupt_that_the_cell_answers_keeps_what_was_done(kernel):
    """Code that looks at xcpp_interrupted() ends with everything in order, by an exception."""
    prepare(kernel)
    result = kernel.run(
        '#include "xcpp/capi.h"\nkept = 8;\nstd::cout << "running" << std::endl;\n'
        'while (!xcpp_interrupted()) usleep(1000);\nthrow std::runtime_error("stopped in good order");',
        interrupt_when="running",
    )
    assert result.status == "error" and result.ename in ("Interrupted", "std::runtime_error")
    check_alive(kernel, ["8"])


def test_cells_queued_behind_a_crash_still_run(kernel):
    """The front end sends them without stop_on_error when a person runs single cells one after the other."""
    prepare(kernel)
    first = kernel.client.execute("int* volatile p = nullptr; *p = 1;", stop_on_error=False)
    second = kernel.client.execute("40 + 2", stop_on_error=False)
    assert kernel.wait(first).ename == "Crash"
    got = [m for m in kernel.strays if m["parent_header"].get("msg_id") == second]
    replies = [m for m in got if m["msg_type"] == "execute_reply"]
    if replies:
        assert replies[0]["content"]["status"] == "ok"
    else:
        assert kernel.wait(second).status == "ok"


def test_restart_while_a_cell_runs(fresh):
    prepare(fresh)
    fresh.submit("for (;;) ;")
    time.sleep(0.5 * SLOW)
    begin = time.monotonic()
    fresh.restart()
    assert time.monotonic() - begin < 5 * SLOW
    assert fresh.value("40 + 2") == "42"
    assert fresh.run("kept").ename == "CompileError"


def test_shutdown_while_a_cell_runs(fresh):
    fresh.run("#include <unistd.h>").ok()
    fresh.submit("if (fork() == 0) for (;;) ;\nfor (;;) ;")
    time.sleep(0.5 * SLOW)
    begin = time.monotonic()
    assert fresh.request("shutdown_request", {"restart": False}, channel="control", timeout=2)["status"] == "ok"
    while fresh.alive() and time.monotonic() - begin < 5 * SLOW:
        time.sleep(0.02)
    assert not fresh.alive(), "it still runs five seconds after shutdown_request"
    assert fresh.left_behind() == []


def test_killed_front_takes_the_session_along(fresh):
    """No orphan when the notebook server kills it the hard way."""
    fresh.run("int x = 1;").ok()
    fresh.submit("for (;;) ;")
    time.sleep(0.5 * SLOW)
    fresh.manager.provisioner.process.kill()  # the front alone, not its group
    deadline = time.monotonic() + 5 * SLOW
    while fresh.processes() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not fresh.processes(), [p.cmdline() for p in fresh.processes()]
