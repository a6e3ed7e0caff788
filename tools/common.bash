# Sourced by the other tools: where things are, and how to talk. Sets `root` to the checkout and
# goes there.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$root"

export HOME=${HOME:-$(echo ~)} # a bare CI may not set it
venv=$root/.venv
build=$root/build
cache=${LANES_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/lanes}

# Jupyter's own files stay inside the checkout: neither the user's settings nor another checkout are
# read or changed.
export JUPYTER_CONFIG_DIR=$root/.jupyter/config JUPYTER_DATA_DIR=$root/.jupyter/data JUPYTER_RUNTIME_DIR=$root/.jupyter/runtime
export IPYTHONDIR=$root/.jupyter/ipython JUPYTER_PREFER_ENV_PATH=1 JUPYTER_PLATFORM_DIRS=0
mkdir -p "$root/.jupyter" # IPython makes a folder in /tmp, and leaves it there, where this one is missing
export PIP_CACHE_DIR=$cache/pip PIP_DISABLE_PIP_VERSION_CHECK=1
unset JUPYTER_PATH JUPYTER_CONFIG_PATH PYTHONPATH PYTHONHOME
export VIRTUAL_ENV=$venv PATH=$venv/bin:$PATH

say() { printf '%s\n' "$*"; }
fail() {
    printf '%s\n' "$*" >&2
    exit 1
}
seconds() { date +%s; }

# As many compilers at once as there are cores (or LANES_JOBS), but 1.5 GB of memory for each:
# clang's own headers are large.
build_jobs() {
    local cores memory
    cores=${LANES_JOBS:-$(nproc)}
    memory=$(($(awk '/^MemAvailable/ {print $2}' /proc/meminfo) / 1500000))
    ((memory < 1)) && memory=1
    echo $((cores < memory ? cores : memory))
}
