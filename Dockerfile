# The course, ready to use: JupyterLab on port 8888, for a user who is not root. Any folder with the
# course will do as context, a checkout (with solutions) or what `make hand-out` writes; `make image`
# builds from the latter.
#
#   docker build --tag lanes .
#   docker run --rm --publish 127.0.0.1:8888:8888 --volume lanes-work:/opt/lanes/work lanes
#
# The volume keeps the student's notebooks. --gpus all offers the GPUs of the machine. BASE is the image
# to start from; LANES_ARCH the oldest CPU that it must run on, a value of clang's -march.
ARG BASE=debian:12

FROM ${BASE} AS build
ARG LANES_ARCH=
ARG LANES_JOBS=
ENV DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8 HOME=/root
COPY . /opt/lanes
RUN rm -rf /opt/lanes/build /opt/lanes/.venv /opt/lanes/.jupyter /opt/lanes/.cache /opt/lanes/work \
    && /opt/lanes/tools/finish

FROM ${BASE}
ENV DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8
# make, and of the course's packages those that are needed to run it; chromium prints reports. Nothing links
# OpenBLAS or OpenMP's part for GPUs statically.
RUN --mount=type=bind,from=build,source=/opt/lanes/tools,target=/mnt/tools \
    apt-get update -qq \
    && apt-get install --yes -qq --no-install-recommends make chromium fonts-dejavu-extra \
       libzmq5 libssl3 libpng16-16 libturbojpeg0 libclang-cpp19 libllvm19 libstdc++-12-dev \
       $(grep -hvE '^#|# build' /mnt/tools/packages.txt /mnt/tools/packages_mpi.txt | sed 's/#.*//') \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt /usr/share/doc /usr/share/man /usr/share/locale /usr/share/icons \
       /usr/lib/*/openblas-pthread/*.a /usr/lib/llvm-19/lib/libomptarget*.a
RUN useradd --create-home --uid 1000 --shell /bin/bash student
COPY --from=build --chown=student:student /opt/lanes /opt/lanes
USER student
ENV HOME=/home/student USER=student PATH=/opt/lanes/.venv/bin:$PATH
WORKDIR /opt/lanes
VOLUME /opt/lanes/work
EXPOSE 8888
ENTRYPOINT ["/opt/lanes/tools/with-work"]
CMD ["tools/lab", "--no-browser", "--ServerApp.ip=0.0.0.0", "--ServerApp.port=8888"]
