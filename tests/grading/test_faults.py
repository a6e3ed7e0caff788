"""A fault of the machine is never a grade: a class of eight is graded through disks that are full,
signals, killed sandboxes and damaged files, and in the end has the points of an undisturbed run.
A cheap step stands in for compiling and calling answers (stand_in.py).

Each commit tries other sequences of faults; LANES_FAULT_SEQUENCES=50 tries more of them, and
LANES_KILLS=50 kills the grader at more moments."""

import csv
import os
import random
import resource
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import mock_class
import nbformat
import pytest
from grading.bubblewrap import SLOW
from grading.processes import family
from shares import number_of_this_commit

pytestmark = pytest.mark.timeout(1800 * SLOW)
SEQUENCES = int(os.environ.get("LANES_FAULT_SEQUENCES", "3"))
KILLS = int(os.environ.get("LANES_KILLS", "3"))
FIRST_SEED = number_of_this_commit()
# Which of three answers are right.
EIGHT = {"anna": "111", "ben": "000", "carla": "100", "dan": "110", "eva": "101", "finn": "011",
         "gina": "010", "hugo": "001"}
POINTS = {name: str(sum(points for points, right in zip((2, 2, 4), answers) if right == "1"))
          for name, answers in EIGHT.items()}
STAND_IN = Path(__file__).with_name("stand_in.py")
SURROGATE = "\ud83d"  # half an emoji


def notebook(answers):
    book = mock_class.without_outputs(mock_class.notebook("notebooks"))
    for name, right in zip(("max-plain", "max-fast", "max-gpu"), answers):
        mock_class.by_id(book)[name].source = "right" if right == "1" else "wrong"
    return book


def hand_in(folder, student, data):
    (folder / student).mkdir(parents=True, exist_ok=True)
    (folder / student / f"{mock_class.NAME}.ipynb").write_bytes(data)


def class_of_eight(folder):
    for name, answers in EIGHT.items():
        hand_in(folder, name, nbformat.writes(notebook(answers)).encode())
    return folder


@pytest.fixture
def submissions(tmp_path):
    return class_of_eight(tmp_path / "class")


class Grader:
    """A run of the stand-in. All its processes have a mark in their environment or are descendants
    of one that has."""
    def __init__(self, submissions, *arguments, limits=None, program=STAND_IN, **environment):
        self.mark = f"LANES_TEST_MARK={uuid.uuid4()}"
        name, value = self.mark.split("=")
        command = [sys.executable, program]
        self.process = subprocess.Popen([*command, submissions, *map(str, arguments)],
                                        stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT,
                                        text=True,
                                        env={**os.environ, name: value, **environment},
                                        preexec_fn=limits)

    def processes(self):
        """Of this run, also those whose parents are gone: bwrap keeps its environment, and what runs
        inside is below it."""
        found = set()
        for entry in os.listdir("/proc"):
            try:
                if entry.isdigit() and self.mark.encode() in Path(f"/proc/{entry}/environ"
                                                                 ).read_bytes():
                    found |= set(family(int(entry)))
            except OSError:
                continue
        return found

    def send(self, number):
        """To the guardian and the grader."""
        for pid in self.processes():
            if name_of(pid) == "python":
                os.kill(pid, number)

    def sandboxes(self):
        return [pid for pid in self.processes() if name_of(pid) not in ("python", "")]

    def wait_until_it_grades(self, out):
        while not ((out / "lock").exists() and self.sandboxes()) and self.process.poll() is None:
            time.sleep(0.02)

    def end(self):
        """(status, output)"""
        output, _ = self.process.communicate(timeout=600 * SLOW)
        return self.process.returncode, output

    def left(self):
        until = time.monotonic() + 30 * SLOW  # what was killed needs a moment to be gone
        while (left := self.processes()) and time.monotonic() < until:
            time.sleep(0.05)
        return [(pid, name_of(pid)) for pid in left]


def name_of(pid):
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def rows(out, name="class.csv"):
    with open(out / name, newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def points(out):
    return {row["student"]: row["points"] for row in rows(out) if row["notebook"] == "total"}


def small_files():
    """Every file that the grader writes ends after 20 kB, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))


class Faults:
    """One kind per method; each starts a grader and ends it."""
    def __init__(self, seed, submissions, out):
        self.random, self.submissions, self.out = random.Random(seed), submissions, out

    def start(self, **options):
        return Grader(self.submissions, "--out", self.out, "--jobs", "3", **options)

    def full_disk(self):
        grader = self.start(limits=small_files)
        status, said = grader.end()
        assert status in (1, 4) or points(self.out) == POINTS, said  # all were graded before
        return grader

    def interrupted(self):
        return self.signalled(signal.SIGINT)

    def terminated(self):
        return self.signalled(signal.SIGTERM)

    def signalled(self, number):
        grader = self.start()
        grader.wait_until_it_grades(self.out)
        time.sleep(self.random.uniform(0, 2))
        grader.process.send_signal(number)
        status, said = grader.end()
        assert status in (0, 130), said
        return grader

    def killed(self):
        """The process that was started, the one that grades, or both."""
        grader = self.start()
        time.sleep(self.random.uniform(0, 5))
        pids = [pid for pid in grader.processes() if name_of(pid) == "python"]
        for pid in self.random.sample(pids, self.random.randint(1, len(pids))) if pids else ():
            kill(pid)
        grader.end()
        return grader

    def killed_sandboxes(self):
        grader = self.start()
        while grader.process.poll() is None:
            time.sleep(self.random.uniform(0, 0.5))
            if (self.out / "names.json").exists() and (pids := grader.sandboxes()):
                kill(self.random.choice(sorted(pids)))
        status, said = grader.end()
        assert status in (0, 4), said
        return grader

    def damaged_results(self):
        for path in sorted(self.out.glob("autograded/*/*/*")):
            if self.random.random() < 0.5:
                path.write_bytes(path.read_bytes()[:self.random.randint(0, 2000)])
        return None

    KINDS = (full_disk, interrupted, terminated, killed, killed_sandboxes, damaged_results)


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + SEQUENCES))
def test_after_any_faults_the_points_are_those_of_a_quiet_run(submissions, needs_sandbox, tmp_path,
                                                              seed):
    faults = Faults(seed, submissions, tmp_path / "out")
    for kind in faults.random.choices(Faults.KINDS, k=3):
        grader = kind(faults)
        assert grader is None or not grader.left(), kind.__name__
        if (tmp_path / "out/class.csv").exists():
            for student, given in points(tmp_path / "out").items():
                assert given in (POINTS[student], "not graded yet"), (kind.__name__, student)
    status, said = Grader(submissions, "--out", tmp_path / "out").end()
    assert (status, points(tmp_path / "out")) == (0, POINTS), said


def test_a_full_disk_is_listed_and_the_same_command_grades_the_rest(submissions, needs_sandbox,
                                                                    tmp_path):
    """The folder of one student is on a disk without space."""
    out = tmp_path / "out"
    (out / "autograded/dan").mkdir(parents=True)
    mount = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs -o size=8k none "$0" && exec "$@"',
             out / "autograded/dan"]
    if subprocess.run([*mount, "true"], capture_output=True).returncode != 0:
        pytest.skip("NOT TESTED: this user cannot mount a small disk")
    command = [sys.executable, Path(__file__).with_name("stand_in.py"), submissions, "--out", out]
    done = subprocess.run([*mount, *command], capture_output=True, text=True)
    assert done.returncode == 4, done.stderr
    assert f"dan {mock_class.NAME}: OSError: [Errno 28] No space left on device" in done.stderr
    assert points(out) == {**POINTS, "dan": "not graded yet"}
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, points(out)) == (0, POINTS)
    assert "2/2 dan" in done.stderr and "anna" not in done.stderr


def test_control_c_stops_at_once_and_keeps_what_is_finished(submissions, needs_sandbox, tmp_path):
    """In a terminal, the signal goes to all processes of the group. Promised are five seconds. A busy
    machine gets more: at most twice what this grader took from its start to its first result."""
    start = time.monotonic()
    grader = Grader(submissions, "--out", tmp_path / "out", "--jobs", "1", limits=os.setsid)
    while not list(tmp_path.glob("out/autograded/*/*/*.ipynb")):
        time.sleep(0.02)
    signalled = time.monotonic()
    os.killpg(grader.process.pid, signal.SIGINT)
    status, said = grader.end()
    seconds, before = time.monotonic() - signalled, signalled - start
    assert status == 130, said
    assert seconds < max(5 * SLOW, 2 * before), f"{seconds:.1f} s, the start took {before:.1f} s"
    found = points(tmp_path / "out")
    assert "not graded yet" in found.values() and POINTS["anna"] in found.values()
    assert "Traceback" not in said and "the run was stopped before" in said
    assert not grader.left()


def test_a_file_that_cannot_be_read_is_no_empty_submission(submissions, needs_sandbox, tmp_path):
    """A disk with errors, or a folder without the right to look into it."""
    out, mine = tmp_path / "out", submissions / f"anna/{mock_class.NAME}.ipynb"
    done = [Grader(submissions, "--out", out, BROKEN_DISK=str(mine)).end()]
    words = f"anna {mock_class.NAME}: {mock_class.NAME}.ipynb cannot be read: Input/output error"
    assert done[0][0] == 4 and words in done[0][1], done[0][1]
    assert points(out) == {**POINTS, "anna": "not graded yet"}
    done.append(Grader(submissions, "--out", out).end())
    assert (done[1][0], points(out)) == (0, POINTS), done[1][1]


def test_nohup_lets_it_go_on_when_the_terminal_is_closed(submissions, needs_sandbox, tmp_path):
    # Set in both cases: these tests may run under nohup themselves, and a process inherits what is ignored.
    for handler, expected in ((signal.SIG_IGN, 0), (signal.SIG_DFL, 130)):
        out = tmp_path / handler.name
        grader = Grader(submissions, "--out", out, "--jobs", "1",
                        limits=lambda: signal.signal(signal.SIGHUP, handler))
        while not list(out.glob("autograded/*/*/*.ipynb")):
            time.sleep(0.02)
        grader.send(signal.SIGHUP)
        status, said = grader.end()
        assert status == expected, said
        assert not grader.left()


def test_the_damaged_result_of_another_student_is_no_grade(submissions, needs_sandbox, tmp_path):
    out = tmp_path / "out"
    assert Grader(submissions, "--out", out).end()[0] == 0
    results = {name: out / f"autograded/{name}/hw1/{mock_class.NAME}.ipynb" for name in EIGHT}
    results["dan"].write_bytes(b"")
    results["eva"].write_bytes(results["eva"].read_bytes()[:1000])
    status, said = Grader(submissions, "--out", out, "--student", "anna").end()
    assert status == 4 and f"dan {mock_class.NAME}: no result yet" in said, said
    assert points(out) == {**POINTS, "dan": "not graded yet", "eva": "not graded yet"}
    status, said = Grader(submissions, "--out", out).end()
    assert (status, points(out)) == (0, POINTS), said


def killed_at(seconds, command, log):
    """Kills the process that was started, the one that grades, or both, after so many seconds.
    Returns whether it was still at work; all its processes are gone then."""
    grader = command()
    time.sleep(seconds)
    pids = [pid for pid in grader.processes() if name_of(pid).startswith("python")]
    for pid in log.sample(pids, log.randint(1, len(pids))) if pids else ():
        kill(pid)
    status, _ = grader.end()
    left = grader.left()
    assert not left, f"after {seconds:.2f} seconds: {left}"
    return status not in (0, 4)


def test_no_process_outlives_a_grader_that_is_killed_at_any_moment(submissions, needs_sandbox,
                                                                   tmp_path):
    start = time.monotonic()
    assert Grader(submissions, "--out", tmp_path / "measured", "--jobs", "3").end()[0] == 0
    whole, moments = time.monotonic() - start, random.Random(FIRST_SEED)
    hits = tries = 0
    while hits < KILLS:
        tries += 1
        assert tries <= 4 * KILLS, f"only {hits} of {tries - 1} kills met a grader at work"
        out = tmp_path / f"{tries}"
        if killed_at(moments.uniform(0, whole),
                     lambda: Grader(submissions, "--out", out, "--jobs", "3"), moments):
            hits += 1
        else:  # the machine has become quicker
            whole *= 0.9
    print(f"{hits} of {tries} kills met a grader at work")


def test_no_jupyter_kernel_outlives_a_grader_that_is_killed(needs_sandbox, tmp_path):
    """The same with real sessions (mock_class.py), at moments in which there are some."""
    mock_class.hand_in(tmp_path / "class")
    moments = random.Random(FIRST_SEED)
    for number in range(max(1, KILLS // 10)):
        grader = Grader(tmp_path / "class", "--out", tmp_path / f"{number}",
                        program=mock_class.__file__)
        while not any(name_of(pid).startswith("xcpp17") for pid in grader.processes()):
            assert grader.process.poll() is None, grader.end()[1]
            time.sleep(0.05)
        assert killed_at(moments.uniform(0, 20), lambda: grader, moments)


def test_names_in_any_encoding_stop_nobody(submissions, needs_sandbox, tmp_path):
    """A folder whose name is not UTF-8, and a terminal that does not know a name's letters."""
    latin = os.fsdecode("Müller_12_assignsubmission_file_".encode("latin-1"))
    (submissions / "anna").rename(submissions / latin)
    (submissions / "ben").rename(submissions / "Бенита")
    status, said = Grader(submissions, "--out", tmp_path / "out", PYTHONIOENCODING="latin-1").end()
    found = points(tmp_path / "out")
    assert status == 0, said
    assert (found["M_ller_12_assignsubmission_file_"], found["Бенита"]) == (POINTS["anna"],
                                                                            POINTS["ben"])
    assert [row["Full name"] for row in rows(tmp_path / "out", "moodle_hw1.csv")
            if row["Identifier"] == "Participant 12"] == ["Müller"]


class Busy:
    """A run in which much happens: anna's notebook has half emojis everywhere, ben's has wrong bytes,
    a second grader is started, and points for a report are typed. Then `a b` hands in, too."""
    def __init__(self, folder):
        class_of_eight(folder / "class")
        hand_in(folder / "class", "anna", with_half_emojis(notebook(EIGHT["anna"])))
        text = nbformat.writes(notebook(EIGHT["ben"])).replace("wrong", "right \u00fc")
        hand_in(folder / "class", "ben", text.encode("latin-1", "replace"))
        (folder / "class/hugo").rename(folder / "class/a_b")
        self.out = folder / "out"
        self.first = Grader(folder / "class", "--out", self.out)
        self.first.wait_until_it_grades(self.out)
        self.first.send(signal.SIGSTOP)
        self.second_end = Grader(folder / "class", "--out", self.out).end()
        self.first.send(signal.SIGCONT)
        (self.out / "manual.csv").write_text(
            "student,notebook,cell,points_possible,points,comment\n"
            f"anna,{mock_class.NAME},max_report_1,4,3,good\n")
        self.end = self.first.end()
        self.left, self.points = self.first.left(), points(self.out)
        (folder / "class/finn").rename(folder / "class/a b")
        self.last_end = Grader(folder / "class", "--out", self.out, "--jobs", "1").end()
        self.last_points = points(self.out)
        # The same class with another idea of what is right.
        again = ("--out", self.out, "--again", "--jobs", "3")
        self.again_end = Grader(folder / "class", *again, RIGHT="wrong").end()
        self.again_points = points(self.out)
        self.accept_end = Grader(folder / "class", *again, "--accept", RIGHT="wrong").end()
        self.accepted = points(self.out)


def with_half_emojis(book):
    cells = mock_class.by_id(book)
    cells["max-report-1"].source = "half " + SURROGATE
    cells["max-plain"].source = "right // " + SURROGATE
    cells["max-plain-check"].outputs = [
        nbformat.v4.new_output("stream", name="stdout", text=SURROGATE)]
    book.metadata.kernelspec.name = SURROGATE
    book.metadata.kernelspec[SURROGATE] = SURROGATE
    return nbformat.writes(book).encode("utf-8", "backslashreplace")


@pytest.fixture(scope="module")
def busy(tmp_path_factory, needs_sandbox):
    return Busy(tmp_path_factory.mktemp("busy"))


def test_broken_unicode_stops_nobody(busy):
    expected = {**POINTS, "anna": "11", "ben": "8", "a_b": POINTS["hugo"]}
    del expected["hugo"]
    assert (busy.end[0], busy.points) == (0, expected), busy.end[1]
    assert not busy.left


def test_a_second_grader_says_that_there_is_a_first(busy):
    status, said = busy.second_end
    assert status == 1
    assert f"another make grade (process {busy.first.process.pid}) is at work" in said


def test_points_typed_during_a_run_are_kept(busy):
    assert [(row["student"], row["points"], row["comment"])
            for row in rows(busy.out, "manual.csv")] == [("anna", "3", "good")]


def test_a_later_namesake_gets_a_new_name(busy):
    assert busy.last_end[0] == 0, busy.last_end[1]
    assert (busy.last_points["a_b"], busy.last_points["a_b_2"]) == (POINTS["hugo"], POINTS["finn"])


def test_points_that_change_are_shown_before_they_are_stored(busy):
    status, said = busy.again_end
    assert status == 0 and busy.again_points == busy.last_points, said
    assert ("carla 02_elementwise_max: 2 -> 6 (max_fast_check 0 -> 2, max_gpu_check 0 -> 4, "
            "max_plain_check 2 -> 0)") in said and "ARGS=--accept" in said
    assert busy.accept_end[0] == 0 and busy.accepted["carla"] == "6", busy.accept_end[1]
