# Builds the wheels of the locked requirements and of orgctx; the image gets no compiler and no pip cache.
FROM python:3.13-slim AS build
WORKDIR /src
COPY deploy/requirements.txt deploy/
RUN python -m venv /opt/orgctx \
    && /opt/orgctx/bin/pip install --no-cache-dir --require-hashes -r deploy/requirements.txt
COPY setup.cfg pyproject.toml README.md LICENSE ./
COPY orgctx orgctx
COPY sql sql
RUN /opt/orgctx/bin/pip install --no-cache-dir --no-deps .

FROM python:3.13-slim
RUN useradd --system --uid 10001 --no-create-home orgctx
COPY --from=build /opt/orgctx /opt/orgctx
COPY wsgi.py /srv/orgctx/
ENV PATH=/opt/orgctx/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
WORKDIR /srv/orgctx
USER 10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["orgctx", "serve", "--bind", "0.0.0.0:8000"]
