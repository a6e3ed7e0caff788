"""docs/hub.md with a real JupyterHub: two students in a browser, who do not see each other's files, fill a
lesson and hand it in, and a teacher who grades them."""

import csv
import io
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

import pytest
from conftest import ROOT, free_port
from playwright.sync_api import expect, sync_playwright

BUNDLE = ROOT / f"build/bundle/lanes-{platform.machine()}.tar.gz"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PASSWORD = "correct horse 1"
expect.set_options(timeout=300_000)

# A machine with two students: its users, /home and /srv are seen by the hub alone.
MACHINE = """
mount -t tmpfs tmpfs "$0" && mkdir "$0/upper" "$0/work"
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$0/upper,workdir=$0/work" /etc
mount -t tmpfs -o mode=755 tmpfs /home
mount -t tmpfs -o mode=755 tmpfs /srv
mkdir /srv/lanes && mount --bind "$1" /srv/lanes
groupadd students
groupadd teachers
for name in anna ben; do
    useradd --create-home --groups students $name
    chmod 750 /home/$name
    echo "$name:$2" | chpasswd
done
mkdir --mode=700 /srv/jupyterhub && cd /srv/jupyterhub
shift 2
exec "$@"
"""


@pytest.fixture(scope="module")
def bundle():
    if not BUNDLE.exists() or not CHROMIUM:
        pytest.skip("needs Chromium, and the bundle: make bundle")
    folder = ROOT / "build/hub"
    if not folder.exists() or folder.stat().st_mtime < BUNDLE.stat().st_mtime:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        subprocess.run(["tar", "xzf", BUNDLE, "-C", folder, "--no-same-owner"], check=True)
    return folder / "lanes"


@pytest.fixture(scope="module")
def hub(bundle, tmp_path_factory):
    if not shutil.which("configurable-http-proxy"):
        pytest.skip("needs JupyterHub's proxy: apt-get install node-configurable-http-proxy")
    folder, venv = tmp_path_factory.mktemp("hub"), ROOT / "build/jupyterhub"
    if not (venv / "bin/jupyterhub").exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    subprocess.run([venv / "bin/pip", "install", "--quiet", "-r", ROOT / "requirements-hub.txt", "-c",
                    ROOT / "requirements-hub.lock", "-c", ROOT / "requirements.lock"], check=True)
    (folder / "etc").mkdir()
    port = free_port()
    command = [venv / "bin/jupyterhub", "--config", ROOT / "tools/jupyterhub_config.py",
               f"--JupyterHub.bind_url=http://127.0.0.1:{port}", f"--JupyterHub.hub_port={free_port()}",
               f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{free_port()}"]
    with open(folder / "hub.log", "w") as log:
        server = subprocess.Popen(["unshare", "--mount", "--propagation", "private", "bash", "-euc", MACHINE,
                                   folder / "etc", bundle, PASSWORD, *command], stdout=log, stderr=log,
                                  env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8",
                                       "NODE_PATH": "/usr/share/nodejs"})  # for a Node.js that is not Debian's
    try:
        wait_until_it_answers(port, server, folder / "hub.log")
        yield Hub(port, server.pid)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)
    assert not subprocess.run(["pgrep", "--full", str(bundle)], capture_output=True).stdout


def wait_until_it_answers(port, server, log):
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/hub/login", timeout=10)
            return
        except OSError:
            assert server.poll() is None, log.read_text()
            time.sleep(0.2)
    raise AssertionError(log.read_text())


class Hub:
    def __init__(self, port, pid):
        self.address, self.pid = f"http://127.0.0.1:{port}", pid

    def file(self, path):
        """A file as the machine of the hub sees it."""
        return f"/proc/{self.pid}/root{path}"


class Student:
    def __init__(self, hub, browser, name):
        self.hub, self.name = hub, name
        self.page = browser.new_context(viewport={"width": 1300, "height": 900}).new_page()
        self.page.goto(hub.address + "/hub/login")
        self.page.fill("#username_input", name)
        self.page.fill("#password_input", PASSWORD)
        start = time.monotonic()
        self.page.click("#login_submit")
        self.page.wait_for_url(f"**/user/{name}/lab/**", timeout=120_000)
        expect(self.page.locator(".jp-Notebook").first).to_be_visible()
        self.seconds = time.monotonic() - start

    def ask(self, path, method="GET", data=None):
        """What JupyterLab's own pages ask of their server."""
        status, text = self.page.evaluate(
            """async ([path, method, data]) => {
                const token = document.cookie.match(/(?:^|; )_xsrf=([^;]*)/);
                const answer = await fetch(path, {method, body: data,
                                                  headers: {"X-XSRFToken": token ? token[1] : ""}});
                return [answer.status, await answer.text()];
            }""", [f"/user/{self.name}/api/contents/{path}", method, data and json.dumps(data)])
        return status, text

    def write(self, path, kind, content):
        status, text = self.ask(path, "PUT", {"type": kind, "format": "json" if kind == "notebook" else "text",
                                              "content": content})
        assert status in (200, 201), text

    def read(self, path):
        status, text = self.ask(path)
        assert status == 200, text
        return json.loads(text)["content"]

    def run_all(self, notebook):
        """What the notebook says after Run All Cells, when it was saved."""
        page = self.page
        for _ in range(6):  # on a busy machine the page may not be ready for the click
            page.goto(f"{self.hub.address}/user/{self.name}/lab/tree/work/{notebook}?reset")
            page.wait_for_load_state("networkidle")
            page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']").wait_for()
            page.get_by_role("menuitem", name="Run", exact=True).click()
            page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
            for _ in range(45):
                time.sleep(1)
                page.keyboard.press("Control+s")
                time.sleep(1)
                status, text = self.ask(f"work/{notebook}")
                if status != 200:
                    continue  # it is just being written
                cells = [cell for cell in json.loads(text)["content"]["cells"] if cell["cell_type"] == "code"]
                if cells[-1]["execution_count"] is not None:
                    return cells
        raise AssertionError(f"{notebook} was not run")


@pytest.fixture(scope="module")
def students(hub):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield {name: Student(hub, browser, name) for name in ("anna", "ben")}
        browser.close()


def output_of(cell):
    return "".join("".join(out.get("text", "")) for out in cell["outputs"])


def notebook_of(*sources):
    return {"cells": [{"cell_type": "code", "id": f"cell{number}", "source": text, "metadata": {}, "outputs": [],
                       "execution_count": None} for number, text in enumerate(sources)],
            "metadata": {"kernelspec": {"name": "xcpp17", "display_name": "C++17", "language": "C++17"}},
            "nbformat": 4, "nbformat_minor": 5}


# What one student leaves for others to find: shared memory, and a process.
LEAVE = """
#include <cstdlib>
std::system("echo mine > /dev/shm/secret.txt; bash -c 'exec -a secret.txt sleep 36000' > /dev/null 2>&1 &");
"""
LOOK_AROUND = """
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
namespace fs = std::filesystem;
int found = 0;
for (const auto& process : fs::directory_iterator("/proc")) {
    std::string words;
    std::getline(std::ifstream(process.path() / "cmdline"), words);
    if (words.rfind("secret.txt", 0) == 0) ++found;
}
for (const char* folder : {"/home", "/srv", "/tmp", "/root", "/dev/shm", "/opt/lanes/work"}) {
    std::error_code none;
    for (fs::recursive_directory_iterator place(folder, fs::directory_options::skip_permission_denied, none), end;
         place != end; place.increment(none))
        if (place->path().filename() == "secret.txt") ++found;
}
std::cout << "found " << found << "\\n";
"""
WRONG = {"AddressSanitizer": """%%asan
int main() { int* x = new int[3]; x[3] = 1; delete[] x; }""", "ThreadSanitizer": """%%tsan
#include <thread>
int shared = 0;
int main() { std::thread other([] { ++shared; }); ++shared; other.join(); }"""}
TOO_MUCH = "std::vector<char> much(std::size_t{8} << 30, 1);"


def test_a_login_ends_in_the_first_lesson(students):
    for student in students.values():
        print(f"{student.name}: first lesson {student.seconds:.1f} s after the login")
        expect(student.page.locator(".jp-RenderedMarkdown h1").first).to_be_visible()


def test_students_see_their_own_files_alone(students):
    students["ben"].write("work/secret.txt", "file", "mine")
    students["ben"].write("work/look.ipynb", "notebook", notebook_of(LEAVE, LOOK_AROUND))
    students["anna"].write("work/look.ipynb", "notebook", notebook_of(LOOK_AROUND))
    for name, number in (("ben", 3), ("anna", 0)):
        assert output_of(students[name].run_all("look.ipynb")[-1]) == f"found {number}\n"
    assert students["anna"].ask("../../../home/ben/lanes/work/secret.txt")[0] in (403, 404)
    status = students["anna"].page.request.get(students["anna"].hub.address + "/user/ben/api/contents/work/secret.txt")
    assert status.status in (403, 404)


def test_a_cell_cannot_take_all_memory(students):
    students["anna"].write("work/much.ipynb", "notebook", notebook_of("int kept = 7;", TOO_MUCH))
    error = students["anna"].run_all("much.ipynb")[1]["outputs"][-1]
    assert error["ename"] == "OutOfMemory", error


def test_the_sanitizers_work_within_the_limit(students):
    for error, cell in WRONG.items():  # a notebook each: Run All ends at an error
        students["ben"].write(f"work/{error}.ipynb", "notebook", notebook_of(cell))
        shown = students["ben"].run_all(f"{error}.ipynb")[0]["outputs"]
        assert shown[-1].get("ename") == error, shown


def test_hand_in_and_grade(hub, students, tmp_path):
    solutions = json.loads((ROOT / "notebooks/solutions/00_start.ipynb").read_text())
    answers = {cell["id"]: "".join(cell["source"]) for cell in solutions["cells"]
               if cell["metadata"].get("nbgrader", {}).get("solution") and cell["cell_type"] == "code"}
    filled = students["anna"].read("work/00_start.ipynb")
    for cell in filled["cells"]:
        cell["source"] = answers.get(cell["id"], cell["source"])
    students["anna"].write("work/00_start.ipynb", "notebook", filled)
    students["anna"].run_all("00_start.ipynb")
    for student in students.values():
        student.page.goto(f"{hub.address}/user/{student.name}/lab/tree/work")
        student.page.click("#jp-MainMenu >> text=File")
        student.page.hover(".lm-Menu-item >> text=/^New$/")
        student.page.click("[data-command='terminal:create-new']")
        student.page.locator(".jp-Terminal .xterm-helper-textarea").focus()
        student.page.keyboard.type("make hand-in HOMEWORK=hw1 2>&1 | tee work/said.txt\n")
        for _ in range(600):
            if student.ask("work/hw1.zip?content=0")[0] == 200:
                break
            time.sleep(0.5)
        else:
            raise AssertionError(f"{student.name} has handed nothing in: {student.read('work/said.txt')}")
        folder = tmp_path / "submissions" / student.name
        folder.mkdir(parents=True)
        with open(folder / "hw1.zip", "wb") as file:
            subprocess.run(["nsenter", f"--mount=/proc/{hub.pid}/ns/mnt", "runuser", "--user", student.name, "--",
                            "cat", f"/home/{student.name}/lanes/work/hw1.zip"], stdout=file, check=True)
    subprocess.run([ROOT / "tools/grade", tmp_path / "submissions"], check=True,
                   env=os.environ | {"HOME": str(tmp_path)})
    rows = list(csv.DictReader(io.StringIO((tmp_path / "submissions-graded/class.csv").read_text("utf-8-sig"))))
    points = {row["student"]: float(row["points"]) for row in rows if row["notebook"] == "00_start"}
    print(points)
    assert points["anna"] > 3 and points["ben"] == 0
