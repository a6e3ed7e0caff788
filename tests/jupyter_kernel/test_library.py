"""What the standard library, OpenMP, BLAS and xtensor do in cells, before and after a take-over."""
import pytest

CELLS = {
    "std::thread": ("#include <thread>\n#include <atomic>\nstd::atomic<int> hits{0}; std::vector<std::thread> team;\n"
                    "for (int i = 0; i < 8; ++i) team.emplace_back([&] { for (int k = 0; k < 1000; ++k) ++hits; });\nfor (auto& t : team) t.join();\nhits.load()", "8000"),
    "std::async": ("#include <future>\nauto f1 = std::async(std::launch::async, [](int x) { return x * 2; }, 21);\nf1.get()", "42"),
    "std::async deferred": ("#include <future>\nauto f2 = std::async(std::launch::deferred, [] { return 1; });\nf2.get()", "1"),
    "std::promise": ("#include <future>\n#include <thread>\nstd::promise<int> p; auto pf = p.get_future(); std::thread pt([&] { p.set_value(7); });\nint pv = pf.get(); pt.join();\npv", "7"),
    "std::packaged_task": ("#include <future>\nstd::packaged_task<int(int)> task([](int x) { return x + 1; }); auto tf = task.get_future(); task(4);\ntf.get()", "5"),
    "std::call_once": ("#include <mutex>\nstd::once_flag once; int calls = 0;\nfor (int i = 0; i < 3; ++i) std::call_once(once, [&] { ++calls; });\ncalls", "1"),
    "std::mutex and condition_variable": (
        "#include <condition_variable>\n#include <thread>\nstd::mutex mx; std::condition_variable cv; bool ready = false; int seen = 0;\n"
        "std::thread waiter([&] { std::unique_lock<std::mutex> lock(mx); cv.wait(lock, [&] { return ready; }); seen = 9; });\n"
        "{ std::lock_guard<std::mutex> lock(mx); ready = true; }\ncv.notify_one(); waiter.join();\nseen", "9"),
    "thread_local": ("#include <thread>\nthread_local int tl = 1;\ntl = 5; int other_tl = 0;\nstd::thread([&] { other_tl = tl; tl = 100; }).join();\ntl * 10 + other_tl", "51"),
    "thread_local in a function": ("#include <thread>\nint next_tl() { thread_local int n = 10; return ++n; }\nnext_tl(); int from_other = 0;\nstd::thread([&] { from_other = next_tl(); }).join();\n"
                                   "next_tl() * 100 + from_other", "1211"),
    "thread_local with a destructor": ('#include <thread>\nint ended = 0; struct AtEnd { std::string s = "x"; ~AtEnd() { ++ended; } };\nvoid use_at_end() { thread_local AtEnd at_end; at_end.s += "y"; }\n'
                                       "std::thread([] { use_at_end(); }).join();\nended", "1"),
    "fork and waitpid": ("#include <sys/wait.h>\n#include <unistd.h>\npid_t c = fork();\nif (c == 0) _exit(17);\nint how = 0; waitpid(c, &how, 0);\nWEXITSTATUS(how)", "17"),
    "pipe to a child": ("#include <sys/wait.h>\n#include <unistd.h>\nint fds[2]; int piped = pipe(fds);\nif (fork() == 0) { write(fds[1], \"child\", 5); _exit(0); }\nclose(fds[1]); char buffer[16] = {}; "
                        "auto n = read(fds[0], buffer, 15); close(fds[0]); wait(nullptr);\nstd::string(buffer, n)", '"child"'),
    "shared memory with a child": ("#include <sys/mman.h>\n#include <sys/wait.h>\n#include <unistd.h>\nint* cell_memory = (int*)mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);\n"
                                   "if (fork() == 0) { *cell_memory = 33; _exit(0); }\nwait(nullptr);\n*cell_memory", "33"),
    "popen": ('#include <cstdio>\nFILE* out = popen("echo piped", "r"); char line[32] = {}; char* got = fgets(line, 32, out); pclose(out);\nstd::string(line)', '"piped\\n"'),
    "OpenMP loop": ("#include <omp.h>\nlong total = 0;\n#pragma omp parallel for reduction(+ : total)\nfor (int i = 1; i <= 1000; ++i) total += i;\ntotal", "500500"),
    "OpenMP team": ("#include <omp.h>\nomp_set_num_threads(4); int team_size = 0;\n#pragma omp parallel\n{\n#pragma omp single\n    team_size = omp_get_num_threads();\n}\nteam_size", "4"),
    "OpenMP in a function": ("#include <omp.h>\ndouble omp_sum(const std::vector<double>& v) {\n    double s = 0;\n#pragma omp parallel for reduction(+ : s)\n    for (size_t i = 0; i < v.size(); ++i) s += v[i];\n    return s;\n}\n"
                             "int(omp_sum(std::vector<double>(1000, 2.0)))", "2000"),
    "OpenMP critical, atomic, tasks": ("#include <omp.h>\nint crit = 0, atom = 0, tasks = 0;\n#pragma omp parallel num_threads(3)\n{\n#pragma omp critical\n    ++crit;\n#pragma omp atomic\n    ++atom;\n#pragma omp single\n    for (int i = 0; i < 4; ++i)\n    {\n"
                                       "#pragma omp task\n        {\n#pragma omp atomic\n            ++tasks;\n        }\n    }\n}\ncrit * 100 + atom * 10 + tasks", "334"),
    "exception across cells": ('try { thrower(3); } catch (const OwnError& e) { caught_text = e.what(); }\ncaught_text', '"own 3"'),
    "exception of the library": ("std::string oor; try { std::vector<int>(2).at(5); } catch (const std::out_of_range&) { oor = \"caught\"; }\noor", '"caught"'),
    "exception out of a thread by a future": ('#include <future>\nstd::string told; try { std::async(std::launch::async, [] { throw std::runtime_error("far"); }).get(); } catch (const std::exception& e) { told = e.what(); }\ntold', '"far"'),
    "exception_ptr": ('std::exception_ptr ep; try { throw std::runtime_error("kept"); } catch (...) { ep = std::current_exception(); }\nstd::string again; try { std::rethrow_exception(ep); } catch (const std::exception& e) { again = e.what(); }\nagain', '"kept"'),
    "function static with a guard": ("int made = 0; struct Made { Made() { ++made; } }; Made& only() { static Made m; return m; }\nonly(); only();\nmade", "1"),
    "shared_ptr and weak_ptr": ("#include <memory>\nauto sp = std::make_shared<std::vector<int>>(3, 1); std::weak_ptr<std::vector<int>> wp = sp; auto sp2 = sp;\nsp.reset();\nwp.lock()->size()", "3"),
    "regex": ("#include <regex>\nstd::smatch sm; std::string subject = \"ab12\"; std::regex_search(subject, sm, std::regex(\"[0-9]+\"));\nsm.str()", '"12"'),
    "filesystem": ("#include <filesystem>\nstd::filesystem::exists(\"/\")", "true"),
    "chrono": ("#include <chrono>\nauto t0 = std::chrono::steady_clock::now();\nstd::chrono::steady_clock::now() >= t0", "true"),
    "random": ("#include <random>\nstd::mt19937 gen(42);\ngen()", "1608637542"),
    "sstream and iomanip": ("#include <iomanip>\n#include <sstream>\nstd::ostringstream os; os << std::setprecision(3) << 3.14159 << ' ' << std::hex << 255;\nos.str()", '"3.14 ff"'),
    "fstream": ('#include <fstream>\n{ std::ofstream o("t.txt"); o << "in a file"; }\nstd::string w1, w2; std::ifstream("t.txt") >> w1 >> w2;\nw2', '"a"'),
    "parallel algorithms of numeric": ("#include <numeric>\nstd::vector<int> nums(10); std::iota(nums.begin(), nums.end(), 1);\nstd::reduce(nums.begin(), nums.end())", "55"),
    "atomic wide": ("#include <atomic>\nstd::atomic<long long> al{1}; al.fetch_add(41);\nal.load()", "42"),
    "math": ("#include <cmath>\nint(std::round(std::sin(1.0) * 1000)) + int(std::tgamma(5.0))", "865"),
    "long double and int128": ("__int128 wide = 1; wide <<= 100; int(wide >> 98)", "4"),
    "setjmp": ("#include <csetjmp>\nint jumped() { std::jmp_buf b; if (setjmp(b) == 0) std::longjmp(b, 1); return 6; }\njumped()", "6"),
    "variadic printf": ('#include <cstdio>\nchar text64[64]; std::snprintf(text64, 64, "%d %s %.1f", 1, "two", 3.0);\nstd::string(text64)', '"1 two 3.0"'),
    "signal handler": ("#include <csignal>\nvolatile std::sig_atomic_t got_signal = 0;\nstd::signal(SIGUSR1, [](int) { got_signal = 1; });\nstd::raise(SIGUSR1);\nint(got_signal)", "1"),
    "xtensor sum": ("xt::xarray<double> xa{{1., 2.}, {3., 4.}};\nint(xt::sum(xa)())", "10"),
    "xtensor expression": ("xt::xtensor<float, 1> xf{1.f, 2.f, 3.f}; xt::xtensor<float, 1> xg = 2.f * xf + 1.f;\nint(xg(2))", "7"),
    "xtensor view": ("xt::xarray<int> xi{{1, 2, 3}, {4, 5, 6}};\nxt::sum(xt::view(xi, 1, xt::range(0, 2)))()", "9"),
    "BLAS dot": ("xt::xarray<double> ma{{1., 2.}, {3., 4.}};\nint(xt::linalg::dot(ma, ma)(1, 0))", "15"),
    "BLAS with float": ("xt::xtensor<float, 2> mf{{1, 2}, {3, 4}}; xt::xtensor<float, 2> mg = xt::linalg::dot(mf, mf);\nint(mg(0, 1))", "10"),
    "LAPACK solve": ("xt::xarray<double> la{{2., 0.}, {0., 4.}}; xt::xarray<double> lb{2., 8.};\nint(xt::linalg::solve(la, lb)(1))", "2"),
    "cblas by hand": ('extern "C" double cblas_ddot(int, const double*, int, const double*, int);\ndouble va[3] = {1, 2, 3};\nint(cblas_ddot(3, va, 1, va, 1))', "14"),
    "BLAS from several threads": ("#include <thread>\nxt::xarray<double> bt = xt::ones<double>({100, 100}); std::vector<double> outs(3); std::vector<std::thread> bts;\n"
                                  "for (int i = 0; i < 3; ++i) bts.emplace_back([&, i] { outs[i] = xt::linalg::dot(bt, bt)(0, 0); });\nfor (auto& t : bts) t.join();\nint(outs[0] + outs[1] + outs[2])", "300"),
}

PREPARE = """
#include <xtensor/xarray.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>
#include <xtensor-blas/xlinalg.hpp>
std::string caught_text;
struct OwnError : std::runtime_error { using std::runtime_error::runtime_error; };
void thrower(int n) { throw OwnError("own " + std::to_string(n)); }
"""


@pytest.mark.parametrize("name", CELLS)
def test_works_also_after_a_take_over(kernel, name):
    kernel.run(PREPARE).ok()
    code, expected = CELLS[name]
    assert kernel.value(code) == expected
    assert kernel.run("#include <cstdlib>\nabort();").ename == "Crash"
    assert kernel.value(code) == expected


def test_openmp_uses_several_threads_after_a_take_over(kernel):
    code = "#include <omp.h>\n#include <set>\n#include <thread>\nstd::set<std::thread::id> ids;\n#pragma omp parallel num_threads(3)\n{\n#pragma omp critical\n    ids.insert(std::this_thread::get_id());\n}\nids.size()"
    assert kernel.value(code) == "3"
    kernel.run("abort();")
    assert kernel.value(code) == "3"


def test_blas_uses_its_threads_after_a_take_over(kernel):
    """OpenBLAS runs on one thread after a fork until it is told again."""
    code = 'extern "C" int openblas_get_num_threads();\n#include <xtensor-blas/xlinalg.hpp>\n#include <filesystem>\nxt::xarray<double> wide = xt::ones<double>({600, 600}); double corner = xt::linalg::dot(wide, wide)(0, 0);\n'
    count = "int tasks_now = 0; for (auto& t : std::filesystem::directory_iterator(\"/proc/self/task\")) { (void)t; ++tasks_now; }\ntasks_now >= openblas_get_num_threads()"
    assert kernel.value(code + count) == "true"
    kernel.run("abort();")
    assert kernel.value(code + count) == "true"


def test_session_threads_survive_their_cell(kernel):
    """A thread of an earlier cell goes on in later cells."""
    kernel.run("#include <atomic>\n#include <thread>\n#include <unistd.h>\nstd::atomic<bool> stop_it{false}; std::atomic<long> beats{0};\nstd::thread heart([] { while (!stop_it) { ++beats; usleep(1000); } });").ok()
    assert kernel.value("long before_beats = beats; usleep(100000);\nbeats > before_beats") == "true"
    kernel.run("stop_it = true; heart.join();").ok()


def test_xtensor_tables(kernel):
    kernel.run(PREPARE).ok()
    for _ in range(2):
        result = kernel.run("xt::xarray<double> shown{{1., 2.5}, {3., 4.}};\nshown").ok()
        assert "<table" in result.data["text/html"] and "2.5" in result.data["text/html"]
        assert kernel.run("abort();").ename == "Crash"


def test_print_of_xtensor(kernel):
    result = kernel.run("#include <xtensor/xarray.hpp>\n#include <xtensor/xio.hpp>\nxt::xarray<double> printed{{1., 2.}, {3., 4.}};\nstd::cout << printed << std::endl;").ok()
    assert result.stdout.replace(" ", "") == "{{1.,2.},\n{3.,4.}}\n"
