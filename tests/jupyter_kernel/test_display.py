"""What the module notebook shows, as a front end receives it: images, tables, plots, drawings,
progress."""

import base64
import json
import re
import struct
from xml.etree import ElementTree

import pytest

VEGA_LITE = "application/vnd.vegalite.v5+json"
SVG = "image/svg+xml"

INCLUDE = "#include <lanes/notebook.hpp>\n#include <chrono>\n#include <thread>\n"


@pytest.fixture
def shown(kernel):
    """Runs a cell and returns the one display of it."""
    def run(code):
        result = kernel.run(INCLUDE + code).ok()
        displays = result.of("display_data")
        assert len(displays) == 1, result
        return displays[0]["content"]

    return run


def size_of_png(content):
    picture = base64.b64decode(content["data"]["image/png"], validate=True)
    assert picture.startswith(b"\x89PNG\r\n\x1a\n") and b"IEND" in picture[-12:]
    return struct.unpack(">II", picture[16:24])


def size_of_svg(content):
    root = ElementTree.fromstring(content["data"][SVG])
    return float(root.get("width")), float(root.get("height"))


def pictures_in_svg(content):
    root = ElementTree.fromstring(content["data"][SVG])
    return root.findall("{http://www.w3.org/2000/svg}image")


def test_a_small_image_is_enlarged_below_its_title(shown):
    content = shown('lanes::show_image(lanes::Matrix{{0, 1, 2}, {3, 4, 5}}, "six values");')
    assert content["data"]["text/plain"] == "six values: image of 2 x 3 pixels, black 0 to white 5"
    assert set(content["data"]) == {"text/plain", SVG}
    assert "six values" in content["data"][SVG]
    picture, = pictures_in_svg(content)
    assert float(picture.get("width")) >= 200
    assert picture.get("href").startswith("data:image/png;base64,")


def test_an_image_without_a_title_is_a_png(shown):
    content = shown("lanes::show_image(lanes::Matrix{{0, 1}, {1, 0}});")
    width, height = size_of_png(content)
    assert width == height and width >= 100
    assert content["metadata"]["image/png"] == {"width": width, "height": height}


def test_a_colour_image(shown):
    content = shown("lanes::ColorImage sky({20, 30, 3}, 200); lanes::show_image(sky);")
    assert content["data"]["text/plain"] == "colour image of 20 x 30 pixels"
    assert size_of_png(content)[0] > 30


def test_a_grid_of_images(shown):
    content = shown(
        'std::vector<lanes::Matrix> digits(12, lanes::Matrix{{0, 1}, {1, 0}}); lanes::show_images(digits, std::vector<std::string>(12, "7, not 1"));'
    )
    assert content["data"]["text/plain"].startswith("grid of 12 images, 10 in a row: 7, not 1; 7")
    width, height = size_of_svg(content)
    assert 700 >= width > height and len(pictures_in_svg(content)) == 12


def test_a_table(shown):
    content = shown(
        'lanes::Table table({"method", "time"}); table.row("plain", lanes::with_unit(1.25, "ms")).note("2 cores"); table.show();'
    )
    assert content["data"][
        "text/plain"] == "method        time\n------------------\nplain      1.25 ms\n2 cores"
    assert "<td style=\"text-align: right\">1.25 ms</td>" in content["data"]["text/html"]
    assert set(content["data"]) == {"text/plain", "text/html"}


@pytest.mark.parametrize("code, text", [
    ('plot.line("a", {1, 2}, {3, 4}).rule_y("goal", 3.5).mark("here", 1, 3);',
     "line a: 2 points\nrule y: goal\nmark: here"),
    ('plot.bars("a", {"x", "y"}, {3, 4}, {1, 1});', "bars a with errors: x, y"),
    ('plot.histogram("a", std::vector<float>{1, 2, 2}, 2);', "histogram a: 3 values, 2 bins"),
    ('plot.heat_map(lanes::Matrix{{1, 2}, {3, 4}}, "column", "row");',
     "heat map: 2 rows, 2 columns"),
])
def test_a_plot_is_vega_lite_and_text(shown, code, text):
    content = shown(f'lanes::Plot plot("T"); {code} plot.show();')
    assert set(content["data"]) == {"text/plain", VEGA_LITE}
    spec = content["data"][VEGA_LITE]
    assert spec["$schema"].endswith(
        "/vega-lite/v5.json") and spec["title"]["text"] == "T" and spec["layer"]
    assert content["data"]["text/plain"].startswith(
        "plot: T\n") and content["data"]["text/plain"].endswith(text)


def test_a_drawing(shown):
    content = shown(
        'lanes::Drawing drawing(120, 80); drawing.circle(60, 40, 30).text(60, 40, "a_{1}"); drawing.show("a neuron");'
    )
    assert content["data"]["text/plain"] == "drawing: a neuron"
    assert size_of_svg(content) == (120, 80)


def test_titles_in_any_language_and_in_none(shown):
    assert shown('lanes::Plot plot("Größe \\xff \\"q\\""); plot.line("ä", {1, 2}); plot.show();'
                 )["data"][VEGA_LITE]["title"]["text"].startswith("Größe")


def test_what_cannot_be_drawn_is_an_error(kernel):
    result = kernel.run(INCLUDE +
                        'lanes::Plot bad("b"); bad.line("a", {1, 2}, {1, 2, 3}); bad.show();')
    assert result.ename == "lanes::Error" and "Plot::line 'a': 2 x but 3 y" in result.reply[
        "content"]["evalue"]
    assert not result.of("display_data")


SLOW_LOOP = "for (int i = 0; i < 12; ++i) { std::this_thread::sleep_for(std::chrono::milliseconds(%d)); progress.advance(); }"


def bars(result):
    """The texts of the bar one after another, and that all of them are one display."""
    first, *updates = [
        m for m in result.messages if m["msg_type"] in ("display_data", "update_display_data")
    ]
    assert first["msg_type"] == "display_data"
    ids = {m["content"]["transient"]["display_id"] for m in (first, *updates)}
    assert len(ids) == 1 and all(m["msg_type"] == "update_display_data" for m in updates)
    return [m["content"]["data"] for m in (first, *updates)]


def test_progress_is_one_display_that_is_updated(kernel):
    result = kernel.run(INCLUDE + '{ lanes::Progress progress("training", 12); ' + SLOW_LOOP % 120 +
                        " }").ok()
    seen = bars(result)
    assert 5 <= len(seen) <= 20
    assert seen[0]["text/plain"] == "training: 0 of 12"
    assert re.fullmatch(r"training: 12 of 12 in \d+ s", seen[-1]["text/plain"])
    assert any(
        re.fullmatch(r"training: \d+ of 12, [\d.]+ a second, \d+ s left", data["text/plain"])
        for data in seen)
    assert '<progress value="1000" max="1000"></progress>' in seen[-1]["text/html"]
    assert result.stdout == ""


def test_progress_of_quick_steps_is_not_shown_each_time(kernel):
    seen = bars(
        kernel.run(
            INCLUDE +
            '{ lanes::Progress progress("quick", 1000000); for (int i = 0; i < 1000000; ++i) progress.advance(); }'
        ).ok())
    assert len(seen) <= 30
    assert seen[-1]["text/plain"].startswith("quick: 1000000 of 1000000 in")


def test_progress_is_closed_by_an_exception(kernel):
    result = kernel.run(
        INCLUDE +
        '{ lanes::Progress progress("training", 5); progress.advance(); throw std::runtime_error("no"); }'
    )
    assert result.ename == "std::runtime_error"
    assert re.fullmatch(r"training: 1 of 5 in \d+ s, stopped", bars(result)[-1]["text/plain"])


def test_a_bar_of_a_variable_ends_with_its_cell(kernel):
    """A variable of a cell lives on; its bar does not."""
    result = kernel.run(INCLUDE + 'lanes::Progress left("training", 5); left.advance();').ok()
    assert re.fullmatch(r"training: 1 of 5 in \d+ s", bars(result)[-1]["text/plain"])
    result = kernel.run(
        'lanes::Progress thrown("training", 5); thrown.advance(); throw std::runtime_error("no");')
    assert re.fullmatch(r"training: 1 of 5 in \d+ s, stopped", bars(result)[-1]["text/plain"])
    assert not kernel.run("left.advance(); left.done();").ok().of("display_data",
                                                                  "update_display_data")


def test_progress_is_closed_by_an_interrupt(kernel):
    code = INCLUDE + 'std::cout << "going" << std::endl; lanes::Progress progress("endless", 1000); for (int i = 0; i < 1000; ++i) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); progress.advance(); }'
    result = kernel.run(code, interrupt_when="going")
    assert result.ename == "Interrupted"
    assert re.fullmatch(r"endless: \d+ of 1000 in \d+ s, interrupted",
                        bars(result)[-1]["text/plain"])
    assert kernel.value("6 * 7") == "42"


def test_progress_after_a_take_over_is_a_display_of_its_own(kernel):
    before = kernel.run(INCLUDE + '{ lanes::Progress progress("a", 1); }').ok()
    assert kernel.run("#include <cstdlib>\nabort();").ename == "Crash"
    after = kernel.run(INCLUDE + '{ lanes::Progress progress("a", 1); }').ok()
    assert before.of("display_data")[0]["content"]["transient"] != after.of(
        "display_data")[0]["content"]["transient"]


@pytest.mark.parametrize("variable", ["CI", "NBGRADER_EXECUTION", "PYTEST_CURRENT_TEST"])
def test_progress_is_one_line_where_nobody_looks(make_kernel, variable):
    result = make_kernel(env={
        variable: "1"
    }).run(INCLUDE + '{ lanes::Progress progress("training", 12); ' + SLOW_LOOP % 1 +
           ' progress.done("above 95 %"); }\nlanes::is_unattended()').ok()
    assert result.stdout == "training: 12 of 12, above 95 %\n"
    assert not result.of("display_data") and result.result == "true"


def test_the_line_of_a_variable_comes_with_its_cell(make_kernel):
    kernel = make_kernel(env={"CI": "1"})
    assert kernel.run(INCLUDE + 'lanes::Progress progress("training", 2); progress.advance(2);').ok(
    ).stdout == "training: 2 of 2\n"
    assert kernel.run("int next = 1;").ok().stdout == ""


def test_what_was_printed_before_comes_before(kernel):
    result = kernel.run(
        INCLUDE +
        'std::cout << "before"; lanes::Table t({"a"}); t.show(); std::cout << "after";').ok()
    assert [m["msg_type"]
            for m in result.messages
            if m["msg_type"] in ("stream", "display_data")] == ["stream", "display_data", "stream"]


def test_the_header_costs_no_time(fresh):
    """It is in the precompiled header."""
    assert fresh.processor_seconds("#include <lanes/notebook.hpp>") < 0.5


def test_vega_lite_is_sent_as_json(shown):
    content = shown('lanes::Plot plot; plot.line("a", {1, 2}); plot.show();')
    assert json.loads(json.dumps(content["data"][VEGA_LITE])) == content["data"][VEGA_LITE]
    assert isinstance(content["data"][VEGA_LITE], dict)


def test_forked_processes_may_show_large_pictures(kernel):
    """Their messages are larger than what the channel takes at once, and must not be mixed."""
    code = """
#include <sys/wait.h>
#include <unistd.h>
for (int child = 0; child < 4; ++child) {
    if (fork() != 0) continue;
    for (int turn = 0; turn < 10; ++turn) {
        const std::string text(200000, char('a' + child));
        xcpp_publish("display_data", ("{\\"data\\": {\\"text/plain\\": \\"" + text + "\\"}}").c_str(), "");
    }
    _exit(0);
}
while (wait(nullptr) > 0) {}
"""
    result = kernel.run(code).ok()
    shown = sorted(content["data"]["text/plain"] for content in result.displays)
    assert shown == sorted(letter * 200000 for letter in "abcd" for _ in range(10))
    assert kernel.value("40 + 2") == "42"
