# Sourced by the other tools: paths, settings and messages. Sets `root` to the checkout and changes
# to that folder.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$root"

export HOME=${HOME:-$(echo ~)} # a bare CI may not set it
venv=$root/.venv
build=$root/build
cache=${LANES_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/lanes}

# Jupyter's files stay inside the checkout: the user's settings and other checkouts are neither read
# nor changed.
export JUPYTER_CONFIG_DIR=$root/.jupyter/config JUPYTER_DATA_DIR=$root/.jupyter/data
export JUPYTER_RUNTIME_DIR=$root/.jupyter/runtime IPYTHONDIR=$root/.jupyter/ipython
export JUPYTER_PREFER_ENV_PATH=1 JUPYTER_PLATFORM_DIRS=0
mkdir -p "$root/.jupyter" # without it, IPython leaves a folder in /tmp
(umask 077 && mkdir -p "$cache") || true # the library uses no cache that others may write
export PIP_CACHE_DIR=$cache/pip PIP_DISABLE_PIP_VERSION_CHECK=1
unset JUPYTER_PATH JUPYTER_CONFIG_PATH PYTHONPATH PYTHONHOME
export VIRTUAL_ENV=$venv PATH=$venv/bin:$PATH

say() { printf '%s\n' "$*"; }
fail() {
    printf '%s\n' "$*" >&2
    exit 1
}
seconds() { date +%s; }

# Those of the given Debian packages that are not installed.
missing_of() {
    local package status
    declare -A installed=()
    while read -r package status; do
        [[ $status == installed ]] && installed[${package%%:*}]=1
    done < <(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2> /dev/null)
    for package in "$@"; do
        [[ ${installed[$package]:-} ]] || printf '%s ' "$package"
    done
}

# Names the content of all tracked files as they are, changes included: the tree of the commit that
# `git commit --all` would make. Neither the index nor the files change.
checkout_state() {
    local index
    index=$(mktemp)
    cp "$(git rev-parse --git-path index)" "$index"
    GIT_INDEX_FILE=$index git add --update
    GIT_INDEX_FILE=$index git write-tree
    rm -f "$index"
}

# How many compilers run at once: one per core (or LANES_JOBS), but at least 1.5 GB of memory for
# each, because clang's own headers are large.
build_jobs() {
    local cores memory
    cores=${LANES_JOBS:-$(nproc)}
    memory=$(($(awk '/^MemAvailable/ {print $2}' /proc/meminfo) / 1500000))
    ((memory < 1)) && memory=1
    echo $((cores < memory ? cores : memory))
}

# The Jupyter kernel's limits are stretched by its own variable.
[[ -z ${LANES_SLOW:-} ]] || export XCPP_SLOW=$LANES_SLOW
