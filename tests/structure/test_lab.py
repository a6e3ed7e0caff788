"""`make lab`, started from a shell that is set up for another checkout, uses this checkout's
Jupyter kernel, accepts connections from this machine only, and requires Jupyter's token."""

import json
import os
import re
import resource
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

import pytest
from tree import BUILD, ROOT

SLOW = float(os.environ.get("LANES_SLOW", "1"))
pytestmark = pytest.mark.xdist_group("lab")  # one server of this checkout at a time


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


def shell_of_another_checkout(place):
    """The other checkout's virtual environment is active, its settings would let everybody in, and
    the user has installed another Jupyter kernel."""
    other, home = place / "other", place / "home"
    for folder in (other / "data", other / "path", home / ".local/share/jupyter"):
        spec = folder / "kernels/foreign/kernel.json"
        spec.parent.mkdir(parents=True)
        spec.write_text(
            json.dumps({
                "argv": ["false", "{connection_file}"],
                "display_name": "foreign",
                "language": "c++"
            }))
    (other / ".venv/bin").mkdir(parents=True)
    for program in ("python", "python3", "jupyter"):
        (other / ".venv/bin" /
         program).write_text("#!/bin/sh\necho the other checkout was called >&2\nexit 1\n")
        (other / ".venv/bin" / program).chmod(0o755)
    # If npm is installed, JupyterLab asks it for language servers, and npm writes into the home
    # folder each time.
    (other / ".venv/bin/npm"
     ).write_text('#!/bin/sh\nmkdir -p "$HOME/.npm/_logs" && touch "$HOME/.npm/_logs/called"\n')
    (other / ".venv/bin/npm").chmod(0o755)
    for folder in (other / "config", home / ".jupyter"):
        folder.mkdir(parents=True)
        (folder / "jupyter_server_config.json").write_text(
            json.dumps({
                "IdentityProvider": {
                    "token": ""
                },
                "ServerApp": {
                    "ip": "0.0.0.0"
                }
            }))
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("JUPYTER", "MAKE", "XDG"))
    }
    environment.update(HOME=str(home),
                       VIRTUAL_ENV=str(other / ".venv"),
                       PATH=f"{other}/.venv/bin:{os.environ['PATH']}",
                       PYTHONPATH=str(other))
    for name in ("CONFIG_DIR", "DATA_DIR", "PATH"):
        environment[f"JUPYTER_{name}"] = str(other / name.lower().removesuffix("_dir"))
    return environment


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Lab:
    def __init__(self, place, *variables):
        self.place, self.port, self.log = place, free_port(), place / "lab.log"
        environment = shell_of_another_checkout(place)
        self.before = files_in(place)
        with open(self.log, "w") as log:
            command = [
                "make", "-C", ROOT, "lab", f"PORT={self.port}", *variables,
                "ARGS=--no-browser --ServerApp.base_url=/passed/"
            ]
            self.process = subprocess.Popen(command,
                                            env=environment,
                                            stdout=log,
                                            stderr=subprocess.STDOUT,
                                            start_new_session=True)
        deadline = time.monotonic() + 300 * SLOW
        while not (shown := re.search(r"http://127\.0\.0\.1:(\d+)/passed/(\S+)\?token=(\w+)",
                                      self.log.read_text())):
            assert self.process.poll() is None and time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.1)
        self.shown_port, self.first_page, self.token = int(shown[1]), shown[2], shown[3]
        while not self.listens():  # it prints its address first
            assert self.process.poll() is None and time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.1)

    def listens(self):
        with socket.socket() as s:
            return s.connect_ex(("127.0.0.1", self.port)) == 0

    def get(self, path, **headers):
        return json.loads(self.text(path, **headers))

    def text(self, path, **headers):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/passed/{path}",
                                         headers=headers)
        return urllib.request.urlopen(request, timeout=300 * SLOW).read().decode()

    def disabled_extensions(self):
        """Of the page, as JupyterLab's browser part reads them."""
        page = self.text("lab", Authorization=f"token {self.token}")
        return json.loads(re.search(r'"disabledExtensions": (\[.*?\])', page)[1])

    def has_formgrader(self):
        try:
            self.text("formgrader/api/status", Authorization=f"token {self.token}")
        except urllib.error.HTTPError as error:
            assert error.code == 404
            return False
        return True

    def stop(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(300 * SLOW)


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    subprocess.run([ROOT / "tools/setup"],
                   check=True)  # a compiler cache, if there is one, is outside the checkout
    lab = Lab(tmp_path_factory.mktemp("shell"))
    yield lab
    lab.stop()


def test_port_and_arguments_are_passed_on(lab):
    assert lab.shown_port == lab.port


def test_it_opens_on_the_first_lesson(lab):
    assert lab.first_page == "lab/tree/work/00_start.ipynb"
    assert (ROOT / "work/00_start.ipynb").exists()


@pytest.mark.parametrize("path", ["docs/glossary.md", "kernels_src/matmul_transpose.cu"])
def test_files_that_lessons_refer_to_can_be_opened(lab, path):
    """The server finds only what lies below its root."""
    found = lab.get(f"api/contents/{path}?content=0", Authorization=f"token {lab.token}")
    assert found["type"] == "file"


def test_students_see_no_panels_of_nbgrader(lab):
    assert "@jupyter/nbgrader" in lab.disabled_extensions() and not lab.has_formgrader()


def test_teachers_get_the_panels_of_nbgrader(lab, tmp_path):
    teacher = Lab(tmp_path, "TEACHER=1")
    try:
        assert "@jupyter/nbgrader" not in teacher.disabled_extensions() and teacher.has_formgrader()
    finally:
        teacher.stop()


def test_nobody_comes_in_without_the_token(lab):
    assert len(lab.token) >= 32
    with pytest.raises(urllib.error.HTTPError, match="403"):
        lab.get("api/kernelspecs")


def test_it_listens_on_this_machine_alone(lab):
    listening = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with open(table) as lines:
            for line in list(lines)[1:]:
                local, state = line.split()[1], line.split()[3]
                if state == "0A" and int(local.split(":")[1], 16) == lab.port:
                    listening.add(local.split(":")[0])
    assert listening == {"0100007F"}


def test_the_jupyter_kernel_is_this_checkouts(lab):
    found = lab.get("api/kernelspecs", Authorization=f"token {lab.token}")
    assert found["default"] == "xcpp17" and "foreign" not in found["kernelspecs"]
    assert found["kernelspecs"]["xcpp17"]["spec"]["argv"][0] == f"{BUILD}/bin/xcpp17"


def test_nothing_is_written_outside_the_checkout(lab):
    lab.get("lsp/status",
            Authorization=f"token {lab.token}")  # answers after the search for language servers
    assert files_in(lab.place) == sorted([*lab.before, "lab.log"])


@pytest.mark.parametrize("arguments, address", [([], "127.0.0.1"),
                                                (["--ServerApp.ip=0.0.0.0"], "0.0.0.0")])
def test_it_is_open_to_other_machines_only_if_asked(arguments, address):
    said = subprocess.run([ROOT / "tools/lab", "--show-config-json", *arguments],
                          check=True,
                          capture_output=True,
                          text=True).stdout
    assert json.loads(said[said.index("{"):])["ServerApp"]["ip"] == address


def test_set_up_is_quick_when_there_is_nothing_to_do():
    """Measured by processor time, because other programs may be running."""
    subprocess.run([ROOT / "tools/setup"], check=True, stdout=subprocess.DEVNULL)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([ROOT / "tools/setup"], check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stdout == ""
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 4 * SLOW
