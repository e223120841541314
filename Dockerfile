# A tag can change: give the digest of a Python image that you have checked for a reproducible build.
ARG PYTHON=python:3.13-slim
# The locked requirements. The image serves and loads bundles; one that also runs `orgctx import`, and one
# whose desk looks for all kinds of secrets and has OpenID Connect:
#   docker build --build-arg REQUIREMENTS=requirements-importers.txt .
#   docker build --build-arg REQUIREMENTS=requirements-desk.txt .
ARG REQUIREMENTS=requirements.txt

FROM ${PYTHON} AS tools
WORKDIR /src
COPY deploy/requirements-build.txt deploy/
RUN python -m pip install --no-cache-dir --require-hashes -r deploy/requirements-build.txt

# Installs the locked requirements and orgctx in an environment without pip. Tests of packages are left out.
FROM tools AS build
RUN python -m venv --without-pip /opt/orgctx
# After what it does not change, so that images with other requirements share those layers.
ARG REQUIREMENTS
COPY deploy/${REQUIREMENTS} deploy/
RUN python -m pip --python /opt/orgctx install --no-cache-dir --require-hashes -r "deploy/${REQUIREMENTS}"
COPY setup.py setup.cfg pyproject.toml README.md LICENSE ./
COPY orgctx orgctx
COPY sql sql
RUN python -m pip wheel --no-deps --no-build-isolation --wheel-dir dist . \
    && python -m pip --python /opt/orgctx install --no-deps --no-index dist/*.whl \
    && find /opt/orgctx -type d -name tests -prune -exec rm -r {} +

# Generates the bill of materials from the lock file.
FROM tools AS sbom
COPY deploy/requirements-audit.txt deploy/
RUN python -m venv --without-pip /opt/audit \
    && python -m pip --python /opt/audit install --no-cache-dir --no-compile --require-hashes -r deploy/requirements-audit.txt
ARG REQUIREMENTS
COPY deploy/${REQUIREMENTS} deploy/sbom.sh deploy/
COPY orgctx/__init__.py orgctx/
RUN PATH=/opt/audit/bin:$PATH sh deploy/sbom.sh orgctx.cdx.json "${REQUIREMENTS}"

FROM ${PYTHON}
# deploy/release.sh sets these.
ARG VERSION=
ARG REVISION=
ARG SOURCE=
LABEL org.opencontainers.image.title="orgctx" \
      org.opencontainers.image.description="Read-only HTTP and MCP access to one organization's stored context" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}"
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin orgctx \
    && install -d -o 10001 -g 10001 -m 0750 /var/log/orgctx
COPY --from=build /opt/orgctx /opt/orgctx
COPY --from=sbom /src/orgctx.cdx.json /opt/orgctx/share/sbom/
COPY wsgi.py /srv/orgctx/
ENV PATH=/opt/orgctx/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
WORKDIR /srv/orgctx
# A number, so that container platforms can verify that it is not root. It writes only to /dev/shm,
# and to a volume at /var/log/orgctx if the record of reads is on:
#   docker run --read-only --cap-drop ALL --security-opt no-new-privileges --stop-timeout 20 ...
USER 10001:10001
EXPOSE 8000
# gunicorn finishes accepted requests, within their time budget plus 5 s, and then stops.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["orgctx", "serve", "--bind", "0.0.0.0:8000"]
