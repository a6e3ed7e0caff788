"""A client of the Jupyter kernel for tests: starts it, runs cells, checks the protocol around every cell, and finds what was left behind.

    kernel = Kernel()
    kernel.run("6 * 7").result == "42"

Environment:
    LANES_JUPYTER_PATH   where to look for the kernelspec instead of the checkout's .venv/share/jupyter
    LANES_SLOW           factor on every wait and time limit
"""

import contextlib
import os
import re
import shutil
import tempfile
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import zmq
from jupyter_client import KernelManager
from jupyter_client.kernelspec import KernelSpecManager

CHECKOUT = Path(__file__).resolve().parents[2]
SLOW = float(os.environ.get("LANES_SLOW", "1"))
# The factor on time limits. They cost time only if something hangs, and beside other work an answer may
# take many times as long as alone.
PATIENCE = 6 * SLOW
ANSI = re.compile(r"\x1b\[[0-9;]*m")
MARK = "LANES_TEST_MARK"  # an environment variable that every process of a started Jupyter kernel inherits


def jupyter_path():
    return Path(os.environ.get("LANES_JUPYTER_PATH", CHECKOUT / ".venv" / "share" / "jupyter"))


def kernelspec_manager():
    return KernelSpecManager(kernel_dirs=[str(jupyter_path() / "kernels")],
                             ensure_native_kernel=False)


class ProtocolError(AssertionError):
    """What came over the sockets is not what the Jupyter protocol promises."""


@dataclass
class Result:
    code: str
    reply: dict = None
    messages: list = field(default_factory=list)  # iopub messages of this cell, in order
    prompts: list = field(default_factory=list)  # the input_requests that came
    seconds: float = 0.0

    @property
    def status(self):
        return self.reply["content"]["status"]

    @property
    def ename(self):
        return self.reply["content"].get("ename")

    @property
    def evalue(self):
        return self.reply["content"].get("evalue")

    @property
    def traceback(self):
        """The error message's traceback as plain text."""
        return ANSI.sub("", "\n".join(self.reply["content"].get("traceback", [])))

    @property
    def payload(self):
        return self.reply["content"].get("payload", [])

    @property
    def count(self):
        return self.reply["content"]["execution_count"]

    def of(self, *types):
        return [m for m in self.messages if m["msg_type"] in types]

    def _stream(self, name):
        return "".join(m["content"]["text"]
                       for m in self.of("stream")
                       if m["content"]["name"] == name)

    @property
    def stdout(self):
        return self._stream("stdout")

    @property
    def stderr(self):
        return self._stream("stderr")

    @property
    def data(self):
        """The MIME bundle of the cell's value, or None."""
        results = self.of("execute_result")
        return results[0]["content"]["data"] if results else None

    @property
    def result(self):
        """The text/plain of the cell's value, or None."""
        return self.data["text/plain"] if self.data else None

    @property
    def displays(self):
        return [m["content"] for m in self.of("display_data", "update_display_data")]

    @property
    def shown(self):
        """All text of the displays, for tests that look for a word."""
        return ANSI.sub(
            "",
            "\n".join(str(text) for content in self.displays for text in content["data"].values()))

    def ok(self):
        """This result, if the cell ended well; fails with the whole error if it did not."""
        assert self.status == "ok", f"the cell\n{self.code}\nfailed: {self.ename}: {self.evalue}\n{self.traceback}\nstderr: {self.stderr}"
        return self

    def __str__(self):
        said = [f"{m['msg_type']}: {m['content']}" for m in self.messages]
        return f"cell:\n{self.code}\nreply: {self.reply and self.reply['content']}\n" + "\n".join(
            said)


def check_protocol(result, silent=False, store_history=True):
    """What holds for every execute_request, however the cell ended."""
    def require(condition, what):
        if not condition:
            raise ProtocolError(f"{what}\n{result}")

    states = [m["content"]["execution_state"] for m in result.of("status")]
    require(states == ["busy", "idle"], f"one busy and one idle expected, got {states}")
    require(result.messages[0]["msg_type"] == "status", "busy is the first message")
    require(result.messages[-1]["msg_type"] == "status", "idle is the last message")
    inputs = result.of("execute_input")
    if silent:
        require(not inputs and not result.of("execute_result"),
                "a silent cell broadcasts neither input nor result")
    else:
        require(
            len(inputs) == 1 and result.messages[1]["msg_type"] == "execute_input",
            "execute_input follows busy, once")
        require(inputs[0]["content"]["code"] == result.code, "execute_input repeats the code")
        count = result.count if store_history else result.count + 1  # of the next that does: the reply tells how many are stored
        require(inputs[0]["content"]["execution_count"] == count,
                "execute_input and reply agree on the count")
    require(len(result.of("execute_result")) <= 1, "at most one execute_result")
    errors = result.of("error")
    require(len(errors) <= 1, "at most one error message")
    require(result.status in ("ok", "error"), f"status is ok or error, got {result.status}")
    require(silent or bool(errors) == (result.status == "error"),
            "an error message if and only if the reply says error")
    if result.status == "error":
        content = result.reply["content"]
        require(content["ename"] and isinstance(content["traceback"], list),
                "ename and traceback are there")
        require("evalue" in content and not re.search(r"0x[0-9a-f]{4,}|\bpid\b", content["evalue"]),
                "evalue holds no address and no pid")
        for error in errors:
            require(all(error["content"][key] == content[key] for key in ("ename", "evalue")),
                    "error message and reply agree")
    else:
        require(isinstance(result.reply["content"].get("payload", []), list), "payload is a list")
        require(isinstance(result.reply["content"].get("user_expressions", {}), dict),
                "user_expressions is an object")


def comes_true(condition, seconds=10):
    """Waits until the condition holds. False: it does not hold after the time limit."""
    deadline = time.monotonic() + seconds * PATIENCE
    while not (holds := condition()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return bool(holds)


class Kernel:
    """A running Jupyter kernel and a client of it."""
    def __init__(self, name="xcpp17", extra_arguments=(), env=None, cwd=None, manager=None):
        self.mark = uuid.uuid4().hex
        self.temporary = Path(
            tempfile.mkdtemp(prefix="lanes-test-"))  # its TMPDIR: empty when it has stopped
        self.work = Path(cwd or tempfile.mkdtemp(prefix="lanes-work-"))
        self.own_work = cwd is None
        self.state = Path(tempfile.mkdtemp(prefix="lanes-state-"))  # its history
        self.strays = []  # messages that belong to no cell that was waited for
        environment = {
            k: v
            for k, v in os.environ.items()
            if k not in ("NBGRADER_EXECUTION", "CI", "PYTEST_CURRENT_TEST")
        }  # as for a person
        environment.update({
            MARK: self.mark,
            "TMPDIR": str(self.temporary),
            "XDG_STATE_HOME": str(self.state),
            "XCPP_SLOW": str(SLOW)
        })
        environment.update(env or {})
        self.shared_memory_before = set(os.listdir("/dev/shm"))
        self.tmp_before = set(os.listdir("/tmp"))
        self.manager = KernelManager(kernel_name=name,
                                     kernel_spec_manager=manager or kernelspec_manager())
        self.manager.shutdown_wait_time = 5 * PATIENCE
        self.started = time.monotonic()
        self.manager.start_kernel(extra_arguments=list(extra_arguments),
                                  env=environment,
                                  cwd=str(self.work))
        self.first_pid = self.pid
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        try:
            self.client.wait_for_ready(timeout=60 * PATIENCE)
        except BaseException:
            self.stop(now=True)
            self.remove_folders()
            raise

    @property
    def pid(self):
        return self.manager.provisioner.pid

    def alive(self):
        return self.manager.is_alive()

    # Running cells

    def submit(self, code, silent=False, store_history=True, allow_stdin=False):
        """Sends the cell and returns at once; wait(…) collects what it says."""
        return self.client.execute(code,
                                   silent=silent,
                                   store_history=store_history,
                                   allow_stdin=allow_stdin)

    def run(self,
            code,
            timeout=20,
            stdin=None,
            silent=False,
            store_history=True,
            interrupt_after=None,
            interrupt_when=None,
            interrupt=None,
            on_message=None):
        """Runs one cell and checks the protocol around it.

        stdin: answers to the prompts in order, or a function of the prompt; None: the front end allows no input.
        interrupt_after: seconds after which the interrupt button is pressed; interrupt_when: text in stdout that triggers it (at once).
        """
        message_id = self.submit(code, silent, store_history, allow_stdin=stdin is not None)
        result = self.wait(message_id, code, timeout, stdin, interrupt_after, interrupt_when,
                           interrupt, on_message)
        check_protocol(result, silent, store_history)
        return result

    def wait(self,
             message_id,
             code="",
             timeout=20,
             stdin=None,
             interrupt_after=None,
             interrupt_when=None,
             interrupt=None,
             on_message=None):
        begin = time.monotonic()
        deadline = begin + timeout * PATIENCE
        answers = iter(stdin) if isinstance(stdin, (list, tuple)) else None
        press = interrupt or self.interrupt
        pressed = None
        idle = False
        result = Result(code)
        channels = {
            c.socket: c
            for c in (self.client.iopub_channel, self.client.stdin_channel,
                      self.client.shell_channel)
        }
        poller = zmq.Poller()
        for socket in channels:
            poller.register(socket, zmq.POLLIN)
        while not (idle and result.reply):
            now = time.monotonic()
            if interrupt_after is not None and pressed is None and now - begin >= interrupt_after * SLOW:
                pressed = now
                press()
            if now > deadline:
                raise AssertionError(
                    f"no end of the cell within {timeout * PATIENCE} s (alive: {self.alive()}, idle: {idle}). {result}"
                )
            # The wait for an earlier cell may have met messages of this one.
            arrived = self.take_strays(message_id) or [
                channels[socket].get_msg(timeout=1) for socket, _ in poller.poll(20)
            ]
            for message in arrived:
                if message["parent_header"].get("msg_id") != message_id:
                    self.strays.append(message)
                elif message["msg_type"] == "execute_reply":
                    if result.reply:
                        raise ProtocolError(f"a second reply {message['content']}\n{result}")
                    result.reply = message
                elif message["msg_type"] == "input_request":
                    result.prompts.append(message["content"])
                    if stdin is None:
                        raise ProtocolError(f"input_request although no input is allowed\n{result}")
                    answer = next(answers) if answers else stdin(message["content"]["prompt"])
                    if answer is not None:
                        self.answer(answer, message)
                else:
                    result.messages.append(message)
                    idle = idle or message["content"].get("execution_state") == "idle"
                    if on_message:
                        on_message(message)
                    if interrupt_when and pressed is None and interrupt_when in result.stdout:
                        pressed = time.monotonic()
                        press()
        result.seconds = time.monotonic() - begin
        return result

    def take_strays(self, message_id):
        taken = [m for m in self.strays if m["parent_header"].get("msg_id") == message_id]
        self.strays = [m for m in self.strays if m["parent_header"].get("msg_id") != message_id]
        return taken

    def answer(self, value, request):
        message = self.client.session.msg("input_reply", {
            "value": value,
            "status": "ok"
        },
                                          parent=request)
        self.client.stdin_channel.send(message)

    def value(self, code, **options):
        """The text/plain of the cell's value; fails if the cell failed."""
        return self.run(code, **options).ok().result

    def processor_seconds(self, code):
        """What the session computes for a cell. Unlike the time on the clock, other programs hardly change it."""
        session = psutil.Process(int(self.value("getpid()")))
        before = sum(session.cpu_times()[:2])
        self.run(code).ok()
        return sum(session.cpu_times()[:2]) - before

    # Around cells

    def interrupt(self):
        self.manager.interrupt_kernel()

    def request(self, kind, content=None, channel="shell", timeout=10):
        """Sends any request and returns the content of its reply."""
        channel = getattr(self.client, f"{channel}_channel")
        message = self.client.session.msg(kind, content or {})
        channel.send(message)
        deadline = time.monotonic() + timeout * PATIENCE
        while time.monotonic() < deadline:
            if channel.socket.poll(100):
                reply = channel.get_msg(timeout=1)
                if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                    return reply["content"]
                self.strays.append(reply)
        raise AssertionError(f"no answer to {kind} within {timeout * PATIENCE} s")

    def drain(self, seconds=0.3, until=None):
        """Collects iopub messages that come without a cell being waited for, for `seconds`, or until until(message) is true."""
        got = []
        deadline = time.monotonic() + seconds * (PATIENCE if until else SLOW)
        while (left := deadline - time.monotonic()) > 0:
            if self.client.iopub_channel.socket.poll(left * 1000):
                got.append(self.client.iopub_channel.get_msg(timeout=1))
                if until and until(got[-1]):
                    break
        return got

    def restart(self, now=False):
        self.manager.restart_kernel(now=now)
        self.client.stop_channels()
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60 * PATIENCE)

    def stop(self, now=False):
        self.client.stop_channels()
        if self.manager.has_kernel:
            self.manager.shutdown_kernel(now=now)
        self.manager.cleanup_resources()

    # What is left behind

    def processes(self):
        """Every process that this Jupyter kernel or its cells started and that still runs."""
        found = []
        needle = f"{MARK}={self.mark}".encode()
        for process in psutil.process_iter():
            try:
                if process.status() != psutil.STATUS_ZOMBIE and needle in Path(
                        f"/proc/{process.pid}/environ").read_bytes():
                    found.append(process)
            except (OSError, psutil.Error):
                continue
        return found

    def left_behind(self, wait=5):
        """What is still there after stop(): texts, empty if nothing. Looks again for a while, since processes need time to end."""
        deadline = time.monotonic() + wait * PATIENCE
        while True:
            left = self._still(self.processes())
            left += [f"temporary file {path}" for path in self.temporary.rglob("*")]
            for folder, before in (("/dev/shm", self.shared_memory_before), ("/tmp",
                                                                             self.tmp_before)):
                new = set(os.listdir(folder)) - before
                # Another Jupyter kernel may start just now; the folder of this one is in its TMPDIR.
                left += [
                    f"file {folder}/{name}" for name in new
                    if re.search(rf"xcpp(?!.*test|17-temporary-)|\b{self.first_pid}\b", name)
                ]
            if not left or time.monotonic() > deadline:
                return left
            time.sleep(0.05)

    @staticmethod
    def _still(processes):
        texts = []
        for process in processes:
            with contextlib.suppress(psutil.Error):  # it ends while we look at it
                texts.append(f"process {process.pid} {' '.join(process.cmdline())[:120]}")
        return texts

    def remove_folders(self):
        shutil.rmtree(self.temporary, ignore_errors=True)
        shutil.rmtree(self.state, ignore_errors=True)
        if self.own_work:
            shutil.rmtree(self.work, ignore_errors=True)
