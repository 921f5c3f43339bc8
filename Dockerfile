# Proviso on Debian 12: docs/install.md, "In a container".
#   docker build -t proviso .
#   docker run --rm -v "$PWD:/work" proviso lower program.py --schedule program.sch.py
FROM debian:12 AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates git \
    && rm -rf /var/lib/apt/lists/*
COPY . /proviso
WORKDIR /proviso
# Installs what it needs, builds, makes the package and tries it.
RUN ./dev package

FROM debian:12-slim
# gcc and libc6-dev link what --emit so writes; cvc5 and z3 are the solvers of an audit.
COPY --from=build /proviso/build/package/proviso_*.deb /tmp/
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        /tmp/proviso_*.deb cvc5 z3 gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/* /tmp/proviso_*.deb
WORKDIR /work
ENTRYPOINT ["proviso"]
CMD ["--help"]
