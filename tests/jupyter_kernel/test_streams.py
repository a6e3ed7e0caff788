"""Output and input at the level of file descriptors: in order, while the cell runs, however much, whatever bytes."""


import pytest
from client import PATIENCE, comes_true

INCLUDES = "#include <cstdio>\n#include <cstdlib>\n#include <iostream>\n#include <thread>\n#include <unistd.h>\n"


@pytest.fixture
def ready(kernel):
    kernel.run(INCLUDES).ok()
    return kernel


def streams(result):
    """The text of the cell as (stream, text), neighbours of one stream joined."""
    out = []
    for m in result.of("stream"):
        name, text = m["content"]["name"], m["content"]["text"]
        if out and out[-1][0] == name:
            out[-1] = (name, out[-1][1] + text)
        else:
            out.append((name, text))
    return out


@pytest.mark.parametrize(
    "code",
    [
        'std::cout << "text" << std::endl;',
        'std::cout << "text\\n";',
        'printf("text\\n");',
        'puts("text");',
        'write(1, "text\\n", 5);',
        'fputs("text\\n", stdout);',
        'system("echo text");',
        'std::clog << "x" << std::flush; std::cout << "text\\n";',
        'std::cout << "te" << std::flush; printf("xt\\n");',
        'std::wcout << L"text" << std::endl;',
    ],
)
def test_stdout(ready, code):
    assert ready.run(code).ok().stdout == "text\n"


@pytest.mark.parametrize(
    "code",
    [
        'std::cerr << "oops" << std::endl;',
        'fprintf(stderr, "oops\\n");',
        'write(2, "oops\\n", 5);',
        'std::clog << "oops" << std::endl;',
        'system("echo oops >&2");',
        'errno = 0; fputs("oops\\n", stderr);',
    ],
)
def test_stderr(ready, code):
    result = ready.run(code).ok()
    assert result.stderr == "oops\n" and result.stdout == ""


def test_cerr_is_the_first_message(ready):
    result = ready.run('std::cerr << "oops" << std::endl;').ok()
    assert result.of("stream")[0]["content"] == {"name": "stderr", "text": "oops\n"}


def test_order_of_cout_printf_and_children(ready):
    """cout, printf and write are buffers of their own; what is flushed comes in the order in which it was flushed."""
    result = ready.run(
        'std::cout << "1 " << std::flush; printf("2 "); fflush(stdout); write(1, "3 ", 2); system("printf \'4 \'"); std::cout << "5 " << std::flush; puts("6");'
    ).ok()
    assert result.stdout == "1 2 3 4 5 6\n"


def test_mixed_cout_and_printf_without_flush(ready):
    """sync_with_stdio is on, as in any program: no flush is needed between them."""
    assert ready.run(
        'std::cout << "a"; printf("b"); std::cout << "c"; putchar(\'d\'); std::cout << "e\\n";').ok(
        ).stdout == "abcde\n"


def test_order_of_stdout_and_stderr(ready):
    result = ready.run(
        'for (int i = 0; i < 3; ++i) { std::cout << "out" << i << std::endl; usleep(120000); std::cerr << "err" << i << std::endl; usleep(120000); }'
    ).ok()
    assert streams(result) == [(name, f"{name[3:]}{i}\n")
                               for i in range(3)
                               for name in ("stdout", "stderr")]


def test_no_newline_at_the_end(ready):
    assert ready.run('std::cout << "no newline";').ok().stdout == "no newline"
    assert ready.run('printf("not flushed");').ok().stdout == "not flushed"


def test_output_before_an_error_is_shown_before_it(ready):
    for code in (
            'std::cout << "before"; throw std::runtime_error("x");',
            'printf("before"); abort();',
            'std::cout << "before" << std::flush; _exit(1);',
            'std::cout << "before"; exit(1);',
    ):
        result = ready.run(code)
        kinds = [m["msg_type"] for m in result.of("stream", "error")]
        assert kinds == ["stream", "error"] and result.stdout == "before", f"{code}\n{result}"


def test_output_of_a_crash_in_a_loop_is_complete(ready):
    result = ready.run(
        'for (int i = 0; i < 1000; ++i) std::cout << i << "\\n" << std::flush;\nint* volatile p = nullptr; *p = 1;'
    )
    assert result.ename == "Crash" and result.stdout.split() == [str(i) for i in range(1000)]


@pytest.mark.parametrize("code", [
    "std::cout << i << std::endl;", 'printf("%d\\n", i);', 'puts("line");', 'system("echo line");'
])
def test_text_appears_while_the_cell_runs(ready, code, tmp_path):
    """The cell goes on only when its text was seen."""
    def see(message):
        if message["msg_type"] == "stream":
            (tmp_path / str(len(list(tmp_path.iterdir())))).touch()

    wait = f'while (access(("{tmp_path}/" + std::to_string(i)).c_str(), F_OK) != 0) usleep(1000);'
    ready.run(f"for (int i = 0; i < 3; ++i) {{ {code} {wait} }}", on_message=see).ok()


def test_at_most_twenty_stream_messages_a_second(ready):
    """Coalesced, so that no high-water mark is reached."""
    result = ready.run('for (int i = 0; i < 200000; ++i) std::cout << "line " << i << std::endl;',
                       timeout=60).ok()
    assert result.stdout.count("\n") == 200000 and result.stdout.endswith("line 199999\n")
    assert len(result.of("stream")) < 30 * max(
        1, result.seconds), f"{len(result.of('stream'))} messages in {result.seconds:.1f} s"


def test_fifty_megabytes(ready):
    result = ready.run(
        "std::string mega(1 << 20, 'x'); mega.back() = '\\n';\nfor (int i = 0; i < 50; ++i) fwrite(mega.data(), 1, mega.size(), stdout);\nstd::cerr << \"still said\";",
        timeout=60,
    ).ok()
    assert 9_500_000 < len(result.stdout) < 10_500_000
    assert "still said" in result.stderr
    notes = [
        line for line in (result.stdout[-500:] + "\n" + result.shown + "\n" +
                          result.stderr).split("\n")
        if line and "x" * 20 not in line and line != "still said"
    ]
    assert len(notes) == 1, f"one line says so: {notes}"
    assert ready.run('std::cout << "afterwards";').ok().stdout == "afterwards"


def test_output_limit_can_be_set(make_kernel):
    kernel = make_kernel(env={"XCPP_OUTPUT_LIMIT": "1000000"})
    result = kernel.run(
        "#include <iostream>\nstd::string kilo(1023, 'x'); kilo += '\\n';\nfor (int i = 0; i < 5000; ++i) std::cout << kilo;"
    ).ok()
    assert 900_000 < len(result.stdout) < 1_100_000


def test_bytes_that_are_not_utf8(ready):
    result = ready.run(
        r"""std::cout << "a\xff" "b\xc3\x28" "c" << std::endl; fwrite("\xf0\x9f", 1, 2, stdout); fflush(stdout); usleep(150000); fwrite("\x98\x80\n", 1, 3, stdout);"""
    ).ok()
    assert result.stdout == "a\ufffdb\ufffd(c\n\U0001f600\n", ascii(result.stdout)


def test_a_character_is_never_split(ready):
    result = ready.run(
        'std::string euro = "\\u20ac";\nfor (int i = 0; i < 300000; ++i) std::cout << euro;').ok()
    assert result.stdout == "\u20ac" * 300000
    assert all("\ufffd" not in m["content"]["text"] for m in result.of("stream"))


def test_half_a_character_at_the_end(ready):
    assert ready.run('fwrite("x\\xe2\\x82", 1, 3, stdout);').ok().stdout.startswith("x\ufffd")
    assert ready.run('std::cout << "clean";').ok().stdout == "clean"


def test_escape_sequences_and_carriage_returns_pass(ready):
    assert ready.run(r'std::cout << "\x1b[31mred\x1b[0m\r50%\b\t" << std::endl;').ok(
    ).stdout == "\x1b[31mred\x1b[0m\r50%\b\t\n"


def test_threads_printing_at_once(ready):
    result = ready.run(
        'std::vector<std::thread> ts;\nfor (int t = 0; t < 4; ++t) ts.emplace_back([t] { for (int i = 0; i < 500; ++i) printf("%d:%d\\n", t, i); });\nfor (auto& t : ts) t.join();'
    ).ok()
    assert sorted(result.stdout.split()) == sorted(f"{t}:{i}" for t in range(4) for i in range(500))


def test_child_that_prints_after_its_cell(ready):
    cell = ready.run(
        'if (fork() == 0) { usleep(300000); write(1, "late child\\n", 11); _exit(0); }').ok()
    late = ready.drain(3, until=lambda m: m["msg_type"] == "stream")
    assert late and late[-1]["content"]["text"] == "late child\n"
    assert late[-1]["parent_header"]["msg_id"] == cell.reply["parent_header"]["msg_id"]


def test_background_process_does_not_hold_the_cell(ready):
    ready.run('system("sleep 1000 &");').ok()
    ready.run("!sleep 1000 &").ok()


def test_redirected_and_brought_back(ready):
    result = ready.run(
        'std::ostringstream captured; auto* old_buffer = std::cout.rdbuf(captured.rdbuf()); std::cout << "inside"; std::cout.rdbuf(old_buffer); std::cout << "outside";\ncaptured.str()'
    ).ok()
    assert result.stdout == "outside" and result.result == '"inside"'


@pytest.mark.parametrize(
    "code",
    [
        "fclose(stdout);",
        "close(1);",
        "std::cout.setstate(std::ios::badbit);",
        "std::cout.rdbuf(nullptr);",
        'freopen("/dev/null", "w", stdout);',
        "fclose(stderr); fclose(stdin);",
        "std::cin.setstate(std::ios::badbit);",
    ],
)
def test_stream_left_in_a_bad_state(ready, code):
    ready.run(code)
    result = ready.run(
        'std::cout << "cout "; printf("printf "); std::cerr << "cerr"; fprintf(stderr, " stderr");'
    ).ok()
    assert result.stdout == "cout printf " and result.stderr == "cerr stderr"
    assert ready.value("int typed_in; std::cin >> typed_in;\ntyped_in", stdin=["6"]) == "6"


def test_stdin_of_children_is_empty(ready):
    assert ready.run('system("cat; echo done");').ok().stdout == "done\n"
    assert ready.value('int scanned = 3; scanf("%d", &scanned)') == "-1"


def test_output_is_not_mixed_up_between_cells(ready):
    first = ready.submit('std::cout << "first"; usleep(200000);')
    second = ready.submit('std::cout << "second";')
    got = []

    def both_ended():
        got.extend(ready.drain(0.2))
        return sum(m["content"].get("execution_state") == "idle" for m in got) == 2

    assert comes_true(both_ended)
    said = {
        key:
        "".join(m["content"]["text"]
                for m in got
                if m["msg_type"] == "stream" and m["parent_header"]["msg_id"] == key)
        for key in (first, second)
    }
    assert said == {first: "first", second: "second"}
    for _ in range(2):
        ready.client.get_shell_msg(timeout=5 * PATIENCE)
