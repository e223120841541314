"""The chart takes every setting, renders with Helm, and is what deploy/kubernetes contains."""

import json
import shutil
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.version import Version

from orgctx import __version__
from orgctx.cli.errors import SECRETS
from orgctx.config.settings import Config
from tests.architecture.test_snapshots import hold
from tests.support import helm
from tests.support.processes import ROOT
from tests.support.proxies import run

CHART, KUBERNETES = ROOT / "deploy/helm", ROOT / "deploy/kubernetes"
RENDERED, DESK = KUBERNETES / "orgctx.yaml", KUBERNETES / "desk.yaml"
SCHEMA = CHART / "values.schema.json"
VALUES = yaml.safe_load((CHART / "values.yaml").read_text())
WARNING = 2
DESK_VALUES = {"desk": {"enabled": True}, "settings": {"ORGCTX_DESK_URL": "https://desk.example"}}
# JSON types by the type of a setting's default. Helm converts each to a text.
TYPES = {bool: "boolean", int: "integer", float: "number", str: "string", tuple: "string"}
# Variables of gunicorn and OpenTelemetry.
OTHERS = "^(WEB_CONCURRENCY|GUNICORN_CMD_ARGS|OTEL_[A-Z_]+)$"


def rendered(values: Any) -> dict[tuple[str, str], Any]:
    """The objects that Helm renders with these values, by kind and name."""
    objects = yaml.safe_load_all(helm.render(CHART, values))
    return {(one["kind"], one["metadata"]["name"]): one for one in objects if one}


def closed(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "type": "object", "properties": properties, "additionalProperties": False, **more,
    }  # fmt: skip


def schema_of(value: Any) -> dict[str, Any]:
    """The JSON Schema of values like this one."""
    if isinstance(value, dict):
        return closed({name: schema_of(inner) for name, inner in value.items()})
    return {"type": "array" if isinstance(value, list) else TYPES[type(value)]}


def values_schema() -> dict[str, Any]:
    """Connections, which contain passwords, and other secrets are not settings of the chart."""
    settings = {
        f"ORGCTX_{field.name.upper()}": {"type": sorted({TYPES[type(field.default)], "string"})}
        for field in fields(Config)
        if field.name.upper() not in SECRETS
    }
    others = {OTHERS: {"type": ["integer", "string"]}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **closed({
            **schema_of(VALUES)["properties"],
            "settings": closed(settings, patternProperties=others),
            "resources": {"type": "object"},
            "global": {"type": "object"},
        }),
    }  # fmt: skip


def head() -> str:
    """The first line of the rendering, with the digest of what it is made of."""
    digest = sha256()
    for path in sorted(path for path in {*CHART.rglob("*")} - {SCHEMA} if path.is_file()):
        digest.update(path.relative_to(CHART).as_posix().encode() + path.read_bytes())
    return f"# Written by `make snapshots` from ../helm, {digest.hexdigest()[:16]}.\n"


def test_chart_accepts_every_setting() -> None:
    hold(SCHEMA, json.dumps(values_schema(), indent=2) + "\n")


def test_chart_has_the_version_of_the_package() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    kustomization = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())
    (image,) = kustomization["images"]
    assert {chart["version"], chart["appVersion"], image["newTag"]} == {
        Version(__version__).base_version
    }
    assert image["name"] == VALUES["image"]["repository"]


@pytest.mark.system
def test_manifests_are_the_rendered_chart() -> None:
    hold(RENDERED, head() + helm.render(CHART))


@pytest.mark.system
def test_manifests_of_the_desk_are_the_rendered_chart() -> None:
    manifests = helm.render(CHART, DESK_VALUES)
    only = [one for one in manifests.split("---\n") if "templates/desk.yaml" in one]
    assert len(only) == 3
    hold(DESK, head() + "".join(f"---\n{one}" for one in only))


@pytest.mark.parametrize("path", [RENDERED, DESK], ids=lambda path: path.name)
def test_manifests_belong_to_this_chart(path: Path) -> None:
    """Noticed without Helm's library, too."""
    assert path.read_text().startswith(head()), "make snapshots"


def test_chart_runs_no_desk_by_default() -> None:
    assert VALUES["desk"]["enabled"] is False
    assert "desk" not in {
        one["spec"]["template"]["metadata"]["labels"]["app.kubernetes.io/component"]
        for one in yaml.safe_load_all(RENDERED.read_text())
        if one and one["kind"] in ("Deployment", "Job")
    }


@pytest.mark.system
def test_helm_renders_the_desk() -> None:
    values = {"desk": {"enabled": True, "image": "registry.example/desk:1", "egressPorts": [443]}}
    with pytest.raises(Exception, match="ORGCTX_DESK_URL"):
        helm.render(CHART, values)
    settings = {"settings": {"ORGCTX_DESK_URL": "https://desk.example"}}
    objects = rendered(values | settings)
    (container,) = objects["Deployment", "orgctx-desk"]["spec"]["template"]["spec"]["containers"]
    assert container["image"] == "registry.example/desk:1"
    policy = objects["NetworkPolicy", "orgctx-desk"]["spec"]
    assert policy["egress"] == [{"ports": [{"port": 443}]}]


@pytest.mark.system
def test_helm_lets_the_desk_read_what_the_service_records() -> None:
    """Each pod writes a file of its own, because nodes that share a volume would mix lines."""
    objects = rendered({**DESK_VALUES, "reads": {"claim": "reads"}})
    mounts, variables = [], []
    for name in ("orgctx", "orgctx-desk"):
        pod = objects["Deployment", name]["spec"]["template"]["spec"]
        volume = {"name": "reads", "persistentVolumeClaim": {"claimName": "reads"}}
        assert volume in pod["volumes"]
        (container,) = pod["containers"]
        mounts += [one for one in container["volumeMounts"] if one["name"] == "reads"]
        variables += [one for one in container["env"] if one["name"] == "ORGCTX_AUDIT_READS"]
    path = "/var/log/orgctx"
    mount = {"name": "reads", "mountPath": path}
    assert mounts == [mount, mount | {"readOnly": True}]
    assert [one["value"] for one in variables] == [f"{path}/$(POD).jsonl", path]


@pytest.mark.system
def test_helm_finds_nothing_to_warn_of() -> None:
    messages = helm.lint(CHART)["Messages"]
    assert not [message for message in messages if message["Severity"] >= WARNING]


@pytest.mark.system
@pytest.mark.parametrize(
    "name",
    [
        "ORGCTX_NO_SUCH_SETTING", "ORGCTX_DATABASE_URL", "ORGCTX_ADMIN_DATABASE_URL",
        "ORGCTX_DESK_DATABASE_URL", "ORGCTX_DESK_OIDC_CLIENT_SECRET",
    ],
)  # fmt: skip
def test_helm_rejects_unknown_settings_and_connections(name: str) -> None:
    with pytest.raises(Exception, match=name):
        helm.render(CHART, {"settings": {name: "1"}})


@pytest.mark.system
def test_helm_renders_values() -> None:
    digest = f"sha256:{64 * 'a'}"
    objects = rendered({
        "image": {"digest": digest},
        "settings": {"ORGCTX_LIMIT_KEY": 25_000_000, "ORGCTX_TRACES": True},
        "network": {"egressPorts": [6432]},
        "backup": {"suspend": False},
    })  # fmt: skip
    settings = objects["ConfigMap", "orgctx"]["data"]
    assert settings["ORGCTX_LIMIT_KEY"] == "25000000"
    assert settings["ORGCTX_TRACES"] == "true"
    pod = objects["Deployment", "orgctx"]["spec"]["template"]["spec"]
    assert pod["containers"][0]["image"] == f"{VALUES['image']['repository']}@{digest}"
    egress = objects["NetworkPolicy", "orgctx"]["spec"]["egress"]
    assert egress[1]["ports"] == [{"port": 6432}]
    assert objects["CronJob", "orgctx-backup"]["spec"]["suspend"] is False


@pytest.mark.system
def test_kustomize_changes_the_settings() -> None:
    # No package has a version with `patches`.
    if not shutil.which("kubectl"):
        pytest.skip("kubectl is missing")
    done = run("kubectl", "kustomize", KUBERNETES)
    assert (done.returncode, done.stderr) == (0, "")
    objects = [*yaml.safe_load_all(done.stdout)]
    assert {one["metadata"].get("namespace") for one in objects} == {None, "orgctx"}
    assert len(objects) == 1 + sum(map(bool, yaml.safe_load_all(RENDERED.read_text())))
    (settings,) = (
        one for one in objects if (one["kind"], one["metadata"]["name"]) == ("ConfigMap", "orgctx")
    )
    assert settings["data"] == {name: str(value) for name, value in VALUES["settings"].items()}
