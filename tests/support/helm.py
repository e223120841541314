"""Lint and render the chart with Helm's own library, which renders only for a cluster.

Helm asks the API of the cluster, renders, and stores the release in a secret before it creates
anything. This module answers its requests, reads the release from that secret, and rejects it.
"""

import asyncio
import base64
import gzip
import json
import re
import sys
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.mcp.clients.install import python_library
from tests.support.http_server import Handler, serving

NAMESPACE = "orgctx"
VERBS = ["create", "get", "list", "patch", "update"]
# The kinds of the chart by API group and version.
KINDS = {
    "v1": ["ConfigMap", "Secret", "Service"],
    "apps/v1": ["Deployment"],
    "batch/v1": ["Job", "CronJob"],
    "policy/v1": ["PodDisruptionBudget"],
    "autoscaling/v2": ["HorizontalPodAutoscaler"],
    "networking.k8s.io/v1": ["NetworkPolicy"],
}
# A release in a secret: JSON in gzip in base64.
RELEASE = re.compile(rb"H4sI[A-Za-z0-9+/]+=*")


class _Api(Handler):
    """The API of a cluster without objects."""

    release: dict[str, Any]

    def respond(self) -> None:
        if self.command == "POST":
            self.reject()
            return
        documents: dict[str, Any] = {
            "/version": {"major": "1", "minor": "32", "gitVersion": "v1.32.0"},
            "/api": {"kind": "APIVersions", "versions": ["v1"]},
            "/apis": {"kind": "APIGroupList", "groups": [
                {"name": group, "versions": [{"groupVersion": name, "version": version}]}
                for name in KINDS
                for group, slash, version in [name.partition("/")]
                if slash
            ]},
            f"/api/v1/namespaces/{NAMESPACE}/secrets": {
                "kind": "SecretList", "apiVersion": "v1", "items": [],
            },
        } | {
            f"/{'apis' if '/' in name else 'api'}/{name}": {
                "kind": "APIResourceList", "groupVersion": name, "resources": [
                    {"name": _plural(kind), "namespaced": True, "kind": kind, "verbs": VERBS}
                    for kind in kinds
                ],
            }
            for name, kinds in KINDS.items()
        }  # fmt: skip
        document = documents.get(self.path.partition("?")[0])
        failure = {"kind": "Status", "status": "Failure"}
        self.answer(json.dumps(document or failure).encode(), 200 if document else 404)

    def reject(self) -> None:
        if match := RELEASE.search(self.body()):
            type(self).release = json.loads(gzip.decompress(base64.b64decode(match[0])))
        self.answer(b'{"kind": "Status", "status": "Failure", "reason": "Forbidden"}', 403)


def _plural(kind: str) -> str:
    return f"{kind.lower()[:-1]}ies" if kind.endswith("y") else f"{kind.lower()}s"


def _library() -> Any:
    """Helm's library, which says that it needs Python 3.12 and works with 3.11."""
    folder = str(python_library("helm-sdkpy"))
    if folder not in sys.path:
        sys.path.append(folder)
    return import_module("helm_sdkpy")


@contextmanager
def _cluster() -> Iterator[tuple[Any, type[_Api]]]:
    """Yield a configuration of Helm for a cluster, and the class that has the release."""
    helm = _library()
    api = type("Api", (_Api,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), api)
    with TemporaryDirectory() as directory, serving(server) as port:
        path = Path(directory, "kubeconfig")
        path.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "test",
            "clusters": [{"name": "test", "cluster": {
                "server": f"http://127.0.0.1:{port}",
            }}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}],
            "users": [{"name": "test", "user": {}}],
        }))  # fmt: skip
        yield helm.Configuration(namespace=NAMESPACE, kubeconfig=str(path)), api


def _run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Return what a coroutine returns: in a thread, because playwright's loop runs in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def lint(chart: Path) -> dict[str, Any]:
    """Return the result of `helm lint`: `Messages` with `Severity` (1 info, 2 warning, 3 error)."""
    with _cluster() as (configuration, _):
        result: dict[str, Any] = _run(_library().Lint(configuration).run(str(chart)))
    return result


def render(chart: Path, values: dict[str, Any] | None = None) -> str:
    """Return the manifests of the chart, hooks first. Raises InstallError for unusable values."""
    with _cluster() as (configuration, api):
        install = _library().Install(configuration)
        try:
            _run(install.run(NAMESPACE, str(chart), values=values, wait=False))
        except _library().InstallError:
            if not hasattr(api, "release"):
                raise
        release = api.release
    hooks = [f"---\n{hook['manifest'].strip()}\n" for hook in release["hooks"]]
    return "".join([*hooks, release["manifest"]])
