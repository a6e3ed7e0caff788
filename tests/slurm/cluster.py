"""A real SLURM cluster of one node, this machine, in one folder: munged, slurmctld and slurmd with
ports of their own. Nothing of it is left when the block ends.

    with Cluster(tmp_path) as cluster:
        cluster.run("srun", "-n", "2", "hostname")
"""

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "scancel", "sinfo", "squeue", "scontrol")


def missing_programs():
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    return [name for name in PROGRAMS if not shutil.which(name, path=path)]


def free_ports(count):
    """All are taken before one is given back, or two of them might be the same."""
    with contextlib.ExitStack() as taken:
        probes = [taken.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


def is_in_use(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections that have just ended do not count
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


def text_of(file):
    try:
        return file.read_bytes().decode(errors="replace")
    except OSError:  # the process has ended
        return ""


def open_files_of(process):
    names = []
    with contextlib.suppress(OSError):  # the process has ended
        for link in (process / "fd").iterdir():
            with contextlib.suppress(OSError):
                names.append(os.readlink(link))
    return names


class Cluster:

    def __init__(self, folder, cores=4):
        self.folder = Path(folder)
        self.cores = cores
        self.daemons = []
        self.ports = free_ports(2)
        self.shared_memory = set(os.listdir("/dev/shm"))
        # Only what SLURM needs: the batch job sees the user's own environment.
        self.environment = os.environ | {
            "SLURM_CONF": str(self.folder / "slurm.conf"),
            "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin",
        }
        for name in [name for name in self.environment if name.startswith("SLURM_") and name != "SLURM_CONF"]:
            del self.environment[name]

    def __enter__(self):
        try:
            self.start_munge()
            self.start_slurm()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, *_):
        try:
            self.run("scancel", "--user", pwd.getpwuid(os.geteuid()).pw_name, check=False, seconds=60)
            # Without slurmd nobody would end the processes of a job.
            deadline = time.monotonic() + 30
            while self.run("squeue", "--noheader", check=False, seconds=60).stdout and time.monotonic() < deadline:
                time.sleep(0.1)
        finally:
            self.end_daemons()

    def end_daemons(self):
        for daemon in reversed(self.daemons):
            daemon.send_signal(signal.SIGTERM)
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def left_behind(self):
        """After the block: processes with our folder in their command or environment, or with a file of it open, as
        slurmstepd, ports on which somebody listens, and new shared memory that no process uses. Other programs may
        run beside us."""
        processes = list(Path("/proc").glob("[0-9]*"))
        left = []
        for process in processes:
            command = text_of(process / "cmdline").replace("\0", " ")
            if any(str(self.folder) in text
                   for text in (command, text_of(process / "environ"), *open_files_of(process))):
                left.append(f"process {process.name}: {command}")
        left += [f"port {port}" for port in self.ports if is_in_use(port)]
        new = set(os.listdir("/dev/shm")) - self.shared_memory
        used = "".join(text_of(process / "maps") for process in processes) if new else ""
        return left + [f"/dev/shm/{name}" for name in sorted(new) if f"/dev/shm/{name}" not in used]

    def start(self, *command):
        log = open(self.folder / (Path(command[0]).name + ".log"), "ab")
        with log:
            self.daemons.append(
                subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def start_munge(self):
        """munged proves who sends a message. It runs as the user that owns its files."""
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        self.socket = self.folder / "munge.socket"
        self.folder.chmod(0o755)
        self.start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.socket}",
                   f"--pid-file={self.folder / 'munged.pid'}", f"--seed-file={self.folder / 'munged.seed'}",
                   f"--log-file={self.folder / 'munged.txt'}")
        self.wait_for(self.socket.exists, "munged")

    def start_slurm(self):
        host = socket.gethostname().split(".")[0]
        user = pwd.getpwuid(os.geteuid()).pw_name
        state = self.folder / "state"
        spool = self.folder / "spool"
        state.mkdir()
        spool.mkdir()
        (self.folder / "slurm.conf").write_text(f"""
ClusterName=lanes
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={self.ports[0]}
SlurmdPort={self.ports[1]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={self.socket}
CredType=cred/munge
MpiDefault=pmix
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1
StateSaveLocation={state}
SlurmdSpoolDir={spool}
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
ReturnToService=2
SlurmdParameters=config_overrides
KillWait=2
InactiveLimit=0
NodeName={host} NodeAddr=127.0.0.1 CPUs={self.cores} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
""")
        # Debian 13's SLURM wants control groups, which a container or a chroot may not have; Debian 12's
        # does not know this word.
        if "slurm-wlm 22" not in self.run("slurmd", "-V").stdout:
            (self.folder / "cgroup.conf").write_text("CgroupPlugin=disabled\n")
        self.start("slurmctld", "-D", "-f", self.folder / "slurm.conf")
        self.start("slurmd", "-D", "-f", self.folder / "slurm.conf")
        self.wait_for(lambda: "idle" in self.run("sinfo", "--noheader", "-o", "%T", check=False).stdout, "slurmd")

    def wait_for(self, condition, name, seconds=60):
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline or any(daemon.poll() is not None for daemon in self.daemons):
                logs = "\n".join(path.read_text(errors="replace")[-1500:] for path in self.folder.glob("*.log"))
                raise RuntimeError(f"{name} did not start.\n{logs}")
            time.sleep(0.1)

    def run(self, *command, check=True, seconds=120):
        result = subprocess.run(list(map(str, command)),
                                env=self.environment,
                                stdin=subprocess.DEVNULL,
                                capture_output=True,
                                text=True,
                                timeout=seconds)
        assert not check or result.returncode == 0, f"{command}: {result.stdout}{result.stderr}"
        return result
