"""The image: what is in it, and JupyterLab in it without a network."""

from conftest import SLOW, first_cell, output

LAB = ("tools/lab", "--no-browser", "--ServerApp.ip=0.0.0.0")


def test_lab_opens_without_a_network_and_a_crash_costs_nothing(container):
    seen = first_cell(container.command(*LAB))
    print(f"JupyterLab after {seen['opened']:.1f} s, first cell {seen['first cell']:.2f} s")
    assert "Error" not in seen["shown"] and "SIGSEGV" in seen["crash"] and seen["after"] == "42"
    assert seen["opened"] < 10 * SLOW and seen["first cell"] < 1 * SLOW


def test_the_user_is_not_root(container):
    assert container.run("id", "--user").stdout == "1000\n"
    assert container.run("touch", "/usr/written").returncode != 0


def test_work_is_kept_in_a_volume(image, container, tmp_path):
    assert image["OCIv1"]["config"]["Volumes"] == {"/opt/lanes/work": {}}
    (tmp_path / "work").mkdir()
    (tmp_path / "work").chmod(0o777)
    volumes = [f"{tmp_path}/work:/opt/lanes/work"]
    output(*container.command("sh", "-c", "echo mine > work/mine.txt", volumes=volumes))
    assert output(*container.command("cat", "work/mine.txt", volumes=volumes)) == "mine\n"
    assert (tmp_path / "work/mine.txt").read_text() == "mine\n"


def test_its_labels_say_what_it_is(image):
    labels = image["OCIv1"]["config"]["Labels"]
    assert labels["lanes.solutions"] == "no" and labels["lanes.commit"] and labels["lanes.state"]


def test_no_solution_and_nothing_of_the_building_machine_is_in_it(container):
    course = container.folder() / "opt/lanes"
    assert not (course / "notebooks/solutions").exists() and not list(course.rglob("answers.txt"))
    settings = container.folder() / "etc/pip.conf"  # an empty file is what it was mounted on
    assert not settings.exists() or not settings.read_text()
    assert not list((container.folder() / "usr/local/share").glob("ca-certificates/*"))


def test_it_is_small_enough_to_download(container):
    size = int(output("du", "--summarize", "--bytes", "--one-file-system", str(container.folder())).split()[0])
    print(f"{size / 1e9:.2f} GB")
    assert size < 2.5e9


def test_tools_say_that_it_is_finished(container):
    assert container.run("tools/setup").returncode == 0
    tests = container.run("tools/setup", "tests")
    assert tests.returncode != 0 and "needs a checkout" in tests.stderr
    assert container.run("make", "doctor").returncode == 0


def test_a_student_hands_in(container):
    make_copies = "PYTHONPATH=tools .venv/bin/python -m lessons.work"
    seen = container.run("sh", "-c", f"{make_copies} && make hand-in HOMEWORK=hw1 && ls work/hw1.zip")
    assert seen.returncode == 0, seen.stdout + seen.stderr
