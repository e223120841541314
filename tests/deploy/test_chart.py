"""The chart takes every setting, and Helm renders restricted pods that Kubernetes accepts."""

import json
import re
import sys
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from orgctx.config.settings import Config
from tests.architecture.test_snapshots import hold
from tests.support import helm
from tests.support.processes import ROOT, run

# Settings that belong in a secret.
SECRETS = (
    "DATABASE_URL", "ADMIN_DATABASE_URL", "DATABASE_READ_URL", "DESK_DATABASE_URL", "REDIS_URL",
    "API_KEY", "DESK_OIDC_CLIENT_SECRET",
)  # fmt: skip
CHART = ROOT / "deploy/helm"
SCHEMA = CHART / "values.schema.json"
VALUES = yaml.safe_load((CHART / "values.yaml").read_text())
WARNING = 2
DESK_VALUES = {"desk": {"enabled": True}, "settings": {"ORGCTX_DESK_URL": "https://desk.example"}}
# JSON types by the type of a setting's default. Helm converts each to a text.
TYPES = {bool: "boolean", int: "integer", float: "number", str: "string", tuple: "string"}
# Variables of gunicorn.
OTHERS = "^(WEB_CONCURRENCY|GUNICORN_CMD_ARGS)$"


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


def test_chart_accepts_every_setting() -> None:
    hold(SCHEMA, json.dumps(values_schema(), indent=2) + "\n")


@cache
def with_desk() -> dict[tuple[str, str], Any]:
    return rendered(DESK_VALUES)


@pytest.mark.system
def test_kubernetes_accepts_the_objects(tmp_path: Path) -> None:
    path = tmp_path / "orgctx.yaml"
    path.write_text(helm.render(CHART, DESK_VALUES))
    run(Path(sys.executable).parent / "kubernetes-validate", "--strict", "--quiet", path)


@pytest.mark.system
def test_chart_runs_no_desk_by_default() -> None:
    assert not [name for kind, name in rendered({}) if "desk" in name]
    assert [name for kind, name in with_desk() if "desk" in name] == 3 * ["orgctx-desk"]


@pytest.mark.system
def test_chart_restricts_the_pods() -> None:
    """No root, no writable root file system, no privilege; no admin login for service and desk."""
    objects = with_desk()
    jobs = {name: one["spec"] for (kind, name), one in objects.items() if kind == "CronJob"}
    assert {name: spec["suspend"] for name, spec in jobs.items()} == {
        "orgctx-admin": True, "orgctx-backup": True, "orgctx-sync": True,
    }  # fmt: skip
    templates = [
        one["spec"]["template"]
        for (kind, _), one in objects.items()
        if kind in ("Deployment", "Job")
    ]
    assert len(templates) == 3
    templates += [spec["jobTemplate"]["spec"]["template"] for spec in jobs.values()]
    for template in templates:
        pod = template["spec"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["automountServiceAccountToken"] is False
        for container in pod["containers"]:
            assert container["securityContext"] == {
                "readOnlyRootFilesystem": True,
                "allowPrivilegeEscalation": False,
                "capabilities": {"drop": ["ALL"]},
            }
    for name, secrets in (("orgctx", ["orgctx"]), ("orgctx-desk", ["orgctx", "orgctx-desk"])):
        template = objects["Deployment", name]["spec"]["template"]
        (container,) = template["spec"]["containers"]
        given = [one["secretRef"]["name"] for one in container["envFrom"] if "secretRef" in one]
        assert given == secrets
        assert "orgctx-admin" not in str(template)
    assert {"PodDisruptionBudget", "HorizontalPodAutoscaler"} <= {kind for kind, _ in objects}


@pytest.mark.system
def test_chart_selects_the_pods_by_their_labels() -> None:
    objects = with_desk()
    for name in ("orgctx", "orgctx-desk"):
        labels = objects["Deployment", name]["spec"]["template"]["metadata"]["labels"]
        for selector in (
            objects["Service", name]["spec"]["selector"],
            objects["NetworkPolicy", name]["spec"]["podSelector"]["matchLabels"],
            objects["NetworkPolicy", "orgctx"]["spec"]["podSelector"]["matchLabels"],
        ):
            assert selector.items() <= labels.items()


@pytest.mark.system
def test_commands_of_the_pages_fit_the_chart() -> None:
    """What an operator pastes at night exists: jobs and their secrets."""
    pages = "".join(path.read_text() for path in (ROOT / "docs").rglob("*.md"))
    jobs = set(re.findall(r"--from=cronjob/([\w-]+)", pages))
    assert {"orgctx-admin", "orgctx-backup"} <= jobs
    assert jobs <= {name for kind, name in with_desk() if kind == "CronJob"}
    job = with_desk()["CronJob", "orgctx-admin"]["spec"]["jobTemplate"]["spec"]
    (container,) = job["template"]["spec"]["containers"]
    secrets = [one["secretRef"]["name"] for one in container["envFrom"] if "secretRef" in one]
    assert set(re.findall(r"create secret generic ([\w-]+)", pages)) == {*secrets}


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
        "settings": {"ORGCTX_LIMIT_KEY": 25_000_000, "ORGCTX_LOG_CLIENT_ADDRESS": True},
        "network": {"egressPorts": [6432]},
        "backup": {"suspend": False},
    })  # fmt: skip
    settings = objects["ConfigMap", "orgctx"]["data"]
    assert settings["ORGCTX_LIMIT_KEY"] == "25000000"
    assert settings["ORGCTX_LOG_CLIENT_ADDRESS"] == "true"
    pod = objects["Deployment", "orgctx"]["spec"]["template"]["spec"]
    assert pod["containers"][0]["image"] == f"{VALUES['image']['repository']}@{digest}"
    egress = objects["NetworkPolicy", "orgctx"]["spec"]["egress"]
    assert egress[1]["ports"] == [{"port": 6432}]
    assert objects["CronJob", "orgctx-backup"]["spec"]["suspend"] is False
