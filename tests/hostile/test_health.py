"""/readyz checks the stores at most once per second."""

from __future__ import annotations

from time import sleep

from flask.testing import FlaskClient
from redis import Redis

from orgctx.http.health import READY_SECONDS
from tests.support.deployment import Deployment


def test_readyz_checks_stores_once_per_second(rest: FlaskClient, acme: Deployment) -> None:
    def charges() -> int:
        return int(redis.info("commandstats").get("cmdstat_evalsha", {"calls": 0})["calls"])

    with Redis.from_url(acme.redis_url) as redis:
        before = charges()
        answers = [rest.get("/readyz") for _ in range(200)]
        assert {answer.status_code for answer in answers} == {200}
        assert 1 <= charges() - before < 100
        sleep(READY_SECONDS)
        between = charges()
        assert rest.get("/readyz").json["status"] == "ready"
        assert charges() == between + 1
