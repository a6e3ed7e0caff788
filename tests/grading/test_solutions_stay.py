"""Students do not get the text of a solution through grading. A session that runs an answer has none
in its files and memory; if an earlier answer was wrong and its solution takes its place, nothing that
the answer says there is shown."""

import copy

import pytest
from conftest import ROOT
from grading import restore, run
from grading.bubblewrap import SLOW, Limits

pytestmark = pytest.mark.timeout(1800 * SLOW)
CELLS = ("set-up", "sigmoid", "sigmoid-check", "sigmoid_prime", "sigmoid_prime-check")
LINES = ("return 1 / (1 + xt::exp(-x));", "return sigmoid(x) * (1 - sigmoid(x));")
FOUND, NOTHING = "a line was found", "no line was found"
# Looks for texts that it holds only in another form: each letter is one higher.
SEARCH = r"""
#include <fcntl.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
struct Search {
    std::vector<std::vector<int>> hidden{HIDDEN};
    std::vector<char> bytes = std::vector<char>(1 << 22);
    std::string context;
    std::size_t looked_at = 0;
    void look_at(int file, long from, long until) {
        for (long place = from; place < until; place += bytes.size() - 256) {
            const long wanted = std::min<long>(bytes.size(), until - place);
            const long count = pread(file, bytes.data(), wanted, place);
            if (count <= 0) return;
            looked_at += count;
            for (const auto& one : hidden)
                for (long i = 0; i + long(one.size()) <= count; ++i) {
                    const void* next = std::memchr(&bytes[i], one[0] - 1, count - i);
                    if (!next) break;
                    i = static_cast<const char*>(next) - bytes.data();
                    if (i + long(one.size()) > count) break;
                    std::size_t same = 0;
                    while (same < one.size() && bytes[i + same] + 1 == one[same]) ++same;
                    if (same == one.size())
                        context = std::string(bytes.data() + i, std::min(count - i, 90L));
                }
            if (count < wanted) return;
        }
    }
    void memory() {
        for (const auto& process : std::filesystem::directory_iterator("/proc")) {
            const int file = open((process.path() / "mem").c_str(), O_RDONLY);
            std::ifstream maps(process.path() / "maps");
            for (std::string line; file >= 0 && std::getline(maps, line);) {
                unsigned long begin = 0, end = 0;
                char readable = '-';
                if (std::sscanf(line.c_str(), "%lx-%lx %c", &begin, &end, &readable) == 3 &&
                    readable == 'r' && end - begin < (1ul << 30))
                    look_at(file, begin, end);
            }
            if (file >= 0) close(file);
        }
    }
    void files() {
        const auto skip = std::filesystem::directory_options::skip_permission_denied;
        std::filesystem::recursive_directory_iterator entry("/", skip), end;
        for (; entry != end; ++entry) {
            const std::string name = entry->path();
            if (name == "/proc" || name == "/sys" || name == "/usr" || name == "/dev") {
                entry.disable_recursion_pending();
            } else if (entry->is_regular_file() && !entry->is_symlink()) {
                const int file = open(name.c_str(), O_RDONLY);
                if (file >= 0) look_at(file, 0, entry->file_size());
                if (file >= 0) close(file);
            }
        }
    }
};
lanes::Matrix NAME(const lanes::Matrix& x) {
    Search search;
    search.memory();
    search.files();
    throw std::runtime_error(search.looked_at < 50'000'000 ? "nothing was read"
        : search.context.empty() ? "no line " "was found" : "a line " "was found: " + search.context);
}
"""


def searching(name, lines):
    hidden = ", ".join("{" + ", ".join(str(ord(letter) + 1) for letter in line) + "}" for line in lines)
    return SEARCH.replace("HIDDEN", hidden).replace("NAME", name)


@pytest.fixture(scope="module")
def graded(needs_sandbox):
    """graded(answers by cell) gives all that a student reads about them."""
    lesson = restore.Lesson(ROOT / "notebooks/solutions/01_mlp.ipynb")
    for book in (lesson.solution, lesson.released, lesson.graded):
        book.cells = [cell for cell in book.cells if cell.id in CELLS]
    plan = run.Plan(20261118, Limits(), 60)
    plan.solution = run.run(lesson, copy.deepcopy(lesson.solution), plan)

    def graded(**answers):
        book = copy.deepcopy(lesson.solution)
        for cell in book.cells:
            cell.source = answers.get(cell.id, cell.source)
        notebook, _ = restore.restore(lesson, book)
        remarks = run.run(lesson, notebook, plan).remarks
        outputs = {cell.id: str(cell.outputs) for cell in notebook.cells if restore.is_check(cell)}
        return outputs, " ".join([*outputs.values(), *remarks])

    return graded


def test_the_search_finds_a_line_that_is_there(graded):
    line = "constexpr int quite_distinctive = 4711;"
    outputs, _ = graded(sigmoid=line + searching("sigmoid", [line]).replace(
        "Search search;", "Search search; search.looked_at = quite_distinctive;"))
    assert FOUND in outputs["sigmoid-check"]


def test_no_solution_is_in_the_session_of_an_answer(graded):
    outputs, _ = graded(sigmoid=searching("sigmoid", LINES),
                        sigmoid_prime="lanes::Matrix sigmoid_prime(const lanes::Matrix& x) { return x; }")
    assert NOTHING in outputs["sigmoid-check"], outputs["sigmoid-check"]


def test_what_an_answer_finds_in_a_session_with_a_solution_is_not_shown(graded):
    outputs, said = graded(sigmoid="lanes::Matrix sigmoid(const lanes::Matrix& x) { return x; }",
                           sigmoid_prime="const auto known = sigmoid;\n"
                           + searching("sigmoid_prime", LINES).replace("Search search;",
                                                                       "known(x); Search search;"))
    assert "Your sigmoid has not passed" in outputs["sigmoid_prime-check"]
    assert FOUND not in said and not any(line in said for line in LINES)
