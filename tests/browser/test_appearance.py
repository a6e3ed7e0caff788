"""What the course draws in JupyterLab: texts have enough contrast in the dark theme, nothing is cut off at a zoom of
200 % and in a narrow window, and the keyboard alone runs cells and moves a slider."""

import json
import os
import re
from pathlib import Path

import nbformat
import pytest
from client import SLOW
from conftest import LIMIT
from playwright.sync_api import expect

CELLS = {
    "includes": "#include <lanes/course.hpp>\n#include <xwidgets/xslider.hpp>",
    "hint": "std::vector<double> weights = {0.5, 0.25}\nweights.size()",
    "crash": "int* nowhere = nullptr;\n*nowhere = 1;",
    "long": "std::cout << std::string(400, 'x') << std::endl;\n"
            "throw std::runtime_error(std::string(400, 'y'));",
    "table": """
lanes::Table table({"method", "time", "speed-up", "what limits it", "reached of the peak"}, "Versions");
table.row("one thread per element", lanes::with_unit(1.2, "ms"), 1, "bandwidth of the memory", 0.4);
table.row("four elements per thread", lanes::with_unit(0.6, "ms"), 2, "bandwidth of the memory", 0.8);
table.note("measured on 2 cores").show();""",
    "array": "lanes::Matrix wide = xt::ones<float>({3, 40}) * 1234.5f;\nwide",
    "plot": """
lanes::Plot squares("Squares");
squares.x("n").y("n times n").line("n * n", {1, 2, 3}, {1, 4, 9}).show();""",
    "slider": """
xw::slider<int> waves;
waves.min = 1, waves.max = 9, waves.value = 2, waves.description = "waves";
waves""",
    "answer": """
xt::xtensor<int, 2> max_plain(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b) {
    return a;
}""",
    "check": "lanes::exercises::max_plain().check(max_plain);",
    "hinted": "lanes::exercises::max_plain().check(max_plain);",
    "task": "lanes::puzzles::add_ten_guard().show();",
    "kernel": """%%cuda add_ten_guard
__global__ void add_ten_guard(const float* a, float* out, int n) {
    const int i = threadIdx.x;
    out[i] = a[i] + 10;
}""",
    "puzzle": "lanes::puzzles::add_ten_guard().check(add_ten_guard);",
    "value": "waves.value",
}
NAMES = list(CELLS)

# [text, contrast, colour, background] of each text in an output; of a drawing, against the last shape under the text.
CONTRASTS = """area => {
    const pen = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
    const rgba = text => {
        pen.clearRect(0, 0, 1, 1);
        pen.fillStyle = text;
        pen.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = (top, below) => [0, 1, 2].map(i => top[3] * top[i] + (1 - top[3]) * below[i]);
    const ground = one => {
        const own = one ? rgba(getComputedStyle(one).backgroundColor) : [255, 255, 255, 1];
        return own[3] === 1 ? own : over(own, ground(one.parentElement));
    };
    const behind = text => {
        const box = text.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
        const shapes = [...text.closest('svg').querySelectorAll('rect, circle, polygon')].filter(one => {
            const it = one.getBoundingClientRect();
            return one.checkVisibility() && getComputedStyle(one).fill !== 'none' &&
                one.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING &&
                it.left <= x && x <= it.right && it.top <= y && y <= it.bottom; });
        return shapes.length ? rgba(getComputedStyle(shapes.pop()).fill) : ground(text.closest('svg'));
    };
    const light = colour => [0.2126, 0.7152, 0.0722].reduce((sum, part, i) => {
        const x = colour[i] / 255;
        return sum + part * (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    }, 0.05);
    const found = [], texts = document.createTreeWalker(area, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const parent = texts.currentNode.parentElement, text = texts.currentNode.textContent.trim();
        if (!text || parent.closest('style, script, title') || !parent.checkVisibility()) continue;
        const drawn = parent.closest('svg'), style = getComputedStyle(parent);
        const below = drawn ? behind(parent) : ground(parent);
        const colour = over(rgba(drawn ? style.fill : style.color), below);
        const [dark, bright] = [light(colour), light(below)].sort((a, b) => a - b);
        found.push([text.slice(0, 40), bright / dark, colour.join(), below.join()]);
    }
    return found;
}"""

# What of an output cannot be seen: it is wider than the box around it, which neither wraps nor scrolls.
CUT_OFF = """area => {
    const found = [], scrolls = one => /auto|scroll/.test(getComputedStyle(one).overflowX);
    for (const one of [area, ...area.querySelectorAll('*:not(svg *)')]) {
        if (!one.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
        let box = one;
        while (box !== area && !scrolls(box)) box = box.parentElement;
        const clips = /hidden|clip/.test(getComputedStyle(one).overflowX);
        if (clips && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1)
            found.push('hidden in ' + one.className + ': ' + one.scrollWidth + ' > ' + one.clientWidth);
        if (!scrolls(box) && one.getBoundingClientRect().right > area.getBoundingClientRect().right + 1)
            found.push('sticks out: ' + one.tagName + ' ' + one.className);
    }
    for (const one of area.querySelectorAll('svg:not([viewBox])'))
        if (one.getAttribute('width') > one.getBoundingClientRect().width + 1) found.push('part of a drawing');
    const page = area.closest('.jp-Notebook').getBoundingClientRect();
    if (area.getBoundingClientRect().right > page.right + 1) found.push('wider than the notebook');
    return found;
}"""


class Notebook:
    """A page with a notebook of CELLS, each of which was run by Shift-Enter."""
    def __init__(self, page):
        self.page, self.cells = page, page.locator(".jp-Notebook .jp-CodeCell")

    def cell(self, name):
        return self.cells.nth(NAMES.index(name))

    def output(self, name):
        return self.cell(name).locator(".jp-OutputArea-output")

    def outputs(self, script):
        """What a script finds in the outputs of each cell."""
        return {name: [one for area in self.output(name).all() for one in area.evaluate(script)]
                for name in NAMES}

    def take(self, name):
        """Pictures of the window at some cells, for human eyes."""
        if folder := os.environ.get("LANES_PICTURES"):
            for at in ("hint", "table", "slider", "check", "puzzle"):
                self.cell(at).evaluate("cell => cell.scrollIntoView({block: 'start'})")
                self.page.screenshot(path=str(Path(folder) / f"{name}_{at}.png"))


@pytest.fixture(scope="module")
def shown(lab, browser):
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(text.strip(), metadata={"tags": ["raises-exception"]})
               for text in CELLS.values()],
        metadata={"kernelspec": {"name": "xcpp17", "display_name": "C++17", "language": "C++17"}})
    nbformat.write(notebook, lab.folder / "appearance.ipynb")
    settings = lab.folder / ".config/lab/user-settings/@jupyterlab/apputils-extension/themes.jupyterlab-settings"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"theme": "JupyterLab Dark"}))
    page = browser.new_page(viewport={"width": 1400, "height": 1300})
    page.set_default_timeout(LIMIT)
    lab.open(page, "appearance.ipynb")
    shown = Notebook(page)
    expect(page.locator("body")).to_have_attribute("data-jp-theme-light", "false")
    runs = re.compile(r"\[[\d*]+\]")
    press_until(page, "Control+Enter", lambda: expect(shown.cell("includes").locator(".jp-InputPrompt")).to_have_text(
        runs, timeout=6_000 * SLOW))
    for name in NAMES:
        page.keyboard.press("Shift+Enter")
        expect(shown.cell(name).locator(".jp-InputPrompt")).to_have_text(runs)
    expect(shown.output("value")).to_have_text("2")
    yield shown
    page.close()
    settings.unlink()


def press_until(page, key, condition):
    """As a user does: if the page was busy and did not react, press again."""
    for tries_left in reversed(range(5)):
        page.keyboard.press(key)
        try:
            return condition()
        except AssertionError:
            if not tries_left:
                raise


def test_each_cell_shows_what_the_other_tests_look_at(shown):
    for name, text in {"hint": "hint: a ; is missing", "crash": "SIGSEGV", "table": "four elements",
                       "check": "max_plain: case 1", "hinted": "b is never looked at",
                       "puzzle": "out of bounds"}.items():
        expect(shown.output(name).filter(has_text=text).first).to_be_visible()
    for name, picture in {"plot": ".vega-embed canvas, .vega-embed svg", "task": "img", "puzzle": "label",
                          "slider": ".noUi-handle"}.items():
        expect(shown.output(name).locator(picture).first).to_be_visible()


def test_texts_in_the_dark_theme_have_enough_contrast(shown):
    shown.take("dark")
    seen = shown.outputs(CONTRASTS)
    assert sum(map(len, seen.values())) > 100
    assert [(name, *one) for name, found in seen.items() for one in found if one[1] < 4.5] == []
    # A picture is on its own white ground, because its lines are dark.
    ground = shown.output("task").locator("img").evaluate("""img => {
        const pen = new OffscreenCanvas(1, 1).getContext('2d');
        pen.drawImage(img, 0, 0, 1, 1, 0, 0, 1, 1);
        return [...pen.getImageData(0, 0, 1, 1).data]; }""")
    assert ground == [255, 255, 255, 255]


# To a page, a window of 1400 times 900 pixels has half as many at a zoom of 200 %.
@pytest.mark.parametrize("width, height", [(700, 450), (600, 900)], ids=["zoom", "narrow"])
def test_nothing_is_cut_off(shown, width, height, request):
    shown.page.set_viewport_size({"width": width, "height": height})
    shown.take(request.node.callspec.id)
    seen = shown.outputs(CUT_OFF)
    assert {name: found for name, found in seen.items() if found} == {}
    # What is text is wrapped: only tables and pictures scroll.
    for name in ("hint", "crash", "long", "check", "slider"):
        for area in shown.output(name).all():
            assert area.evaluate("area => area.scrollWidth - area.clientWidth") <= 1, name


LOOK = """one => { const style = getComputedStyle(one);
    return ['outline', 'boxShadow', 'borderColor', 'backgroundColor'].map(name => style[name]).join(); }"""


def test_the_keyboard_moves_a_slider(shown):
    page, cell = shown.page, shown.cell("slider")
    page.set_viewport_size({"width": 1400, "height": 1300})
    handle, readout = cell.locator(".noUi-handle"), cell.locator(".widget-readout, .jupyter-widget-readout")
    without_focus = handle.evaluate(LOOK)
    page.keyboard.press("Escape")
    for _ in range(len(NAMES) - NAMES.index("slider")):
        page.keyboard.press("ArrowUp")
    expect(cell).to_have_class(re.compile("jp-mod-active"))
    tabs = 0
    while not handle.evaluate("one => one === document.activeElement"):
        assert tabs < 8  # buttons of the cell come first
        page.keyboard.press("Tab")
        tabs += 1
    assert handle.evaluate(LOOK) != without_focus
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(readout).to_have_text("4")
    for _ in range(tabs):
        page.keyboard.press("Shift+Tab")
    for _ in range(NAMES.index("value") - NAMES.index("slider")):
        page.keyboard.press("ArrowDown")
    press_until(page, "Control+Enter",
                lambda: expect(shown.output("value")).to_have_text("4", timeout=6_000 * SLOW))
