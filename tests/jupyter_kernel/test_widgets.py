"""Widgets of the library in a real session, through comms: what a page would send, and what it would get. The page itself is in tests/browser."""

import pytest

VIEW = "application/vnd.jupyter.widget-view+json"


class Page:
    """As much of a front end as widgets need: the state of every open model, and what each Output widget has collected."""
    def __init__(self, kernel):
        self.kernel = kernel
        self.models, self.buffers, self.outputs, self.requests = {}, {}, {}, {}

    def note(self, messages):
        for m in messages:
            content, kind = m["content"], m["msg_type"]
            if kind == "comm_open":
                self.models[content["comm_id"]] = dict(content["data"]["state"])
                self.buffers[content["comm_id"]] = [bytes(b) for b in m["buffers"]]
            elif kind == "comm_close":
                self.models.pop(content["comm_id"], None)
            elif kind == "comm_msg" and content["data"].get("method") in ("update", "echo_update"):
                self.models.setdefault(content["comm_id"], {}).update(content["data"]["state"])
                if m["buffers"]:
                    self.buffers[content["comm_id"]] = [bytes(b) for b in m["buffers"]]
                if "msg_id" in content["data"]["state"]:
                    self.requests[content["comm_id"]] = content["data"]["state"]["msg_id"]
            else:
                for area, request in self.requests.items():
                    if request and m["parent_header"].get("msg_id") == request and kind in (
                            "stream", "display_data", "error"):
                        self.outputs.setdefault(area, []).append(m)
        return messages

    def run(self, code, cell_id=None, **options):
        if cell_id is None:
            result = self.kernel.run(code, **options)
        else:
            content = {
                "code": code,
                "silent": False,
                "store_history": True,
                "user_expressions": {},
                "allow_stdin": False,
                "stop_on_error": True
            }
            message = self.kernel.client.session.msg("execute_request",
                                                     content,
                                                     metadata={"cellId": cell_id})
            self.kernel.client.session.send(self.kernel.client.shell_channel.socket, message)
            result = self.kernel.wait(message["header"]["msg_id"], code)
        self.note(result.messages)
        return result

    def comm(self, kind, content):
        """Sends a comm message and returns what came because of it."""
        message = self.kernel.client.session.msg(kind, content)
        self.kernel.client.session.send(self.kernel.client.shell_channel.socket, message)

        def ours(m):
            return m["parent_header"].get("msg_id") == message["header"]["msg_id"]

        got = self.kernel.drain(
            20, until=lambda m: ours(m) and m["content"].get("execution_state") == "idle")
        assert got and got[-1]["content"].get("execution_state") == "idle", got
        return self.note([m for m in got if ours(m)])

    def update(self, comm_id, **state):
        return self.comm("comm_msg", {
            "comm_id": comm_id,
            "data": {
                "method": "update",
                "state": state,
                "buffer_paths": []
            }
        })

    def click(self, comm_id):
        return self.comm("comm_msg", {
            "comm_id": comm_id,
            "data": {
                "method": "custom",
                "content": {
                    "event": "click"
                }
            }
        })

    def of(self, model_name):
        """The id of the one open model of this kind."""
        (found, ) = [id for id, state in self.models.items() if state["_model_name"] == model_name]
        return found

    def collected(self, area):
        """What the Output widget shows, as text."""
        words = {
            "stream": lambda c: c["text"],
            "display_data": lambda c: c["data"]["text/plain"],
            "error": lambda c: f"{c['ename']}: {c['evalue']}"
        }
        return "".join(words[m["msg_type"]](m["content"]) for m in self.outputs.get(area, []))


@pytest.fixture
def page(fresh):
    return Page(fresh)


SLIDER = '#include <xwidgets/xslider.hpp>\nxw::slider<double> s;\ns.max = 20; s.description = "rate";\n'


def test_a_widget_is_the_last_value_of_a_cell(page):
    result = page.run(SLIDER + "s").ok()
    assert result.result == "rate: 0 (slider from 0 to 20 in steps of 0.1)"
    frame = page.models[result.data[VIEW]["model_id"]]
    slider, area = [child.removeprefix("IPY_MODEL_") for child in frame["children"]]
    assert page.models[slider]["max"] == 20 and page.models[area]["_model_name"] == "OutputModel"
    assert page.run("s.display();").ok().displays[0]["data"]["text/plain"] == result.result
    page.run("#include <xcpp/xdisplay.hpp>\nxcpp::display(s);").ok()


def test_a_drag_runs_the_observers_and_shows_what_they_print(page):
    page.run(
        SLIDER +
        'XOBSERVE(s, value, [](const auto& w) { std::cout << "now " << w.value << std::endl; });\ns'
    ).ok()
    slider, area = page.of("FloatSliderModel"), page.of("OutputModel")
    got = page.update(slider, value=7.5)
    assert page.kernel.value("s.value()") == "7.5"
    assert page.collected(area) == "now 7.5\n" and page.requests[area] == ""
    assert [
        m["content"]["data"]["state"]
        for m in got
        if m["content"].get("data", {}).get("method") == "echo_update"
    ] == [{
        "value": 7.5
    }]
    # from C++ to the page, and the observer prints into the cell
    assert page.run("s.value = 3;").ok().stdout == "now 3\n"
    assert page.models[slider]["value"] == 3


def test_an_exception_of_an_observer_is_shown_below_its_widget(page):
    page.run(
        SLIDER +
        's.observe([](double v) {\n    if (v > 5) throw std::runtime_error("too much");\n});\ns'
    ).ok()
    slider, area = page.of("FloatSliderModel"), page.of("OutputModel")
    page.update(slider, value=9)
    assert page.collected(area) == "std::runtime_error: too much"
    assert "too much" in page.outputs[area][0]["content"]["traceback"][0] and "In[1]" in "".join(
        page.outputs[area][0]["content"]["traceback"])
    page.update(slider, value=4)
    assert page.kernel.value("s.value()") == "4.0"


def test_a_crash_of_an_observer_costs_nothing(page):
    page.run(
        SLIDER +
        "int kept = 1;\ns.observe([](double v) { kept = 2; if (v > 5) { int* volatile p = nullptr; *p = 1; } });\ns"
    ).ok()
    slider, area = page.of("FloatSliderModel"), page.of("OutputModel")
    page.update(slider, value=9)
    assert "SIGSEGV" in page.collected(area)
    assert page.models[slider]["value"] == 0  # back, as the C++ value is
    assert page.kernel.value("kept") == "1" and page.kernel.value("s.value()") == "0.0"
    page.update(slider, value=3)
    assert page.kernel.value("s.value()") == "3.0" and page.kernel.value("kept") == "2"


def test_a_session_that_continues_in_a_fork_keeps_what_an_observer_did(page):
    page.run('#include "xcpp/capi.h"\n#include <unistd.h>\n' + SLIDER +
             "int kept = 1, process = getpid();\n"
             "s.observe([](double v) { kept = int(v); xcpp_continue_in_fork(); });\ns").ok()
    slider = page.of("FloatSliderModel")
    page.update(slider, value=9)
    assert page.kernel.value("process != getpid()") == "true"
    assert page.models[slider]["value"] == 9
    assert page.kernel.value("kept") == "9" and page.kernel.value("s.value()") == "9.0"
    page.update(slider, value=4)
    assert page.kernel.value("kept") == "4" and page.models[slider]["value"] == 4


def test_widgets_answer_after_a_crash_of_a_cell(page):
    page.run(SLIDER + "s.observe([](double v) { std::cout << v << std::endl; });\ns").ok()
    slider, area = page.of("FloatSliderModel"), page.of("OutputModel")
    crashed = page.run("s.value = 11; xw::slider<double> lost; lost.display(); abort();")
    assert crashed.ename == "Crash"
    assert page.models[slider]["value"] == 0 and len(page.models) == 3
    page.update(slider, value=2.5)
    assert page.collected(area) == "2.5\n"
    assert page.kernel.value("s.value()") == "2.5"


def test_an_observer_can_be_interrupted(page):
    page.run(
        SLIDER +
        "s.observe([] { for (;;) std::this_thread::sleep_for(std::chrono::milliseconds(10)); });\ns"
    ).ok()
    slider = page.of("FloatSliderModel")
    message = page.kernel.client.session.msg("comm_msg", {
        "comm_id": slider,
        "data": {
            "method": "update",
            "state": {
                "value": 1
            },
            "buffer_paths": []
        }
    })
    page.kernel.client.session.send(page.kernel.client.shell_channel.socket, message)
    page.kernel.drain(5,
                      until=lambda m: m["content"].get("data", {}).get("method") == "echo_update")
    page.kernel.interrupt()
    got = page.kernel.drain(20,
                            until=lambda m: m["parent_header"].get("msg_id") == message["header"][
                                "msg_id"] and m["content"].get("execution_state") == "idle")
    assert [m["content"]["ename"] for m in got if m["msg_type"] == "error"] == ["Interrupted"]
    assert page.kernel.value("1 + 1") == "2"


def test_a_page_that_is_loaded_again(page):
    page.run(SLIDER + "s.value = 4;\ns").ok()
    page.comm("comm_open", {
        "comm_id": "control",
        "target_name": "jupyter.widget.control",
        "data": {}
    })
    got = page.comm("comm_msg", {"comm_id": "control", "data": {"method": "request_states"}})
    (answer, ) = [m["content"]["data"] for m in got if m["content"].get("comm_id") == "control"]
    assert answer["method"] == "update_states"
    states = answer["states"]
    assert set(states) == set(
        page.kernel.request("comm_info_request", {"target_name": "jupyter.widget"})["comms"])
    assert states[page.of("FloatSliderModel")]["state"]["value"] == 4
    page.update(page.of("FloatSliderModel"), value=6)
    assert page.kernel.value("s.value()") == "6.0"


def test_a_cell_that_is_run_again_leaks_nothing(page):
    for edit in range(5):
        page.run(SLIDER + f"s.value = {edit};\ns.layout().width = \"50%\";\ns",
                 cell_id="the cell").ok()
        assert len(
            page.kernel.request("comm_info_request", {"target_name": "jupyter.widget"
                                                      })["comms"]) == 4 == len(page.models)
    assert page.models[page.of("FloatSliderModel")]["value"] == 4


def test_images_travel_as_bytes(page):
    png = b"\x89PNG\r\n\x1a\n\x00\xff"
    (page.kernel.work / "picture.png").write_bytes(png)
    page.run(
        '#include <xwidgets/ximage.hpp>\nauto picture = xw::image_from_file("picture.png").finalize();\npicture'
    ).ok()
    image = page.of("ImageModel")
    assert page.buffers[image] == [png] and page.models[image]["format"] == "png"
    page.run('#include <vector>\npicture.value = std::vector<char>{1, 2, 3};').ok()
    assert page.buffers[image] == [b"\x01\x02\x03"]
    assert "absent.png" in page.run('xw::read_file("absent.png");').evalue


def test_boxes_buttons_choices(page):
    page.run(
        '#include <xwidgets/xbox.hpp>\n#include <xwidgets/xbutton.hpp>\n#include <xwidgets/xdropdown.hpp>\n#include <xwidgets/xcheckbox.hpp>\n'
        "xw::vbox panel; xw::button go; xw::checkbox shuffle;\n"
        'xw::dropdown optimiser(std::vector<std::string>({"sgd", "adam"}), "sgd");\n'
        'go.on_click([] { std::cout << optimiser.value() << (shuffle.value ? " shuffled\\n" : "\\n"); });\n'
        "panel.add(go); panel.add(shuffle); panel.add(optimiser);\npanel").ok()
    area = page.of("OutputModel")
    page.update(page.of("DropdownModel"), index=1)
    page.update(page.of("CheckboxModel"), value=True)
    page.click(page.of("ButtonModel"))
    assert page.collected(area) == "adam shuffled\n"


def test_several_choices_sound_and_films(page):
    page.run("#include <xwidgets/xselect.hpp>\n#include <xwidgets/xselectionslider.hpp>\n"
             'xw::select_multiple sm(std::vector<std::string>{"a", "b", "c"});\n'
             'xw::selection_rangeslider sr(std::vector<std::string>{"a", "b", "c"});').ok()
    page.update(page.of("SelectMultipleModel"), index=[0, 2])
    page.update(page.of("SelectionRangeSliderModel"), index=[1, 2])
    assert page.run("sm.value()").ok().result == '{ "a", "c" }'
    assert page.run("sr.value()").ok().result == '{ "b", "c" }'
    page.run("#include <xwidgets/xaudio.hpp>\n#include <xwidgets/xvideo.hpp>\n"
             'xw::video film = xw::video_from_url("https://example.org/film.mp4").finalize();\n'
             "xw::audio sound; sound.autoplay = false;").ok()
    assert page.models[page.of("VideoModel")]["format"] == "url"
    assert page.buffers[page.of("VideoModel")] == [b"https://example.org/film.mp4"]
    assert page.models[page.of("AudioModel")]["autoplay"] is False


def test_a_gamepad(page):
    """The page makes a model for each button and tells the controller their names."""
    page.run("#include <xwidgets/xcontroller.hpp>\nxw::controller pad;").ok()
    state = {"_model_name": "ControllerButtonModel", "value": 1.0, "pressed": True}
    page.comm("comm_open", {
        "comm_id": "button0",
        "target_name": "jupyter.widget",
        "data": {
            "state": state,
            "buffer_paths": []
        }
    })
    page.update(page.of("ControllerModel"), connected=True, name="Pad", buttons=["IPY_MODEL_button0"])
    assert page.run("pad.buttons()[0].pressed()").ok().result == "true"
    page.update("button0", value=0.0, pressed=False)
    assert page.run("pad.buttons()[0].pressed()").ok().result == "false"


def test_an_output_widget_in_a_cell(page):
    result = page.run(
        '#include <xwidgets/xoutput.hpp>\nxw::output out;\nstd::cout << "before\\n";\n{ auto here = out.guard(); std::cout << "inside\\n"; }\nstd::cout << "after\\n";'
    ).ok()
    assert result.stdout == "before\ninside\nafter\n"
    assert page.collected(page.of("OutputModel")) == "inside\n"


def test_a_thread_may_set_a_value(page):
    page.run(SLIDER + "s").ok()
    page.run(
        "#include <thread>\nstd::thread([] { for (int i = 0; i <= 200; ++i) s.value = i / 10.0; }).join();"
    ).ok()
    assert page.models[page.of("FloatSliderModel")]["value"] == 20


def test_children_of_a_cell_say_nothing(page):
    """A process that a cell forks holds copies of the widgets; their end is not the widgets' end."""
    page.run(SLIDER + "s").ok()
    page.run(
        "#include <sys/wait.h>\n#include <unistd.h>\nif (fork() == 0) { { auto copy = std::move(s); } _exit(0); }\nwait(nullptr);"
    ).ok()
    assert page.update(page.of("FloatSliderModel"), value=2)
    assert page.kernel.value("s.value()") == "2.0"
