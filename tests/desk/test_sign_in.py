"""Signing in with a link, sessions, and changes that do not come from the desk."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask

from tests.desk.conftest import Browser
from tests.support import factories as make
from tests.support.deployment import Deployment


def test_link_signs_in_once(desk: Flask, own_acme: Deployment) -> None:
    options = ("--organization", "acme", "--for", make.OWNER, "--json")
    link = own_acme.cli("desk", "invite", *options).json()["link"]
    first, second = Browser(desk), Browser(desk)
    secret = link.partition("#")[2]
    response = first.post("/sign-in", secret=secret)
    assert response.status_code == 303
    cookie = response.headers["Set-Cookie"]
    assert cookie.startswith("__Host-")
    assert all(word in cookie for word in ("Secure", "HttpOnly", "SameSite=Strict", "Path=/"))
    assert first.get("/").status_code == 200
    assert second.post("/sign-in", secret=secret).status_code == 403
    assert second.get("/").location.endswith("/sign-in")


def test_sign_out_ends_the_session(sign_in: Callable[..., Browser], desk: Flask) -> None:
    browser = sign_in()
    secret = browser.cookie
    assert browser.post("/sign-out").status_code == 303
    assert browser.cookie is None
    other = Browser(desk)
    other.client.set_cookie("__Host-orgctx-desk", secret or "", domain="localhost")
    assert other.get("/").status_code == 303
